// @ts-check
/** The offer to call the reader of a game with friends by sound or notification. */

import { calls } from "./people.js";

const OFFERED = "paddock.offered";
let refused = false; // whether the reader has answered on this page

/** Offer to call the reader, unless they have answered once or use it already. */
export function offer() {
  const panel = document.getElementById("offer");
  const words = document.getElementById("offered");
  if (!panel || !(words instanceof HTMLTemplateElement)) return;
  panel.hidden = calls() || offered();
  if (panel.hidden || panel.childElementCount) return;
  panel.append(words.content.cloneNode(true));
  const bell = /** @type {HTMLElement} */ (panel.querySelector("[data-offer=notify]"));
  bell.hidden = !("Notification" in window) || !isSecureContext || Notification.permission === "denied";
}

function offered() {
  try {
    return refused || localStorage.getItem(OFFERED) !== null;
  } catch {
    return refused;
  }
}

/** @param {Event} event */
function taken(event) {
  const button = event.target instanceof Element ? event.target.closest("[data-offer]") : null;
  if (!(button instanceof HTMLElement)) return;
  refused = true;
  try {
    localStorage.setItem(OFFERED, "yes");
  } catch {
    // The browser blocks storage: the answer lasts until the page closes.
  }
  const setting = document.querySelector(`.menu input[name="${button.dataset.offer}"][value="on"]`);
  if (setting instanceof HTMLElement) setting.click();
  document.getElementById("offer")?.setAttribute("hidden", "");
  document.getElementById("main")?.focus({ preventScroll: true });
}

document.addEventListener("click", taken);
