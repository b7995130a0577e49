// A replay in one file (web/pages/replay_file.py): the steps by buttons, slider and keyboard, and by themselves.
const KEYS = { ArrowLeft: "step-back", ArrowRight: "step-on", Home: "step-first", End: "step-last" };
const data = Uint8Array.from(atob(document.getElementById("replay").textContent), (letter) => letter.charCodeAt(0));
const { pieces, pages, at, guess } = await new Response(
  new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip")),
).json();
const { classList } = document.documentElement;

let playing = null; // the timer of the next step

/** Show the table after so many moves; the address names them, so that a link can lead there. */
function show(moves) {
  const page = pages[moves] ? moves : 0;
  morphdom(document.getElementById("table"), pages[page].map((piece) => pieces[piece]).join(""));
  history.replaceState(null, "", `#${page}`);
}

/** Take a step, where there is one. */
function step(button) {
  if (button) show(Number(new FormData(button.form).get("at")));
}

/** Let steps follow one another, or stop. */
function play(on) {
  clearTimeout(playing);
  playing = null;
  classList.toggle("playing-on", on);
  if (!on) return;
  playing = setTimeout(() => {
    step(document.getElementById("step-on"));
    play(document.getElementById("step-on") !== null);
  }, Number(document.getElementById("speed").value));
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  play(false);
  if (event.submitter?.matches(".past-step")) step(event.submitter);
});
document.addEventListener("click", (event) => {
  if (event.target.closest("#playing")) play(playing === null);
  else if (event.target.closest("a[href]")) event.preventDefault();
});
document.addEventListener("input", (event) => {
  if (event.target.type !== "range") return;
  play(false);
  show(Number(event.target.value));
});
document.addEventListener("keydown", (event) => {
  const button = document.getElementById(KEYS[event.key]);
  if (!button || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select")) return;
  event.preventDefault();
  play(false);
  step(button);
});
addEventListener("hashchange", () => show(Number(location.hash.slice(1))));

classList.add("scripted");
show(location.hash ? Number(location.hash.slice(1)) : at);
