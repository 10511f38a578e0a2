// @ts-check
/** A review on the replay: draws arrows and marks over the board, tells friends where one looks, and follows them. */

import { listen, look as hear } from "../../listen.js";
import { go } from "../../replay.js";

/** @typedef {{ name: string, step: number, eyes: string, place: string, url: string }} Other */

const SVG = "http://www.w3.org/2000/svg";
const MOVING = 900; // ms until the pieces stand still after a step
const HEAD = 14; // px: the length of the head of an arrow

/** @type {Other[]} */
let others = [];
let notes = -1;
let following = ""; // the name of a friend
let drawing = false;
let moment = ""; // the step and the eyes that are shown
let first = ""; // the place where the arrow begins that is being drawn

const panel = () => /** @type {HTMLElement | null} */ (document.querySelector(".review"));

/** A moment is shown, or shown again: tell friends if it is another one, listen from there, and draw what belongs to it. */
function shown() {
  const { at = "", eyes = "" } = panel()?.dataset ?? {};
  if (moment !== `${at} ${eyes}`) {
    moment = `${at} ${eyes}`;
    first = "";
    tell();
    look("");
  }
  hear();
  friends();
  draw();
  setTimeout(draw, MOVING);
}

/** @param {{ notes: number, others: Other[] }} news */
function heard(news) {
  const changed = notes >= 0 && news.notes > notes;
  notes = news.notes;
  others = news.others;
  const leader = others.find((other) => other.name === following);
  const at = panel();
  if (leader && at && (String(leader.step) !== at.dataset.at || leader.eyes !== at.dataset.eyes)) go(leader.url);
  else if (changed) go(location.href);
  friends();
  draw();
}

/**
 * Tell friends which step is shown, and at what the reader points.
 * @param {string} place
 */
function look(place) {
  const at = panel();
  if (!at?.dataset.review) return;
  const name = /** @type {HTMLInputElement | null} */ (document.getElementById("note-name"))?.value ?? "";
  const body = new URLSearchParams({ step: at.dataset.at ?? "0", eyes: at.dataset.eyes ?? "all", place, name });
  fetch(at.dataset.look ?? "", { method: "POST", body, keepalive: true }).catch(() => {});
}

/** List who else is here. */
function friends() {
  const box = /** @type {HTMLElement | null} */ (document.querySelector(".friends"));
  if (!box) return;
  box.hidden = !others.length;
  const lines = others.map((other) => {
    const line = document.createElement("li"), link = document.createElement("a"), button = document.createElement("button");
    const where = box.dataset.where ?? "";
    link.href = other.url;
    link.dataset.friend = "";
    link.textContent = where.replace("{name}", other.name).replace("{n}", String(other.step));
    button.type = "button";
    button.dataset.follows = other.name;
    button.setAttribute("aria-pressed", String(other.name === following));
    button.textContent = (other.name === following ? box.dataset.unfollow : box.dataset.follow) ?? "";
    line.append(link, " ", button);
    return line;
  });
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.follows;
  box.querySelector("ul")?.replaceChildren(...lines);
  if (focused) /** @type {HTMLElement | null} */ (box.querySelector(`[data-follows="${CSS.escape(focused)}"]`))?.focus();
}

/** @param {MouseEvent} event */
function clicked(event) {
  if (!(event.target instanceof Element)) return;
  const follow = /** @type {HTMLElement | null} */ (event.target.closest("[data-follows]"));
  const friend = /** @type {HTMLAnchorElement | null} */ (event.target.closest("[data-friend]"));
  if (follow) {
    following = following === follow.dataset.follows ? "" : follow.dataset.follows ?? "";
    const leader = others.find((other) => other.name === following);
    if (leader) go(leader.url);
    friends();
  } else if (friend && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    go(friend.href);
  } else if (event.target.closest("[data-draw]")) {
    drawing = !drawing;
    first = "";
    tell();
  } else if (event.target.closest("[data-undraw]")) {
    put("arrows", []);
    put("marks", []);
    tell();
    draw();
  } else {
    const place = placeOf(event.target);
    if (!place || !panel()?.dataset.review) return;
    if (!drawing) return look(place);
    event.preventDefault();
    event.stopPropagation();
    touched(place);
  }
}

/** @param {string} place */
function touched(place) {
  if (!first) first = place;
  else {
    if (first === place) put("marks", [...taken("marks"), place]);
    else put("arrows", [...taken("arrows"), `${first}>${place}`]);
    first = "";
  }
  tell();
  draw();
}

/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement | null} */ (document.querySelector(`.noting [name=${name}]`));

/** @param {string} name @returns {string[]} */
const taken = (name) => (field(name)?.value ?? "").split("|").filter(Boolean);

/** @param {string} name @param {string[]} words */
function put(name, words) {
  const input = field(name);
  if (input) input.value = [...new Set(words)].join("|");
}

/** What a place is called. @param {string} place */
const called = (place) =>
  document.querySelector(`#note-mark option[value="${CSS.escape(place)}"]`)?.textContent ?? place;

/** Say what is drawn. */
function tell() {
  const button = document.querySelector("[data-draw]"), clear = document.querySelector("[data-undraw]");
  const words = document.querySelector(".drawing");
  button?.setAttribute("aria-pressed", String(drawing));
  const arrows = taken("arrows").map((arrow) => arrow.split(">").map(called).join(" → "));
  const said = [...arrows, ...taken("marks").map(called), ...(first ? [`${called(first)} → …`] : [])];
  clear?.toggleAttribute("hidden", !said.length);
  if (words && words.textContent !== said.join("; ")) words.textContent = said.join("; ");
}

