// @ts-check
/** Says how long the day still lasts, and shows the page anew when it is over. */

const LOOK = 5000; // ms between two looks
const loaded = Date.now();
const shown = document.getElementById("left");

/** @param {number} seconds @param {DOMStringMap} words */
function lasts(seconds, words) {
  const minutes = Math.floor(seconds / 60);
  const said = minutes >= 60 ? words.hours : minutes ? words.minutes : words.less;
  return (said ?? "").replace("{h}", `${Math.floor(minutes / 60)}`).replace("{n}", `${minutes % 60}`);
}

function look() {
  if (!shown) return;
  const seconds = Number(shown.dataset.lasts) - (Date.now() - loaded) / 1000;
  if (seconds <= 0) location.reload();
  else shown.textContent = lasts(seconds, shown.dataset);
}

setInterval(look, LOOK);
document.addEventListener("visibilitychange", look);
