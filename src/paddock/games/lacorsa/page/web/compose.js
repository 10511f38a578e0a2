// @ts-check
import { choosing } from "../../choose.js";
import { compose } from "../../compose.js";

const cards = choosing();
compose(() => cards);
