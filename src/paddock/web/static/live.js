// @ts-check
/** The connection: wake-ups from the server, fetching the page anew, and putting it in place. */

import { LOOKS, forget, hand, looking, recall, remember, restore } from "./compose.js";
import { arrived, calls } from "./people.js";
import { news } from "./reveal.js";
import { announce, state, typing } from "./state.js";

/** @type {EventSource | null} */
let source = null;
let address = "";
let waiting = 0;
let fetching = false;
let again = false;
let failures = 0;
let sending = false;
let woken = ""; // the digest that the server told while a form was on its way
let left = 0; // when the tab was hidden
let returning = false; // whether the reader comes back to it after a while
const HIDDEN = 20_000; // ms between two looks of a tab that is not seen
const PATIENCE = 10_000; // ms after which a request that has no answer counts as lost
const AWAY = 120_000; // ms after which what happened since is shown first
let seeking = false; // whether the hand that had the focus is gone: the next one gets it
let question = ""; // the last that was asked here
let place = -1; // how far the page was scrolled when the hand was last in sight; -1: the reader went elsewhere
let epoch = 0; // grows with every form: what was fetched before one is too old after it

/** Start listening, on a page that has something to listen to. */
export function live() {
  const { heading } = state();
  if (heading) document.title = heading;
  if (!state().digest) return;
  question = asks();
  news(true);
  document.addEventListener("visibilitychange", visible);
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  addEventListener("offline", () => {
    close();
    connection("lost");
  });
  addEventListener("online", () => {
    open();
    refresh();
  });
  document.addEventListener("submit", submitted);
  open();
}

/** A tab that is not seen gives its connection up, and looks now and then, for the sake of its title. */
function visible() {
  if (!document.hidden) {
    returning = performance.now() - left > AWAY;
    unfold(); // what came while nobody looked
    return open();
  }
  left = performance.now();
  if (calls()) return;
  close();
  open();
}

/** Listen; a tab that is not seen only looks again later, which brings it here again. */
function open() {
  clearTimeout(waiting);
  const { stream } = state();
  if (stream && document.hidden && !calls()) {
    waiting = setTimeout(refresh, HIDDEN);
    return;
  }
  if (source && address === stream) return;
  close();
  if (!stream) return;
  address = stream;
  source = new EventSource(stream);
  source.onopen = () => connection("");
  source.onmessage = (event) => {
    connection("");
    if (sending) woken = event.data;
    else if (event.data !== state().digest) refresh();
    else returning = false;
  };
  source.onerror = () => {
    connection("lost");
    if (source?.readyState === EventSource.CLOSED) retry(); // otherwise the browser tries by itself
  };
}

function close() {
  clearTimeout(waiting);
  source?.close();
  source = null;
}

function retry() {
  close();
  failures += 1;
  waiting = setTimeout(open, Math.min(10_000, 500 * 2 ** failures));
}

/**
 * Show whether the server answers.
 * @param {"" | "lost"} kind
 */
function connection(kind) {
  if (!kind) failures = 0;
  const sign = document.getElementById("connection");
  if (!sign || sign.hidden === !kind) return;
  sign.hidden = !kind;
  if (kind) announce(sign.textContent?.trim() ?? "");
}

/** The server has not answered: say so, and look again soon. */
function lost() {
  connection("lost");
  clearTimeout(waiting);
  waiting = setTimeout(refresh, 2000);
}

/**
 * Ask the server for the main part of a page. What hangs, as on a train, fails after a while.
 * @param {string} address
 * @param {RequestInit} [options]
 */
async function ask(address, options) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const headers = { "paddock-part": "main" };
    const answer = await fetch(address, { ...options, headers, signal: patience.signal });
    return { ok: answer.ok, text: await answer.text() };
  } finally {
    clearTimeout(timer);
  }
}

/** @param {string} text */
const isPage = (text) => text.includes('id="state"');

/**
 * Send a form, or only look ahead of what is chosen in it.
 * @param {HTMLFormElement} form
 * @param {URLSearchParams} body
 * @param {HTMLElement | null} button
 */
const post = (form, body, button) => ask(button?.getAttribute("formaction") ?? form.action, { method: "POST", body });

/**
 * What a form sends.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [button]
 */
const fields = (form, button) => new URLSearchParams(/** @type {any} */ (new FormData(form, button)));

