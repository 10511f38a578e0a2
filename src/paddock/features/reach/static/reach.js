// @ts-check
/** The script of «Reach me»: push for this browser, its time zone, and what to write for each kind of webhook. */

import { dialogs } from "../../dialogs.js";
import { people } from "../../people.js";
import { can, cease, subscribe } from "./push.js";
import { announce } from "../../state.js";

dialogs();
people();

const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-push]"));
if (button && can()) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    const may = await Notification.requestPermission();
    if (may === "granted" && (await subscribe())) return location.reload();
    const words = document.getElementById("push-said");
    if (words) words.textContent = (may === "granted" ? button.dataset.failed : button.dataset.refused) ?? "";
    announce(words?.textContent ?? "");
    button.disabled = false;
  });
}

document.addEventListener("submit", ({ submitter }) => submitter?.matches("[data-drops]") && cease());

const zone = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-zone]"));
if (zone && zone.value === "UTC") zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

const kind = /** @type {HTMLSelectElement | null} */ (document.querySelector("[data-kinds]"));
const field = /** @type {HTMLInputElement | null} */ (document.getElementById("address"));
kind?.addEventListener("change", () => {
  if (field) field.placeholder = kind.selectedOptions[0].dataset.hint ?? "";
});