/**
 * The place that an element of the board or a hand belongs to; empty if it is none.
 * @param {Element} element
 */
function placeOf(element) {
  const hand = /** @type {HTMLElement | null} */ (element.closest("[data-cards]"));
  const card = hand && [...hand.children].findIndex((child) => child.contains(element));
  if (hand && card !== null && card >= 0) return `card ${hand.dataset.cards}:${card + 1}`;
  const piece = /** @type {SVGElement | null} */ (element.closest(".board [data-piece]"));
  if (piece) return `piece ${piece.dataset.piece}`;
  const space = /-s(\d+)$/.exec(element.closest(".board g[id*='-s']")?.id ?? "");
  return space ? `space ${space[1]}` : "";
}

/**
 * Where a place is on the page; null if it is not there.
 * @param {string} place
 */
function box(place) {
  const [kind, word = ""] = place.split(" "), [seat, n] = word.split(":");
  const which = new Map([
    ["piece", `.board [data-piece="${CSS.escape(word)}"]:not([data-flat][aria-hidden])`],
    ["space", `.board g[id$="-s${CSS.escape(word)}"]`],
    ["card", `[data-cards="${CSS.escape(seat)}"] > :nth-child(${Number(n) || 1})`],
  ]).get(kind);
  const found = which ? [...document.querySelectorAll(which)] : [];
  const rect = found.map((element) => element.getBoundingClientRect()).find((one) => one.width && one.height);
  return rect ? { x: rect.x + scrollX + rect.width / 2, y: rect.y + scrollY + rect.height / 2, r: Math.max(16, Math.max(rect.width, rect.height) / 2 + 4) } : null;
}

/** @param {string} name @param {Record<string, string | number>} facts */
function shape(name, facts) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(facts)) made.setAttribute(key, String(value));
  return made;
}

/** Draw the arrows and marks of this moment, those of the note that is being written, and where friends point. */
function draw() {
  let over = document.getElementById("drawn");
  const lines = [...document.querySelectorAll(".notes li")].map((line) => /** @type {HTMLElement} */ (line).dataset);
  const arrows = [...lines.flatMap((line) => (line.arrows ?? "").split("|")), ...taken("arrows")].filter(Boolean);
  const marks = [...lines.flatMap((line) => (line.marks ?? "").split("|")), ...taken("marks"), first].filter(Boolean);
  const shapes = [...arrows.flatMap(arrow), ...marks.flatMap((place) => ring(place, "")), ...others.flatMap((one) => (here(one) ? ring(one.place, one.name) : []))];
  if (!shapes.length) return over?.remove();
  if (!over) {
    over = /** @type {any} */ (shape("svg", { id: "drawn", class: "drawn", "aria-hidden": "true" }));
    document.body.append(/** @type {any} */ (over));
  }
  const root = document.documentElement;
  over?.setAttribute("width", String(root.clientWidth));
  over?.setAttribute("height", String(document.body.offsetHeight));
  over?.replaceChildren(...shapes);
}

/** Whether a friend looks at the moment that is shown. @param {Other} other */
const here = (other) => Boolean(other.place) && String(other.step) === panel()?.dataset.at;

/** @param {string} words */
function arrow(words) {
  const [start, end] = words.split(">").map(box);
  if (!start || !end) return [];
  const angle = Math.atan2(end.y - start.y, end.x - start.x), cos = Math.cos(angle), sin = Math.sin(angle);
  const x = end.x - cos * Math.min(end.r, 18), y = end.y - sin * Math.min(end.r, 18);
  const side = HEAD * 0.6;
  const head = `M${x} ${y}L${x - cos * HEAD - sin * side} ${y - sin * HEAD + cos * side}L${x - cos * HEAD + sin * side} ${y - sin * HEAD - cos * side}Z`;
  const line = `M${start.x} ${start.y}L${x - cos * HEAD * 0.8} ${y - sin * HEAD * 0.8}`;
  return [
    shape("path", { class: "is-rim", d: line + head }),
    shape("path", { class: "is-line", d: line }),
    shape("path", { class: "is-head", d: head }),
  ];
}

/** @param {string} place @param {string} name of a friend, or empty */
function ring(place, name) {
  const at = box(place);
  if (!at) return [];
  const where = { cx: at.x, cy: at.y, r: Math.min(at.r, 60) };
  const made = [shape("circle", { class: "is-rim", ...where }), shape("circle", { class: name ? "is-friend" : "is-mark", ...where })];
  if (!name) return made;
  const words = shape("text", { x: at.x, y: at.y - Math.min(at.r, 60) - 4, "text-anchor": "middle" });
  words.textContent = name;
  return [...made, words];
}

document.addEventListener("replayed", shown);
document.addEventListener("click", clicked, true);
document.addEventListener("scroll", draw, { capture: true, passive: true });
document.addEventListener("visibilitychange", () => document.hidden || shown());
addEventListener("resize", draw);
listen({
  where: () => (document.hidden ? "" : (panel()?.dataset.review ?? "")),
  from: () => "",
  changed: hear,
  alive: (opened) => opened && look(""),
  heard: (event) => heard(JSON.parse(event.data)),
  lost: () => {},
});
shown();
