// @ts-check
/**
 * What a server that offers this pack and the pack tell each other, in a cache of the browser. Its entries below
 * ``results/`` of the pack's address are what the reader has agreed to, games that wait to be sent, and ``done``: why
 * the server has refused a game, by the ids of all that it has had; "" if it has not, or if home has said so. Who
 * changes an entry has the lock of the cache's name. Without the cache no server knows of this device, and nothing is noted.
 */

import { placeOf } from "./files.js";
import { forget } from "./fill.js";

/** The name of the cache. @param {URL} base */
const name = (base) => `paddock-results:${base.pathname}`;
const OFTEN = 20_000; // ms between two looks for games that are over

/**
 * Note what the reader has agreed to: that their results are sent.
 * @param {URL} base
 * @param {{played: string, home: string}} to where games are sent, and the server's first page
 */
export async function agree(base, to) {
  await (await caches.open(name(base))).put(new URL("results/", base), Response.json(to));
}

/** Note the games that are over, with their records, for the server: each once. @param {URL} base */
export async function collect(base) {
  const cache = await caches.open(name(base));
  const { games = [] } = await (await fetch(new URL("me/file", base))).json();
  const sent = (await (await cache.match(new URL("results/done", base)))?.json()) ?? {};
  for (const game of games) {
    const waiting = new URL(`results/waiting/${game.game}`, base);
    if (game.game in sent || (await cache.match(waiting))) continue;
    const record = await fetch(new URL(`t/${game.game}/record`, base));
    if (record.ok) await cache.put(waiting, Response.json({ game: JSON.stringify(game), record: await record.text() }));
  }
}

/**
 * If a server offers this pack: note games for it as they end, and show the way back while it answers.
 * @param {URL} base
 * @param {HTMLAnchorElement} way
 */
export async function accompany(base, way) {
  if (!(await caches.has(name(base)))) return;
  const { home } = await (await (await caches.open(name(base))).match(new URL("results/", base)))?.json();
  way.href = home;
  way.textContent = (way.dataset.says ?? "").replace("{host}", new URL(home).host);
  const look = async () => {
    await collect(base);
    const answer = await fetch(new URL("healthz", home), { cache: "no-store" }).catch(() => null);
    way.hidden = !answer?.ok;
  };
  const again = () => look().catch(() => {}); // the application is not there for a moment
  setInterval(again, OFTEN);
  for (const kind of ["online", "offline"]) addEventListener(kind, again);
  await again();
}

/** Forget all of the pack and its games, but for its service worker. @param {URL} base */
export async function empty(base) {
  await (await navigator.storage.getDirectory()).removeEntry(placeOf(base.pathname), { recursive: true }).catch((error) => {
    if (error.name !== "NotFoundError") throw error; // it was never started
  });
  const packs = `paddock-pack:${new URL("pack/", base).pathname}`;
  for (const key of await caches.keys()) if (key.startsWith(packs)) await caches.delete(key);
  for (const shared of ["paddock-shell", "paddock-static"]) await forget(shared, base);
  await caches.delete(name(base));
}
