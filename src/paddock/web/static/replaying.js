// @ts-check
/** Starts the player of a replay, on its page. */

import { go, replaying } from "./replay.js";
import { reviewing } from "./review.js";

replaying();
reviewing(go);
