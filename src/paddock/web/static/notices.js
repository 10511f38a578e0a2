// @ts-check
/** Asks the browser for notifications, when the reader wants some; loaded then. */

import { announce } from "./state.js";

/**
 * Use the module of a feature by which notifications come also when no page is open, if this server has one.
 * @param {(module: any) => unknown} use
 */
export async function notifier(use) {
  const form = document.querySelector("[data-notifier]");
  if (form instanceof HTMLElement) use(await import(`./${form.dataset.notifier}`));
}

/**
 * Begin or end notifications as a setting says. It goes back if the browser refuses them.
 * @param {HTMLInputElement} input
 */
export async function wanted(input) {
  if (input.value !== "on") return notifier((module) => module.unsubscribe());
  const may = "Notification" in window ? await Notification.requestPermission() : "denied";
  if (may === "granted") return notifier((module) => module.subscribe());
  const group = input.closest("fieldset");
  const off = /** @type {HTMLInputElement | null} */ (group?.querySelector("input[value=off]") ?? null);
  off?.click();
  announce(group?.dataset.refused ?? "");
}
