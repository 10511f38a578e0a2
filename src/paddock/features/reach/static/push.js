// @ts-check
/** Push messages: they reach the reader when no page is open. The service worker shows them. */

const MARK = "paddock.push"; // when this browser has subscribed last; empty: it shall not
const MONTH = 30 * 86_400_000; // ms

/** @param {string} when */
function mark(when) {
  try {
    localStorage.setItem(MARK, when);
  } catch {
    // The browser blocks storage.
  }
}

function marked() {
  try {
    return localStorage.getItem(MARK);
  } catch {
    return null;
  }
}

/**
 * An address of this server, which may run below a path.
 * @param {string} path
 */
function address(path) {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("settings"));
  return new URL(path, form?.action ?? location.origin).href;
}

/** Whether this browser can be reached by push. */
export const can = () => isSecureContext && "serviceWorker" in navigator && "PushManager" in window;

/**
 * Whether a subscription is for the server with this key.
 * @param {PushSubscription} one
 * @param {string} key  in the base64 of URLs
 */
function isFor(one, key) {
  const bytes = new Uint8Array(one.options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "") === key.replace(/=+$/, "");
}

/** Subscribe this browser, and tell the server; return whether that worked. */
export async function subscribe() {
  if (!can()) return false;
  try {
    const worker = await navigator.serviceWorker.register(address("sw.js"), { scope: address("./") });
    await navigator.serviceWorker.ready;
    const { key } = await (await fetch(address("reach/key"))).json();
    let old = await worker.pushManager.getSubscription();
    if (old && !isFor(old, key)) {
      await old.unsubscribe(); // such as of an earlier database of this server: it could send nothing
      old = null;
    }
    const mine = await (old ?? worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
    const { endpoint = "", keys = {} } = mine.toJSON();
    const answer = await fetch(address("reach/push"), { method: "POST", body: new URLSearchParams({ endpoint, ...keys }) });
    if (answer.ok) mark(String(Date.now()));
    return answer.ok;
  } catch {
    return false; // such as no connection to the browser's push service
  }
}

/** Subscribe again once a month: a subscription may end, and then nobody is told. */
export async function renew() {
  const before = marked();
  if (!can() || Notification.permission !== "granted" || before === "" || Date.now() - Number(before) < MONTH) return;
  const worker = await navigator.serviceWorker.getRegistration(address("./"));
  if (before || (await worker?.pushManager.getSubscription())) await subscribe();
}

/** Do not subscribe again. */
export const cease = () => mark("");

/** End the subscription of this browser. */
export async function unsubscribe() {
  cease();
  if (!can()) return;
  const worker = await navigator.serviceWorker.getRegistration(address("./"));
  const mine = await worker?.pushManager.getSubscription();
  if (!mine) return;
  await mine.unsubscribe();
  await fetch(address("reach/unpush"), { method: "POST", body: new URLSearchParams({ endpoint: mine.endpoint }) });
}
