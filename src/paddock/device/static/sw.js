// @ts-check
/**
 * The service worker. A page that is opened by itself becomes the shell page; what the frame in it asks for is
 * answered by the application in the worker of the shell page that has one. Files of the pack come from the cache.
 */

const self_ = /** @type {any} */ (self);
const BASE = new URL("./", self_.location.href);
const PACK = new URL("pack/", BASE).pathname;
const INDEX = new URL("index.html", BASE).href;
const STATIC = new URL("static/", BASE).pathname; // of the application: its names contain a digest
const PLAIN = ["index.html", "pack.json", "sw.js"]; // what the loader asks the host for
const SHELL = "paddock-shell";
const KEPT = "paddock-static";
/** @type {Set<() => void>} what ends each open stream */
const streams = new Set();
const PATIENCE = 120_000; // ms for the first start of the application

self_.addEventListener("install", () => self_.skipWaiting());
self_.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(self_.clients.claim()));
self_.addEventListener("message", (/** @type {any} */ event) => {
  const { data } = event;
  if (data === "claim") event.waitUntil(self_.clients.claim());
  // Each message keeps it awake. The worker that gave the open streams is gone when another begins.
  if (data === "begins") for (const end of [...streams]) end();
});

self_.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== BASE.origin || !url.pathname.startsWith(BASE.pathname)) return;
  if (url.pathname.startsWith(PACK)) event.respondWith(packed(request));
  else if (request.mode === "navigate" && request.destination === "document") event.respondWith(shell());
  else if (PLAIN.some((name) => url.pathname === BASE.pathname + name)) return;
  else if (url.pathname.startsWith(STATIC)) event.respondWith(still(request));
  else event.respondWith(ask(request));
});

/** A file of the pack: the loader has put it into the cache. @param {Request} request */
const packed = async (request) => (await caches.match(request)) ?? fetch(request);

/** The shell page, at whatever address below the base path. */
async function shell() {
  const cache = await caches.open(SHELL);
  const page = (await cache.match(INDEX)) ?? (await fetch(INDEX));
  const text = (await page.text()).replace('<base href="./">', `<base href="${BASE.pathname}">`);
  return new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

/** A file of the application, which never changes. @param {Request} request */
async function still(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await ask(request);
  if (response.ok) {
    const text = await response.clone().arrayBuffer();
    await cache.put(request.url, new Response(text, { headers: response.headers }));
  }
  return response;
}

/**
 * The origin of a request, which some browsers add behind this worker. Of scripts, those of our own pages alone come
 * here, but forms of every site do: one that does not say where it is from is not ours.
 * @param {Request} request
 */
const sender = ({ mode, referrer, url }) => new URL(mode === "navigate" ? referrer || "about:blank" : url).origin;

/** What the application answers. @param {Request} request */
async function ask(request) {
  const headers = [...request.headers];
  if (request.method !== "GET" && !request.headers.has("origin")) headers.push(["origin", sender(request)]);
  const asked = { method: request.method, address: request.url, headers, body: await request.arrayBuffer() };
  const pages = await self_.clients.matchAll({ type: "window", includeUncontrolled: true });
  // No page of the server that offers this pack, or of another pack of this host, which would answer for its own
  const ours = (/** @type {any} */ page) => page.frameType === "top-level" && page.url.startsWith(BASE.href);
  const shells = pages.filter(ours);
  return new Promise((done) => {
    /** @type {MessagePort[]} */
    const ports = [];
    const settle = (/** @type {Response} */ answer, /** @type {MessagePort | null} */ by = null) => {
      clearTimeout(timer);
      for (const port of ports) if (port !== by) port.postMessage("left");
      done(answer);
    };
    const refused = () => settle(new Response("Paddock does not run in any open page.", { status: 503 }));
    const timer = setTimeout(refused, PATIENCE);
    if (!shells.length) refused();
    for (const page of shells) {
      const { port1, port2 } = new MessageChannel();
      ports.push(port1);
      port1.onmessage = ({ data }) => {
        if (data.kind === "head") settle(response(data, port1), port1);
        else settle(new Response("Paddock has failed.", { status: 500 }), port1);
      };
      request.signal.addEventListener("abort", () => port1.postMessage("left"));
      page.postMessage({ kind: "ask", asked }, [port2]);
    }
  });
}

/**
 * A response whose pieces come over a port.
 * @param {{status: number, headers: [string, string][]}} head
 * @param {MessagePort} port
 */
function response({ status, headers }, port) {
  const bare = [204, 205, 304].includes(status);
  let end = () => {};
  const body = new ReadableStream({
    start(into) {
      end = () => {
        streams.delete(end);
        into.error(new Error("The application has ended."));
      };
      streams.add(end);
      port.onmessage = ({ data }) => {
        if (data.kind === "piece") return into.enqueue(data.piece);
        if (data.kind === "fault") return end();
        streams.delete(end);
        into.close();
        port.close();
      };
    },
    cancel() {
      streams.delete(end);
      port.postMessage("left");
      port.close();
    },
  });
  return new Response(bare ? null : body, { status, headers });
}
