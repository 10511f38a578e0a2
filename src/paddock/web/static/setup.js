// @ts-check
/** The set-up page: its address carries the set-up, so that its link can be shared. */

/** Keep the address in step with the form: it names what is not as usual. */
export function setup() {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.setup"));
  if (!form) return;
  const usual = JSON.parse(form.dataset.usual ?? "{}");
  addEventListener("pageshow", () => together(form)); // what the browser fills in again is there by then
  form.addEventListener("change", () => {
    together(form);
    const chosen = /** @type {[string, string][]} */ ([...new FormData(form)]).filter(
      ([name, value]) => name !== "title" && value !== (usual[name] ?? ""),
    );
    const query = new URLSearchParams(chosen).toString();
    history.replaceState(null, "", query ? `?${query}` : location.pathname);
    fit();
  });
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

/** Ask the server whether the choices fit together; its page has a place for what it says. */
async function fit() {
  const asked = location.href;
  try {
    const text = await (await fetch(asked)).text();
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("fit");
    const shown = document.getElementById("fit");
    if (!fresh || !shown || asked !== location.href || fresh.innerHTML === shown.innerHTML) return;
    shown.replaceChildren(...fresh.childNodes);
  } catch {
    // it says so when the form is sent
  }
}
