// @ts-check
/**
 * Of the service worker, the part of a device that keeps Paddock. Without a network it shows the page that leads to
 * it, in place of any page of this server; with one, it sends the games that were played there. On a device that
 * keeps nothing it changes nothing.
 */

const worker = /** @type {any} */ (self);
const SCOPE = new URL(worker.registration.scope);
const DEVICE = new URL("device/", SCOPE);
const PAGE = `paddock-offline:${SCOPE.pathname}`; // the page and its files
const RESULTS = `paddock-results:${DEVICE.pathname}`; // see kept.js of the pack
const FILES = /\/static\/\w+\/(house\.css|icon\.svg|features\/offline\/[\w.]+)$/;
const PATIENCE = 3000; // ms that a page waits for games that are sent before it
const ADDED = 204;
const REFUSED = [413, 422]; // not to be sent again
const [FIRST, LONGEST] = [60_000, 86_400_000]; // ms until a game that was not taken is sent again; each time twice as long

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate" && request.destination === "document") event.respondWith(page(request));
  else if (FILES.test(new URL(request.url).pathname)) event.respondWith(kept(request));
});

/** A file of the page. @param {Request} request */
const kept = async (request) => (await caches.match(request, { cacheName: PAGE })) ?? fetch(request);

/** A page of this server, after the games that it may show. @param {Request} request */
async function page(request) {
  await Promise.race([send().catch(() => {}), new Promise((done) => setTimeout(done, PATIENCE))]);
  try {
    return await fetch(request);
  } catch (error) {
    const away = await caches.match(new URL("offline", SCOPE), { cacheName: PAGE, ignoreSearch: true });
    if (away) return away;
    throw error;
  }
}

/** Send the games that wait: each once, and where the server has not taken it, again after a while. */
async function send() {
  if (!(await caches.has(RESULTS))) return;
  const cache = await caches.open(RESULTS);
  const waiting = new URL("results/waiting/", DEVICE).href;
  const done = new URL("results/done", DEVICE).href;
  const games = (await cache.keys()).filter(({ url }) => url.startsWith(waiting));
  if (!games.length) return;
  const { played } = await (await cache.match(new URL("results/", DEVICE)))?.json();
  if (!played) return;
  await navigator.locks.request(RESULTS, async () => {
    for (const request of games) {
      const note = await (await cache.match(request))?.json();
      if (!note) continue; // another page has sent it
      const { game, record, tried = 0, pause = 0 } = note;
      if (Math.abs(Date.now() - tried) < pause) continue; // a clock that is set back keeps none for ever
      const answer = await fetch(played, { method: "POST", body: new URLSearchParams({ game, record }) });
      const refused = REFUSED.includes(answer.status);
      if (answer.status !== ADDED && !refused) { // also where somebody else answers, such as a page to sign in
        const later = { tried: Date.now(), pause: Math.min(LONGEST, 2 * pause || FIRST) };
        return cache.put(request, Response.json({ ...note, ...later }));
      }
      const known = (await (await cache.match(done))?.json()) ?? {};
      known[request.url.slice(waiting.length)] = refused ? await answer.text() : "";
      await cache.put(done, Response.json(known));
      await cache.delete(request);
    }
  });
}
