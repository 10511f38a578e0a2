// @ts-check
/** What the server says of the page, in the data attributes of `#state`. */

/**
 * @typedef {object} State
 * @property {string} digest of this page; empty where it never changes
 * @property {string} stream the address of its wake-ups; empty where there are none
 * @property {string} heading for the tab
 * @property {boolean} turn whether something is asked of this reader
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

/** How fast things move: 1 normal, 0 not at all. */
export function pace() {
  const value = getComputedStyle(document.documentElement).getPropertyValue("--pace").trim();
  return value === "" ? 1 : Number(value);
}

/**
 * Say something to screen readers, once.
 * @param {string} words
 */
export function announce(words) {
  const region = document.getElementById("live");
  if (region && words) region.textContent = region.textContent === words ? `${words}\u00a0` : words;
}

/**
 * Whether text is typed or picked there: its value is the reader's, where that of a card is the page's.
 * @param {unknown} target
 */
export function typing(target) {
  const fields = "input:not([type=radio], [type=checkbox]), select, textarea";
  return target instanceof Element && target.matches(fields);
}
