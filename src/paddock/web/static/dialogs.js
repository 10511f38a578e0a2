// @ts-check
/** Opens the list of shortcuts, also by the key `?`, and applies changed settings at once. */

import { typing } from "./state.js";

const OFF = "paddock.shortcuts.off";

/**
 * Open a dialog.
 * @param {string} id
 */
export function show(id) {
  const dialog = document.getElementById(id);
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
}

/** Make the page's dialogs and its settings work, and text of any size fit. */
export function dialogs() {
  import("./text.js").then(({ sized }) => sized(), () => {});
  document.addEventListener("click", (event) => {
    const opener = event.target instanceof Element ? event.target.closest("[data-opens]") : null;
    if (opener instanceof HTMLElement) show(opener.dataset.opens ?? "");
  });
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("settings"));
  form?.addEventListener("change", (event) => {
    const input = event.target;
    if (input instanceof HTMLSelectElement) form.requestSubmit(); // another language is another page
    if (!(input instanceof HTMLInputElement) || !input.checked) return;
    document.documentElement.dataset[input.name] = input.value;
    const { pathname } = new URL(".", form.action); // the server may run below a path
    // Safari keeps for a week what a script sets: the server sets it again with the next page.
    for (const [fact, age] of [[`${input.name}=${input.value}`, 604800], ["paddock_fresh=", 0]]) {
      document.cookie = `${fact}; path=${pathname}; max-age=${age}; samesite=lax`;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (typing(event.target) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    show("help");
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

/** Whether the reader has turned the shortcuts off. */
export function off() {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    return false;
  }
}
