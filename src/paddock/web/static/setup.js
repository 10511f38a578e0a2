// @ts-check
/** The set-up page. Its address holds every value that is not a default, so that the link can be shared. */

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.setup"));
const usual = JSON.parse(form.dataset.usual ?? "{}");
addEventListener("pageshow", () => together(form)); // the browser has restored the fields by then
form.addEventListener("change", (event) => {
  if (event.target instanceof HTMLSelectElement) notes(event.target.name).forEach((note) => note.remove());
  together(form);
  address(form, usual);
  fit(form, usual);
});

/**
 * The sentences that say that a choice has switched an option on.
 * @param {string} [name] of the option; by default, of any
 */
function notes(name) {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-implied]"));
  return [...all].filter((note) => name === undefined || note.dataset.implied === name);
}

/**
 * The fields of the form, without the options that a choice has switched on: they follow from it.
 * @param {HTMLFormElement} form
 */
function chosen(form) {
  const made = /** @type {[string, string][]} */ ([...new FormData(form)]);
  return made.filter(([name]) => notes(name).length === 0);
}

/**
 * Put the values that are not defaults into the address, except long data.
 * @param {HTMLFormElement} form
 * @param {Record<string, string>} usual
 */
function address(form, usual) {
  const long = tooLong(form).map((field) => field.name);
  const named = chosen(form).filter(
    ([name, value]) => name !== "title" && value !== (usual[name] ?? "") && !long.includes(name),
  );
  const query = new URLSearchParams(named).toString();
  history.replaceState(null, "", query ? `?${query}` : location.pathname);
}

/**
 * The fields whose data is too long for the address.
 * @param {HTMLFormElement} form
 */
function tooLong(form) {
  const fields = /** @type {NodeListOf<HTMLTextAreaElement>} */ (form.querySelectorAll("[data-longest]"));
  return [...fields].filter((field) => field.value.length > Number(field.dataset.longest));
}

/**
 * Apply the choice for all other players: their own fields are disabled and show that choice.
 * @param {HTMLFormElement} form
 */
function together(form) {
  const all = /** @type {HTMLSelectElement} */ (form.elements.namedItem("others")).value;
  for (const row of form.querySelectorAll(".seat-row:nth-child(n+2)")) {
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (row.querySelectorAll("select, input"))) {
      field.disabled = all !== "";
      if (all && field.localName === "select") field.value = all;
    }
  }
}

/** How many checks were sent: only the answer to the last one is shown. */
let asked = 0;

/**
 * Ask the server whether the options fit together, and show its answer in `#fit`. Long data is sent in the
 * body; if it is valid, the answer has its name, which replaces it.
 * @param {HTMLFormElement} form
 * @param {Record<string, string>} usual
 */
async function fit(form, usual) {
  const question = ++asked;
  const long = tooLong(form);
  try {
    const body = new URLSearchParams(chosen(form));
    const answer = await fetch(location.href, long.length ? { method: "POST", body } : {});
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("fit");
    const shown = document.getElementById("fit");
    if (!fresh || !shown || question !== asked) return;
    for (const field of long) {
      const named = /** @type {HTMLTextAreaElement | null} */ (page.getElementById(field.id));
      if (named) field.value = named.value;
    }
    const implied = [...notes(), .../** @type {NodeListOf<HTMLElement>} */ (fresh.querySelectorAll("[data-implied]"))];
    for (const name of implied.map((note) => `o-${note.dataset.implied}`)) {
      const [field, now] = [form, page].map((one) => /** @type {HTMLSelectElement | null} */ (one.querySelector(`#${name}`)));
      if (field && now) field.value = now.value;
    }
    if (long.length) address(form, usual);
    if (fresh.innerHTML !== shown.innerHTML) shown.replaceChildren(...fresh.childNodes);
  } catch {
    // The server checks again when the form is sent.
  }
}
