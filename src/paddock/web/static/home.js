// @ts-check
/** Starts the scripts of home, which has no table. */

import { dialogs } from "./dialogs.js";
import { people } from "./people.js";
import { renew } from "./push.js";

dialogs();
people();
renew();
