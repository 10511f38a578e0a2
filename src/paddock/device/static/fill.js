// @ts-check
/** Gets the files of the pack once, and keeps them: each is checked by its hash before it is kept. */

/** @typedef {{name: string, type: string, hash: string, bytes: number, packed: boolean}} File_ */

const KEPT = "paddock-pack:";
const ZIPPED = [0x1f, 0x8b];

/** The cache of a version. @param {URL} here */
const name = (here) => `${KEPT}${here.pathname}`;

/** Forget the other versions. @param {URL} here */
export async function drop(here) {
  const above = name(new URL("../", here));
  for (const key of await caches.keys()) if (key.startsWith(above) && key !== name(here)) await caches.delete(key);
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
  if (await cache.match(listed)) return; // it is there as a whole
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
  const index = new URL("index.html", base);
  await (await caches.open("paddock-shell")).put(index, await fetch(index, { cache: "no-cache" }));
  await cache.put(listed, list);
}
