// @ts-check
/**
 * One press: a choice that needs no second one is sent after a moment in which it can be taken back. And choices in
 * progress come back after a reload. This module is loaded after the page: until then every choice has its button.
 */

import { choices, forget, forms, later, legal, maker, say, sends } from "./compose.js";
import { draft, jot, ended } from "./draft.js";
import { noticed } from "./read.js";
import { announce } from "./state.js";
import { held } from "./unsent.js";

const MOMENT = 1500; // ms, also without motion
let resumed = false; // whether the choices of before the page was loaded are set
let turning = false; // whether a move is being taken back, or a lesson turned to another step, by this tab
let pointed = false; // whether a finger or a mouse chooses, not a key or a screen reader
/** @type {{seat?: string, decision: string, move: string, timer: number} | undefined} */
let due; // what is sent soon

/** @param {HTMLFormElement} form */
const decision = (form) => String(new FormData(form).get("decision"));

/** Whether the choice of this form is sent soon. @param {HTMLFormElement} form */
const goes = (form) => due !== undefined && due.seat === form.dataset.seat && due.decision === decision(form);

/** Send nothing by itself. */
function stop() {
  clearTimeout(due?.timer);
  due = undefined;
  offered();
}

/** Show where a choice can be taken back. */
function offered() {
  for (const form of forms()) form.querySelector("[data-take]")?.toggleAttribute("hidden", !goes(form));
}

/**
 * Send what was chosen by one press, after a moment, unless the reader or the rules want a button for it.
 * @param {HTMLFormElement} form
 */
function pressed(form) {
  const { confirm } = document.documentElement.dataset;
  if (!pointed || confirm === "always" || (form.dataset.secret && confirm !== "never")) return;
  const [choice] = choices(form);
  if (!form.querySelector("[data-take]") || !legal(choice)) return;
  due = { seat: form.dataset.seat, decision: decision(form), move: choice.move, timer: setTimeout(send, MOMENT) };
  offered();
}

/** Send what is due, if it is still chosen; later, if the page is just sending something else. */
function send() {
  if (due && document.querySelector("#main[aria-busy=true]")) {
    due.timer = setTimeout(send, MOMENT / 10);
    return;
  }
  const form = [...forms()].find(goes);
  const same = form && choices(form)[0].move === due?.move && legal(choices(form)[0]);
  stop();
  if (same) form.requestSubmit(sends(form)[0]);
}

/**
 * After an update: keep what is chosen, and say so if it can no longer be sent. After the reader's own take-back nothing is
 * chosen.
 */
function recalled() {
  const over = ended([...forms()]);
  if (over && turning) forms().forEach(forget);
  const late = over && !turning && !held();
  turning = false;
  for (const form of forms()) {
    const [by, saved] = [maker(form), draft(form)];
    if (by?.ahead?.(form)) jot(form, form.dataset.chosen);
    else if (resumed && typeof saved === "string") jot(form, undefined); // all steps are taken back
    else if (!resumed && saved !== undefined && by?.keep(form) === undefined) {
      by?.restore(form, saved);
      say(form);
    }
  }
  offered();
  noticed();
  added();
  const words = document.getElementById("table")?.dataset.late;
  if (!late || !words || document.querySelector(".toast.fault")) return;
  announce(words);
  import("./toast.js").then(({ told }) => told(words), () => {});
}

/** Load what features add to the page. */
function added() {
  for (const panel of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-script]"))) {
    import(`./${panel.dataset.script}`).catch(() => {});
  }
}

later.recalled = recalled;
later.forgotten = (form) => jot(form, undefined);
recalled();
for (const form of forms()) {
  const saved = draft(form);
  if (typeof saved === "string" && !form.dataset.chosen) maker(form)?.resume?.(form, saved);
}
resumed = true;
added();

document.addEventListener("change", ({ target }) => {
  const form = target instanceof Element ? target.closest("form.compose") : null;
  if (!(form instanceof HTMLFormElement)) return;
  jot(form, maker(form)?.keep(form));
  stop();
  if (target instanceof HTMLInputElement && target.type === "radio") pressed(form);
});
document.addEventListener("submit", ({ target }) => {
  if (!(target instanceof HTMLFormElement)) return;
  turning = /\/(lesson|undo)$/.test(target.action);
  if (target.matches(".compose")) stop();
}, true);
document.addEventListener("click", ({ target }) => {
  setTimeout(() => (pointed = false)); // after what this click chooses
  const form = target instanceof Element ? target.closest("[data-take]")?.closest("form") : null;
  if (!form) return;
  stop();
  forget(form);
  say(form);
  maker(form)?.focus(form)?.focus();
}, true);
addEventListener("pointerdown", () => (pointed = true), true);
addEventListener("keydown", () => (pointed = false), true);
addEventListener("pagehide", stop);
