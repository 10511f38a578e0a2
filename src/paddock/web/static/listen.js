// @ts-check
/**
 * The event stream of a page. One that is silent is replaced: a proxy may stop forwarding without closing it.
 *
 * At most four tabs of a browser have a stream, because over HTTP/1.1 it has six connections to a server, and pages need
 * some too. Tabs tell each other when somebody last looked at them; the other tabs ask from time to time.
 */

/**
 * What a page does with its stream.
 * @typedef {object} Listener
 * @property {() => string} where its address without ``from``; empty if the page wants none now
 * @property {() => string} from the query for what the page has
 * @property {() => void} changed something has happened after which ``look`` may have another answer
 * @property {(opened: boolean) => void} alive something has come, or the stream is open
 * @property {(event: MessageEvent) => void} heard
 * @property {(silent: boolean) => void} lost the stream has failed, or nothing has come for too long
 */

const MOST = 4;
const FIRST = 10_000; // ms until something must have come
const BEATS = 2500; // ms for each second between two heartbeats
const LOOK = 5000; // ms between two looks: a stream that was refused is tried again then
const BEHIND = 1e13; // by how much a hidden tab comes after all others

/** @type {Listener} */
let on; // none on a page that never changes by itself
/** @type {EventSource | null} */
let source = null;
let address = "";
let last = 0; // when something came; performance.now() would leave out a device's sleep
let patience = FIRST;
let resting = false; // whether the page is left, or its tab frozen

const me = Math.random();
let rank = 0; // when somebody last looked at this tab
let may = false; // whether this tab may have a stream
let told = 0; // the rank that the other tabs know; 0: this one wants no stream
/** @type {Map<number, number>} the ranks of the others that want one */
const others = new Map();
/** @type {BroadcastChannel | undefined} */
let tabs;

/**
 * Start listening.
 * @param {Listener} listener
 */
export function listen(listener) {
  on = listener;
  try {
    tabs = new BroadcastChannel("paddock");
    tabs.onmessage = ({ data: [id, its] }) => {
      if (its && told && !others.has(id)) tabs?.postMessage([me, told]);
      if (its) others.set(id, its);
      else others.delete(id);
      const before = may;
      if (look() !== before) on.changed();
    };
  } catch {
    // The browser blocks storage, such as in a frame: each tab is on its own.
  }
  for (const name of ["visibilitychange", "resume"]) document.addEventListener(name, rise);
  for (const name of ["focus", "pageshow", "online"]) addEventListener(name, rise);
  document.addEventListener("freeze", rest);
  addEventListener("pagehide", rest);
  addEventListener("offline", close);
  setInterval(look, LOOK);
  rise();
}

/**
 * Somebody looks at this tab, or no longer.
 * @param {Event} [event]
 */
function rise(event) {
  resting &&= event?.type === "visibilitychange"; // which also comes after «pagehide»
  rank = Date.now() + Math.random() - (document.hidden ? BEHIND : 0);
  on.changed();
}

/** Nothing runs here for a while, or no longer. */
function rest() {
  resting = true;
  look();
  others.clear();
}

/** @param {number} now */
function tell(now) {
  if (told !== now) tabs?.postMessage([me, (told = now)]);
}

/** Open, replace or close the stream as needed; return whether this tab may have one. */
export function look() {
  const wanted = resting || !on ? "" : on.where();
  tell(wanted ? rank : 0);
  may = wanted !== "" && [...others.values()].filter((its) => its > rank).length < MOST;
  if (!may) close();
  else if (address !== wanted) open(wanted);
  else if (Date.now() - last > patience) {
    open(wanted);
    on.lost(true);
  }
  return may;
}

/** @param {string} wanted */
function open(wanted) {
  close();
  address = wanted;
  last = Date.now();
  patience = FIRST;
  source = new EventSource(wanted + on.from());
  source.onopen = () => alive(true);
  source.onmessage = (event) => {
    alive(false);
    on.heard(event);
  };
  source.addEventListener("beat", ({ data }) => {
    patience = BEATS * data;
    alive(false);
  });
  source.onerror = () => {
    last = Date.now();
    patience = FIRST;
    on.lost(false);
    if (source?.readyState === EventSource.CLOSED) close(); // refused: else the browser reconnects by itself
  };
}

/** @param {boolean} opened */
function alive(opened) {
  last = Date.now();
  on.alive(opened);
}

function close() {
  source?.close();
  source = null;
  address = "";
}
