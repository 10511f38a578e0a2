// @ts-check
/**
 * The size of text. Media queries know that of the browser, but not that of the page, which a style of the reader's can
 * enlarge. They are then set to it: a table with large text is a column that scrolls, as in a small window.
 */

const USUAL = 16; // px, unless the reader has told the browser otherwise
const LARGE = 1.55; // no style sheet of this house enlarges its text so much
/** @type {Map<CSSMediaRule, string>} */
const written = new Map(); // the queries as they are in the style sheets
let factor = 1;

/** @param {Iterable<CSSRule>} rules */
function set(rules) {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      const query = written.get(rule) ?? rule.media.mediaText;
      written.set(rule, query);
      rule.media.mediaText = query.replace(/([\d.]+)rem/g, (_, size) => `${size * factor}rem`);
    }
    if (rule instanceof CSSGroupingRule) set(rule.cssRules);
  }
}

/** Load the rules for large text. */
function styled() {
  const href = new URL("large.css", import.meta.url).href;
  if (document.querySelector(`link[href="${href}"]`)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
}

function measured() {
  const root = document.documentElement;
  const size = parseFloat(getComputedStyle(root).fontSize);
  const plain = document.body.appendChild(Object.assign(document.createElement("p"), { className: "vh" }));
  plain.style.fontSize = "medium"; // the size of the browser, which media queries know
  const known = parseFloat(getComputedStyle(plain).fontSize);
  plain.remove();
  if (root.toggleAttribute("data-large", size / USUAL > LARGE)) styled();
  const now = size / known > LARGE ? size / known : 1;
  if (now === factor) return;
  factor = now;
  for (const sheet of document.styleSheets) set(sheet.cssRules);
}

/** Watch the size of text, by that of an element whose size is that of its text. */
export function sized() {
  const word = document.querySelector(".skip");
  if (word) new ResizeObserver(measured).observe(word);
}
