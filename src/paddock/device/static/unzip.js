// @ts-check
/** Puts the files of a zip, which are not compressed, into Python's file system: as parts of it, without a copy. */

const ENTRY = 46, LOCAL = 30, END = 22; // bytes of the fixed parts of a zip

/**
 * @param {any} fs
 * @param {ArrayBuffer} zip without a comment at its end
 * @param {string} folder
 */
export function unzip(fs, zip, folder) {
  const view = new DataView(zip);
  const short = (/** @type {number} */ at) => view.getUint16(at, true);
  const long = (/** @type {number} */ at) => view.getUint32(at, true);
  const text = new TextDecoder();
  const made = new Set();
  const end = zip.byteLength - END;
  let at = long(end + 16);
  for (let left = short(end + 10); left > 0; left--) {
    const bytes = long(at + 20), name = text.decode(new Uint8Array(zip, at + ENTRY, short(at + 28)));
    const from = long(at + 42), start = from + LOCAL + short(from + 26) + short(from + 28);
    const path = `${folder}/${name}`, above = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(above)) fs.mkdirTree(above);
    made.add(above);
    fs.writeFile(path, new Uint8Array(zip, start, bytes), { canOwn: true });
    at += ENTRY + short(at + 28) + short(at + 30) + short(at + 32);
  }
}
