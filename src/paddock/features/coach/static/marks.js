// @ts-check
/**
 * Marks what a hint calls good: in the hand, on the map, on the buttons. A mark is a star, and a description for
 * screen readers. An update of the page drops marks; whoever shows it calls `mark` again.
 */

import { choices, forms, sends } from "../../compose.js";

const LINK = "; "; // between moves in notation, as in core/words.py
const STAR = "M0-7L1.8-2.4 6.7-2.2 2.9.9 4.1 5.7 0 3 -4.1 5.7-2.9.9-6.7-2.2-1.8-2.4Z";
const PLAN = "plan ";

/** @typedef {{good: Set<string>, whole: string[], says: string}} Hint */

/**
 * Mark what is good in a hint, and nothing else; null: nothing.
 * @param {HTMLElement | null} hint
 */
export function mark(hint) {
  const stars = hint ? wanted(read(hint)) : new Map();
  for (const old of document.querySelectorAll("[data-good]:not(#panel-coach *)")) if (!stars.has(old)) clear(old);
  for (const [element, star] of stars) set(element, star, hint?.dataset.says ?? "");
}

/**
 * @param {HTMLElement} hint
 * @returns {Hint}
 */
const read = (hint) => ({
  good: new Set([...hint.querySelectorAll("[data-good]")].map((line) => line.getAttribute("data-good") ?? "")),
  whole: (hint.dataset.whole ?? "").split(LINK).filter(Boolean),
  says: hint.dataset.says ?? "",
});

/**
 * The elements that get a mark, each with what it says beside the star.
 * @param {Hint} hint
 * @returns {Map<Element, string>}
 */
function wanted(hint) {
  /** @type {Map<Element, string>} */
  const out = new Map();
  for (const form of forms()) {
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("label > input[type=radio]"))) {
      const pluses = ["", ...[.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[data-plus]"))].map((plus) => plus.value)];
      const moves = input.value.split("|").flatMap((move) => pluses.map((plus) => move + plus));
      if (moves.some((move) => hint.good.has(move))) out.set(/** @type {Element} */ (input.parentElement), "");
    }
    boxes(form, hint, out);
    if (form.querySelector("[data-chain]")) continue; // the button sends all links
    const all = form.querySelector("input:checked, [data-sends]") ? choices(form) : [];
    sends(form).forEach((button, way) => hint.good.has(all[way]?.move) && out.set(button, ""));
  }
  steps(hint, out);
  return out;
}

/**
 * The boxes of a plan: each with the number of the best one.
 * @param {HTMLFormElement} form
 * @param {Hint} hint
 * @param {Map<Element, string>} out
 */
function boxes(form, hint, out) {
  const best = [...hint.good][0] ?? "";
  if (!best.startsWith(PLAN)) return;
  const numbers = best.slice(PLAN.length).split("-");
  form.querySelectorAll("[data-box]").forEach((box, i) => {
    const counter = box.parentElement;
    if (counter) out.set(counter, numbers[i] ?? "");
  });
}

/**
 * The links that are good, and the destination of the whole move: of ways of several links the longest.
 * @param {Hint} hint
 * @param {Map<Element, string>} out
 */
function steps(hint, out) {
  const ways = [...document.querySelectorAll("#main [data-move]")].map((element) => ({ element, move: element.getAttribute("data-move") ?? "" }));
  const whole = hint.whole.join(LINK) + LINK;
  const long = ways.filter(({ move }) => move.includes(LINK) && whole.startsWith(move + LINK));
  const longest = Math.max(...long.map(({ move }) => move.length));
  for (const { element, move } of [...ways.filter(({ move }) => hint.good.has(move)), ...long.filter(({ move }) => move.length === longest)]) out.set(element, "");
}

/**
 * @param {Element} element
 * @param {string} star
 * @param {string} says
 */
function set(element, star, says) {
  if (element.getAttribute("data-good") === star && marked(element)) return;
  clear(element);
  element.setAttribute("data-good", star);
  const words = star ? `${says}: ${star}` : says;
  if (element.matches("label")) element.append(Object.assign(document.createElement("span"), { className: "vh hint-says", textContent: ` ${words}` }));
  else described(element).setAttribute("aria-describedby", saying(words));
  if (element instanceof SVGElement) element.lastElementChild?.before(drawn());
}

/** Whether a mark is still whole: an update may have taken a part of it. @param {Element} element */
const marked = (element) => (element.matches("label") ? element.querySelector(".hint-says") : described(element).hasAttribute("aria-describedby"));

/** @param {Element} element */
function clear(element) {
  element.removeAttribute("data-good");
  described(element).removeAttribute("aria-describedby");
  for (const part of element.querySelectorAll(".hint-star, .hint-says")) part.remove();
}

/** What a screen reader stops at. @param {Element} element */
const described = (element) => (element.matches("button, svg *") ? element : (element.querySelector("input") ?? element));

/**
 * The id of an element that says something to screen readers only.
 * @param {string} words
 */
function saying(words) {
  const id = `hint-says-${words.replace(/\W+/g, "-")}`;
  if (!document.getElementById(id)) document.body.append(Object.assign(document.createElement("span"), { id, hidden: true, textContent: words }));
  return id;
}

/** A star on a space of a map. */
function drawn() {
  const g = document.createElementNS("http://www.w3.org/2000/svg", "g");
  g.setAttribute("class", "hint-star");
  g.setAttribute("transform", "translate(0 -13)");
  g.innerHTML = `<circle r="10"/><path d="${STAR}"/>`;
  return g;
}
