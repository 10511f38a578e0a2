// @ts-check
/** Starts the player of a replay, on its page. */

import { replaying } from "./replay.js";
import { news } from "./reveal.js";
import { show } from "./sheet.js";
import { timeline } from "./timeline.js";

news(); // the page as it is: only what comes is announced
replaying();
timeline();
named();
addEventListener("hashchange", named);

/** Open the panel of what the address names, such as the analysis. */
function named() {
  const part = document.getElementById(location.hash.slice(1)), panel = part?.closest(".tabpanel");
  if (!part || !panel) return;
  show(panel.id.replace("panel-", ""));
  part.scrollIntoView({ block: "nearest" });
}
