// @ts-check
/** Keyboard shortcuts. The key `?` lists them; the same dialog turns them off. */

import { hand } from "./compose.js";
import { show as dialog } from "./dialogs.js";
import { replay, settle } from "./reveal.js";
import { show } from "./sheet.js";
import { typing } from "./state.js";

const OFF = "paddock.shortcuts.off";

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
  "?": () => dialog("help"),
  h: () => hand()?.focus(),
  b: () => focus("#board"),
  l: () => {
    show("story");
    focus(".story");
  },
  s: settle,
  g: replay,
  ArrowLeft: () => click("a[data-step=back]"),
  ArrowRight: () => click("a[data-step=forward]"),
  Home: () => click("a[data-step=first]"),
  End: () => click("a[data-step=last]"),
};
const ALWAYS = ["?"];
const MOVING = /^(Arrow|Home|End|Page)/;

/**
 * The action of the first element with this `data-key`.
 * @param {string} key
 */
function own(key) {
  const found = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-key]"))];
  const first = found.find((element) => element.dataset.key === key);
  return first && (() => {
    if (!first.closest("form")?.contains(document.activeElement)) first.focus(); // then Enter submits this form
    first.click();
  });
}

/** Listen for them. */
export function shortcuts() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const at = event.target;
    if (typing(at) || document.querySelector("dialog[open]")) return;
    // Arrow keys already change radio buttons and scroll regions.
    const inside = at instanceof Element && at.closest("input, .story, .scroll, [data-view]") && MOVING.test(event.key);
    const act = KEYS[event.key] ?? own(event.key);
    if (!act || inside || (off() && !ALWAYS.includes(event.key))) return;
    if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") {
      if (!document.querySelector("[data-step]")) return;
    }
    event.preventDefault();
    act();
  });
  const box = /** @type {HTMLInputElement | null} */ (document.getElementById("shortcuts"));
  if (!box) return;
  box.checked = !off();
  box.addEventListener("change", () => {
    try {
      if (box.checked) localStorage.removeItem(OFF);
      else localStorage.setItem(OFF, "yes");
    } catch {
      // The browser blocks storage: the setting lasts until the page closes.
    }
  });
}

function off() {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    return false;
  }
}
