// @ts-check
/** Friends: a link to copy, clocks that run, and the signs that it is one's turn. */

import { announce } from "./state.js";

const BEEP = [660, 880]; // Hz, one after the other
const settings = () => document.documentElement.dataset;

/** Whether the reader wants to be called from elsewhere: then the tab keeps listening there. */
export const calls = () => settings().sound === "on" || settings().notify === "on";

/** Make copying, clocks and the settings of the signs work. */
export function people() {
  document.addEventListener("click", copy);
  document.addEventListener("change", chosen);
  arrived();
  setInterval(tick, 250);
}

/** @param {Event} event */
async function copy(event) {
  const button = event.target instanceof Element ? event.target.closest("[data-copy]") : null;
  if (!(button instanceof HTMLElement)) return;
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById(button.dataset.copy ?? ""));
  if (!field) return;
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // where a page without https may not use the clipboard
  }
  const before = button.textContent;
  if (before === button.dataset.copied) return;
  button.textContent = button.dataset.copied ?? "";
  announce(button.textContent);
  setTimeout(() => (button.textContent = before), 2000);
}

// Clocks

let since = 0; // when the figures in the page were true

/** The page is new: so are its figures. */
export function arrived() {
  since = performance.now();
  tick();
}

function tick() {
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-left]"))) {
    const left = Math.max(0, Number(clock.dataset.left) - (performance.now() - since));
    const words = face(Math.floor(left / 1000));
    if (clock.textContent !== words) clock.textContent = words;
    clock.classList.toggle("is-low", left < 30_000);
  }
}

/** @param {number} seconds */
function face(seconds) {
  const [days, hours] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24];
  if (days) return `${days} d ${hours} h`;
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

// Talk

let heard = -1;

/**
 * The lines of talk that came since the last time, those of others.
 * @param {boolean} first whether the page was just opened: then none is news
 */
export function said(first) {
  const lines = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-said]"))];
  const fresh = lines.filter((line) => Number(line.dataset.said) > heard);
  heard = Math.max(heard, ...lines.map((line) => Number(line.dataset.said)));
  const list = document.querySelector(".said");
  if (list && fresh.length) list.scrollTop = list.scrollHeight;
  if (first) return [];
  return fresh.filter((line) => !line.matches(".is-you")).map((line) => line.textContent?.trim() ?? "");
}

// Signs

/** @type {AudioContext | null} */
let audio = null;

/**
 * It is the reader's turn: a sound, and a notification where the tab is not seen.
 * @param {string} words
 */
export function call(words) {
  if (settings().sound === "on") beep();
  if (settings().notify !== "on" || !document.hidden) return;
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const sign = new Notification(document.title, { body: words, tag: location.pathname });
  sign.onclick = () => {
    window.focus();
    sign.close();
  };
}

function beep() {
  audio ??= new AudioContext();
  const start = audio.currentTime;
  BEEP.forEach((pitch, n) => {
    if (!audio) return;
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    const at = start + n * 0.16;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(0.15, at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.15);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.16);
  });
}

/** @param {Event} event */
async function chosen(event) {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || input.value !== "on") return;
  if (input.name === "sound") beep(); // so that one knows it, and the browser allows it later
  if (input.name !== "notify") return;
  const may = "Notification" in window ? await Notification.requestPermission() : "denied";
  if (may === "granted") return;
  const group = input.closest("fieldset");
  const off = /** @type {HTMLInputElement | null} */ (group?.querySelector("input[value=off]") ?? null);
  off?.click();
  announce(group?.dataset.refused ?? "");
}
