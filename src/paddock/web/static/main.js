// @ts-check
/** Where the page's scripts begin. Every page works without them; there are no rules in here. */

import { composing } from "./compose.js";
import { dialogs } from "./dialogs.js";
import { shortcuts } from "./keys.js";
import { live } from "./live.js";
import { people } from "./people.js";

dialogs();
shortcuts();
composing();
people();
live();
