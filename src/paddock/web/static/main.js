// @ts-check
/** Starts all scripts. Every page works without them, and they contain no rules. */

import { composing } from "./compose.js";
import { dialogs } from "./dialogs.js";
import { hands } from "./hands.js";
import { live } from "./live.js";
import { people } from "./people.js";
import { sheet } from "./sheet.js";

dialogs();
composing();
hands();
people();
sheet();
live();
// Loaded after the page, which can be played without them. No key is lost meanwhile.
import("./press.js").catch(() => {});
const keys = import("./keys.js");
document.addEventListener("keydown", (event) => keys.then(({ shortcut }) => shortcut(event), () => {}));
