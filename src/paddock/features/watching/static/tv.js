// @ts-check
/** A table on a TV: live updates, and another game some time after this one is over, or when it is gone. */

import { live } from "../../live.js";

const GONE = [403, 404];
let since = 0; // when the page said where to go
let asked = 0; // when it was asked whether the table is still there

live();
setInterval(() => {
  const page = /** @type {HTMLElement | null} */ (document.querySelector("[data-next]"));
  since = page ? since || Date.now() : 0;
  if (!document.getElementById("connection")?.hidden && Date.now() - asked >= 5000) there();
  if (page && Date.now() - since >= Number(page.dataset.seconds) * 1000) {
    since = Date.now(); // without a network the page stays, and tries again
    fetch(page.dataset.next ?? "", { method: "HEAD" }).then((answer) => answer.ok && location.assign(page.dataset.next ?? ""), () => {});
  }
}, 1000);

/** Without its table, the page shows a live one. */
async function there() {
  asked = Date.now();
  const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
  const tv = /** @type {HTMLElement | null} */ (document.querySelector("[data-tv]"))?.dataset.tv;
  if (answer && tv && GONE.includes(answer.status)) location.assign(tv);
}
