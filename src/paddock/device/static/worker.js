// @ts-check
/** The dedicated worker: Python, the files of the database, and the application, which answers requests. */

import { loadPyodide } from "./pyodide.mjs";
import { keep, placeOf } from "./files.js";
import { unzip } from "./unzip.js";

/** @type {any} */
let device = null;
/** Writes changes to the disk; returns whether they are kept there. */
let kept = async () => true;
/** @type {string} what is wrong with the storage */
let trouble = "";
let keys = 0;
/** @type {Map<MessagePort, any>} requests that came before the application ran, and for which somebody waits */
const early = new Map();

/**
 * Answer a request over its port.
 * @param {{method: string, address: string, headers: string[][], body: ArrayBuffer, cookies: string}} asked
 * @param {MessagePort} port
 */
async function answer(asked, port) {
  const key = keys++;
  const reads = asked.method === "GET" || asked.method === "HEAD";
  let refused = false;
  /** @type {Promise<void>} */
  let said = Promise.resolve(); // after what was to be said before
  port.onmessage = () => device.leave(key); // the page is gone
  const post = async (/** @type {any} */ message) => {
    if (refused) return;
    // What was changed is on the disk before anybody reads that it was. The shell page says why it is not.
    const late = message.kind === "head" && !(await kept()) && !reads;
    refused = late || (message.kind === "fault" && trouble !== "");
    if (!refused) return port.postMessage(message);
    port.postMessage({ kind: "head", status: 503, headers: [["content-type", "text/plain"]] });
    port.postMessage({ kind: "end" });
  };
  const send = (/** @type {string} */ kind, /** @type {any} */ value, /** @type {any} */ headers) => {
    const plain = value?.toJs ? value.toJs() : value;
    const more = kind === "head" ? { status: plain, headers: headers.toJs ? headers.toJs() : headers } : { piece: plain };
    said = said.then(() => post({ kind, ...more }));
  };
  try {
    await device.answer(key, asked.method, asked.address, asked.headers, new Uint8Array(asked.body), asked.cookies, send);
  } catch (error) {
    console.error(error);
    said = said.then(() => post({ kind: "fault" }));
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
  unzip(py.FS, await archive, py.runPython("import site; site.getsitepackages()[0]"));
  kept = await keep(py.FS, "/data", placeOf(`${base}/`), ["paddock.sqlite3", "cookies.sqlite3"], (now) => {
    trouble = now;
    postMessage({ kind: "trouble", trouble });
  });
  tell("files");
  py.globals.set("given", py.toPy({ base }));
  device = await py.runPythonAsync(`
import gc
from pyodide.ffi import to_js
gc.disable()  # a tenth of the start: nothing that is loaded goes away
from paddock.device import root
device = await root.start(given["base"], "/data")
gc.freeze()
gc.enable()

class Door:
    def leave(self, key):
        device.leave(key)

    async def answer(self, key, method, address, headers, body, cookies, send):
        def give(kind, value, headers):
            send(kind, to_js(value), to_js(headers))

        await device.answer(key, method, address, headers.to_py(), body.to_py().tobytes(), give, cookies)

Door()`).catch((/** @type {any} */ error) => {
    throw Object.assign(error, { saved: py.FS.readFile("/data/paddock.sqlite3") });
  });
  await kept();
  tell("ready");
  for (const [port, asked] of early) answer(asked, port);
  early.clear();
}

onmessage = ({ data, ports }) => {
  if (data.kind === "start") {
    start(data).catch((error) => {
      const says = String(error.message ?? error).trim().split("\n").at(-1); // without Python's traceback
      postMessage({ kind: "failed", why: trouble || error.type || error.name, says, saved: error.saved });
    });
  } else if (device) answer(data.asked, ports[0]);
  else {
    early.set(ports[0], data.asked);
    ports[0].onmessage = () => early.delete(ports[0]);
  }
};
