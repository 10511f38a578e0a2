// @ts-check
/**
 * The set-up page. Its address holds every value that is not a default, so that the link can be shared. After each
 * change the server is asked whether the options fit together; what it answers replaces the parts of the page that
 * have `data-fresh`.
 */

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.setup"));
const usual = JSON.parse(form.dataset.usual ?? "{}");
const WAIT = 400; // milliseconds after the last letter that is typed
addEventListener("pageshow", () => together(form)); // the browser has restored the fields by then
form.addEventListener("change", async (event) => {
  const field = event.target;
  if (field instanceof HTMLInputElement && field.type === "file") return read(field, field.files?.[0]);
  if (field instanceof HTMLElement && "name" in field) notes(String(field.name)).forEach((note) => note.remove());
  changed();
});

let typing = 0;
form.addEventListener("input", (event) => {
  if (!(event.target instanceof HTMLTextAreaElement)) return;
  clearTimeout(typing);
  typing = setTimeout(changed, WAIT);
});

for (const name of ["dragover", "dragleave", "drop"]) {
  form.addEventListener(name, (event) => dropping(/** @type {DragEvent} */ (event)));
}

/** Ask the server about the fields as they are now. */
function changed() {
  clearTimeout(typing);
  together(form);
  address(form, usual);
  if (texts(form).every((field) => field.value.trim())) fit(form, usual);
}

/**
 * A file that is dragged over an option with data of one's own, or dropped there.
 * @param {DragEvent} event
 */
function dropping(event) {
  const option = event.target instanceof Element ? event.target.closest(".option") : null;
  const field = /** @type {HTMLInputElement | null} */ (option?.querySelector("input[type=file]"));
  if (!option || !field) return;
  event.preventDefault();
  option.classList.toggle("is-over", event.type === "dragover");
  if (event.type === "drop") read(field, event.dataTransfer?.files[0]);
}

/**
 * Put the text of a file into the field for pasted text, and choose it.
 * @param {HTMLInputElement} field
 * @param {File | undefined} file
 */
async function read(field, file) {
  const text = file && (await file.text());
  field.value = ""; // the text is sent instead
  if (text === undefined) return;
  const option = /** @type {HTMLElement} */ (field.closest(".option"));
  /** @type {HTMLTextAreaElement} */ (option.querySelector("textarea")).value = text;
  /** @type {HTMLInputElement} */ (option.querySelector("[data-own]")).checked = true;
  changed();
}

/**
 * The sentences that say that a choice has switched an option on.
 * @param {string} [name] of the option; by default, of any
 */
function notes(name) {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-implied]"));
  return [...all].filter((note) => name === undefined || note.dataset.implied === name);
}

/**
 * The fields of the form, without the options that a choice has switched on, which follow from it, and without the
 * small fields of options for which something else is chosen.
 * @param {HTMLFormElement} form
 * @returns {[string, string][]}
 */
function chosen(form) {
  const made = new FormData(form);
  return [...made].flatMap(([name, value]) => {
    const option = name.replace(/-(own|\d+)$/, "");
    const idle = option !== name && made.has(option) && made.get(option) !== "own";
    return typeof value !== "string" || idle || notes(name).length ? [] : [[name, value]];
  });
}

/**
 * Put the values that are not defaults into the address, except data, which the server names.
 * @param {HTMLFormElement} form
 * @param {Record<string, string>} usual
 */
function address(form, usual) {
  const own = texts(form).map((field) => field.name.replace(/-own$/, ""));
  const named = chosen(form).filter(
    ([name, value]) => name !== "title" && value !== (usual[name] ?? "") && !own.includes(name.replace(/-own$/, "")),
  );
  const query = new URLSearchParams(named).toString();
  history.replaceState(null, "", query ? `?${query}` : location.pathname);
}

/**
 * The fields with data of one's own that is chosen.
 * @param {HTMLFormElement} form
 */
function texts(form) {
  const fields = /** @type {NodeListOf<HTMLTextAreaElement>} */ (form.querySelectorAll("textarea"));
  return [...fields].filter((field) => field.closest(".option")?.querySelector("[data-own]:checked"));
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
 * Ask the server whether the options fit together, and show its answer. Data of one's own is sent in the body; if it
 * is valid, it comes back as one more choice, by the name that the server gave it.
 * @param {HTMLFormElement} form
 * @param {Record<string, string>} usual
 */
async function fit(form, usual) {
  const question = ++asked;
  const own = texts(form);
  try {
    const body = new URLSearchParams(chosen(form));
    const answer = await fetch(location.href, own.length ? { method: "POST", body } : {});
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (question !== asked || !page.getElementById("fit")) return;
    const implied = [...notes(), .../** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-implied]"))];
    for (const name of implied.map((note) => note.dataset.implied)) {
      const now = page.querySelector(`[name="${name}"]:checked`);
      const field = /** @type {HTMLInputElement | null} */ (now && form.querySelector(`[id="${now.id}"]`));
      if (field) field.checked = true;
    }
    for (const shown of form.querySelectorAll("[data-fresh]")) refresh(shown, page.getElementById(shown.id));
    const taken = own.filter((field) => !field.closest(".option")?.querySelector("[data-own]:checked"));
    for (const field of taken) field.value = "";
    if (taken.length) address(form, usual);
  } catch {
    // The server checks again when the form is sent.
  }
}

/**
 * Replace the contents of a part of the page if they differ; what has the focus keeps it.
 * @param {Element} shown
 * @param {Element | null} fresh
 */
function refresh(shown, fresh) {
  if (!fresh || same(shown) === same(fresh)) return;
  const focused = shown.contains(document.activeElement) && document.activeElement;
  shown.replaceChildren(...fresh.childNodes);
  const there = focused && (shown.querySelector(`[name="${focused.getAttribute("name")}"]:is(select, :checked)`));
  if (focused) /** @type {HTMLElement | null} */ (there ?? shown.querySelector(":checked, a, button"))?.focus();
}

/**
 * The contents of a part of the page, whatever is chosen in it.
 * @param {Element} part
 */
function same(part) {
  const copy = /** @type {Element} */ (part.cloneNode(true));
  for (const field of copy.querySelectorAll("[checked], [selected]")) {
    if (field.getAttribute("value") !== "own" && !field.getAttribute("value")?.startsWith("~")) {
      field.removeAttribute("checked");
      field.removeAttribute("selected");
    }
  }
  return copy.innerHTML;
}
