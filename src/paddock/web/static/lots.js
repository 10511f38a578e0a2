// @ts-check
/**
 * The numbers of this browser that are mixed with the secret of fair cards. A form that sends one gets a new one when it
 * is sent, and the browser notes it with the hash that the page has shown: so it can compare both when the secret is told.
 */

const NOTED = "paddock-fair"; // in the storage: what was noted, by the name of a race
const MOST = 100; // races

/**
 * What was noted of a race.
 * @typedef {object} Noted
 * @property {string} commitment the hash of the secret that the page showed
 * @property {Record<string, string>} lots the number by the player for whom it was sent
 */

/** @returns {Record<string, Noted>} */
function all() {
  try {
    return JSON.parse(localStorage.getItem(NOTED) ?? "{}");
  } catch {
    return {}; // The browser blocks storage: nothing was noted.
  }
}

/**
 * Return what this browser noted before the start of a race.
 * @param {string} name of the race; that of an evening is its beginning
 * @returns {Noted | undefined}
 */
export const noted = (name) => Object.entries(all()).find(([known]) => name === known || name.startsWith(`${known} `))?.[1];

/** @param {HTMLInputElement} field */
function give(field) {
  const { lot: name = "", commitment = "" } = field.dataset;
  const player = new FormData(/** @type {HTMLFormElement} */ (field.form)).get("player") ?? "";
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const { [name]: before, ...others } = all();
  // The hash that was shown first is the one that counts.
  const now = { commitment: before?.commitment ?? commitment, lots: { ...before?.lots, [`${player}`]: field.value } };
  try {
    localStorage.setItem(NOTED, JSON.stringify(Object.fromEntries([...Object.entries(others).slice(1 - MOST), [name, now]])));
  } catch {
    // It is sent all the same.
  }
}

/** Give a form its number when it is sent, before anybody reads its fields. */
addEventListener(
  "submit",
  (event) => {
    for (const field of /** @type {HTMLFormElement} */ (event.target).querySelectorAll("input[data-lot]")) give(/** @type {HTMLInputElement} */ (field));
  },
  { capture: true },
);
