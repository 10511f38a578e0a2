// @ts-check
/**
 * The coach beside the board: shows the steps of a hint in its panel. Without this script they are a page. A hint is
 * asked for only when the panel is open, and goes when another decision is open. Good moves are marked in the hand and
 * on the map: see marks.js. When a link of a chain was chosen, the same step is asked for again, after that link.
 */

const root = document.documentElement;
const NAME = "coach";
const PATIENCE = 20_000; // ms
const AGAIN = 2_000; // ms until a step is asked for again that was not ready
let address = ""; // of the first step
let asked = ""; // the decision and the links of the last hint that was asked for by itself
let busy = false;

const panel = () => document.getElementById(`panel-${NAME}`);
const decision = () => document.getElementById("table")?.dataset.decision ?? "";
const shown = () => /** @type {HTMLElement | null | undefined} */ (panel()?.querySelector(".hint"));

/** The links of a chain that are chosen and not sent yet, in notation. */
const links = () => document.querySelector("form.compose:has([formaction])")?.getAttribute("data-chosen") ?? "";

/**
 * Show what the server says in the panel.
 * @param {string} url
 * @param {URLSearchParams} [body]
 * @param {boolean} [pressed] whether a key in the panel asked for it
 */
async function ask(url, body, pressed = false) {
  const box = panel();
  if (!box || busy) return;
  busy = true;
  const before = links();
  box.setAttribute("aria-busy", "true");
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const headers = { "paddock-part": "main" };
    const answer = await fetch(url, body ? { method: "POST", body, headers, signal } : { headers, signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const said = page.querySelector(".hint") ?? page.querySelector("main p, [role=alert]") ?? page.body;
    if (panel() === box && said) put(box, said, pressed);
  } catch {
    // the connection is lost, which the page says: the keys are still there
  } finally {
    busy = false;
    box.removeAttribute("aria-busy");
    if (before !== links()) opened(); // a link was chosen in the meantime
  }
}

/**
 * @param {HTMLElement} box
 * @param {Element} said
 * @param {boolean} pressed whether a key in the panel asked for it: then the focus stays there
 */
function put(box, said, pressed) {
  box.replaceChildren(said);
  box.scrollTop = 0;
  mark();
  if (pressed) box.focus({ preventScroll: true });
  const step = said instanceof HTMLElement ? said.dataset.laterStep : "";
  if (step) setTimeout(() => shown() === said && again(said, step), AGAIN);
}

/**
 * Press the key of a step again.
 * @param {HTMLElement} said
 * @param {string} step
 */
function again(said, step) {
  if (root.dataset.panel === NAME) said.querySelector(`button[value="${step}"]`)?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}

/** Ask for the first step if the panel is open and shows none of this decision; after a link, for the same step. */
function opened() {
  mark();
  if (!address || !panel() || busy) return;
  const there = shown();
  const same = there?.dataset.decision === decision();
  if (same && there.dataset.links === links()) return;
  const step = same ? there.dataset.step : "";
  const marks = there?.matches("[data-whole]");
  if (root.dataset.panel !== NAME && !(same && marks)) return;
  const key = `${decision()} ${links()}`;
  if (key === asked) return;
  asked = key;
  if (step) ask(address, new URLSearchParams({ step, decision: decision(), links: links() }));
  else ask(`${address}?${new URLSearchParams({ links: links() })}`);
}

/** Mark what the hint of this decision calls good; the part that does it is loaded when there is something to mark. */
async function mark() {
  const there = shown();
  const now = there?.matches("[data-whole]") && there.dataset.decision === decision() && there.dataset.links === links();
  if (now) marking ??= import("./marks.js");
  if (marking) (await marking).mark(now ? there : null);
}

/** @type {Promise<typeof import("./marks.js")> | undefined} */
let marking;

/** Keep the address of the panel, and its style, which shows it. */
function begin() {
  const link = panel()?.querySelector(":scope > a"); // a hint has taken its place
  if (link instanceof HTMLAnchorElement) address = link.href;
  panel()?.setAttribute("aria-live", "polite");
  asked = "";
  opened();
}

const style = Object.assign(document.createElement("link"), {
  rel: "stylesheet",
  href: new URL("coach.css", import.meta.url).href,
});
document.head.append(style);
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !panel()?.contains(form) || "live" in form.dataset) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)));
  body.set("links", links());
  ask(form.action, body, true);
}, true);
new MutationObserver(begin).observe(root, { attributeFilter: ["data-panel"] });
const main = document.getElementById("main");
if (main) new MutationObserver(opened).observe(main, { subtree: true, childList: true, attributeFilter: ["data-decision", "data-chosen", "data-good"] });
document.addEventListener("change", () => setTimeout(mark)); // the buttons say what they would send
begin();
