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
 * Announce a text to screen readers once.
 * @param {string} words
 */
export function announce(words) {
  const region = document.getElementById("live");
  if (region && words) region.textContent = region.textContent === words ? `${words}\u00a0` : words;
}

/**
 * Whether the target is a field for text or a select, whose value belongs to the reader.
 * @param {unknown} target
 */
export function typing(target) {
  const fields = "input:not([type=radio], [type=checkbox]), select, textarea";
  return target instanceof Element && target.matches(fields);
}
