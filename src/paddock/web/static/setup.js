// @ts-check
/** The set-up page: its address carries the set-up, so that its link can be shared. It names what is not as usual. */

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.setup"));
const usual = JSON.parse(form.dataset.usual ?? "{}");
addEventListener("pageshow", () => together(form)); // what the browser fills in again is there by then
form.addEventListener("change", () => {
  together(form);
  address(form, usual);
  fit(form, usual);
});

/**
 * Name in the address what is not as usual, but for data that is too long for it.
 * @param {HTMLFormElement} form
 * @param {Record<string, string>} usual
 */
function address(form, usual) {
  const long = tooLong(form).map((field) => field.name);
  const chosen = /** @type {[string, string][]} */ ([...new FormData(form)]).filter(
    ([name, value]) => name !== "title" && value !== (usual[name] ?? "") && !long.includes(name),
  );
  const query = new URLSearchParams(chosen).toString();
  history.replaceState(null, "", query ? `?${query}` : location.pathname);
}

/**
 * The fields whose data is too long for an address.
 * @param {HTMLFormElement} form
 */
function tooLong(form) {
  const fields = /** @type {NodeListOf<HTMLTextAreaElement>} */ (form.querySelectorAll("[data-longest]"));
  return [...fields].filter((field) => field.value.length > Number(field.dataset.longest));
}

/**
 * One choice for everybody else: who is not chosen one by one sends nothing, and begins with that choice.
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

/** How often it was asked whether the choices fit together: only the last answer counts. */
let asked = 0;

/**
 * Ask the server whether the choices fit together; its page has a place for what it says. Long data is sent
 * there, and where it is fine its name comes back.
 * @param {HTMLFormElement} form
 * @param {Record<string, string>} usual
 */
async function fit(form, usual) {
  const question = ++asked;
  const long = tooLong(form);
  try {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    const answer = await fetch(location.href, long.length ? { method: "POST", body } : {});
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("fit");
    const shown = document.getElementById("fit");
    if (!fresh || !shown || question !== asked) return;
    for (const field of long) {
      const named = /** @type {HTMLTextAreaElement | null} */ (page.getElementById(field.id));
      if (named) field.value = named.value;
    }
    if (long.length) address(form, usual);
    if (fresh.innerHTML !== shown.innerHTML) shown.replaceChildren(...fresh.childNodes);
  } catch {
    // it says so when the form is sent
  }
}
