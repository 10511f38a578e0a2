// @ts-check
/**
 * Putting a chain together, link by link: each button or part of a drawing with `data-move` adds what it says,
 * `data-back` takes the last link off. After each the server is asked where the links lead: its page shows it,
 * with the links that may come next. Nothing is sent before the button that says what it sends.
 */

import { LOOKS, field } from "./compose.js";
import { announce } from "./state.js";

const STEP = "; "; // between the links of a chain in notation
const ON = "[data-move], [data-back]";

let said = ""; // the links that were announced last

/** @returns {import("./composer").Composer} */
export function chaining() {
  document.addEventListener("click", (event) => act(event.target));
  document.addEventListener("keydown", (event) => {
    const at = event.target;
    const drawn = at instanceof SVGElement && at.matches(ON); // a button clicks by itself
    if (!drawn || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    act(at);
  });
  return {
    chosen(form) {
      const move = form.dataset.chosen ?? "";
      if (move !== said) announce(form.dataset.says ?? "");
      said = move;
      return { move, words: move ? form.dataset.says : undefined };
    },
    focus: (form) => form.querySelector("[data-move]") ?? form.querySelector("button.primary"),
    ahead: (form) => Boolean(form.dataset.chosen),
    // The links are in the page itself.
    keep: () => undefined,
    restore() {},
    forget() {},
    refill() {},
  };
}

/** @param {EventTarget | null} target */
function act(target) {
  const on = target instanceof Element ? target.closest(ON) : null;
  if (!on) return;
  const form = on.closest("form.compose") ?? document.querySelector("form.compose:has([formaction])");
  if (!(form instanceof HTMLFormElement)) return;
  const links = (form.dataset.chosen ?? "").split(STEP).filter(Boolean);
  const more = on.getAttribute("data-move");
  look(form, more ? [...links, more] : links.slice(0, -1));
}

/**
 * Ask the server where these links lead.
 * @param {HTMLFormElement} form
 * @param {string[]} links
 */
function look(form, links) {
  const list = field(form);
  const move = links.join(STEP);
  if (![...list.options].some((option) => option.value === move)) list.add(new Option(move, move));
  list.value = move;
  form.requestSubmit(form.querySelector(LOOKS));
}
