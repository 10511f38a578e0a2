// @ts-check
/**
 * Choices that are not sent yet. They stay on this device until their decision is over, so that a reload or a second tab
 * shows them again. A page holds them too: so a tab knows that its choice is too late.
 */

const KEY = "paddock.choice.";
const LONG = 7 * 86_400_000; // ms that a choice stays whose table is not opened again

/** @typedef {{decision: string, seats: Record<string, {choice: any, changes: boolean}>, at?: number}} Drafts */

/** @type {Drafts} */
let drafts = { decision: "", seats: {} };
let key = ""; // of the table that the page has shown last

const at = () => document.getElementById("table")?.dataset;

/** @returns {Drafts | undefined} */
function stored() {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "") ?? undefined;
  } catch {
    return undefined; // nothing is stored, or the browser blocks storage
  }
}

/** Drop the choices of tables that were not opened for long. */
function tidy() {
  try {
    for (const name of Object.keys(localStorage).filter((name) => name.startsWith(KEY))) {
      const { at = 0 } = JSON.parse(localStorage.getItem(name) ?? "{}");
      if (Date.now() - at > LONG) localStorage.removeItem(name);
    }
  } catch {
    // The browser blocks storage, or something else is stored there.
  }
}

function store() {
  try {
    if (Object.keys(drafts.seats).length) localStorage.setItem(key, JSON.stringify({ ...drafts, at: Date.now() }));
    else if (stored()?.decision === drafts.decision) localStorage.removeItem(key); // not another tab's newer one
  } catch {
    // The browser blocks storage: choices last until the page closes.
  }
}

/** Whether a seat of this form has committed, and its choice is another one. @param {HTMLFormElement} form */
const changes = (form) => Boolean(form.closest(".change"));

/**
 * The choice of a form that was not sent.
 * @param {HTMLFormElement} form
 */
export const draft = (form) => drafts.seats[form.dataset.seat ?? ""]?.choice;

/**
 * Keep the choice of a form; undefined if nothing is chosen.
 * @param {HTMLFormElement} form
 * @param {any} choice
 */
export function jot(form, choice) {
  const seat = form.dataset.seat ?? "";
  if (choice === undefined) delete drafts.seats[seat];
  else drafts.seats[seat] = { choice, changes: changes(form) };
  store();
}

/**
 * Drop the choices whose decision is over; return whether this page had any.
 * @param {HTMLFormElement[]} forms of the page
 */
export function ended(forms) {
  const { table = "", decision = "" } = at() ?? {};
  if (!key && table) {
    key = KEY + table;
    tidy();
    drafts = stored() ?? drafts;
    if (drafts.decision !== decision) drop(decision);
    return false;
  }
  if (drafts.decision !== decision) return drop(decision);
  const gone = forms.filter((form) => changes(form) && drafts.seats[form.dataset.seat ?? ""]?.changes === false);
  for (const form of gone) jot(form, undefined);
  return false; // another tab has committed
}

/** @param {string} decision the next one */
function drop(decision) {
  const had = Object.keys(drafts.seats).length > 0;
  drafts.seats = {};
  if (had) store();
  drafts.decision = decision;
  return had;
}
