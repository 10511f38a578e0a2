// @ts-check
/** The set-up page: its address carries the set-up, so that its link can be shared. */

/** Keep the address in step with the form: it names what is not as usual. */
export function setup() {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.setup"));
  const usual = JSON.parse(form?.dataset.usual ?? "{}");
  form?.addEventListener("change", () => {
    const chosen = /** @type {[string, string][]} */ ([...new FormData(form)]).filter(
      ([name, value]) => name !== "title" && value !== (usual[name] ?? ""),
    );
    const query = new URLSearchParams(chosen).toString();
    history.replaceState(null, "", query ? `?${query}` : location.pathname);
  });
}
