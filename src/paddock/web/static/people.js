// @ts-check
/** Copies links, runs the clocks, and calls the reader by sound or notification. */

import { announce, sound } from "./state.js";

const settings = () => document.documentElement.dataset;

/** Whether the reader wants sounds or notifications: then a hidden tab keeps its stream open. */
export const calls = () => ["on", "all"].includes(settings().sound ?? "") || settings().notify === "on";

/** Start everything in this module. */
export function people() {
  document.addEventListener("click", shared);
  document.documentElement.toggleAttribute("data-shares", "share" in navigator);
  document.addEventListener("change", chosen);
  document.addEventListener("submit", ({ submitter }) => submitter?.matches("[data-way]") && sound("commit"));
  document.addEventListener("submit", set);
  arrived();
  setInterval(tick, 250);
}

/** Copy or share a link by what is loaded for it. @param {Event} event */
function shared({ target }) {
  const button = target instanceof Element ? target.closest("[data-copy], [data-share]") : null;
  if (button instanceof HTMLElement) import("./share.js").then(({ share }) => share(button), () => {});
}

// Clocks

let since = 0; // when the clocks in the page were right; performance.now() would leave out a device's sleep

/** Restart the clocks from the times in a new page. */
export function arrived() {
  since = Date.now();
  tick();
  if (document.getElementById("offer")) import("./offer.js").then(({ offer }) => offer(), () => {});
}

function tick() {
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-left]"))) {
    const left = Math.max(0, Number(clock.dataset.left) - (Date.now() - since));
    const words = face(Math.floor(left / 1000), clock.dataset.days ?? "");
    if (clock.textContent !== words) clock.textContent = words;
    clock.classList.toggle("is-low", left < 30_000);
  }
}

/**
 * The text of a clock.
 * @param {number} seconds
 * @param {string} long the translated template for days and hours
 */
function face(seconds, long) {
  const [days, hours] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24];
  if (days) return long.replace("{d}", String(days)).replace("{h}", String(hours));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

// Talk

let heard = -1;

/**
 * The new lines that others wrote in the chat.
 * @param {boolean} first whether the page has just loaded: then no line is new
 */
export function said(first) {
  const lines = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-said]"))];
  const fresh = lines.filter((line) => Number(line.dataset.said) > heard);
  heard = Math.max(heard, ...lines.map((line) => Number(line.dataset.said)));
  const list = document.querySelector(".said");
  if (list && fresh.length) list.scrollTop = list.scrollHeight;
  if (first) return [];
  const which = settings().others === "off" ? ".is-table" : ":not(.is-you)";
  return fresh.filter((line) => line.matches(which));
}

/**
 * Change a setting at once by a button beside what it is about.
 * @param {SubmitEvent} event
 */
function set(event) {
  const [form, button] = [event.target, event.submitter];
  if (!(form instanceof HTMLElement) || !form.dataset.sets || !(button instanceof HTMLButtonElement)) return;
  const choice = document.querySelector(`.menu input[name="${form.dataset.sets}"][value="${button.value}"]`);
  if (!(choice instanceof HTMLElement)) return;
  event.preventDefault();
  choice.click();
  /** @type {HTMLElement | undefined} */ ([...form.querySelectorAll("button")].find((one) => one !== button))?.focus();
}

// Sound and notifications

/**
 * Tell the reader of a hidden tab that it is their turn, by a notification.
 * @param {string} words
 */
export function call(words) {
  if (settings().notify !== "on" || !document.hidden) return;
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const sign = new Notification(document.title, { body: words, tag: location.pathname });
  sign.onclick = () => {
    window.focus();
    sign.close();
  };
}

/** @param {Event} event */
function chosen({ target: input }) {
  if (!(input instanceof HTMLInputElement)) return;
  if (input.closest(".hand")) sound("card");
  if (["sound", "volume"].includes(input.name)) sound("turn"); // a sample; browsers allow sound only after such a click
  if (input.name === "notify") import("./notices.js").then(({ wanted }) => wanted(input), () => {});
}
