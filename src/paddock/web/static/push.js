// @ts-check
/** Push messages: they reach the reader when no page is open. The service worker shows them. */

/**
 * An address of this server, which may run below a path.
 * @param {string} path
 */
function address(path) {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-settings]"));
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
    return answer.ok;
  } catch {
    return false; // such as no connection to the browser's push service
  }
}

/** End the subscription of this browser. */
export async function unsubscribe() {
  if (!can()) return;
  const worker = await navigator.serviceWorker.getRegistration(address("./"));
  const mine = await worker?.pushManager.getSubscription();
  if (!mine) return;
  await mine.unsubscribe();
  await fetch(address("reach/unpush"), { method: "POST", body: new URLSearchParams({ endpoint: mine.endpoint }) });
}
