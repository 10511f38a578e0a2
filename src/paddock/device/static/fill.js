// @ts-check
/** Gets the files of the pack once, and keeps them: each is checked by its hash before it is kept. */

/** @typedef {{name: string, type: string, hash: string, bytes: number, packed: boolean}} File_ */

const KEPT = "paddock-pack:";
const ZIPPED = [0x1f, 0x8b];

/** The cache of a version. @param {URL} here */
const name = (here) => `${KEPT}${here.pathname}`;

/** Forget the other versions, and what was kept of their pages. @param {URL} here */
export async function drop(here) {
  const above = name(new URL("../", here));
  const others = (await caches.keys()).filter((key) => key.startsWith(above) && key !== name(here));
  if (others.length) await forget("paddock-static", new URL("../../", here));
  for (const key of others) await caches.delete(key);
}

/** Forget what a cache that packs share has of one of them. @param {string} shared @param {URL} base */
export async function forget(shared, base) {
  const cache = await caches.open(shared);
  for (const { url } of await cache.keys()) if (url.startsWith(base.href)) await cache.delete(url);
}

/** @param {ArrayBuffer} data */
async function hash(data) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Unpack a file, unless the host has done it. @param {Uint8Array[]} pieces */
async function unpack(pieces) {
  const blob = new Blob(/** @type {any} */ (pieces));
  const zipped = ZIPPED.every((byte, at) => pieces[0]?.[at] === byte);
  return zipped ? new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer() : blob.arrayBuffer();
}

/**
 * Get what is not kept yet. What a download has finished before it broke is not asked for again.
 * @param {URL} base
 * @param {URL} here
 * @param {(bytes: number, of: number) => void} told
 */
export async function fill(base, here, told) {
  const cache = await caches.open(name(here));
  const listed = new URL("files.json", here);
  if (await cache.match(listed)) return point(base, here); // it is there as a whole
  const list = await fetch(listed);
  /** @type {File_[]} */
  const files = await list.clone().json();
  const of = files.reduce((sum, file) => sum + file.bytes, 0);
  let bytes = 0;
  for (const file of files) {
    const address = new URL(file.name, here);
    const before = bytes;
    if (!(await cache.match(address))) {
      const response = await fetch(file.packed ? `${address}.packed` : address, { cache: "no-store" });
      if (!response.ok || !response.body) throw new Error(`${file.name}: ${response.status}`);
      /** @type {Uint8Array[]} */
      const pieces = [];
      const reader = response.body.getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        pieces.push(next.value);
        told((bytes += next.value.length), of);
      }
      const data = await unpack(pieces);
      if ((await hash(data)) !== file.hash) throw new Error(`${file.name}: the download is damaged`);
      await cache.put(address, new Response(data, { headers: { "Content-Type": file.type } }));
    }
    told((bytes = before + file.bytes), of);
  }
  await cache.put(listed, list);
  await point(base, here);
}

/**
 * Let the shell page be that of a version which is there as a whole. What somebody else answers in its place is not
 * kept, as it would be shown from then on: one of an earlier version stays.
 * @param {URL} base
 * @param {URL} here
 */
async function point(base, here) {
  const index = new URL("index.html", base);
  const script = `"${here.href.slice(base.href.length)}shell.js"`;
  const names = async (/** @type {Response} */ page) => (await page.clone().text()).includes(script);
  const cache = await caches.open("paddock-shell");
  const kept = await cache.match(index);
  if (kept && (await names(kept))) return;
  const page = await fetch(index, { cache: "no-cache" }).catch(() => null);
  if (page?.ok && (await names(page))) await cache.put(index, page);
  else if (!kept) throw new Error("index.html: the download is damaged");
}
