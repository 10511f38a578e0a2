// @ts-check
/** Starts the player of a replay, on its page. */

import { replaying } from "./replay.js";

replaying();
