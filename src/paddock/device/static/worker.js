// @ts-check
/** The dedicated worker: Python, the files of the database, and the application, which answers requests. */

import { loadPyodide } from "./pyodide.mjs";
import { keep } from "./files.js";

/** @type {any} */
let device = null;
let flush = () => {};
let keys = 0;
/** @type {[any, MessagePort][]} requests that came before the application ran */
const early = [];

/**
 * Answer a request over its port.
 * @param {{method: string, address: string, headers: string[][], body: ArrayBuffer}} asked
 * @param {MessagePort} port
 */
async function answer(asked, port) {
  const key = keys++;
  port.onmessage = () => device.leave(key); // the page is gone
  const send = (/** @type {string} */ kind, /** @type {any} */ value, /** @type {any} */ headers) => {
    if (kind === "head") {
      flush(); // what was changed is on the disk before anybody reads that it was
      port.postMessage({ kind, status: value, headers: headers.toJs ? headers.toJs() : headers });
    } else port.postMessage({ kind, piece: value?.toJs ? value.toJs() : value });
  };
  try {
    await device.answer(key, asked.method, asked.address, asked.headers, new Uint8Array(asked.body), send);
  } catch (error) {
    console.error(error);
    port.postMessage({ kind: "fault" });
  }
}

/**
 * Start Python and the application.
 * @param {{base: string, code: string}} how
 */
async function start({ base, code }) {
  const begun = performance.now();
  /** @type {Record<string, number>} */
  const times = {};
  const mark = (/** @type {string} */ name) => { times[name] = Math.round(performance.now() - begun); };
  const tell = (/** @type {string} */ step) => { mark(step); postMessage({ kind: "step", step, times }); };
  const archive = fetch(code).then((response) => response.arrayBuffer());
  const py = await loadPyodide({ indexURL: new URL("./", import.meta.url).pathname });
  tell("python");
  py.unpackArchive(await archive, "zip", { extractDir: py.runPython("import site; site.getsitepackages()[0]") });
  flush = await keep(py.FS, "/data", ["paddock.sqlite3", "cookies.sqlite3"]);
  tell("files");
  py.globals.set("given", py.toPy({ base }));
  device = await py.runPythonAsync(`
from js import Object
from pyodide.ffi import to_js
from paddock.device import root
device = await root.start(given["base"], "/data")

class Door:
    def leave(self, key):
        device.leave(key)

    async def answer(self, key, method, address, headers, body, send):
        def give(kind, value, headers):
            send(kind, to_js(value), to_js(headers))

        await device.answer(key, method, address, headers.to_py(), body.to_py().tobytes(), give)

Door()`);
  flush();
  tell("ready");
  for (const [asked, port] of early.splice(0)) answer(asked, port);
}

onmessage = ({ data, ports }) => {
  if (data.kind === "start") {
    start(data).catch((error) => postMessage({ kind: "failed", why: error.name, says: String(error.message ?? error) }));
  } else if (device) answer(data.asked, ports[0]);
  else early.push([data.asked, ports[0]]);
};
