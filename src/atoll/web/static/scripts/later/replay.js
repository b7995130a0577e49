// Replay: the steps of a game by keyboard, by the slider and by themselves.
import { ask } from "../requests.js";
import { live } from "../table.js";

const KEYS = { ArrowLeft: "step-back", ArrowRight: "step-on", Home: "step-first", End: "step-last" };

let playing = null; // the timer of the next step

const { classList } = document.documentElement; // the server's page does not undo what it says

/** Let steps follow one another, or stop. */
function play(on) {
  clearTimeout(playing);
  playing = null;
  if (on) playing = setTimeout(step, Number(document.getElementById("speed").value));
  classList.toggle("playing-on", on);
}

async function step() {
  const next = document.getElementById("step-on");
  if (!next) return play(false);
  await send(next.form);
  if (playing !== null) play(Boolean(document.getElementById("step-on")));
}

/** Show what a form asks for. */
function send(form) {
  const address = new URL(form.action);
  address.search = new URLSearchParams(new FormData(form));
  return ask(address);
}

/** Show what works with scripts alone, and no buttons for what they send. */
export function prepareReplay() {
  const table = live();
  classList.add("scripted");
  table.addEventListener("click", (event) => {
    if (event.target.closest("#playing")) play(playing === null);
    else if (event.target.closest(".past-step")) play(false);
  });
  table.addEventListener("change", (event) => "sends" in event.target.dataset && send(event.target.form));
  table.addEventListener("input", (event) => event.target.type === "range" && (play(false), send(event.target.form)));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select")) return;
    const button = KEYS[event.key] && document.getElementById(KEYS[event.key]);
    if (!button || event.target.closest("[data-keys]")) return;
    event.preventDefault();
    play(false);
    send(button.form);
  });
}
