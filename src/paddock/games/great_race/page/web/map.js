// @ts-check
/**
 * The map of The Great Race: it opens at the reader's half-track, follows those that move, zooms in on the spaces that
 * are asked for, and shows in a corner which part is in sight.
 */

import { around, zoomTo } from "../../zoom.js";

const TAP = 45; // px: the least height of a space that can be tapped
const FULL = 1.15; // a map that leaves no more of its frame empty is not zoomed at first
let asked = ""; // the spaces that the map has shown
let wide = innerWidth; // of the window that it was zoomed for

/** @returns {HTMLElement | null} */
const frame = () => document.querySelector("[data-view]:has(> .gr-map)");

/** The half-track of the reader. */
function car() {
  const seat = Number(document.querySelector("form[data-seat]")?.getAttribute("data-seat") ?? 0);
  return document.getElementById(`gr-car-${seat + 1}`);
}

/** Watch the map, from the first look on. */
export function watching() {
  const main = document.getElementById("main");
  if (!frame() || !main) return;
  first();
  changed([]);
  new MutationObserver(changed).observe(main, { subtree: true, childList: true, attributeFilter: ["style", "transform", "class"] });
  document.addEventListener("scroll", ({ target }) => target === frame() && outlined(), true);
  addEventListener("resize", turned);
  document.addEventListener("click", clicked);
}

/** The first look at a long map fills its frame, at the reader's half-track. */
function first() {
  const view = frame();
  const own = car();
  if (!view || !own || !view.querySelector(".is-long")) return;
  const map = /** @type {SVGSVGElement} */ (view.firstElementChild).viewBox.baseVal;
  const by = view.clientWidth < 640 ? 2 : (view.clientHeight / view.clientWidth) * (map.width / map.height);
  if (by > FULL) zoomTo(view, by, own);
}

/** A phone that was turned has the first look again, and what is asked for can be tapped. */
function turned() {
  const view = frame();
  if (!view || wide === innerWidth) return outlined(); // the bar of the browser or its keyboard came or went
  wide = innerWidth;
  zoomTo(view, 0);
  first();
  asked = "";
  changed([]);
}

/** @param {MutationRecord[]} records */
function changed(records) {
  const all = records.filter(({ target }) => !(target instanceof HTMLElement && "part" in target.dataset));
  if (records.length && !all.length) return;
  const view = frame();
  if (!view) return;
  const moved = all.findLast(({ target, attributeName }) => attributeName === "transform" && /** @type {Element} */ (target).id.startsWith("gr-car-"));
  const reach = [...view.querySelectorAll(".gr-go")];
  const now = reach.map((one) => one.id).join();
  if (now && now !== asked) near(view, reach);
  else if (moved) shown(view, [/** @type {Element} */ (moved.target)]);
  asked = now;
  outlined();
}

/**
 * Whether parts are in sight, in a frame.
 * @param {HTMLElement} view
 * @param {Element[]} parts
 */
function inside(view, parts) {
  const [box, all] = [view.getBoundingClientRect(), around(parts)];
  return all.left >= box.left - 1 && all.right <= box.right + 1 && all.top >= box.top - 1 && all.bottom <= box.bottom + 1;
}

/**
 * Scroll until parts are in sight.
 * @param {HTMLElement} view
 * @param {Element[]} parts
 */
function shown(view, parts) {
  if (!inside(view, parts)) zoomTo(view, 1, ...parts);
}

/**
 * Zoom in until spaces can be tapped.
 * @param {HTMLElement} view
 * @param {Element[]} reach
 */
function near(view, reach) {
  const steps = reach.filter((one) => one.matches(".is-near"));
  const parts = steps.length ? steps : reach;
  const high = parts[0].getBoundingClientRect().height;
  if (high < TAP) zoomTo(view, TAP / high, ...parts);
  else shown(view, parts);
  const own = car();
  if (own && !inside(view, [own])) zoomTo(view, 1, own);
}

/** Mark in the small map which part of the large one is in sight. */
function outlined() {
  const view = frame();
  const map = /** @type {SVGSVGElement | null | undefined} */ (view?.firstElementChild);
  const part = /** @type {HTMLElement | null} */ (document.querySelector("[data-part]"));
  const matrix = map?.getScreenCTM()?.inverse();
  if (!view || !map || !part || !matrix) return;
  const small = view.scrollWidth > view.clientWidth + 1 || view.scrollHeight > view.clientHeight + 1;
  document.documentElement.toggleAttribute("data-zoomed", small);
  const [box, all] = [view.getBoundingClientRect(), /** @type {SVGSVGElement} */ (part.previousElementSibling).viewBox.baseVal];
  const a = new DOMPoint(box.left, box.top).matrixTransform(matrix);
  const b = new DOMPoint(box.left + view.clientWidth, box.top + view.clientHeight).matrixTransform(matrix);
  part.style.left = `${(100 * a.x) / all.width}%`;
  part.style.top = `${(100 * a.y) / all.height}%`;
  part.style.width = `${(100 * (b.x - a.x)) / all.width}%`;
  part.style.height = `${(100 * (b.y - a.y)) / all.height}%`;
}

/**
 * A tap on the small map shows that part; one on a space that is no choice says what it is.
 * @param {MouseEvent} event
 */
function clicked(event) {
  const at = event.target instanceof Element ? event.target : null;
  const small = at?.closest(".gr-over")?.firstElementChild;
  const view = frame();
  const map = /** @type {SVGSVGElement | null | undefined} */ (view?.firstElementChild);
  if (small instanceof SVGSVGElement && view && map) {
    const there = new DOMPoint(event.clientX, event.clientY).matrixTransform(small.getScreenCTM()?.inverse());
    const to = there.matrixTransform(map.getScreenCTM() ?? undefined);
    const box = view.getBoundingClientRect();
    view.scrollBy(to.x - box.left - view.clientWidth / 2, to.y - box.top - view.clientHeight / 2);
    return;
  }
  const space = at?.closest(".gr-map [id^=gr-s]");
  const says = document.getElementById("gr-tells");
  if (says && at?.closest("#board")) says.textContent = space?.querySelector("title")?.textContent ?? "";
}
