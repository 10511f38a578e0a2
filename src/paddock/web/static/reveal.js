// @ts-check
/** Announces new lines of the story, and plays the last reveal and the movements on the board step by step. */

import { changed, pieces } from "./board.js";
import { call, said } from "./people.js";
import { announce, pace, sound, state } from "./state.js";

/** @type {Animation[]} */
let playing = [];
/** @type {number[]} */
let timers = [];
let told = -1; // the number of the last announced line
let shown = ""; // the last played reveal
let turn = false;
/** @type {import("./board.js").Pieces | undefined} where pieces stood before a chain that is not sent yet */
let home;
/** @type {(start: number) => void} */
let move = () => {}; // plays the last movements on the board after so many ms
/** @type {typeof import("./drive.js") | undefined} */
let motion; // loaded a while after the page, or when something moves before that
const SOON = 2000; // ms
let settled = 0; // counts the times that everything was skipped

/**
 * Announce the new lines of a new page, and play its reveal if it is a new one, then what moved on the board.
 * @param {import("./board.js").Pieces} [before] where the pieces stood; none if the page has just loaded: then
 *   nothing is played
 */
export function news(before) {
  const first = !before;
  const lines = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".story li[data-n]"))];
  const newest = Math.max(-1, ...lines.map((line) => Number(line.dataset.n)));
  const fresh = lines.filter((line) => Number(line.dataset.n) > told);
  fresh.sort((a, b) => Number(a.dataset.n) - Number(b.dataset.n));
  const words = first ? [] : fresh.map((line) => line.lastElementChild?.lastChild?.textContent?.trim() ?? "");
  const now = state();
  const status = document.getElementById("status")?.textContent?.trim() ?? "";
  const heard = said(first);
  words.push(...heard.map((line) => line.textContent?.trim() ?? ""));
  toasts(heard);
  const asked = now.turn && !turn && status !== "";
  if (asked) words.push(status);
  if (words.length) announce(words.join(" "));
  if (!first) {
    sound(...fresh.flatMap((line) => line.dataset.sound ?? []), ...(asked ? ["turn"] : []));
    if (asked) call(status);
  }
  told = newest;
  turn = now.turn;
  const panel = /** @type {HTMLElement | null} */ (document.querySelector("[data-reveal]"));
  const mark = panel?.dataset.reveal ?? "";
  const past = shown === "" ? -1 : Number(shown);
  const revealed = mark !== shown ? panel : null;
  if (panel) shown = mark;
  if (revealed) follow(revealed.querySelector("[data-beat]:last-of-type"));
  if (!before) {
    if (pace()) setTimeout(load, SOON);
    return;
  }
  const after = pieces();
  const away = fresh.some((line) => line.dataset.moves?.includes("@")); // perhaps there and back
  if (away && home) before = new Map([...before, ...home]); // a chain was sent: it is driven from its start
  home = document.querySelector("[data-back]") ? (home ?? before) : undefined;
  const moves = away || changed(before, after);
  if (!revealed && !moves) return; // let what is playing go on
  settle();
  const steps = fresh.filter((line) => line.dataset.moves);
  move = (start) => {
    if (moves && pace()) drive(before, after, steps, start);
  };
  move(revealed ? play(revealed, past) : 0);
}

/**
 * Show what others have just written, and what they ask.
 * @param {HTMLElement[]} lines
 */
async function toasts(lines) {
  if (document.querySelector("#asked, [data-later]")) import("./asked.js").then(({ asked }) => asked(), () => {});
  if (lines.length) (await import("./toast.js").catch(() => undefined))?.written(lines);
}

/** Load what moves the pieces, unless the line is lost: then they just stand where they belong. */
const load = async () => (motion ??= await import("./drive.js").catch(() => undefined));

/**
 * Move the pieces, unless that was skipped before they can.
 * @param {import("./board.js").Pieces} before
 * @param {import("./board.js").Pieces} after
 * @param {HTMLElement[]} steps
 * @param {number} start
 */
async function drive(before, after, steps, start) {
  const now = settled;
  if (!motion) await load();
  if (now === settled) motion?.drive(before, after, steps, start, pace());
}

/** Skip to the end of all animations. */
export function settle() {
  settled += 1;
  motion?.halt();
  for (const animation of playing) animation.finish();
  for (const timer of timers) clearTimeout(timer);
  if (timers.length) follow(document.querySelector("[data-follow] > :last-child"));
  playing = [];
  timers = [];
}

/**
 * Scroll a list with `data-follow` to one of its steps. The page stays where it is.
 * @param {Element | null} step
 */
function follow(step) {
  const list = step?.closest("[data-follow]");
  if (!step || !list) return;
  const [inner, outer] = [step.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += inner.top < outer.top ? inner.top - outer.top : Math.max(0, inner.bottom - outer.bottom);
}

/** Play the last reveal again. */
export function replay() {
  const panel = /** @type {HTMLElement | null} */ (document.querySelector("[data-reveal]"));
  settle();
  move(panel ? play(panel) : 0);
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-do]") : null;
  if (button?.getAttribute("data-do") === "skip") settle();
  if (button?.getAttribute("data-do") === "again") replay();
});
for (const input of ["pointerdown", "keydown", "wheel", "touchmove"]) {
  addEventListener(input, settle, { capture: true, passive: true });
}

/** @type {Record<string, {long: number, frames: Keyframe[]}>} */
const WAYS = {
  flip: { long: 350, frames: [{ transform: "rotateY(90deg)", opacity: 0 }, { transform: "none", opacity: 1 }] },
  fade: { long: 200, frames: [{ opacity: 0 }, { opacity: 1 }] },
  pop: { long: 250, frames: [{ opacity: 0, transform: "scale(.6)" }, { opacity: 1, transform: "none" }] },
  drive: {
    long: 420,
    frames: [{ opacity: 0, transform: "translateX(-9rem)" }, { opacity: 1, offset: 0.3 }, { opacity: 1, transform: "none" }],
  },
};

/**
 * Play a reveal in the order of its beats. Elements with the same beat move together. Return the time, in ms, at
 * which the pieces on the board can move: with the first beat that drives, else after the last one.
 * @param {HTMLElement} panel
 * @param {number} [past] elements whose `data-entry` is not later were shown before: they do not move
 */
function play(panel, past = -1) {
  const speed = pace();
  if (!speed || !panel.checkVisibility()) return 0;
  let drives = -1;
  const beats = new Map();
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll("[data-beat]"))) {
    if (Number(element.dataset.entry) <= past) continue;
    const beat = Number(element.dataset.beat);
    beats.set(beat, [...(beats.get(beat) ?? []), element]);
  }
  let at = 0;
  for (const beat of [...beats.keys()].sort((a, b) => a - b)) {
    let longest = 0;
    for (const element of beats.get(beat)) {
      if (!element.checkVisibility()) continue; // this window has no room for it
      const how = element.dataset.how ?? "fade";
      const { long, frames } = WAYS[how];
      if (how === "drive" && drives < 0) drives = at;
      longest = Math.max(longest, long);
      playing.push(element.animate(frames, { delay: at * speed, duration: long * speed, fill: "backwards" }));
      timers.push(setTimeout(follow, at * speed, element));
    }
    at += longest;
  }
  timers.push(setTimeout(() => (timers = []), at * speed));
  return drives < 0 ? at : drives;
}
