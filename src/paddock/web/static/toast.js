// @ts-check
/** A message in a fixed place over the last move: what others have just written, or ask. */

const LONG = 8000; // ms that a line of the chat stays
let timer = 0;
let asked = ""; // the request on show, with its words
let closed = ""; // the request that the reader has closed

const place = () => document.getElementById("toast");

/** Make the place over the last move. Updates do not remove it. */
function make() {
  const box = Object.assign(document.createElement("div"), { id: "toast", hidden: true });
  document.querySelector(".a-toast")?.append(box);
  return place();
}

/**
 * Show the newest of these lines of the chat that a person wrote, unless the chat is in sight.
 * @param {HTMLElement[]} lines
 */
export function written(lines) {
  const last = lines.filter((line) => !line.matches(".is-table")).pop();
  const box = document.getElementById("talk")?.getBoundingClientRect();
  const seen = box && box.width && box.top < innerHeight && box.bottom > 0;
  if (!last || asked || seen) return;
  fill(Object.assign(document.createElement("p"), { textContent: last.textContent?.trim() }));
  timer = setTimeout(over, LONG);
}

/**
 * Tell the reader something that they look for on this page.
 * @param {string} words
 */
export function told(words) {
  if (asked) return;
  fill(Object.assign(document.createElement("p"), { textContent: words }));
  timer = setTimeout(over, LONG);
}

/** Show the request that the reader can answer, with its buttons; close it when it is settled. */
export function requested() {
  /** @type {HTMLElement | null} */
  const request = document.querySelector("[data-request]:has(button.primary)");
  const [words, form] = [request?.querySelector("p:not(.fault)"), request?.querySelector("form")];
  const name = request?.dataset.request ?? "";
  const now = words && form ? `${name} ${words.textContent}` : "";
  if (!now) closed = "";
  if (now === asked) return;
  if (asked) hide();
  if (!now || !words || !form || name === closed) return;
  asked = now;
  fill(words.cloneNode(true), form.cloneNode(true));
}

/** @param {Node[]} content */
function fill(...content) {
  const [box, close] = [place() ?? make(), document.createElement("button")];
  if (!box) return;
  clearTimeout(timer);
  close.type = "button";
  close.textContent = "✕";
  close.setAttribute("aria-label", document.querySelector("[data-close]")?.getAttribute("data-close") ?? "");
  close.addEventListener("click", () => {
    closed = asked.split(" ")[0];
    hide();
  });
  box.replaceChildren(...content, close);
  box.hidden = false;
}

/** A line of the chat goes after a while, but not from under the reader's hands. */
function over() {
  if (asked) return;
  if (place()?.matches(":hover, :focus-within")) timer = setTimeout(over, LONG);
  else hide();
}

function hide() {
  clearTimeout(timer);
  asked = "";
  const box = place();
  if (!box) return;
  box.hidden = true;
  box.replaceChildren();
}
