// @ts-check
/**
 * The coach beside the board: shows the steps of a hint in its panel. Without this script they are a page. A hint is
 * asked for only when the panel is open, and goes when another decision is open.
 */

const root = document.documentElement;
const NAME = "coach";
const PATIENCE = 20_000; // ms
const AGAIN = 2_000; // ms until a step is asked for again that was not ready
let address = ""; // of the first step
let busy = false;

const panel = () => document.getElementById(`panel-${NAME}`);
const decision = () => document.getElementById("table")?.dataset.decision ?? "";
const shown = () => panel()?.querySelector(".hint");

/**
 * Show what the server says in the panel.
 * @param {string} url
 * @param {URLSearchParams} [body]
 */
async function ask(url, body) {
  const box = panel();
  if (!box || busy) return;
  busy = true;
  box.setAttribute("aria-busy", "true");
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const headers = { "paddock-part": "main" };
    const answer = await fetch(url, body ? { method: "POST", body, headers, signal } : { headers, signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const said = page.querySelector(".hint") ?? page.querySelector("main p, [role=alert]") ?? page.body;
    if (panel() === box) put(box, said, Boolean(body));
  } catch {
    // the connection is lost, which the page says: the keys are still there
  } finally {
    busy = false;
    box.removeAttribute("aria-busy");
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

/** Ask for the first step if the panel is open and shows none of this decision. */
function opened() {
  if (root.dataset.panel !== NAME || !address || !panel()) return;
  const there = shown();
  if (there instanceof HTMLElement && there.dataset.decision === decision()) return;
  ask(address);
}

/** Keep the address of the panel, and its style, which shows it. */
function begin() {
  const link = panel()?.querySelector(":scope > a"); // a hint has taken its place
  if (link instanceof HTMLAnchorElement) address = link.href;
  panel()?.setAttribute("aria-live", "polite");
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
  ask(form.action, new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter))));
}, true);
new MutationObserver(begin).observe(root, { attributeFilter: ["data-panel"] });
const main = document.getElementById("main");
if (main) new MutationObserver(opened).observe(main, { subtree: true, attributeFilter: ["data-decision"] });
begin();
