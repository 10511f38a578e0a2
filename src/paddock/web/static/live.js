// @ts-check
/** Live updates: listens to the table's stream, and morphs the pages that it sends into place. */

import { pieces } from "./board.js";
import { LOOKS, forget, hand, looking, recall, remember, restore } from "./compose.js";
import { switched } from "./hands.js";
import { arrived, calls } from "./people.js";
import { news } from "./reveal.js";
import { arranged } from "./sheet.js";
import { announce, hush, state, typing } from "./state.js";
import { listen, look } from "./listen.js";
import { answered, clear, fresh, held, next, unsent } from "./unsent.js";

let waiting = 0; // the timer of a tab without a stream
let retrying = 0; // the timer after a request has failed
let fetching = false;
let again = false;
let sending = false;
let woken = ""; // the last digest that arrived while a form was being sent
let left = 0; // the time at which the tab was hidden
let returning = false; // whether the reader has just come back after a long time
const SHOWN = 5_000; // ms between two refreshes of a tab that has no stream
const HIDDEN = 20_000; // the same of a hidden tab
const PATIENCE = 10_000; // ms: timeout of a request
const AWAITED = [429, 502, 503, 504]; // answers that ask for patience, as if the line were lost
const AWAY = 120_000; // ms: after a longer absence the news are unfolded
let seeking = false; // whether the next hand gets the focus, because the last focused one is gone
let epoch = 0; // counts forms: a page requested before the last one is outdated

/** Start listening if the page has live updates. */
export function live() {
  const { heading } = state();
  if (heading) document.title = heading;
  if (!state().digest) return;
  news();
  document.addEventListener("visibilitychange", visible);
  addEventListener("offline", () => connection("lost"));
  addEventListener("online", () => {
    if (state().stream || held()) refresh();
    else connection(""); // what the page shows may have no address, such as the answer to a form
  });
  document.addEventListener("submit", submitted);
  listen({
    where: () => (document.hidden && !calls() ? "" : state().stream),
    from: () => `have=${state().digest}`,
    changed: open,
    alive: () => {
      connection("");
      if (held()) refresh();
    },
    heard: (event) => {
      if (sending) woken = event.lastEventId;
      else if (event.lastEventId === state().digest) returning = false;
      else if (fetching || looking()) refresh(); // what is being fetched may be older
      else put(JSON.parse(event.data).page.replaceAll("\x02key\x03", fresh()));
    },
    lost: (silent) => (silent ? lost() : connection("lost")),
  });
}

/** Show what happened while the tab was hidden. */
function visible() {
  if (document.hidden) {
    left = Date.now(); // performance.now() would leave out a device's sleep
    return;
  }
  returning = Date.now() - left > AWAY;
  unfold();
  if (held()) refresh();
}

/** Listen; a tab without a stream refreshes now and then, which calls this again. */
function open() {
  clearTimeout(waiting);
  if (!look() && state().stream) waiting = setTimeout(refresh, document.hidden ? HIDDEN : SHOWN);
}

/**
 * Show or hide the message that the connection is lost.
 * @param {"" | "lost"} kind
 */
function connection(kind) {
  const sign = document.getElementById("connection");
  if (!sign || sign.hidden === !kind) return;
  sign.hidden = !kind;
  if (kind) announce(sign.textContent?.trim() ?? "");
  else hush();
}

/** Show that the server does not answer, and retry soon. */
function lost() {
  connection("lost");
  clearTimeout(retrying);
  retrying = setTimeout(refresh, 2000);
}

/**
 * Fetch the main part of a page, with a timeout: a mobile connection can hang for minutes.
 * @param {string} address
 * @param {RequestInit} [options]
 */
async function ask(address, options) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    /** @type {Record<string, string>} */
    const headers = { "paddock-part": "main", "paddock-still": still() };
    if (document.hidden) headers["paddock-hidden"] = "yes";
    const answer = await fetch(address, { ...options, headers, signal: patience.signal });
    if (AWAITED.includes(answer.status)) throw new Error(answer.statusText);
    return { ok: answer.ok, text: await answer.text() };
  } finally {
    clearTimeout(timer);
  }
}

