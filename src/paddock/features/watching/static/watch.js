// @ts-check
/** The page «Watch»: puts new boards in place of old ones, and moves their pieces from where they stood. */

import { changed, pieces } from "../../board.js";
import { dialogs } from "../../dialogs.js";
import { listen, look } from "../../listen.js";
import { people } from "../../people.js";
import { pace } from "../../state.js";

const LONG = 700; // ms: a movement
const AGAIN = 1000; // ms until a stream that has failed is opened again

/** @typedef {{id: string, title: string, digest: string, html: string}} Board */

const list = /** @type {HTMLElement} */ (document.getElementById("boards"));

let resting = false; // whether the stream has just failed
let opened = false; // whether it was open before: one that is refused waits longer

/** The boards of the page that are shown as they are now. */
const places = () => /** @type {HTMLElement[]} */ ([...list.children]).filter((place) => !place.matches(".is-over, .is-vacant"));

/** @param {Element} place the id of the table that it shows */
const shows = (place) => place.id.slice("live-".length);

/**
 * Put the changed boards in place, mark those that are over, and take away those that others took the place of, or that
 * nobody may see any more. Nothing else on the page moves: a new board gets the place of one that is gone or over, or the
 * last one.
 * @param {{all: string[], over: string[], changed: Board[]}} news
 */
function put({ all, over, changed: boards }) {
  const before = pieces();
  for (const place of places()) if (!all.includes(shows(place))) (over.includes(shows(place)) ? end : empty)(place);
  for (const board of boards) {
    const there = document.getElementById(`live-${board.id}`);
    const free = there ?? list.querySelector(":scope > .is-vacant") ?? list.querySelector(":scope > .is-over");
    draw(/** @type {HTMLElement} */ (free ?? list.appendChild(document.createElement("li"))), board);
  }
  while (list.lastElementChild?.matches(".is-vacant")) list.lastElementChild.remove();
  move(before, pieces());
}

/** @param {HTMLElement} place that stays free until a new board comes, or the reader goes */
function empty(place) {
  place.className = "is-vacant";
  place.removeAttribute("id");
  place.replaceChildren();
}

/** Take away what is over or gone while nobody looks. */
function clear() {
  if (document.hidden) for (const place of list.querySelectorAll(":scope > :is(.is-over, .is-vacant)")) place.remove();
}

/**
 * Fetch the drawings of a title, if the page has had no board of it.
 * @param {string} title
 */
async function need(title) {
  if (document.querySelector(`[data-sprite="${title}"]`)) return;
  const sprite = document.createElement("div");
  sprite.className = "sprite";
  sprite.dataset.sprite = title;
  document.getElementById("main")?.before(sprite);
  const answer = await fetch(`${list.dataset.sprites}${title}`).catch(() => null);
  if (answer?.ok) sprite.innerHTML = await answer.text();
  else sprite.remove(); // asked for again with the next board
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
  need(board.title);
  place.id = `live-${board.id}`;
  place.classList.remove("is-over", "is-vacant");
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

/**
 * The browser would open the stream again by itself, but say what the page had when it opened it first.
 * @param {boolean} silent
 */
function lost(silent) {
  connection(true);
  if (silent) return; // it is open again already
  resting = true;
  look();
  resting = false;
  if (opened) setTimeout(look, AGAIN);
  opened = false;
}

dialogs();
people();
document.addEventListener("visibilitychange", clear);
const wanted = () => document.documentElement.dataset.others !== "off";
listen({
  where: () => (wanted() && !document.hidden && !resting ? (list.dataset.stream ?? "") : ""),
  from: () => `have=${places().map((place) => `${shows(place)}.${place.dataset.digest}`).join(",")}`,
  changed: look,
  alive: () => {
    opened = true;
    connection(false);
  },
  heard: (event) => put(JSON.parse(event.data)),
  lost,
});