/** Fetch the page as it is now; calls that come meanwhile make one more. */
export async function refresh() {
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  const asked = epoch;
  try {
    const form = looking(); // the page as it would be stays that
    const { ok, text } = await (form ? post(form, fields(form), form.querySelector(LOOKS)) : ask(location.href));
    if (!ok && !isPage(text)) throw new Error("the page is not to be had");
    if (asked === epoch) put(text);
    else again = !sending; // the form's own answer is newer
    connection("");
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

/**
 * A form of the table: sent in the background, its answer put in place.
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
  try {
    const { ok, text } = await post(form, body, event.submitter);
    if (isPage(text)) {
      // What the address asked for, such as choosing again, is done.
      if (location.search && !looks) history.replaceState(null, "", location.pathname);
      if (ok && !looks) forget(form);
      put(text);
      const same = [...new FormData(form)].every(([name, value]) => body.get(name) === value);
      if (ok && same && "clears" in form.dataset) form.reset();
    } else if (ok) await refresh();
    else {
      delete form.dataset.live; // an error page, shown as one
      form.requestSubmit(event.submitter);
    }
    connection("");
  } catch {
    lost(); // the choice is still there, and so is its key
  } finally {
    busy(false);
    if (woken && woken !== state().digest) refresh(); // more has happened since the answer
    woken = "";
  }
}

/** @param {boolean} now whether a form is on its way */
function busy(now) {
  sending = now;
  epoch += 1;
  document.getElementById("main")?.setAttribute("aria-busy", String(now));
}

/**
 * Put a new main part in place of the old: what is the same element stays it.
 * @param {string} html
 */
function put(html) {
  const main = document.getElementById("main");
  if (!main) return;
  const kept = remember();
  const playing = document.getElementById("table");
  const near = sighted() || scrollY === place;
  seeking ||= Boolean(document.activeElement?.closest("form.compose, [data-move]"));
  // @ts-ignore the vendored script defines it
  window.Idiomorph.morph(main, html, {
    morphStyle: "innerHTML",
    // What is being typed stays; a button may say something else now, and a card be another.
    ignoreActiveValue: typing(document.activeElement),
    callbacks: {
      // What the reader types stays, and what the reader unfolded or zoomed.
      beforeNodeMorphed: (/** @type {Node} */ node) => !(node instanceof HTMLElement && "keep" in node.dataset),
      beforeAttributeUpdated: (/** @type {string} */ name, /** @type {Element} */ node) =>
        !(name === "open" && node instanceof HTMLDetailsElement) &&
        !(name === "hidden" && node.matches(".to-hand")) &&
        !(name === "style" && node.matches("[data-view]")),
    },
  });
  const { heading } = state();
  if (heading) document.title = heading;
  restore(kept);
  recall();
  arrived();
  follow();
  if (playing && !document.querySelector("#table, .curtain")) scrollTo(0, 0); // the podium, from its top
  bring(near);
  place = near || sighted() ? scrollY : -1;
  news(false);
  unfold();
  returning = false;
  open();
}

/** Whether a hand, or some of it, is in sight. */
function sighted() {
  const box = document.querySelector(".ask")?.getBoundingClientRect();
  return Boolean(box && box.bottom > 0 && box.top < innerHeight);
}

/** The hand that must be chosen from. */
const due = () => document.querySelector(".ask:not(:has(.change))");

/** What is asked, and of which hand; empty where nothing is. */
function asks() {
  const first = due();
  return first ? `${document.getElementById("table")?.dataset.decision} ${first.id}` : "";
}

/**
 * Where another question is asked, and out of sight: bring it there, below what was turned up.
 * @param {boolean} near whether the reader was at the hand
 */
function bring(near) {
  const first = due();
  if (!first || asks() === question) return;
  question = asks();
  const { top } = first.getBoundingClientRect();
  const above = (document.querySelector("[data-reveal]")?.clientHeight ?? 0) + 24;
  if (near && (top < 0 || top > innerHeight - 200)) scrollBy(0, top - Math.min(above, innerHeight / 3));
}

/** Who comes back after a while first sees what happened since. */
function unfold() {
  if (returning) document.getElementById("since")?.setAttribute("open", "");
}

/** The focus goes on from hand to hand: it does not fall to the top of the page while others play. */
function follow() {
  if (document.activeElement !== document.body) seeking = false;
  else if (seeking) hand()?.focus({ preventScroll: true });
}
