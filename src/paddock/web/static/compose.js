// @ts-check
/** Putting a move together: tap a card, perhaps the Redline; the button says what it will do. */

import { announce } from "./state.js";

/** What can be added to a chosen card, as the form's checkbox says. */
const forms = () => /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.compose"));

/** Listen to all hands, those to come too. */
export function composing() {
  document.addEventListener("change", (event) => {
    const form = event.target instanceof Element ? event.target.closest("form.compose") : null;
    if (form instanceof HTMLFormElement) say(form);
  });
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || !form.matches(".compose")) return;
      const { move, words } = chosen(form);
      if (typeof words === "string") return;
      event.preventDefault();
      announce(move ? words?.[0] ?? "" : idle(form));
      form.querySelector("input[type=radio]")?.dispatchEvent(new Event("focus"));
      /** @type {HTMLElement | null} */ (form.querySelector("input[type=radio]:checked, input[type=radio]"))?.focus();
    },
    true,
  );
  recall();
}

/** Make every form say what is chosen in it now. */
export function recall() {
  for (const form of forms()) {
    form.noValidate = true;
    say(form);
  }
}

/** @param {HTMLFormElement} form */
function idle(form) {
  return form.querySelector("button.primary")?.getAttribute("data-idle") ?? "";
}

/**
 * What is chosen: the notation of the move, and the server's words for it.
 * @param {HTMLFormElement} form
 * @returns {{move: string, words: string | [string, string] | undefined}}
 */
function chosen(form) {
  const card = /** @type {HTMLInputElement | null} */ (form.querySelector("input[type=radio]:checked"));
  if (!card) return { move: "", words: undefined };
  const redline = /** @type {HTMLInputElement | null} */ (form.querySelector("[data-redline]"));
  const move = card.value + (redline?.checked ? redline.value : "");
  const words = JSON.parse(form.querySelector("script[type='application/json']")?.textContent ?? "{}");
  return { move, words: words[move] };
}

/** @param {HTMLFormElement} form */
function say(form) {
  const { move, words } = chosen(form);
  const button = /** @type {HTMLButtonElement | null} */ (form.querySelector("button.primary"));
  const select = /** @type {HTMLSelectElement | null} */ (form.querySelector("select[name=move]"));
  const why = /** @type {HTMLElement | null} */ (form.querySelector("[data-why]"));
  if (!button || !select) return;
  const legal = typeof words === "string";
  select.value = legal ? move : "";
  button.textContent = legal ? words : idle(form);
  button.setAttribute("aria-disabled", String(!legal));
  if (!why) return;
  why.hidden = !Array.isArray(words);
  if (Array.isArray(words)) {
    const [sentence, clause] = words;
    const link = document.createElement("a");
    link.href = `${why.dataset.why}#${clause}`;
    link.textContent = clause;
    why.replaceChildren(`${sentence[0].toUpperCase()}${sentence.slice(1)}. `, link);
  }
}

/**
 * What is chosen in every hand, and the rest that an update must not undo.
 * @typedef {{card: string, redline: boolean}} Kept
 * @returns {Map<string, Kept>}
 */
export function remember() {
  const kept = new Map();
  for (const form of forms()) {
    const card = /** @type {HTMLInputElement | null} */ (form.querySelector("input[type=radio]:checked"));
    const redline = /** @type {HTMLInputElement | null} */ (form.querySelector("[data-redline]"));
    if (card) kept.set(form.dataset.seat, { card: card.value, redline: Boolean(redline?.checked) });
  }
  return kept;
}

/**
 * Choose again what was chosen, where the hand still has it and nothing lies face down.
 * @param {Map<string, Kept>} kept
 */
export function restore(kept) {
  for (const form of forms()) {
    const before = kept.get(form.dataset.seat ?? "");
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input"))) {
      if (input.type === "radio") input.checked = false;
      if ("redline" in input.dataset) input.checked = Boolean(before?.redline);
    }
    const refilled = form.dataset.chosen ? form.dataset.chosen.replace("+R", "") : before?.card;
    const again = [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=radio]"))].find(
      (input) => input.value === refilled,
    );
    if (again) again.checked = true;
    else for (const input of form.querySelectorAll("[data-redline]")) /** @type {HTMLInputElement} */ (input).checked = false;
  }
}