/** The digests of the parts that rarely change. */
const still = () =>
  [.../** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll("[data-still]:not(:empty)"))]
    .map((part) => part.dataset.still)
    .join(" ");

/**
 * Whether an update changes nothing in an element, or has left it out because it is the same.
 * @param {Node} node
 * @param {Node} now
 */
function same(node, now) {
  if (!(node instanceof SVGElement && now instanceof SVGElement)) return false;
  const still = node.dataset.still && node.firstElementChild; // a part that is gone comes again
  return (Boolean(still) && node.dataset.still === now.dataset.still) || node.isEqualNode(now);
}

/**
 * Whether an element stays as the reader has left it. A list to choose from still gets its new options, and what is
 * chosen stays chosen if it is among them.
 * @param {Node} node
 * @param {Node} now
 */
function stays(node, now) {
  if (!(node instanceof HTMLElement && "keep" in node.dataset)) return false;
  if (node instanceof HTMLSelectElement) {
    const { value } = node;
    node.replaceChildren(...now.childNodes);
    node.value = value;
    if (!node.value) node.selectedIndex = 0;
  }
  return true;
}

/**
 * Replace what is in a list whose lines change places, such as a story, or in a sentence: nothing in it slides to where
 * it is now. Return whether this is such an element. It has no ids inside: Idiomorph fails when it looks for one that is
 * gone.
 * @param {Node} node
 * @param {Node} now
 */
function renewed(node, now) {
  if (!(node instanceof HTMLElement && now instanceof HTMLElement && "anew" in node.dataset)) return false;
  if (node.className !== now.className) return false; // another one has come in its place
  if (node.isEqualNode(now)) return true;
  for (const { name, value } of now.attributes) node.setAttribute(name, value);
  node.replaceChildren(...now.childNodes);
  return true;
}

/** @param {string} text */
const isPage = (text) => text.includes('id="state"');

/**
 * Where a form is sent.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button the preview has an address of its own
 */
const target = (form, button) => button?.getAttribute("formaction") ?? form.action;

/**
 * Send data, and get a page.
 * @param {string} address
 * @param {URLSearchParams} body
 */
const post = (address, body) => ask(address, { method: "POST", body });

/**
 * The data of a form.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [button]
 */
const fields = (form, button) => new URLSearchParams(/** @type {any} */ (new FormData(form, button)));

/** Fetch the current page. Any calls meanwhile cause one more fetch in the end. */
export async function refresh() {
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  const asked = epoch;
  try {
    const form = looking(); // keep showing the preview
    const { ok, text } = await (form
      ? post(target(form, form.querySelector(LOOKS)), fields(form))
      : ask(location.href));
    if (!ok && !isPage(text)) throw new Error(text);
    if (asked === epoch) put(text);
    else again = !sending; // the answer to the form will be newer
    if (held()) resend();
    else connection("");
  } catch {
    lost();
  } finally {
    fetching = false;
    if (again) {
      again = false;
      refresh();
    }
  }
}

/** Send what could not be sent, now that the server answers again. */
async function resend() {
  if (sending) return;
  const one = next();
  if (!one) return connection(""); // it had arrived
  busy(true);
  try {
    const { ok, text } = await post(one.action, one.body);
    const form = [...document.forms].find((form) => form.matches(".compose") && form.dataset.seat === one.body.get("seat"));
    if (ok && form && one.body.has("move")) forget(form);
    answered(one, ok ? "" : why(text));
    if (isPage(text)) put(text);
    connection("");
  } catch {
    lost();
    return;
  } finally {
    busy(false);
  }
  if (held()) resend();
  else if (woken && woken !== state().digest) refresh();
  woken = "";
}

/**
 * Why a form was refused: a sentence of the page, or the whole answer if it is no page.
 * @param {string} html
 */
function why(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  return (page.querySelector("[role=alert], main p") ?? page.body).textContent?.trim() ?? "";
}

/**
 * Send a form of the table in the background and show its answer.
 * @param {SubmitEvent} event
 */
async function submitted(event) {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || !("live" in form.dataset)) return;
  event.preventDefault();
  if (sending) return;
  busy(true);
  const looks = event.submitter?.matches(LOOKS);
  const body = fields(form, event.submitter);
  // So that a request that is sent twice is not taken for one at a later decision.
  const decision = document.getElementById("table")?.dataset.decision;
  if (decision && !body.has("decision")) body.set("decision", decision);
  try {
    const { ok, text } = await post(target(form, event.submitter), body);
    if (isPage(text)) {
      // Drop the query, such as «change my choice»: it is done.
      if (location.search && !looks) history.replaceState(null, "", location.pathname);
      if (ok && !looks) forget(form);
      put(text);
      if (ok) clear({ action: form.action, body });
    } else if (ok) await refresh();
    else {
      delete form.dataset.live; // let the browser load it
      form.requestSubmit(event.submitter);
    }
    connection("");
  } catch {
    lost(); // the choice is kept
    if (!looks) unsent(target(form, event.submitter), body, event.submitter);
  } finally {
    busy(false);
    if (woken && woken !== state().digest) refresh(); // the table has changed since the answer
    woken = "";
  }
}

