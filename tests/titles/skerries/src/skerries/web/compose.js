// @ts-check
import { chaining } from "../../chain.js";
import { compose } from "../../compose.js";
import { zooming } from "../../zoom.js";

const steps = chaining();
compose(() => steps);
zooming();
