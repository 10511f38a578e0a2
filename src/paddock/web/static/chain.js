// @ts-check
/**
 * Builds a chain link by link. A click on an element with `data-move` adds its links, `data-back` removes the
 * last one. After each change the server renders a preview: the page after these links, with the links that
 * can come next. Only the primary button plays the chain.
 */

import { LOOKS, field } from "./compose.js";
import { announce } from "./state.js";

const LINK = "; "; // between moves in notation, as in core/words.py
const ON = "[data-move], [data-back]";

let said = ""; // the links announced last

/** @returns {import("./composer").Composer} */
export function chaining() {
  document.addEventListener("click", (event) => act(event.target));
  document.addEventListener("keydown", (event) => {
    const at = event.target;
    const drawn = at instanceof SVGElement && at.matches(ON); // browsers turn keys into clicks for buttons only
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
    focus: (form) => form.querySelector("[data-move]") ?? form.querySelector("[data-way]"),
    ahead: (form) => Boolean(form.dataset.chosen),
    resume: (form, links) => look(form, links.split(LINK)),
    // The page holds the links: there is nothing to save.
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
  const links = (form.dataset.chosen ?? "").split(LINK).filter(Boolean);
  const more = on.getAttribute("data-move");
  look(form, more ? [...links, more] : links.slice(0, -1));
}

/**
 * Get the preview of these links from the server.
 * @param {HTMLFormElement} form
 * @param {string[]} links
 */
function look(form, links) {
  const list = field(form);
  const move = links.join(LINK);
  if (![...list.options].some((option) => option.value === move)) list.add(new Option(move, move));
  list.value = move;
  form.requestSubmit(form.querySelector(LOOKS));
}
