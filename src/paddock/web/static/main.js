// @ts-check
/** Starts all scripts. Every page works without them, and they contain no rules. */

import { composing } from "./compose.js";
import { hands } from "./hands.js";
import { live } from "./live.js";
import { people } from "./people.js";
import { sheet } from "./sheet.js";

composing();
hands();
people();
sheet();
live();
// Loaded after the page, which can be played without them.
import("./press.js").catch(() => {});
import("./keys.js").catch(() => {});
