// @ts-check
/** A message in a fixed place over the last move: what others have just written, or what the reader looks for. */

const LONG = 8000; // ms that a line of the chat stays
let timer = 0;

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
  if (last && !seen) told(last.textContent?.trim() ?? "");
}

/**
 * Tell the reader something that they look for on this page.
 * @param {string} words
 */
export function told(words) {
  const [box, close] = [place() ?? make(), document.createElement("button")];
  if (!box) return;
  clearTimeout(timer);
  close.type = "button";
  close.textContent = "✕";
  close.setAttribute("aria-label", document.querySelector("[data-close]")?.getAttribute("data-close") ?? "");
  close.addEventListener("click", hide);
  box.replaceChildren(Object.assign(document.createElement("p"), { textContent: words }), close);
  box.hidden = false;
  timer = setTimeout(over, LONG);
}

/** A line of the chat goes after a while, but not from under the reader's hands. */
function over() {
  if (place()?.matches(":hover, :focus-within")) timer = setTimeout(over, LONG);
  else hide();
}

function hide() {
  clearTimeout(timer);
  const box = place();
  if (!box) return;
  box.hidden = true;
  box.replaceChildren();
}
