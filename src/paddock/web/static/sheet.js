// @ts-check
/**
 * The panels of a table: columns on a wide window, else a sheet over the lower part of the page. The open panel is
 * `data-panel` of the root element, which updates never touch; the style sheet does the rest.
 */

const root = document.documentElement;
/** Newest line of the story and of the chat that the reader has had in sight. */
const read = { story: Infinity, talk: Infinity };
const LINES = { story: ".story li[data-n]:not(.is-heading)", talk: "[data-said]:not(.is-you)" };

/** @returns {HTMLElement[]} */
const tabs = () => [...document.querySelectorAll("[data-tab]")].map((tab) => /** @type {HTMLElement} */ (tab));

/**
 * @param {string} name
 * @returns {HTMLElement | null}
 */
const panel = (name) => document.getElementById(`panel-${name}`);

/** Listen to the tabs, and close the sheet by Escape and by a tap beside it. */
export function sheet() {
  document.addEventListener("click", clicked);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !root.dataset.panel) return;
    if (document.querySelector("dialog[open], .menu[open]")) return;
    close();
  });
  addEventListener("resize", arranged);
  arranged();
}

/** @param {MouseEvent} event */
function clicked(event) {
  const at = event.target instanceof Element ? event.target : null;
  const tab = /** @type {HTMLElement | null} */ (at?.closest("[data-tab]") ?? null);
  if (tab) {
    if (root.dataset.panel === tab.dataset.tab && over()) close();
    else show(tab.dataset.tab ?? "");
  } else if (root.dataset.panel && over() && at?.isConnected && !at.closest("#sheet, dialog, .masthead")) close();
}

/** Whether panels are a sheet over the page. */
const over = () => getComputedStyle(document.getElementById("sheet") ?? root).position === "fixed";

/**
 * Show a panel and move the focus into it.
 * @param {string} name
 */
export function show(name) {
  root.dataset.panel = name;
  arranged();
  panel(name)?.focus({ preventScroll: true });
}

/** Close the sheet; the focus goes back to its tab. */
function close() {
  const name = root.dataset.panel;
  const inside = document.getElementById("sheet")?.contains(document.activeElement);
  delete root.dataset.panel;
  arranged();
  if (inside) tabs().find((tab) => tab.dataset.tab === name)?.focus({ preventScroll: true });
}

/** Set the tabs to what is shown, and mark those with unread lines. */
export function arranged() {
  for (const tab of tabs()) {
    const name = tab.dataset.tab ?? "";
    const shown = Boolean(panel(name)?.checkVisibility());
    tab.setAttribute("aria-expanded", String(shown));
    const unread = tab.querySelector(".unread");
    if (!(unread instanceof HTMLElement) || !(name === "story" || name === "talk")) continue;
    const lines = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(LINES[name]))];
    const newest = Math.max(-1, ...lines.map((line) => Number(line.dataset.n ?? line.dataset.said)));
    if (shown || read[name] === Infinity) read[name] = newest;
    unread.hidden = newest <= read[name];
  }
}
