// @ts-check
/** The page of those who wait for somebody to play with: it asks every few seconds, and follows to the table. */

import { dialogs } from "../../dialogs.js";
import { people } from "../../people.js";
import { sound } from "../../state.js";

const EVERY = 3000; // ms

dialogs();
people();
if (document.querySelector("[data-waits]")) setTimeout(ask, EVERY);

/** Ask for the page again. When somebody has come, the browser itself goes where it leads: to the table. */
async function ask() {
  try {
    const headers = { accept: "text/html", "paddock-part": "main" };
    const answer = await fetch(location.href, { headers, redirect: "manual" });
    if (answer.type === "opaqueredirect") {
      sound("turn");
      location.replace(location.pathname);
      return;
    }
    if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // The line is lost: the next request may get through.
  }
  if (document.querySelector("[data-waits]")) setTimeout(ask, EVERY);
}

/**
 * Replace the words about those waits that are still there; whatever the reader is typing stays.
 * @param {Document} fresh
 */
function show(fresh) {
  const [old, now] = [document.querySelectorAll(".waits"), fresh.querySelectorAll(".waits")];
  if (old.length !== now.length) {
    location.reload();
    return;
  }
  old.forEach((panel, n) => {
    const words = panel.querySelectorAll("p, h2");
    const news = now[n].querySelectorAll("p, h2");
    words.forEach((one, i) => {
      if (news[i] && one.innerHTML !== news[i].innerHTML) one.innerHTML = news[i].innerHTML;
    });
  });
}
