// @ts-check
/** The timeline of a replay: a slider over its steps, which says where it would lead. */

const NEAR = 6; // px from a chapter or a mark: the slider stops there

/** The slider, if the page has one. */
const slider = () => /** @type {HTMLInputElement | null} */ (document.getElementById("seek"));

let seen = 0; // the last step that was shown: a page without spoilers does not say how many there are

/** Listen to it. */
export function timeline() {
  document.addEventListener("input", ({ target }) => target === slider() && tell(Number(slider()?.value)));
  document.addEventListener("change", ({ target }) => target === slider() && chosen());
  document.addEventListener("pointermove", hovered);
  document.addEventListener("pointerdown", ({ target }) => (pressed = target === slider()));
  document.addEventListener("keydown", () => (pressed = false));
  document.addEventListener("focusout", ({ target }) => target === slider() && hide());
  document.addEventListener("replayed", shown);
  shown();
}

let pressed = false; // whether a pointer moves the slider, not a key

/** A step is shown: what was seen can be seen again. */
function shown() {
  const line = slider();
  if (!line) return;
  seen = Math.max(seen, Number(line.max));
  line.max = String(seen);
  line.value = line.dataset.now ?? "";
  if (line !== document.activeElement) hide();
}

/** Show the chosen step, or the chapter or mark that is so near that it is meant. */
function chosen() {
  const line = slider(), at = /** @type {HTMLInputElement | null} */ (document.getElementById("at"));
  if (!line || !at) return;
  at.value = String(pressed ? meant(Number(line.value)) : Number(line.value));
  at.form?.requestSubmit();
}

/**
 * Where the chapters begin, and the marks: what each is called.
 * @returns {Map<number, string>}
 */
function places() {
  const chapters = /** @type {NodeListOf<HTMLOptionElement>} */ (document.querySelectorAll("#chapter option"));
  const marks = /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll(".timeline [data-at]"));
  const all = new Map([...chapters].map((one) => [Number(one.value), one.text]));
  for (const { dataset } of marks) all.set(Number(dataset.at), dataset.says ?? "");
  return all;
}

/** How many px a step is from the left edge of the slider. @param {HTMLInputElement} line @param {number} step */
function place(line, step) {
  const thumb = parseFloat(getComputedStyle(line).getPropertyValue("--thumb")) || 0;
  return thumb / 2 + ((line.clientWidth - thumb) * step) / Math.max(1, Number(line.max));
}

/** The place that is meant by a step: near enough, if there is one. @param {number} step */
function meant(step) {
  const line = slider();
  if (!line) return step;
  const far = (/** @type {number} */ other) => Math.abs(place(line, other) - place(line, step));
  const nearest = [...places().keys()].sort((a, b) => far(a) - far(b))[0];
  return nearest !== undefined && far(nearest) <= NEAR ? nearest : step;
}

/** @param {PointerEvent} event */
function hovered({ target, clientX, buttons }) {
  const line = slider();
  if (!line || buttons) return;
  if (target !== line) return line !== document.activeElement && hide();
  const { left } = line.getBoundingClientRect();
  const part = (clientX - left - place(line, 0)) / Math.max(1, place(line, Number(line.max)) - place(line, 0));
  tell(meant(Math.round(Math.min(1, Math.max(0, part)) * Number(line.max))));
}

/** Say what a step is: its number, and its chapter or mark. @param {number} step */
function tell(step) {
  const line = slider(), says = /** @type {HTMLElement | null} */ (document.querySelector(".told"));
  if (!line || !says) return;
  const all = places(), of = document.querySelector(".counted .num")?.textContent ?? "";
  const chapter = all.get(step) ?? all.get(Math.max(...[...all.keys()].filter((at) => at <= step)));
  const words = [`${step} ${of}`.trim(), chapter].filter(Boolean).join(" · ");
  says.textContent = words;
  says.hidden = false;
  says.style.left = `${place(line, step)}px`;
  says.style.translate = `${(-100 * step) / Math.max(1, Number(line.max))}%`;
  if (line === document.activeElement) line.setAttribute("aria-valuetext", words);
}

/** Say nothing. */
function hide() {
  document.querySelector(".told")?.setAttribute("hidden", "");
}
