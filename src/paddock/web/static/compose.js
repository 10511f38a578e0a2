// @ts-check
/** Putting a move together: tap a card, perhaps what can go with it; the button says what it will do. */

import { announce } from "./state.js";

/** Every form in which a move is put together. */
const forms = () => /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.compose"));

/**
 * Where the focus goes in the first hand: to what is chosen, or to its first card.
 * @returns {HTMLElement | null}
 */
export const hand = () =>
  document.querySelector("form.compose input[type=radio]:checked") ??
  document.querySelector("form.compose input[type=radio]");

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
      /** @type {HTMLElement | null} */ (form.querySelector("input[type=radio]:checked, input[type=radio]"))?.focus();
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

/** Make every form say what is chosen in it now. */
export function recall() {
  refill();
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
  const move = card.value + added(form);
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

/** @param {HTMLFormElement} form */
const radios = (form) => [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=radio]"))];

/** @param {HTMLFormElement} form */
const pluses = (form) => [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[data-plus]"))];

/**
 * What is added to the card's notation.
 * @param {HTMLFormElement} form
 */
function added(form) {
  return pluses(form).filter((input) => input.checked).map((input) => input.value).join("");
}

/**
 * What is chosen in every hand, which an update must not undo.
 * @typedef {{card: string, place: number, plus: string[]}} Kept
 * @returns {Map<string, Kept>}
 */
export function remember() {
  const kept = new Map();
  for (const form of forms()) {
    const place = radios(form).findIndex((input) => input.checked);
    if (place < 0) continue;
    const plus = pluses(form).filter((input) => input.checked).map((input) => input.value);
    kept.set(form.dataset.seat, { card: radios(form)[place].value, place, plus });
  }
  return kept;
}

/**
 * What was sent is not chosen any more: a second Enter must not send its like.
 * @param {HTMLFormElement} form
 */
export function forget(form) {
  for (const input of [...radios(form), ...pluses(form)]) input.checked = false;
}

/**
 * Choose again what was chosen, where the hand still has it: the same of two equal cards, if both are there.
 * @param {Map<string, Kept>} kept
 */
export function restore(kept) {
  for (const form of forms()) {
    const before = kept.get(form.dataset.seat ?? "");
    const cards = radios(form);
    const same = before && cards[before.place]?.value === before.card ? cards[before.place] : undefined;
    const again = same ?? cards.find((input) => input.value === before?.card);
    for (const input of cards) input.checked = input === again;
    for (const input of pluses(form)) input.checked = Boolean(again && before?.plus.includes(input.value));
  }
}

/** On a page that came with a choice, which a form had made that was refused or too late: show it. */
function refill() {
  for (const form of forms()) {
    const chosen = form.dataset.chosen ?? "";
    if (!chosen || radios(form).some((input) => input.checked)) continue;
    const plus = pluses(form).find((input) => chosen.endsWith(input.value));
    const card = plus ? chosen.slice(0, -plus.value.length) : chosen;
    const input = radios(form).find((input) => input.value === card);
    if (!input) continue;
    input.checked = true;
    if (plus) plus.checked = true;
  }
}
