// @ts-check
import { chaining } from "../../chain.js";
import { choosing } from "../../choose.js";
import { compose, keep, words } from "../../compose.js";
import { show } from "../../sheet.js";
import { announce } from "../../state.js";
import { watching } from "./map.js";
import { zooming } from "../../zoom.js";

/** @typedef {import("../../composer").Composer} Composer */

// A plan: assistants on four boxes

/** @param {HTMLFormElement} form */
const boxes = (form) => [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[data-box]"))];

/** @param {HTMLFormElement} form */
const counts = (form) => boxes(form).map((box) => Number(box.value) || 0);

/** @param {HTMLFormElement} form */
const crew = (form) => Number(form.querySelector("[data-plan]")?.getAttribute("data-plan"));

/** @param {HTMLFormElement} form */
const left = (form) => crew(form) - counts(form).reduce((sum, n) => sum + n, 0);

/**
 * @param {HTMLFormElement} form
 * @param {number[]} numbers
 */
function place(form, numbers) {
  boxes(form).forEach((box, i) => { box.value = String(numbers[i] ?? 0); });
}

/**
 * In a lesson, the button that brings a box nearer to the suggested plan glows.
 * @param {HTMLInputElement} box
 */
function advise(box) {
  const way = box.dataset.wanted === undefined ? 0 : Math.sign(Number(box.dataset.wanted) - Number(box.value));
  for (const button of box.parentElement?.querySelectorAll("[data-by]") ?? []) {
    button.classList.toggle("is-suggested", way !== 0 && Number(button.getAttribute("data-by")) === way);
  }
}

/** @type {Composer} */
const planning = {
  chosen(form) {
    const rest = left(form);
    const told = form.querySelector("[data-unplaced]");
    if (told) told.textContent = String(rest);
    form.querySelector("[data-clear]")?.toggleAttribute("hidden", rest === crew(form));
    for (const button of form.querySelectorAll("[data-by='1']")) button.setAttribute("aria-disabled", String(rest <= 0));
    for (const box of boxes(form)) advise(box);
    if (rest) return { move: "", words: undefined };
    const move = `plan ${counts(form).join("-")}`;
    return { move, words: words(form, move) };
  },
  focus: (form) => form.querySelector("[data-by='1']"),
  keep: (form) => (left(form) < crew(form) ? counts(form) : undefined),
  restore(form, kept) { place(form, kept ?? []); },
  forget(form) { place(form, []); },
  refill(form, chosen) {
    if (left(form) === crew(form)) place(form, chosen.replace("plan ", "").split("-").map(Number));
  },
};

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-by], [data-clear]") : null;
  const form = button?.closest("form");
  if (!button || !form) return;
  const by = Number(button.getAttribute("data-by"));
  const box = /** @type {HTMLInputElement | null | undefined} */ (button.parentElement?.querySelector("[data-box]"));
  if (!by) place(form, []);
  else if (box && (by < 0 ? Number(box.value) > 0 : left(form) > 0)) box.value = String(Number(box.value) + by);
  form.dispatchEvent(new Event("change", { bubbles: true }));
});
document.addEventListener("input", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || !box.matches("[data-box]") || !box.form) return;
  const over = -left(box.form);
  if (over > 0) box.value = String(Math.max(0, Number(box.value) - over));
  box.form.dispatchEvent(new Event("change", { bubbles: true }));
});

// A window: every button sends its answer at once

/** @type {Composer} */
const answering = {
  chosen(form, way) {
    const moves = form.querySelector("[data-sends]")?.getAttribute("data-sends")?.split("|") ?? [];
    const move = moves[way] ?? "";
    return { move, words: words(form, move) };
  },
  focus: (form) => form.querySelector("button[data-way]"),
  keep: () => undefined,
  restore() {},
  forget() {},
  refill() {},
};

const steps = chaining();
const cards = choosing();
compose((form) => {
  if (form.querySelector("[data-chain]")) return steps;
  if (form.querySelector("[data-plan]")) return planning;
  return form.querySelector("[data-sends]") ? answering : cards;
});
zooming();
watching();

// The aid is a part of the panel «More»

document.addEventListener("click", (event) => {
  const aid = event.target instanceof Element ? event.target.closest("[data-aid]")?.getAttribute("data-aid") : null;
  if (!aid) return;
  setTimeout(() => { // after this click, which closes a panel that lies over the page
    show("more");
    document.getElementById(aid)?.scrollIntoView();
  });
});
// Why a button is of no use now, and what a card does

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-wrong]") : null;
  const form = button?.closest("form");
  if (!button || !form) return;
  const why = words(form, button.getAttribute("data-wrong") ?? "");
  const shown = /** @type {HTMLElement | null} */ (form.querySelector("[data-why]"));
  const hint = /** @type {HTMLElement | null} */ (form.querySelector("[data-hint]"));
  const does = button.getAttribute("data-does") ?? "";
  if (!(does || Array.isArray(why)) || !shown || !hint) return;
  shown.replaceChildren(does && `${does}. `);
  if (Array.isArray(why)) {
    const link = document.createElement("a");
    link.href = `${shown.dataset.why}#${why[1]}`;
    link.textContent = why[1];
    shown.append(`${why[0][0].toUpperCase()}${why[0].slice(1)}. `, link);
  }
  shown.hidden = false;
  hint.hidden = true;
  keep(form, true);
  announce(shown.textContent ?? "");
});
