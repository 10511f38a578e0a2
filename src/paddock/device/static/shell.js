// @ts-check
/** The shell page: gets the pack, owns the worker, and shows the pages of the application in its frame. */

import { drop, fill } from "./fill.js";
import { accompany } from "./kept.js";

const base = new URL(document.baseURI);
const here = new URL("./", import.meta.url); // of this version of the pack
const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("frame"));
const loader = /** @type {HTMLElement} */ (document.getElementById("loader"));
const bar = /** @type {HTMLProgressElement} */ (document.getElementById("bar"));
const way = /** @type {HTMLAnchorElement} */ (document.getElementById("way"));
const save = /** @type {HTMLAnchorElement} */ (document.getElementById("save"));
const AWAKE = 20_000; // ms between messages that keep the service worker awake
/** @type {Worker | null} */
let worker = null;
/** @type {Map<MessagePort, any>} what is asked while another page answers: this one does when that one is gone */
const waiting = new Map();
/** @type {Record<string, string>} */
let words = {};
const pages = new BroadcastChannel(`paddock ${base.pathname}`);
const LOOK = `paddock-look ${base.pathname}`;
/** @type {{lang?: string, theme?: string}} of the page before */
let look = JSON.parse(localStorage.getItem(LOOK) ?? "{}");
/** @type {(() => void) | null} what was pressed before the application ran */
let pressed = null;
let running = false;
const asked = new URL(location.href).searchParams.get("at"); // what the page for missing files was opened for
const opened = asked === null ? location.href : new URL(asked, base).href;
const wanted = opened.startsWith(base.href) && !opened.endsWith("index.html") ? opened : base.href;

const put = (/** @type {string} */ id, /** @type {string} */ text) => {
  const place = document.getElementById(id);
  if (place) place.textContent = text;
};

/** Say that it goes no further, and why. @param {string} says @param {string} [why] */
function stop(says, why = "") {
  loader.hidden = false;
  loader.className = "";
  frame.hidden = true;
  bar.hidden = true;
  put("says", says);
  put("more", why);
}

/** Say why Paddock does not run, and hand out the games. @param {any} error */
function fail(error) {
  console.error(error);
  const { full, elsewhere, newer } = words;
  const known = { QuotaExceededError: full, full, NoModificationAllowedError: elsewhere, Newer: newer }[/** @type {"full"} */ (error.name)];
  stop(known ?? words.failed, known ? "" : `${error.name}: ${error.message}`.slice(0, 300));
  if (error.saved) {
    Object.assign(save, { href: URL.createObjectURL(new Blob([error.saved])), textContent: words.save, hidden: false });
  }
  renew().catch(() => {}); // the next version may run
}

/** Read what this page says, in the language of the pages before, else in the reader's. */
async function read() {
  const all = await (await fetch(new URL("words.json", here))).json();
  const tags = [look.lang ?? "", ...navigator.languages].map((tag) => tag.split("-")[0]);
  const language = tags.find((tag) => tag in all) ?? "en";
  document.documentElement.lang = language;
  words = all[language];
}

/** Show home, as it was when the pack was made. What is pressed there is done when the application runs. */
function greet() {
  frame.addEventListener("load", () => {
    const inside = /** @type {Window} */ (frame.contentWindow);
    if (!inside.location.pathname.startsWith(new URL("../", here).pathname)) return;
    if (running) return inside.location.replace(base); // somebody went back to it
    const page = inside.document;
    if (look.theme) page.documentElement.dataset.theme = look.theme;
    const keep = (/** @type {Event} */ event, /** @type {() => void} */ go) => {
      event.preventDefault();
      pressed = go;
      put("says", words.pressed);
    };
    page.addEventListener("click", (event) => {
      const link = /** @type {Element} */ (event.target).closest("a");
      if (link && !running && link.getAttribute("href")?.[0] !== "#") keep(event, () => inside.location.replace(link.href));
    });
    page.addEventListener("submit", (event) => {
      const { target, submitter } = /** @type {SubmitEvent & {target: HTMLFormElement}} */ (event);
      if (!running) keep(event, () => target.requestSubmit(submitter));
    });
    loader.className = "is-below";
    frame.hidden = false;
  });
  frame.src = new URL(`home.${document.documentElement.lang}.html`, here).href;
}

/** Download what a link of the application leads to: browsers ask the host itself for it. @param {Event} event */
async function download(event) {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[download]"));
  if (!link) return;
  event.preventDefault();
  const answer = await fetch(link.href);
  if (!answer.ok) return;
  const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? link.download;
  const made = document.createElement("a");
  Object.assign(made, { href: URL.createObjectURL(await answer.blob()), download: name }).click();
  setTimeout(() => URL.revokeObjectURL(made.href), AWAKE);
}

/** Show the application. Its address becomes that of this page. */
function show() {
  running = true;
  frame.addEventListener("load", () => {
    const inside = frame.contentWindow;
    if (!inside || !inside.location.href.startsWith(base.href)) return;
    if (inside.location.pathname.startsWith(new URL("../", here).pathname)) return;
    inside.document.addEventListener("click", download);
    history.replaceState(null, "", inside.location.href);
    document.title = inside.document.title;
    const { lang, dataset } = inside.document.documentElement;
    look = { lang, theme: dataset.theme ?? "" };
    localStorage.setItem(LOOK, JSON.stringify(look));
    document.documentElement.dataset.theme = look.theme;
    loader.hidden = true;
    frame.hidden = false;
  });
  if (pressed) pressed();
  else if (frame.src) frame.contentWindow?.location.replace(wanted);
  else frame.src = wanted;
}

