// @ts-check
/** Databases in the browser's own storage, which Python sees as files of a folder. */

const BESIDE = ["", "-journal", "-wal"];
const NO_SPACE = 51; // what the C library calls ENOSPC here

/**
 * @typedef {any} FS the file system of Python
 * @typedef {any} Node
 * @typedef {{getSize(): number, truncate(size: number): void, flush(): void,
 *   read(to: Uint8Array, where: {at: number}): number, write(of: Uint8Array, where: {at: number}): number}} Handle
 */

/**
 * Put databases into a folder of Python's file system. Each is three files, which are opened here and stay open:
 * to delete one is to empty it, as SQLite takes an empty journal for none.
 * @param {FS} fs
 * @param {string} folder
 * @param {string[]} names
 * @returns {Promise<() => void>} what writes the changes to the disk
 */
export async function keep(fs, folder, names) {
  const root = await navigator.storage.getDirectory();
  const there = await root.getDirectoryHandle("paddock", { create: true });
  /** @type {Set<Handle>} */
  const changed = new Set();
  /** @type {Map<string, Node>} */
  const nodes = new Map();
  fs.mkdirTree(folder);
  for (const name of names.flatMap((name) => BESIDE.map((end) => name + end))) {
    const file = await there.getFileHandle(name, { create: true });
    const handle = await /** @type {any} */ (file).createSyncAccessHandle();
    fs.create(`${folder}/${name}`, 0o600);
    const { node } = fs.lookupPath(`${folder}/${name}`);
    tie(fs, node, handle, changed);
    nodes.set(name, node);
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
  return () => {
    for (const handle of changed) handle.flush();
    changed.clear();
  };
}

/**
 * Let a node of Python's file system read and write a file of the browser's storage.
 * @param {FS} fs
 * @param {Node} node
 * @param {Handle} handle
 * @param {Set<Handle>} changed
 */
function tie(fs, node, handle, changed) {
  const { getattr, setattr } = node.node_ops;
  node.node_ops = {
    ...node.node_ops,
    getattr: (/** @type {Node} */ of) => {
      const size = handle.getSize();
      return { ...getattr(of), size, blocks: Math.ceil(size / 512) };
    },
    setattr: (/** @type {Node} */ of, /** @type {any} */ { size, ...more }) => {
      setattr(of, more);
      if (size === undefined) return;
      handle.truncate(size);
      changed.add(handle);
    },
  };
  /** @typedef {[any, Uint8Array, number, number, number]} Span stream, memory, where there, bytes, where in the file */
  node.stream_ops = {
    ...node.stream_ops,
    read: (/** @type {Span} */ ...[, to, from, length, at]) => handle.read(to.subarray(from, from + length), { at }),
    write: (/** @type {Span} */ ...[, of, from, length, at]) => {
      changed.add(handle);
      if (handle.write(of.subarray(from, from + length), { at }) < length) throw new fs.ErrnoError(NO_SPACE);
      return length;
    },
    llseek: (/** @type {any} */ stream, /** @type {number} */ by, /** @type {number} */ whence) =>
      by + (whence === 1 ? stream.position : whence === 2 ? handle.getSize() : 0),
    fsync: () => {
      handle.flush();
      changed.delete(handle);
      return 0;
    },
  };
}
