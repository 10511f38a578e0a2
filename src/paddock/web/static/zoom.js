// @ts-check
/**
 * Zooms a drawing by buttons, pinch, wheel, keys and drag. A zoomed drawing scrolls in its frame, an element
 * with `data-view`, so arrow keys and one finger scroll it as usual. Updates keep zoom and scroll position
 * (see `live.js`).
 */

const STEP = 1.4;
const MOST = 6;
const STEPS = { in: STEP, out: 1 / STEP, fit: 0 };
const KEYS = { "+": STEP, "=": STEP, "-": 1 / STEP, 0: 0 };
const SLIP = 4; // px that the pointer may move during a click

/** @param {EventTarget | null} target */
const viewOf = (target) => /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest("[data-view]") : null);

/**
 * Zoom around a point of the frame: what is drawn there stays there.
 * @param {HTMLElement} view
 * @param {number} by factor; 0 shows the whole drawing
 * @param {number} [x] px from the left edge of the frame; its middle by default
 * @param {number} [y] px from the top edge
 */
function zoom(view, by, x = view.clientWidth / 2, y = view.clientHeight / 2) {
  const before = Number(view.style.getPropertyValue("--zoom") || 1);
  const now = Math.min(MOST, Math.max(1, before * by));
  const at = [view.scrollLeft + x, view.scrollTop + y];
  view.style.setProperty("--zoom", String(now));
  view.scrollTo((at[0] * now) / before - x, (at[1] * now) / before - y);
}

/**
 * Zoom around a point of the window.
 * @param {HTMLElement} view
 * @param {number} by
 * @param {{clientX: number, clientY: number}} place
 */
function zoomAt(view, by, { clientX, clientY }) {
  const box = view.getBoundingClientRect();
  zoom(view, by, clientX - box.left, clientY - box.top);
}

/**
 * Zoom to parts of the drawing: their middle is then in the middle of the frame, where the drawing reaches that far.
 * @param {HTMLElement} view
 * @param {number} by
 * @param {Element[]} parts
 */
export function zoomTo(view, by, ...parts) {
  zoom(view, by);
  const [frame, box] = [view.getBoundingClientRect(), around(parts)];
  view.scrollBy((box.left + box.right - frame.left - frame.right) / 2, (box.top + box.bottom - frame.top - frame.bottom) / 2);
}

/**
 * The box around parts of a drawing, in px of the window.
 * @param {Element[]} parts
 */
export function around(parts) {
  const boxes = parts.map((part) => part.getBoundingClientRect());
  return {
    left: Math.min(...boxes.map((box) => box.left)),
    top: Math.min(...boxes.map((box) => box.top)),
    right: Math.max(...boxes.map((box) => box.right)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  };
}

/** Listen to all drawings that can be zoomed, including those of later updates. */
export function zooming() {
  document.addEventListener("click", clicked);
  document.addEventListener("keydown", pressed);
  document.addEventListener("wheel", wheeled, { passive: false });
  document.addEventListener("touchstart", touched, { passive: true });
  document.addEventListener("touchmove", pinched, { passive: false });
  document.addEventListener("pointerdown", grabbed);
  document.addEventListener("click", dropped, true);
}

/** @param {MouseEvent} event */
function clicked(event) {
  const button = event.target instanceof Element ? event.target.closest("[data-zoom]") : null;
  const view = document.getElementById(button?.getAttribute("aria-controls") ?? "");
  const step = /** @type {keyof STEPS} */ (button?.getAttribute("data-zoom"));
  if (view) zoom(view, STEPS[step]);
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  const view = viewOf(event.target);
  const by = KEYS[/** @type {keyof KEYS} */ (event.key)];
  if (!view || by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  zoom(view, by);
}

/**
 * The wheel zooms with Ctrl (as a pinch on a touchpad does) or if the drawing has the focus, else it scrolls.
 * @param {WheelEvent} event
 */
function wheeled(event) {
  const view = viewOf(event.target);
  if (!view || !(event.ctrlKey || event.metaKey || view.contains(document.activeElement))) return;
  event.preventDefault();
  zoomAt(view, Math.exp(-event.deltaY / (event.deltaMode ? 10 : 300)), event);
}

// Two fingers

let apart = 0; // px between the fingers

/** @param {TouchEvent} event */
function fingers({ touches: [a, b] }) {
  return {
    apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
    clientX: (a.clientX + b.clientX) / 2,
    clientY: (a.clientY + b.clientY) / 2,
  };
}

/** @param {TouchEvent} event */
function touched(event) {
  if (event.touches.length === 2) apart = fingers(event).apart;
}

/** @param {TouchEvent} event */
function pinched(event) {
  const view = viewOf(event.target);
  if (!view || event.touches.length !== 2) return;
  event.preventDefault();
  const now = fingers(event);
  if (apart) zoomAt(view, now.apart / apart, now);
  apart = now.apart;
}

// Drag

let dragged = false; // whether the next click only ends a drag

/** @param {PointerEvent} event */
function grabbed(event) {
  dragged = false;
  const view = viewOf(event.target);
  if (!view || event.pointerType !== "mouse" || event.button) return; // browsers scroll for a finger
  const from = [view.scrollLeft + event.clientX, view.scrollTop + event.clientY];
  const at = [event.clientX, event.clientY];
  /** @param {PointerEvent} move */
  const drag = (move) => {
    dragged ||= Math.hypot(move.clientX - at[0], move.clientY - at[1]) > SLIP;
    if (dragged) view.scrollTo(from[0] - move.clientX, from[1] - move.clientY);
  };
  document.addEventListener("pointermove", drag);
  document.addEventListener("pointerup", () => document.removeEventListener("pointermove", drag), { once: true });
}

/** @param {MouseEvent} event */
function dropped(event) {
  if (!dragged || !viewOf(event.target)) return;
  dragged = false;
  event.preventDefault();
  event.stopPropagation();
}