/** Say what is wrong with the storage, here and in the other pages. @param {string} trouble */
function warn(trouble) {
  put("trouble", { full: words.unkept, gone: words.gone, little: words.little }[trouble] ?? "");
  /** @type {HTMLElement} */ (document.getElementById("trouble")).hidden = !trouble;
}

pages.onmessage = ({ data }) => warn(data);

/**
 * Hand a request to the worker, with the reader's languages, which no service worker sees, and the cookies that
 * scripts have set: from then on the worker keeps them.
 */
function give(/** @type {any} */ { kind, asked }, /** @type {MessagePort} */ port) {
  const before = document.cookie;
  for (const [name] of before.matchAll(/[^=; ]+(?==)/g)) document.cookie = `${name}=; path=${base.pathname}; max-age=0`;
  const left = document.cookie.split("; "); // those of the server that offers this pack
  const cookies = before.split("; ").filter((cookie) => !left.includes(cookie) || !left.splice(left.indexOf(cookie), 1));
  const headers = [...asked.headers, ["accept-language", navigator.languages.join(",")]];
  worker?.postMessage({ kind, asked: { ...asked, headers, cookies: cookies.join("; ") } }, [port]);
}

/** Start the application in a worker. It runs until the page is closed. */
function start() {
  navigator.serviceWorker.controller?.postMessage("begins");
  worker = new Worker(new URL("worker.js", here), { type: "module" });
  return new Promise((done, failed) => {
    if (!worker) return;
    worker.onmessage = ({ data }) => {
      if (data.kind === "step") {
        bar.value = { python: 0.35, files: 0.45, ready: 1 }[/** @type {"ready"} */ (data.step)];
        if (data.step === "ready") {
          document.documentElement.dataset.times = JSON.stringify(data.times);
          done(null);
        }
      } else if (data.kind === "trouble") {
        warn(data.trouble);
        pages.postMessage(data.trouble);
      } else failed(Object.assign(new Error(data.says), { name: data.why, saved: data.saved }));
    };
    worker.onerror = (event) => failed(new Error(event.message));
    worker.postMessage({ kind: "start", base: base.pathname.replace(/\/$/, ""), code: new URL("code.zip", here).href });
    for (const [port, data] of waiting) give(data, port);
    waiting.clear();
  });
}

navigator.serviceWorker?.addEventListener("message", ({ data, ports }) => {
  if (data.kind !== "ask") return;
  if (worker) return give(data, ports[0]);
  waiting.set(ports[0], data);
  ports[0].onmessage = () => waiting.delete(ports[0]); // another page has answered, or nobody waits any longer
});

/** Get, start and show. */
async function main() {
  await read();
  const files = await navigator.storage?.getDirectory?.().catch(() => null); // a private window refuses
  if (!navigator.serviceWorker || !navigator.locks || !files) return stop(words.cannot);
  if (look.theme) document.documentElement.dataset.theme = look.theme;
  put("says", words.gets);
  if (wanted === base.href) greet();
  await navigator.serviceWorker.register("sw.js", { scope: "./" });
  const { active } = await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) {
    const controlled = new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
    active?.postMessage("claim"); // a page that was reloaded with the shift key is not controlled by itself
    await controlled;
  }
  const digits = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  await fill(base, here, (bytes, of) => {
    bar.value = bytes / of;
    put("more", words.bytes.replace("{n}", digits.format(bytes / 1e6)).replace("{of}", digits.format(of / 1e6)));
  });
  put("more", "");
  setInterval(() => navigator.serviceWorker.controller?.postMessage(null), AWAKE);
  const own = () => new Promise((done) => {
    navigator.locks.request(`paddock ${base.pathname}`, { ifAvailable: true }, (lock) => {
      done(Boolean(lock));
      return lock ? new Promise(() => {}) : undefined;
    });
  });
  if (await own()) {
    put("says", pressed ? words.pressed : words.starts);
    bar.value = 0.05;
    await start();
  } else {
    // Another page runs it, and answers for this one; when it is closed, this page does.
    navigator.locks.request(`paddock ${base.pathname}`, async () => {
      await start().catch(fail);
      return new Promise(() => {});
    });
  }
  show();
  way.dataset.says = words.way;
  accompany(base, way).catch(() => {}); // it is said again when this page is opened
  navigator.storage.persist().catch(() => {}); // else a browser that is short of room may clear it
  renew().then((newest) => newest && drop(here)).catch(() => {}); // without a network, there is nothing newer
}

/** Load a newer version beside this one; it runs when the page is opened the next time. Return whether there is none. */
async function renew() {
  const { version } = await (await fetch(new URL("pack.json", base), { cache: "no-cache" })).json();
  const there = new URL(`../${version}/`, here);
  if (there.href === here.href) return true;
  await fill(base, there, () => {});
  return false;
}

main().catch(fail);
