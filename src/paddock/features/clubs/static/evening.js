// @ts-check
/** The page of an evening: it looks every few seconds what has changed, and leads to the reader's table. */

import "../../lots.js";
import { sound } from "../../state.js";

const EVERY = 3000; // ms
const GO = "paddock-went"; // the table to which the page has led already

if (!lead(head()) && head()?.dataset.refresh !== "0") setTimeout(ask, EVERY);

function head() {
  return document.getElementById("evening");
}

/**
 * Go to the reader's table, once for each: who comes back from there stays. Return whether the page goes.
 * @param {HTMLElement | null} now
 */
function lead(now) {
  const table = now?.dataset.table;
  if (!table || sessionStorage.getItem(GO) === table) return false;
  sessionStorage.setItem(GO, table);
  if (document.referrer.endsWith(table)) return false;
  sound("turn");
  location.assign(table);
  return true;
}

/** Whether the reader is typing, or has unfolded something that would be folded again. */
const busy = () => document.activeElement?.matches("input:not([readonly]), textarea") ?? false;

async function ask() {
  try {
    const headers = { accept: "text/html", "paddock-part": "main", "if-none-match": head()?.dataset.tag ?? "" };
    const answer = await fetch(location.href, { headers }); // 304: nothing has changed
    if (answer.ok && !busy()) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // The line is lost: the next request may get through.
  }
  if (head()?.dataset.refresh !== "0") setTimeout(ask, EVERY);
}

/** @param {Document} fresh */
function show(fresh) {
  const [old, now] = [document.getElementById("main"), fresh.getElementById("main")];
  if (!old || !now) return;
  if (lead(fresh.getElementById("evening"))) return;
  const open = [...old.querySelectorAll("details")].map((one) => one.open);
  // @ts-ignore the vendored script defines it
  window.Idiomorph.morph(old, now.innerHTML, { morphStyle: "innerHTML", ignoreActiveValue: true });
  old.querySelectorAll("details").forEach((one, n) => (one.open = open[n] ?? false));
}
