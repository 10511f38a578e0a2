// @ts-check
/** Databases in the browser's own storage, which Python sees as files of a folder. */

const BESIDE = ["", "-journal", "-wal"];
const [NO_SPACE, BROKEN] = [51, 29]; // what the C library calls ENOSPC and EIO here
const FULL = 2 ** 32 - 8; // what Chromium returns for the bytes that it has written where there is no room
const RESERVE = 2 ** 20; // bytes that are given up where there is no room: what is being played goes on, and says so
const LOOK = 5000; // ms between two looks whether the storage is still there

/**
 * @typedef {any} FS the file system of Python
 * @typedef {any} Node
 * @typedef {{getSize(): number, truncate(size: number): void, flush(): void,
 *   read(to: Uint8Array, where: {at: number}): number, write(of: Uint8Array, where: {at: number}): number}} Handle
 * @typedef {"" | "little" | "full" | "gone"} Trouble "little": the reserve is given up; "gone": somebody has cleared the storage; "": all is well again
 */

/** The folder of a pack in the browser's storage, which all pages of a host share. @param {string} path its base path */
export const placeOf = (path) => `paddock${encodeURIComponent(path)}`;

/**
 * Put databases into a folder of Python's file system. Each is three files, which are opened here and stay open:
 * to delete one is to empty it, as SQLite takes an empty journal for none. They are read from memory, so all can
 * still be read when the storage is gone.
 * @param {FS} fs
 * @param {string} folder
 * @param {string} place their folder in the storage
 * @param {string[]} names
 * @param {(trouble: Trouble) => void} told
 * @returns {Promise<() => Promise<boolean>>} writes the changes to the disk; returns whether they are kept there
 */
export async function keep(fs, folder, place, names, told) {
  const root = await navigator.storage.getDirectory();
  const there = await root.getDirectoryHandle(place, { create: true });
  /** @type {Set<Handle>} */
  const changed = new Set();
  /** @type {Map<string, Node>} */
  const nodes = new Map();
  /** @type {Trouble} */
  let trouble = "";
  let failed = false; // since the last flush
  const tell = (/** @type {Trouble} */ now) => {
    if (trouble !== now && trouble !== "gone") told((trouble = now));
  };
  /** Note that a change is not on the disk, and why. @param {Trouble} why */
  const fail = (why) => {
    failed = true;
    tell(why);
    return new fs.ErrnoError(why === "full" ? NO_SPACE : BROKEN);
  };
  const reserve = await open(await there.getFileHandle("reserve", { create: true }));
  /** Take the reserve, if there is room; return what is wrong otherwise. */
  const save = () => {
    try {
      if (reserve.getSize() !== RESERVE) reserve.truncate(RESERVE);
    } catch {
      return "little";
    }
    return reserve.getSize() === RESERVE ? "" : "little";
  };
  /** Give up the reserve; return whether there was one. */
  const spend = () => {
    if (!reserve.getSize()) return false;
    reserve.truncate(0);
    tell("little");
    return true;
  };
  tell(save());
  fs.mkdirTree(folder);
  for (const name of names.flatMap((name) => BESIDE.map((end) => name + end))) {
    const handle = await open(await there.getFileHandle(name, { create: true }));
    const data = new Uint8Array(handle.getSize());
    handle.read(data, { at: 0 });
    fs.writeFile(`${folder}/${name}`, data);
    const { node } = fs.lookupPath(`${folder}/${name}`);
    tie(node, handle, changed, fail, spend);
    nodes.set(name, node);
    if (nodes.size === 1) setInterval(() => handle.getSize() > Number.MAX_SAFE_INTEGER && tell("gone"), LOOK);
  }
  const above = fs.lookupPath(folder).node;
  const { unlink, lookup } = above.node_ops;
  above.node_ops = {
    ...above.node_ops,
    unlink: (/** @type {Node} */ parent, /** @type {string} */ name) => {
      const node = nodes.get(name);
      if (node) node.node_ops.setattr(node, { size: 0 });
      else unlink(parent, name);
    },
    lookup: (/** @type {Node} */ parent, /** @type {string} */ name) => {
      const node = nodes.get(name);
      if (!node) return lookup(parent, name);
      fs.hashAddNode(node); // it was deleted, and is there again
      return node;
    },
  };
  const flush = async () => {
    if (trouble === "gone") return false;
    if (!changed.size) return true;
    const handles = [...changed];
    let well = !failed;
    changed.clear(); // what is changed while this waits is for the next one
    failed = false;
    try {
      for (const handle of handles) handle.flush();
      await there.getFileHandle(names[0]); // what is written to a file that is gone goes nowhere
    } catch {
      fail("gone");
      well = false;
    }
    if (well) tell(save());
    return well;
  };
  let before = Promise.resolve(true);
  return () => (before = before.then(flush)); // one after another: none says that all is kept while another looks
}

/**
 * Open a file. A page that was closed just now may have it a moment longer.
 * @param {any} file
 * @returns {Promise<Handle>}
 */
async function open(file) {
  for (let tries = 40; ; tries -= 1) {
    try {
      return await file.createSyncAccessHandle();
    } catch (/** @type {any} */ error) {
      if (error.name !== "NoModificationAllowedError" || !tries) throw error;
      await new Promise((go) => setTimeout(go, 250));
    }
  }
}

/**
 * Let what is written to a node of Python's file system be written to a file of the browser's storage first.
 * Browsers tell what has failed by an error, or by numbers alone.
 * @param {Node} node
 * @param {Handle} handle
 * @param {Set<Handle>} changed
 * @param {(why: Trouble) => Error} fail
 * @param {() => boolean} spend
 */
function tie(node, handle, changed, fail, spend) {
  const { setattr } = node.node_ops;
  const { write } = node.stream_ops;
  /** Do something, once more with the reserve. @param {() => number} work returns how many bytes lack */
  const safely = (work) => {
    for (let again = true; ; again = false) {
      let lacks = NaN;
      try {
        lacks = work();
      } catch (/** @type {any} */ error) {
        if (error.name === "QuotaExceededError") lacks = 1;
      }
      if (lacks === 0) return;
      if (!(lacks > 0)) throw fail("gone");
      if (!again || !spend()) throw fail("full");
    }
  };
  node.node_ops = {
    ...node.node_ops,
    setattr: (/** @type {Node} */ of, /** @type {any} */ facts) => {
      if (facts.size !== undefined) {
        changed.add(handle);
        safely(() => {
          handle.truncate(facts.size);
          return facts.size - handle.getSize();
        });
      }
      setattr(of, facts);
    },
  };
  node.stream_ops = {
    ...node.stream_ops,
    write: (/** @type {[any, Uint8Array, number, number, number]} */ ...[stream, of, from, length, at]) => {
      changed.add(handle);
      safely(() => {
        const written = handle.write(of.subarray(from, from + length), { at });
        return length - (written === FULL ? 0 : written);
      });
      return write(stream, of, from, length, at);
    },
    fsync: () => {
      handle.flush();
      return 0;
    },
  };
}
