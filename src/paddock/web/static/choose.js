// @ts-check
/**
 * Chooses one card (a radio button), with optional additions (checkboxes appended to its notation). If a card
 * has several moves, there is a send button for each.
 */

import { words } from "./compose.js";

/** @param {HTMLFormElement} form */
const cards = (form) => [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=radio]"))];

/** @param {HTMLFormElement} form */
const pluses = (form) => [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[data-plus]"))];

/**
 * The moves of a card, one for each send button.
 * @param {HTMLInputElement} card
 */
const moves = (card) => card.value.split("|");

/**
 * A choice that survives an update: the card, its index among the cards, and its additions.
 * @typedef {{card: string, place: number, plus: string[]}} Kept
 */

/** @returns {import("./composer").Composer} */
export const choosing = () => ({
  chosen(form, way) {
    const card = cards(form).find((input) => input.checked);
    if (!card) return { move: "", words: undefined };
    const added = pluses(form).filter((input) => input.checked).map((input) => input.value);
    const bare = moves(card)[way];
    if (!bare) return { move: "", words: undefined, none: true };
    const move = bare + added.join("");
    return { move, words: words(form, move) };
  },

  focus: (form) => cards(form).find((input) => input.checked) ?? cards(form)[0] ?? null,

  keep(form) {
    const place = cards(form).findIndex((input) => input.checked);
    if (place < 0) return undefined;
    const plus = pluses(form).filter((input) => input.checked).map((input) => input.value);
    return { card: cards(form)[place].value, place, plus };
  },

  // Of two equal cards, prefer the one that was chosen.
  restore(form, /** @type {Kept | undefined} */ kept) {
    const all = cards(form);
    const same = kept && all[kept.place]?.value === kept.card ? all[kept.place] : undefined;
    const again = same ?? all.find((input) => input.value === kept?.card);
    for (const input of all) input.checked = input === again;
    for (const input of pluses(form)) input.checked = Boolean(again && kept?.plus.includes(input.value));
  },

  forget(form) {
    for (const input of [...cards(form), ...pluses(form)]) input.checked = false;
  },

  refill(form, chosen) {
    if (cards(form).some((input) => input.checked)) return;
    const plus = pluses(form).find((input) => chosen.endsWith(input.value));
    const card = plus ? chosen.slice(0, -plus.value.length) : chosen;
    const input = cards(form).find((input) => moves(input).includes(card));
    if (!input) return;
    input.checked = true;
    if (plus) plus.checked = true;
  },
});
