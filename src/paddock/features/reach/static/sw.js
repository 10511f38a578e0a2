// @ts-check
/** The service worker: it shows what the push service delivers, and opens the table. It keeps no pages. */

/** @typedef {{ id: string, title: string, body: string, url: string, tag: string }} Said */

const worker = /** @type {any} */ (self);

worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(show(event.data?.json())));
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});
worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(renew(event)));

/**
 * Show one notification for each table. A message that comes twice is shown once.
 * @param {Said | undefined} said
 */
async function show(said) {
  if (!said) return;
  const there = await worker.registration.getNotifications({ tag: said.tag });
  if (there.some((/** @type {any} */ one) => one.data?.id === said.id)) return;
  const icon = new URL("apple-touch-icon.png", worker.registration.scope).href;
  await worker.registration.showNotification(said.title, {
    body: said.body,
    tag: said.tag,
    renotify: true,
    icon,
    data: { id: said.id, url: said.url },
  });
}

/**
 * Show the page in the tab that has it, else in a new one.
 * @param {string} address
 */
async function open(address) {
  const { pathname } = new URL(address);
  const tabs = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find((/** @type {any} */ one) => new URL(one.url).pathname === pathname);
  return tab ? tab.focus() : worker.clients.openWindow(pathname);
}

/**
 * Tell the server of the subscription that the browser has in place of an old one.
 * @param {any} event
 */
async function renew(event) {
  const fresh = event.newSubscription ?? (await subscribe(event.oldSubscription?.options));
  const { endpoint, keys } = fresh.toJSON();
  const body = new URLSearchParams({ endpoint, ...keys });
  await fetch(new URL("reach/push", worker.registration.scope), { method: "POST", body });
}

/**
 * Subscribe again, by the key of this server: not every browser says what the old subscription was.
 * @param {any} options of the old subscription, if they are known
 */
async function subscribe(options) {
  const { key } = options ? {} : await (await fetch(new URL("reach/key", worker.registration.scope))).json();
  return worker.registration.pushManager.subscribe(options ?? { userVisibleOnly: true, applicationServerKey: key });
}
