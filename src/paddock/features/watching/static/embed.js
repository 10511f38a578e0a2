// @ts-check
/** Starts the scripts of a table in a frame on another site: live updates, and the replay. */

import { live } from "../../live.js";
import { replaying } from "../../replay.js";

live();
replaying();
