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

/** What press.js does, which is loaded later: after each update, and when a choice was sent. */
export const later = { recalled() {}, forgotten(/** @type {HTMLFormElement} */ _form) {} };

/** The composer of a form. @param {HTMLFormElement} form */
export const maker = (form) => composer(form);

/** All forms that build a move. */
export const forms = () => /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.compose"));

/**
 * The buttons that send a move: one, or one for each way to play a card.
 * @param {HTMLFormElement} form
 */
export const sends = (form) => [.../** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll("button[data-way]"))];

/**
 * What each of these buttons would send.
 * @param {HTMLFormElement} form
 */
export const choices = (form) => sends(form).map((_button, way) => composer(form)?.chosen(form, way) ?? NOTHING);

/** @type {import("./composer").Chosen} */
const NOTHING = { move: "", words: undefined };

/** @param {import("./composer").Chosen} choice */
export const legal = (choice) => typeof choice.words === "string";

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
 * The element of the first hand in sight that gets the focus.
 * @returns {HTMLElement | null}
 */
export function hand() {
  const first = [...forms()].find((form) => form.checkVisibility());
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
    if (!(form instanceof HTMLFormElement)) return;
    keep(form, false);
    say(form);
  });
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || !form.matches(".compose")) return;
      keep(form, false);
      if (event.submitter?.matches(LOOKS)) return;
      const all = choices(form);
      const fit = all.filter(legal);
      const way = event.submitter instanceof HTMLButtonElement ? sends(form).indexOf(event.submitter) : -1;
      const one = way >= 0 ? all[way] : fit.length === 1 ? fit[0] : fit.length ? NOTHING : all[0];
      say(form);
      if (one && legal(one)) {
        field(form).value = one.move;
        return;
      }
      event.preventDefault();
      if (way < 0 && fit.length > 1) return sends(form)[all.indexOf(fit[0])].focus(); // Enter: which one?
      tell(form, one?.words);
      announce(Array.isArray(one?.words) ? one.words[0] : idle(form));
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
  later.recalled();
}

/**
 * Show on the buttons what they would send, and why nothing can be sent.
 * @param {HTMLFormElement} form
 */
export function say(form) {
  if (!composer(form) || !sends(form).length) return;
  const all = choices(form);
  const fit = all.filter(legal);
  field(form).value = fit.length === 1 ? fit[0].move : "";
  sends(form).forEach((button, way) => {
    const { words, none } = all[way];
    button.hidden = Boolean(none);
    button.replaceChildren(...(typeof words === "string" ? split(words) : [button.dataset.idle ?? ""]));
    button.setAttribute("aria-disabled", String(typeof words !== "string"));
  });
  if (!keeps(form)) tell(form, fit.length ? undefined : all.find(({ words }) => words)?.words);
}

/** Where a hint or a reason stands. @param {HTMLFormElement} form */
const says = (form) => /** @type {HTMLElement | null} */ (form.querySelector(".says"));

/** Whether what it says stays there when the page is updated. @param {HTMLFormElement} form */
const keeps = (form) => "keep" in (says(form)?.dataset ?? {});

/**
 * Let what a hand says stay when the page is updated, until the reader goes on.
 * @param {HTMLFormElement} form
 * @param {boolean} stays
 */
export function keep(form, stays) {
  says(form)?.toggleAttribute("data-keep", stays);
}

/**
 * A label as a move and its consequence, which is smaller.
 * @param {string} words
 */
function split(words) {
  const at = words.indexOf(": ");
  if (at < 0) return [words];
  const small = document.createElement("small");
  small.textContent = words.slice(at + 2);
  const colon = document.createElement("span");
  colon.className = "vh";
  colon.textContent = ": ";
  return [words.slice(0, at), colon, small];
}

/**
 * Show why a choice is refused, in place of the hint.
 * @param {HTMLFormElement} form
 * @param {import("./composer").Chosen["words"]} words
 */
function tell(form, words) {
  const why = /** @type {HTMLElement | null} */ (form.querySelector("[data-why]"));
  const hint = /** @type {HTMLElement | null} */ (form.querySelector("[data-hint]"));
  if (!why) return;
  why.hidden = !Array.isArray(words);
  if (hint) hint.hidden = !why.hidden;
  if (!Array.isArray(words)) return;
  const [sentence, clause] = words;
  const link = document.createElement("a");
  link.href = `${why.dataset.why}#${clause}`;
  link.textContent = clause;
  why.replaceChildren(`${sentence[0].toUpperCase()}${sentence.slice(1)}. `, link);
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
  later.forgotten(form);
  composer(form)?.forget(form);
}

/**
 * Set the choices that `remember` returned.
 * @param {Map<string, any>} kept
 */
export function restore(kept) {
  for (const form of forms()) composer(form)?.restore(form, kept.get(form.dataset.seat ?? ""));
}
