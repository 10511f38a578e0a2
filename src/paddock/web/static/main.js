// @ts-check
/** Starts all scripts. Every page works without them, and they contain no rules. */

import { composing } from "./compose.js";
import { dialogs } from "./dialogs.js";
import { hands } from "./hands.js";
import { shortcuts } from "./keys.js";
import { live } from "./live.js";
import { people } from "./people.js";
import { sheet } from "./sheet.js";

dialogs();
shortcuts();
composing();
hands();
people();
sheet();
live();
import("./press.js").catch(() => {}); // the line is lost: every choice has its button
