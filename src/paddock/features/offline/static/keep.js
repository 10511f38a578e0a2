// @ts-check
/** Home: keeps Paddock on this device, renews and removes it. What is kept are files that the pack lists. */

const part = /** @type {HTMLElement} */ (document.getElementById("keep"));
const said = /** @type {HTMLElement} */ (part.querySelector("[data-said]"));
const bar = /** @type {HTMLProgressElement} */ (part.querySelector("progress"));
const { version = "", device = "", worker = "", page = "", played = "" } = part.dataset;
const DEVICE = new URL(device, location.origin);
const PACK = new URL(`pack/${version}/`, DEVICE);
const PAGE = `paddock-offline:${new URL("../", DEVICE).pathname}`; // see sw.js

const able = () => isSecureContext && "serviceWorker" in navigator && "caches" in window && "locks" in navigator && "getDirectory" in (navigator.storage ?? {});
const module_ = (/** @type {string} */ name) => import(new URL(name, PACK).href);
const words = (/** @type {string} */ text = "") => { said.textContent = text; said.hidden = !text; };

/** Whether this device keeps nothing, this version, or another one. */
async function state() {
  if (!(await caches.has(`paddock-results:${DEVICE.pathname}`))) return "none";
  return (await caches.match(new URL("files.json", PACK))) ? "kept" : "old";
}

/** Show what there is to do, and what was refused. */
async function show() {
  const now = await state();
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll("[data-when]"))) {
    one.hidden = !one.dataset.when?.split(" ").includes(now);
  }
  bar.hidden = true;
  part.dataset.state = now;
  part.hidden = false;
  if (now === "none") return;
  await put();
  const results = `paddock-results:${DEVICE.pathname}`; // see kept.js of the pack
  await navigator.locks.request(results, async () => tell(await caches.open(results)));
}

/** Say once of each game of this device that the server has refused it, or not taken it yet. @param {Cache} cache */
async function tell(cache) {
  const done = new URL("results/done", DEVICE);
  const sent = (await (await cache.match(done))?.json()) ?? {};
  const lines = Object.values(sent).filter(Boolean).map((why) => part.dataset.refused?.replace("{why}", why));
  if (lines.length) {
    await cache.put(done, Response.json(Object.fromEntries(Object.keys(sent).map((game) => [game, ""]))));
  }
  for (const request of await cache.keys()) {
    const note = request.url.includes("/results/waiting/") ? await (await cache.match(request))?.json() : {};
    if (!note?.pause || note.said) continue;
    lines.push(part.dataset.later);
    await cache.put(request, Response.json({ ...note, said: true }));
  }
  if (lines.length) words([...new Set(lines)].join(" "));
}

/** Keep the page that stands in without a network, and its files, where they are not those of now. */
async function put() {
  const cache = await caches.open(PAGE);
  const address = new URL(page, location.origin).href;
  if (await cache.match(address)) return;
  const answer = await fetch(address);
  if (!answer.ok) return;
  const text = await answer.clone().text();
  const links = new DOMParser().parseFromString(text, "text/html").querySelectorAll("link[rel=stylesheet], link[rel=icon], script[src]");
  const files = [...links].map((one) => new URL(one.getAttribute("href") ?? one.getAttribute("src") ?? "", address).href);
  await cache.addAll(files);
  await cache.put(address, answer);
  for (const { url } of await cache.keys()) if (url !== address && !files.includes(url)) await cache.delete(url);
}

/** Keep Paddock on this device. */
async function keep() {
  bar.hidden = false;
  const { fill } = await module_("fill.js");
  const { agree } = await module_("kept.js");
  await navigator.serviceWorker.register(worker, { scope: new URL("./", new URL(worker, location.origin)).pathname });
  await navigator.serviceWorker.register(new URL("sw.js", DEVICE), { scope: DEVICE.pathname });
  await fill(DEVICE, PACK, (/** @type {number} */ bytes, /** @type {number} */ of) => {
    bar.value = bytes / of;
    words(part.dataset.bytes?.replace("{n}", (bytes / 1e6).toFixed(1)).replace("{of}", (of / 1e6).toFixed(1)));
  });
  await agree(DEVICE, { played, home: new URL("../", DEVICE).href });
  await navigator.storage.persist?.();
  words();
}

/** Remove it, with its games. */
async function remove() {
  const { empty } = await module_("kept.js");
  await empty(DEVICE);
  await caches.delete(PAGE);
  const own = await navigator.serviceWorker.getRegistration(DEVICE);
  if (own && new URL(own.scope).href === DEVICE.href) await own.unregister();
  words();
}

/**
 * Do something once, and say why it failed.
 * @param {() => Promise<void>} work
 */
async function once(work) {
  const buttons = [.../** @type {NodeListOf<HTMLButtonElement>} */ (part.querySelectorAll("button"))];
  buttons.forEach((button) => { button.disabled = true; });
  try {
    await work();
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    const known = { QuotaExceededError: part.dataset.full, NoModificationAllowedError: part.dataset.open }[name];
    words(known ?? part.dataset.failed?.replace("{why}", message));
  }
  buttons.forEach((button) => { button.disabled = false; });
  await show();
}

if (able()) {
  for (const button of part.querySelectorAll("[data-keeps]")) button.addEventListener("click", () => once(keep));
  part.querySelector("[data-removes]")?.addEventListener("click", () => once(remove));
  show();
}
