// @ts-check
/** What others ask of the reader has the place of the hand. «Later» puts it off, and a key beside the last move is back. */

import { hand } from "./compose.js";
import { announce } from "./state.js";

const { dataset } = document.documentElement; // updates never touch it
const request = () => document.getElementById("asked");
let told = ""; // the request that was announced

/** After an update: a request that was put off stays away until it is settled; another one has its place. */
export function asked() {
  const name = request()?.dataset.request;
  if (dataset.later !== name) delete dataset.later;
  if (name && name !== told) announce(request()?.querySelector("p")?.textContent ?? "");
  told = name ?? "";
}

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element) || !target.closest("[data-later]:not(html)")) return;
  const name = request()?.dataset.request;
  if (dataset.later === name) delete dataset.later;
  else dataset.later = name;
  (dataset.later ? hand() : request())?.focus({ preventScroll: true });
});
