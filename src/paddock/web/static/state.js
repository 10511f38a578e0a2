// @ts-check
/** The state of the page, from the data attributes of `#state`, and small helpers. */

/**
 * @typedef {object} State
 * @property {string} digest of this page; empty if the page never changes
 * @property {string} stream the address of its event stream; empty if it has none
 * @property {string} heading for the tab
 * @property {boolean} turn whether this reader must decide
 */

/** @returns {State} */
export function state() {
  const data = document.getElementById("state")?.dataset ?? {};
  return {
    digest: data.digest ?? "",
    stream: data.stream ?? "",
    heading: data.heading ?? "",
    turn: data.turn === "yes",
  };
}

/** The factor for the duration of animations: 1 is normal, 0 turns them off. */
export function pace() {
  const value = getComputedStyle(document.documentElement).getPropertyValue("--pace").trim();
  return value === "" ? 1 : Number(value);
}

/**
 * Play sounds that the reader has asked for: all, or that it is their turn.
 * @param {string[]} kinds see sounds.js
 */
export function sound(...kinds) {
  const asked = document.documentElement.dataset.sound;
  const heard = asked === "all" ? kinds : kinds.filter((kind) => asked === "on" && kind === "turn");
  if (heard.length) import("./sounds.js").then(({ play }) => play(heard));
}

const HEARD = 1000; // ms after which a screen reader has read the announcement
let said = 0; // when the last one was made
let later = 0; // the timer that clears it

/**
 * Announce a text to screen readers once.
 * @param {string} words
 */
export function announce(words) {
  const region = document.getElementById("live");
  if (!region || !words) return;
  clearTimeout(later);
  said = performance.now();
  region.textContent = region.textContent === words ? `${words}\u00a0` : words;
}

/** Clear the last announcement, because the page has changed: it must not read as if it were still true. */
export function hush() {
  clearTimeout(later);
  later = setTimeout(() => document.getElementById("live")?.replaceChildren(), Math.max(0, said + HEARD - performance.now()));
}

/**
 * Whether the target is a field for text or a select, whose value belongs to the reader.
 * @param {unknown} target
 */
export function typing(target) {
  const fields = "input:not([type=radio], [type=checkbox]), select, textarea";
  return target instanceof Element && target.matches(fields);
}
