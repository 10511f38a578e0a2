// @ts-check
/** Keyboard shortcuts, loaded after the page. The key `?` lists them, see dialogs.js; the same dialog turns them off. */

import { hand } from "./compose.js";
import { off } from "./dialogs.js";
import { replay, settle } from "./reveal.js";
import { show } from "./sheet.js";
import { typing } from "./state.js";

/** @param {string} selector */
function focus(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus();
}

/** @param {string} selector */
function click(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.click();
}

/** @type {Record<string, () => void>} */
const KEYS = {
  h: () => hand()?.focus(),
  o: () => focus("#board"),
  l: () => {
    show("story");
    focus(".story");
  },
  s: settle,
  a: replay,
  ArrowLeft: () => click("a[data-step=back]"),
  ArrowRight: () => click("a[data-step=forward]"),
  "[": () => click("a[data-step=earlier]"),
  "]": () => click("a[data-step=later]"),
  Home: () => click("a[data-step=first]"),
  End: () => click("a[data-step=last]"),
};
const MOVING = /^(Arrow|Home|End|Page)/;

/**
 * The action of the element with this `data-key`. Several cards with the same key take turns, those that fit
 * first. With several hands, the focus says which one; without, it is the first.
 * @param {string} key
 */
function own(key) {
  const all = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-key]"))];
  const found = all.filter((element) => element.dataset.key?.split(" ").includes(key) && element.checkVisibility());
  const at = document.activeElement?.closest("form");
  const form = found.some((element) => element.closest("form") === at) ? at : found[0]?.closest("form");
  const here = found.filter((element) => element.closest("form") === form);
  const fit = here.filter((element) => !element.closest(".is-refused"));
  const ring = fit.length ? fit : here;
  const chosen = ring.findIndex((element) => element instanceof HTMLInputElement && element.type === "radio" && element.checked);
  const next = ring[(chosen + 1) % ring.length];
  return next && (() => {
    if (!form?.contains(document.activeElement) || next.matches("[type=radio]")) next.focus(); // then Enter submits this form
    next.click();
  });
}

/**
 * Do what a key is for.
 * @param {KeyboardEvent} event
 */
export function shortcut(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const at = event.target;
  if (typing(at) || document.querySelector("dialog[open]")) return;
  // Arrow keys already change radio buttons and scroll regions.
  const inside = at instanceof Element && at.closest("input, .story, .scroll, [data-view]") && MOVING.test(event.key);
  const act = KEYS[event.key] ?? own(event.key);
  if (!act || inside || off()) return;
  if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") {
    if (!document.querySelector("[data-step]")) return;
  }
  event.preventDefault();
  act();
}
