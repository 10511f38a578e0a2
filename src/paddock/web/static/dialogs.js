// @ts-check
/** Opens the list of shortcuts, and applies changed settings at once. */

/**
 * Open a dialog.
 * @param {string} id
 */
export function show(id) {
  const dialog = document.getElementById(id);
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
}

/** Make the page's dialogs and its settings work. */
export function dialogs() {
  document.addEventListener("click", (event) => {
    const opener = event.target instanceof Element ? event.target.closest("[data-opens]") : null;
    if (opener instanceof HTMLElement) show(opener.dataset.opens ?? "");
  });
  const form = document.querySelector("form[data-settings]");
  form?.addEventListener("change", (event) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement) || !input.checked) return;
    document.documentElement.dataset[input.name] = input.value;
    document.cookie = `${input.name}=${input.value}; path=/; max-age=31536000; samesite=lax`;
  });
}
