// @ts-check
/** The analysis on the replay: shows how far a running one is, and after a click on a big swing its verdict. */

import { go, rests } from "../../replay.js";
import { announce } from "../../state.js";

const LOOK = 1000; // ms between two looks at a running analysis

let swung = false; // whether the moment that comes is that of a big swing in the list

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement | null} */ (document.querySelector(selector));

/** Show how far a running analysis is, and its results. While the replay plays, each step shows that. */
async function look() {
  const running = () => find("#analysis")?.matches("[data-analysis=waiting], [data-analysis=running]");
  if (!running() || !rests() || document.hidden) return;
  if ((await go(location.href)) && !running()) announce(find("#analysis h2")?.textContent ?? "");
}

document.addEventListener("click", (event) => {
  swung = event.defaultPrevented && event.target instanceof Element && !!event.target.closest(".swings a");
});
document.addEventListener("replayed", () => {
  if (swung) find(".verdicts")?.scrollIntoView({ block: "center" });
  swung = false;
});
setInterval(look, LOOK);
