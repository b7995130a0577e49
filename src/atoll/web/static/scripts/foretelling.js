// Foretelling: the server says ahead what it would answer to what may be pressed next, or at least makes ready to.
import { questionOf } from "./asking.js";
import { during, measure, settle } from "./motion.js";
import { tell, wording } from "./socket.js";
import { live, parse } from "./table.js";

const REST = 30; // ms until a pointer is taken to mean where it is
const IDLE = 60; // ms after the page has changed until what may be pressed next is looked at
const AHEAD = 12; // buttons that are looked at, the most

export const foretold = new Map(); // answers by their questions: as they came, and parsed
let foretelling = new Set(); // questions that the server has been told of since the page last changed
let intent = null;
let idle = null;

/** Tell the server what would be asked by a press. Returns whether there is something to tell. */
function foretell(button) {
  const form = button.form;
  if (!form || form.dataset.busy || !live()?.contains(form)) return false;
  const question = wording(...questionOf(form, button));
  if (!question || foretelling.has(question)) return false;
  foretelling.add(question);
  tell(`soon ${question}`);
  return true;
}

/** Keep what would be answered, and go on to the next button. */
export function learn(question, html) {
  if (!foretelling.has(question)) return; // of a page that is gone
  if (html) foretold.set(question, { html, parsed: parse(html) });
  clearTimeout(idle);
  idle = setTimeout(lookAhead);
}

/** Foretell what is pressed next in the likeliest case: what carries out the move, else any of the pieces. */
function lookAhead() {
  if (document.hidden || navigator.connection?.saveData || foretelling.size >= AHEAD) return;
  const sure = document.getElementById("confirm");
  const buttons = sure ? [sure] : live().querySelectorAll("main button.press[type=submit]");
  for (const button of buttons) if (foretell(button)) return;
}

/** The page changes: what was foretold is over. */
export function forget() {
  foretold.clear();
  foretelling = new Set();
  clearTimeout(idle);
  idle = setTimeout(lookAhead, IDLE);
}

/** Foretell what the pointer or the focus rests on. */
function rest({ target }) {
  clearTimeout(intent);
  const button = target.closest?.("button");
  if (button) intent = setTimeout(foretell, REST, button);
}

document.addEventListener("pointerover", rest);
document.addEventListener("focusin", rest);
document.addEventListener("pointerdown", ({ target }) => {
  clearTimeout(intent);
  const button = target.closest?.("#table button");
  if (!button) return;
  foretell(button);
  during("hushed");
  during("pressing");
  settle(); // glides would take the time of the answer
  measure();
});
