// @ts-check
/** A table on a TV: live updates, and another game some time after this one is over. */

import { live } from "../../live.js";

let since = 0; // when the page said where to go

live();
setInterval(() => {
  const page = /** @type {HTMLElement | null} */ (document.querySelector("[data-next]"));
  since = page ? since || Date.now() : 0;
  if (page && Date.now() - since >= Number(page.dataset.seconds) * 1000) {
    since = Date.now(); // without a network the page stays, and tries again
    fetch(page.dataset.next ?? "", { method: "HEAD" }).then((answer) => answer.ok && location.assign(page.dataset.next ?? ""), () => {});
  }
}, 1000);
