// @ts-check
/** Starts the scripts of home, which has no table. */

import { dialogs } from "./dialogs.js";
import { notifier } from "./notices.js";
import { people } from "./people.js";

dialogs();
people();
notifier((module) => module.renew());
