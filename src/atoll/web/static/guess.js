// Guess the move (web/pages/guesses.py): the game's module plays on after each move, in a worker, from the seat's view.
const BATCH = 25; // worlds that are played on at once
const ENOUGH = 200; // worlds
const PATIENCE = 5000; // ms
const SURE = 3; // standard errors by which a move is surely better

const filled = (text, values) => text.replace(/{(\w+)}/g, (_, name) => values[name]);
const worker = new Worker(URL.createObjectURL(new Blob([guess.engine], { type: "text/javascript" })));
worker.postMessage({ url: `data:application/wasm;base64,${guess.module}` });
let last = Promise.resolve(); // what the worker does now
const right = new Map(); // of the decisions that were guessed: whether no move is surely better

const strip = () => document.getElementById("guess");
const rows = () => [...strip().querySelectorAll("button.hinted")];
const say = (text) => (document.getElementById("guess-verdict").textContent = text);

/** The share of a win that a seat has, by the bit set of the winners. */
function share(winners, seat) {
  let count = 0;
  for (let rest = winners; rest; rest &= rest - 1) count++;
  return (winners >> seat) & 1 ? 1 / count : 0;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean of what one move wins more than another in the same worlds, and its standard error. */
function difference(one, other) {
  const values = one.map((value, world) => value - other[world]);
  const middle = mean(values);
  return [middle, Math.sqrt(mean(values.map((value) => (value - middle) ** 2)) / values.length)];
}

/** Have the worker play on (engine.js), once it is done with what it was asked before. */
function playOn(task) {
  const carryOut = () => new Promise((resolve, reject) => {
    worker.onmessage = ({ data: { result, error } }) => (error ? reject(new Error(error)) : resolve(result));
    worker.onerror = reject;
    worker.postMessage({ method: "playOn", given: [guess.games, task] });
  });
  last = last.then(carryOut, carryOut);
  return last;
}

/** The shares that each move brought in the worlds tried so far, the moves in the order of the list. */
async function* tries({ seat, view, moves }, at) {
  const shares = moves.map(() => []);
  const began = performance.now();
  for (let worlds = 0; worlds < ENOUGH && performance.now() - began < PATIENCE; worlds += BATCH) {
    const winners = await playOn({ view, seat, moves, seed: `${at * ENOUGH + worlds}`, worlds: BATCH });
    winners.forEach((won, game) => shares[Math.floor(game / BATCH)].push(share(won, seat)));
    yield shares;
  }
}

/** Show what is known of the moves. */
function showShares(shares) {
  for (const row of rows()) {
    const part = mean(shares[row.value]);
    row.querySelector("b").textContent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" }).format(part);
    row.style.setProperty("--part", `${100 * part}%`);
  }
}

/** Take a decision: play on after each move, and tell how good it was. */
async function choose(choice) {
  const panel = strip();
  const at = Number(panel.dataset.at);
  const decision = guess.decisions[at];
  panel.classList.add("guessed");
  for (const row of rows()) {
    row.closest("li").hidden = false;
    row.disabled = true;
    const { yours, played } = panel.dataset;
    row.querySelector("small").textContent = [Number(row.value) === choice && yours, Number(row.value) === decision.played && played].filter(Boolean).join(", ");
  }
  document.getElementById("guess-all").hidden = true;
  say(panel.dataset.playing);
  let shares;
  try {
    for await (shares of tries(decision, at)) {
      if (strip() !== panel || Number(panel.dataset.at) !== at || !panel.classList.contains("guessed")) return;
      showShares(shares);
    }
  } catch {
    say(filled(panel.dataset.cannot, { move: textOf(decision.played) }));
    return goOn(at);
  }
  const ranked = rows().sort((one, other) => mean(shares[other.value]) - mean(shares[one.value]));
  const [loss, error] = difference(shares[ranked[0].value], shares[choice]);
  const fine = loss <= SURE * error;
  if (!right.has(at)) right.set(at, fine);
  say(fine ? panel.dataset.fine : filled(panel.dataset.worse, { move: textOf(ranked[0].value), games: Math.round(100 * loss) }));
  document.getElementById("guess-about").textContent = filled(panel.dataset.tried, { count: shares[0].length });
  panel.querySelector("ol").append(...ranked.map((row) => row.closest("li")));
  panel.querySelector("ol").scrollTop = 0;
  goOn(at);
}

const textOf = (move) => rows().find(({ value }) => value === String(move)).querySelector("span").firstChild.data.trim();

/** Offer the next decision. */
function goOn(at) {
  const next = document.getElementById("guess-next");
  const later = Object.keys(guess.decisions).map(Number).find((one) => one > at);
  next.hidden = false;
  next.value = later ?? pages.length - 1;
  if (later === undefined) next.textContent = strip().dataset.end;
  next.focus();
  tellScore();
}

function tellScore() {
  if (!strip() || !right.size) return;
  const count = [...right.values()].filter(Boolean).length;
  document.getElementById("guess-score").value = filled(strip().dataset.score, { right: count, tries: right.size });
}

/** Keep of the list the moves that begin as a form of the table says; a single one is chosen. */
function narrow(form) {
  const { fields } = guess.decisions[strip().dataset.at];
  const chosen = [...new FormData(form)].filter(([name]) => fields.some((move) => name in move));
  const left = rows().filter(({ value }) => chosen.every(([name, text]) => fields[value][name]?.includes(text)));
  if (!left.length) return;
  if (left.length === 1) return void choose(Number(left[0].value));
  for (const row of rows()) row.closest("li").hidden = !left.includes(row);
  document.getElementById("guess-all").hidden = false;
  say(strip().dataset.narrowed);
  left[0].focus();
}

document.addEventListener("submit", ({ submitter }) => {
  if (submitter?.matches(".press:not(.past-step)") && strip() && !strip().matches(".guessed")) narrow(submitter.form);
});
document.addEventListener("click", ({ target }) => {
  const button = target.closest("#guess button");
  if (!button) return;
  const { id, value } = button;
  const others = Object.keys(guess.decisions).filter((at) => at !== strip().dataset.at);
  if (id === "guess-next") go(Number(value));
  else if (id === "guess-other") go(Number(others[Math.floor(Math.random() * others.length)] ?? strip().dataset.at));
  else if (id === "guess-all") go(Number(strip().dataset.at));
  else choose(Number(value));
});
document.addEventListener("keydown", (event) => {
  if (!/^[1-9]$/.test(event.key) || event.altKey || event.ctrlKey || event.metaKey || !strip() || event.target.matches("input, select")) return;
  rows().filter((row) => !row.disabled && !row.closest("li").hidden)[event.key - 1]?.click();
});

for (const kind of ["submit", "input", "keydown"]) document.addEventListener(kind, tellScore); // after a step

/** Show a position, and the score. */
function go(moves) {
  play(false);
  show(moves);
  tellScore();
  if (strip()) rows()[0].focus();
}