/** @param {boolean} now whether a form is being sent */
function busy(now) {
  sending = now;
  epoch += 1;
  document.getElementById("main")?.setAttribute("aria-busy", String(now));
}

/**
 * Fetch another page and show it in place of this one; return whether that was done.
 * @param {string} address
 * @param {() => boolean} wanted asked when the page has come: whether it is still wanted
 */
export async function show(address, wanted) {
  try {
    const { text } = await ask(address);
    if (!wanted()) return false;
    if (isPage(text)) put(text);
    else location.assign(address); // such as an error page
    connection("");
    return isPage(text);
  } catch {
    lost();
    return false;
  }
}

/**
 * Show a new main part of the page. A fault of our own is reported: whoever asked for the page takes it for a lost
 * connection, and tries again.
 * @param {string} html
 */
function put(html) {
  try {
    morph(html);
  } catch (error) {
    reportError(error);
    throw error;
  }
}

/**
 * Morph the page into its new main part. Elements that stay keep their focus and state.
 * @param {string} html
 */
function morph(html) {
  const main = document.getElementById("main");
  if (!main) return;
  hush();
  const kept = remember();
  const stood = pieces();
  const before = kind();
  seeking ||= Boolean(document.activeElement?.closest("form.compose, [data-move]"));
  // @ts-ignore the vendored script defines it
  window.Idiomorph.morph(main, html, {
    morphStyle: "innerHTML",
    // Keep typed text, but update buttons and cards.
    ignoreActiveValue: typing(document.activeElement),
    callbacks: {
      // Keep what the reader has typed, unfolded or zoomed, and drawings that are the same.
      beforeNodeMorphed: (/** @type {Node} */ node, /** @type {Node} */ now) =>
        !stays(node, now) && !same(node, now) && !renewed(node, now),
      beforeNodeRemoved: (/** @type {Node} */ node) => !(node instanceof HTMLElement && node.id === "toast"),
      beforeAttributeUpdated: (/** @type {string} */ name, /** @type {Element} */ node) =>
        !(name === "open" && node instanceof HTMLDetailsElement) &&
        !(node.matches(".tab") && name === "aria-expanded") &&
        !(name === "style" && node.matches("[data-view]")),
    },
  });
  const { heading } = state();
  if (heading) document.title = heading;
  document.documentElement.toggleAttribute("data-screen", kind() === "screen");
  if (kind() !== before) anew();
  restore(kept);
  recall();
  switched();
  arrived();
  follow();
  arranged();
  news(stood);
  unfold();
  returning = false;
  open();
  if (document.querySelector("[data-still]:empty")) refresh(); // it was left out, but is gone meanwhile
}

/** What kind of page this is: a table on one screen, a lobby, a curtain; else a podium. */
const kind = () => ["screen", "lobby", "curtain"].find((name) => document.querySelector(`.one-${name}, .${name}`)) ?? "podium";

/** Show another kind of page from its top. It is laid out anew, so that no part of it slides from where it was. */
function anew() {
  document.body.style.display = "none";
  document.body.getBoundingClientRect();
  document.body.style.display = "";
  scrollTo(0, 0);
}

/** Unfold the news for a reader who has been away for a while. */
function unfold() {
  if (returning) document.getElementById("since")?.setAttribute("open", "");
}

/** Move the focus from hand to hand, so that it stays while others play. */
function follow() {
  const at = document.activeElement;
  if (at !== document.body && at?.checkVisibility()) seeking = false;
  else if (seeking) hand()?.focus({ preventScroll: true });
}
