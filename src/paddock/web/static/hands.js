// @ts-check
/**
 * Shows one hand at a time to a reader who chooses for several seats. The page comes with the first hand that must
 * still choose; the reader's own switch holds until that hand is sent or the next decision comes.
 */

let shown = ""; // the hand that the reader switched to: see `mark`

/** @returns {HTMLElement[]} */
const switches = () => [...document.querySelectorAll("[data-hand]")].map((one) => /** @type {HTMLElement} */ (one));

/** @param {HTMLElement} one */
const panel = (one) => document.getElementById(`ask-${one.dataset.hand}`);

/**
 * A text that changes when this hand is sent or asked something new.
 * @param {HTMLElement} one
 */
const mark = (one) => `${document.getElementById("table")?.dataset.decision}/${one.dataset.hand}/${Boolean(panel(one)?.querySelector(".committed"))}`;

/** Listen to the switch. */
export function hands() {
  document.addEventListener("click", (event) => {
    const one = event.target instanceof Element ? event.target.closest("[data-hand]") : null;
    if (!(one instanceof HTMLElement)) return;
    shown = mark(one);
    switched();
  });
}

/** After an update: show the hand again that the reader switched to, if it still waits. */
export function switched() {
  const all = switches();
  const chosen = all.find((one) => mark(one) === shown);
  if (!chosen) return;
  for (const one of all) {
    one.setAttribute("aria-pressed", String(one === chosen));
    panel(one)?.classList.toggle("is-aside", one !== chosen);
  }
}
