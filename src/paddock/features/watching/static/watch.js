// @ts-check
/** The page «Watch»: puts new boards in place of old ones, and moves their pieces from where they stood. */

import { changed, pieces } from "../../board.js";
import { dialogs } from "../../dialogs.js";
import { listen, look } from "../../listen.js";
import { people } from "../../people.js";
import { pace } from "../../state.js";

const LONG = 700; // ms: a movement

/** @typedef {{id: string, title: string, digest: string, html: string}} Board */

const list = /** @type {HTMLElement} */ (document.getElementById("boards"));

/** The boards of the page that are not over. */
const places = () => /** @type {HTMLElement[]} */ ([...list.children]).filter((place) => !place.matches(".is-over"));

/**
 * Put the changed boards in place, and mark those that are over. Nothing else on the page moves: a new board gets the
 * place of one that is over, or the last one.
 * @param {{all: string[], changed: Board[]}} news
 */
function put({ all, changed: boards }) {
  const before = pieces();
  for (const place of places()) if (!all.includes(place.id.slice("live-".length))) end(place);
  for (const board of boards) {
    const there = document.getElementById(`live-${board.id}`);
    const place = there ?? list.querySelector(":scope > .is-over") ?? list.appendChild(document.createElement("li"));
    draw(/** @type {HTMLElement} */ (place), board);
  }
  move(before, pieces());
}

/** @param {HTMLElement} place of a game that is over: its last board stays */
function end(place) {
  place.classList.add("is-over");
  const status = place.querySelector(".live-status");
  if (status) status.textContent = list.dataset.over ?? "";
}

/**
 * @param {HTMLElement} place
 * @param {Board} board
 */
function draw(place, board) {
  const next = document.createElement("template");
  next.innerHTML = board.html;
  for (const part of next.content.querySelectorAll("[data-still]:empty")) {
    const old = place.querySelector(`[data-still="${/** @type {SVGElement} */ (part).dataset.still}"]`);
    if (!old) return location.reload(); // the page has another map
    part.replaceWith(old);
  }
  place.id = `live-${board.id}`;
  place.classList.remove("is-over");
  place.dataset.title = board.title;
  place.dataset.digest = board.digest;
  const held = place.contains(document.activeElement) ? document.activeElement?.className : null;
  place.replaceChildren(next.content);
  if (held !== null) /** @type {HTMLElement | null} */ (place.querySelector(held ? ".live-tv" : "h2 a"))?.focus({ preventScroll: true });
}

/**
 * @param {import("../../board.js").Pieces} before
 * @param {import("../../board.js").Pieces} now
 */
function move(before, now) {
  const speed = pace();
  if (!speed || document.hidden || !changed(before, now)) return;
  for (const [id, { element, at }] of now) {
    const old = before.get(id)?.at;
    if (old && String(old) !== String(at) && element.checkVisibility()) {
      element.animate([{ transform: String(old) }, { transform: String(at) }], { duration: LONG * speed, easing: "ease-in-out" });
    }
  }
}

/** @param {boolean} lost */
function connection(lost) {
  const sign = document.getElementById("connection");
  if (sign) sign.hidden = !lost;
}

dialogs();
people();
const wanted = () => document.documentElement.dataset.others !== "off";
listen({
  where: () => (wanted() && !document.hidden ? (list.dataset.stream ?? "") : ""),
  from: () => `have=${places().map((place) => `${place.id.slice("live-".length)}.${place.dataset.digest}`).join(",")}`,
  changed: look,
  alive: () => connection(false),
  heard: (event) => put(JSON.parse(event.data)),
  lost: () => connection(true),
});
