// @ts-check
/** Putting a move together: what every title's composer shares. The button says what it will do. */

import { announce } from "./state.js";

/** @typedef {import("./composer").Composer} Composer */

/** @type {(form: HTMLFormElement) => Composer | null} */
let composer = () => null;

/**
 * From now on forms are put together like this.
 * @param {(form: HTMLFormElement) => Composer | null} of the composer of a form
 */
export function compose(of) {
  composer = of;
}

/** The button that only looks ahead of what is chosen. */
export const LOOKS = "button[formaction]";

/** Every form in which a move is put together. */
const forms = () => /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.compose"));

/** @param {HTMLFormElement} form */
const idle = (form) => form.querySelector("button.primary")?.getAttribute("data-idle") ?? "";

/**
 * What the server says of a move: its label, or why it is refused; undefined where it says nothing.
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
 * The field that counts: the list of what can be sent.
 * @param {HTMLFormElement} form
 */
export const field = (form) => /** @type {HTMLSelectElement} */ (form.querySelector("select[name=move]"));

/**
 * Where the focus goes in the first hand.
 * @returns {HTMLElement | null}
 */
export function hand() {
  const first = forms()[0];
  return first ? (composer(first)?.focus(first) ?? null) : null;
}

/**
 * The form whose choice the page looks ahead of: an update must look ahead of it too.
 * @returns {HTMLFormElement | undefined}
 */
export const looking = () => [...forms()].find((form) => composer(form)?.ahead?.(form));

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
      if (event.submitter?.matches(LOOKS)) return;
      const { move, words } = composer(form)?.chosen(form) ?? { move: "", words: "" };
      say(form); // what is sent is what the button says
      if (typeof words === "string") return;
      event.preventDefault();
      announce(move ? words?.[0] ?? "" : idle(form));
      composer(form)?.focus(form)?.focus();
    },
    true,
  );
  recall();
}

/** Where a hand is in sight, nothing shows the way to it. */
const sight = new IntersectionObserver(
  (entries) => {
    const way = document.querySelector(".to-hand");
    if (way instanceof HTMLElement) way.hidden = entries.some((entry) => entry.isIntersecting);
  },
  { rootMargin: "0px 0px -96px" }, // what the way to it itself hides does not count
);

/** Make every form say what is chosen in it now; on a page that came with a choice, that one. */
export function recall() {
  for (const form of forms()) {
    const chosen = form.dataset.chosen ?? "";
    if (chosen) composer(form)?.refill(form, chosen);
  }
  sight.disconnect();
  const first = document.querySelector(".to-hand")?.getAttribute("href");
  const cards = first && document.querySelector(`${first} .compose`);
  if (cards) sight.observe(cards);
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
 * What is chosen in every hand, which an update must not undo.
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
 * What was sent is not chosen any more: a second Enter must not send its like.
 * @param {HTMLFormElement} form
 */
export function forget(form) {
  composer(form)?.forget(form);
}

/**
 * Choose again what was chosen.
 * @param {Map<string, any>} kept
 */
export function restore(kept) {
  for (const form of forms()) composer(form)?.restore(form, kept.get(form.dataset.seat ?? ""));
}
