// @ts-check
/** Marks the news as read, by reading. */

/** @type {{action: string, body: URLSearchParams} | undefined} */
let noted; // what tells the server that the news in sight have been read

/** Mark the news as read that were in sight and no longer are: they stay while the reader looks at them. */
export function noticed() {
  const news = /** @type {HTMLDetailsElement | null} */ (document.getElementById("since"));
  const form = news?.querySelector("form");
  if (!news || !form) {
    noted = undefined;
    return;
  }
  const { top, bottom } = news.getBoundingClientRect();
  if (!document.hidden && news.open && news.checkVisibility() && top < innerHeight && bottom > 0) {
    noted = { action: form.action, body: new URLSearchParams(/** @type {any} */ (new FormData(form))) };
  } else if (noted) {
    const { action, body } = noted;
    noted = undefined;
    fetch(action, { method: "POST", body, keepalive: true, redirect: "manual" }).catch(() => {});
  }
}

document.addEventListener("toggle", noticed, true);
document.addEventListener("visibilitychange", noticed);
document.addEventListener("click", () => setTimeout(noticed)); // which may open or close a panel
noticed();
