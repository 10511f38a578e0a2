// @ts-check
/** Forms that could not be sent. Each is sent again when the line is back, with the same key, so it counts once. */

import { announce } from "./state.js";

/**
 * @typedef {object} Unsent
 * @property {string} action its address
 * @property {URLSearchParams} body
 * @property {string} name what its button says
 * @property {number} said the newest line of the chat when it was sent first
 */

const AGAIN = /\/(move|talk|undo|claims|orders)$/; // addresses that may get the same form twice
const ASKS = ["seat", "do", "order", "text", "channel"]; // the fields that say what a form is about

/** @type {Unsent[]} */
let waiting = [];

const sign = () => document.getElementById("unsent");

/** The lines that the reader has written in the chat. */
const mine = () => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-said].is-you"))];

const number = (/** @type {HTMLElement} */ line) => Number(line.dataset.said);

/** A key that no form has had. */
export const fresh = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Keep a form that could not be sent, and say so. It replaces an earlier form of the same question.
 * @param {string} action its address
 * @param {URLSearchParams} body what was to be sent
 * @param {HTMLElement | null} button
 */
export function unsent(action, body, button) {
  const name = [...(button?.childNodes ?? [])].map((node) => node.textContent?.trim()).find(Boolean) ?? "";
  if (!AGAIN.test(action)) return tell("failed", name);
  const old = waiting.find((one) => one.action === action && ASKS.every((field) => one.body.get(field) === body.get(field)));
  // The server may have got the earlier one, and would answer the same key in the same way.
  if (old && `${old.body}` !== `${body}` && body.has("key")) body.set("key", fresh() + `${body.get("key")}`.replace(/^[^-]*/, ""));
  waiting = [...waiting.filter((one) => one !== old), { action, body, name, said: Math.max(-1, ...mine().map(number)) }];
  tell("again", name);
}

/**
 * The first form to send again, if there is one. A line of the chat that has arrived is not sent again.
 * @returns {Unsent | undefined}
 */
export function next() {
  waiting.filter(arrived).forEach(clear);
  waiting = waiting.filter((one) => !arrived(one));
  tell("again", waiting[0]?.name ?? "");
  return waiting[0];
}

/**
 * Empty the forms that still hold what the server has got, such as a line of the chat.
 * @param {{action: string, body: URLSearchParams}} got
 */
export function clear({ action, body }) {
  for (const form of document.forms) {
    const same = () => [...new FormData(form)].every(([name, value]) => body.get(name) === value);
    if ("clears" in form.dataset && form.action === action && same()) form.reset();
  }
}

/**
 * Whether a line of the chat has arrived.
 * @param {Unsent} one
 */
function arrived(one) {
  const plain = (/** @type {string | null | undefined} */ words) => (words ?? "").replace(/\s+/g, " ").trim();
  const text = plain(one.body.get("text")); // in a line it comes after the name
  return text && mine().some((line) => number(line) > one.said && plain(line.lastChild?.textContent) === text);
}

/**
 * Forget a form that the server has answered.
 * @param {Unsent} one
 * @param {string} why it was refused; empty if it was accepted
 */
export function answered(one, why) {
  waiting = waiting.filter((other) => other !== one);
  if (why) return tell("dropped", one.name, why);
  clear(one);
  tell("again", waiting[0]?.name ?? "");
  announce(said("sent", one.name));
}

/** Whether forms wait. */
export const held = () => waiting.length > 0;

/**
 * @param {"again" | "failed" | "dropped" | "sent"} how
 * @param {string} name what the button says
 */
const said = (how, name) => (sign()?.dataset[how] ?? "").replace("{what}", name);

/**
 * Say what could not be sent; without a name, nothing.
 * @param {"again" | "failed" | "dropped"} how whether it is sent again, or the reader must do so, or it was refused
 * @param {string} name what the button says
 * @param {string} [why] it was refused
 */
function tell(how, name, why = "") {
  const [place, words] = [sign(), name ? said(how, name).replace("{why}", why) : ""];
  const [text, button] = [place?.querySelector("span"), place?.querySelector("button")];
  if (!place || !text || !button || text.textContent === words) return;
  if (!words && place.dataset.shows === "dropped") return; // until the reader closes it
  text.textContent = words;
  button.textContent = (how === "again" ? button.dataset.drop : button.dataset.close) ?? "";
  place.dataset.shows = words ? how : "";
  place.hidden = !words;
  if (words) announce(words);
}

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest("#unsent button")) return;
  const place = sign();
  if (place?.dataset.shows === "again") waiting = [];
  if (place) place.dataset.shows = "";
  tell("again", waiting[0]?.name ?? "");
});
