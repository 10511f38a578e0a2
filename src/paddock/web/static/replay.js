// @ts-check
/** A replay: steps in place, plays by itself at a chosen speed, and has a timeline. */

import { show } from "./live.js";
import { announce } from "./state.js";

const BEAT = 1800; // ms for one step at normal speed

let playing = false;
let timer = 0;
let busy = false; // whether a moment is being fetched
let queued = ""; // the step to take after that
let round = 0; // counts requests: only the answer to the last one is shown

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement | null} */ (document.querySelector(selector));

/** @param {string} which first, back, forward, last, earlier, later or costly */
const step = (which) => /** @type {HTMLAnchorElement | null} */ (document.querySelector(`a[data-step=${which}]`));

/** The factor of the chosen speed. */
const speed = () => Number(/** @type {HTMLInputElement | null} */ (find("[name=speed]:checked"))?.value ?? 1);

/** Listen for clicks on the parts of a replay, which a finished game in a frame gets only later. */
export function replaying() {
  document.addEventListener("click", clicked);
  document.addEventListener("change", changed);
  document.addEventListener("submit", submitted);
  document.addEventListener("visibilitychange", () => document.hidden && pause());
  addEventListener("pagehide", pause);
}

/** @param {MouseEvent} event */
function clicked(event) {
  if (!(event.target instanceof Element) || event.defaultPrevented) return;
  if (event.target.closest("[data-do=play]")) return playing ? pause() : play();
  const link = event.target.closest("a[data-step], .moments a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const of = link.getAttribute("data-step"), href = link.getAttribute("href") ?? "";
  pause();
  if (busy && of) queued = of; // the link is that of the step before
  else go(new URL(href, location.href).href);
}

/** @param {Event} event */
function changed(event) {
  const input = event.target;
  if (input instanceof HTMLSelectElement && input.form?.matches("[data-moment]")) input.form.requestSubmit();
  if (!(input instanceof HTMLInputElement)) return;
  if (input.name === "speed" && playing) next();
  if (input.id === "at" && input.value && input.validity.valid) input.form?.requestSubmit();
}

/** @param {SubmitEvent} event */
function submitted(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-moment]") || event.defaultPrevented) return;
  event.preventDefault();
  if (!form.matches(".viewpoints")) pause();
  go(`${form.action}?${new URLSearchParams(/** @type {any} */ (new FormData(form)))}`);
}

/** Whether no moment is being fetched, and none will be by itself. */
export const rests = () => !busy && !playing;

/** Play on, or from the first step if this is the last one. */
function play() {
  const first = step("first");
  const again = !step("forward") && first;
  if (!again && !step("forward")) return;
  sign(true);
  if (again) go(first.href).then(next);
  else forward(); // at once, so that the click has an effect
}

function pause() {
  clearTimeout(timer);
  if (playing) sign(false);
}

/** Wait for one beat, then step forward. */
function next() {
  clearTimeout(timer);
  if (playing) timer = setTimeout(forward, BEAT / speed());
}

async function forward() {
  const link = step("forward");
  if (!playing || !link) return pause();
  const shown = await go(link.href);
  if (shown && !step("forward")) pause();
  else if (shown) next();
  else pause();
}

/**
 * Show another moment in place; return whether that succeeded.
 * @param {string} address
 */
export async function go(address) {
  round += 1;
  const asked = round;
  const stepping = document.activeElement?.closest("[data-step]");
  busy = true;
  queued = "";
  const shown = await show(address, () => asked === round);
  if (asked === round) busy = false;
  if (!shown) return false;
  history.replaceState(null, "", address);
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-now]"))) {
    field.value = field.dataset.now ?? ""; // an update leaves a field alone that has the focus
  }
  if (stepping && document.activeElement === document.body) find("[data-do=play]")?.focus({ preventScroll: true });
  document.dispatchEvent(new Event("replayed"));
  const then = queued && step(queued);
  if (then) go(then.href);
  return true;
}

/** @param {boolean} now whether the replay plays */
function sign(now) {
  playing = now;
  const button = find("[data-do=play]");
  if (!button) return;
  const words = (now ? button.dataset.pause : button.dataset.play) ?? "";
  button.setAttribute("aria-label", words);
  button.classList.toggle("is-playing", now);
  announce(words);
}
