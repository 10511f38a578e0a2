// @ts-check
/** Shared parts of all composers. A composer builds a move; the button shows the move that it would play. */

import { announce } from "./state.js";

/** @typedef {import("./composer").Composer} Composer */

/** @type {(form: HTMLFormElement) => Composer | null} */
let composer = () => null;

/**
 * Set the function that returns the composer of a form.
 * @param {(form: HTMLFormElement) => Composer | null} of
 */
export function compose(of) {
  composer = of;
}

/** The button that gets a preview. */
export const LOOKS = "button[formaction]";

/** All forms that build a move. */
const forms = () => /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.compose"));

/** @param {HTMLFormElement} form */
const idle = (form) => form.querySelector("button.primary")?.getAttribute("data-idle") ?? "";

/**
 * The label of a legal move, or [sentence, clause] for a refused one; undefined for any other.
 * @param {HTMLFormElement} form
 * @param {string} move
 * @returns {string | [string, string] | undefined}
 */
export function words(form, move) {
  const legal = field(form) && [...field(form).options].find((option) => option.value === move);
  if (legal) return legal.text;
  const refused = JSON.parse(form.querySelector("script[type='application/json']")?.textContent ?? "{}");
  return refused[move];
}

/**
 * The select whose value is sent.
 * @param {HTMLFormElement} form
 */
export const field = (form) => /** @type {HTMLSelectElement} */ (form.querySelector("select[name=move]"));

/**
 * The element of the first hand that gets the focus.
 * @returns {HTMLElement | null}
 */
export function hand() {
  const first = forms()[0];
  return first ? (composer(first)?.focus(first) ?? null) : null;
}

/**
 * The form whose preview the page shows. An update must get the same preview.
 * @returns {HTMLFormElement | undefined}
 */
export const looking = () => [...forms()].find((form) => composer(form)?.ahead?.(form));

/** Listen to all hands, including those of later updates. */
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
      if (event.submitter?.matches(LOOKS)) return;
      const { move, words } = composer(form)?.chosen(form) ?? { move: "", words: "" };
      say(form); // sets the select to the choice
      if (typeof words === "string") return;
      event.preventDefault();
      announce(move ? words?.[0] ?? "" : idle(form));
      composer(form)?.focus(form)?.focus();
    },
    true,
  );
  recall();
}

/** Restore the choices that the page came with, and show in every form what is chosen. */
export function recall() {
  for (const form of forms()) {
    const chosen = form.dataset.chosen ?? "";
    if (chosen) composer(form)?.refill(form, chosen);
  }
  for (const form of forms()) {
    form.noValidate = true;
    say(form);
  }
}

/** @param {HTMLFormElement} form */
function say(form) {
  const made = composer(form);
  const button = /** @type {HTMLButtonElement | null} */ (form.querySelector("button.primary"));
  const why = /** @type {HTMLElement | null} */ (form.querySelector("[data-why]"));
  if (!made || !button) return;
  const { move, words } = made.chosen(form);
  const legal = typeof words === "string";
  field(form).value = legal ? move : "";
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
 * The choices in all hands, by seat; `restore` sets them again after an update.
 * @returns {Map<string, any>}
 */
export function remember() {
  const kept = new Map();
  for (const form of forms()) {
    const choice = composer(form)?.keep(form);
    if (choice !== undefined) kept.set(form.dataset.seat, choice);
  }
  return kept;
}

/**
 * Clear the choice after it was sent, so that a second Enter does not send another move.
 * @param {HTMLFormElement} form
 */
export function forget(form) {
  composer(form)?.forget(form);
}

/**
 * Set the choices that `remember` returned.
 * @param {Map<string, any>} kept
 */
export function restore(kept) {
  for (const form of forms()) composer(form)?.restore(form, kept.get(form.dataset.seat ?? ""));
}
