// Motion: pieces glide from their old places to their new ones.
const PACES = { calm: 2, quick: 0.45 }; // how long motion takes, beside what is usual
const pace = () => PACES[document.documentElement.dataset.motion] ?? 1;
const GLIDE = 300; // ms, one piece
const STAGGER = 80; // ms between one piece and the next
const LONGEST = 900; // ms, all of them
const STEP = 10; // pixels: a piece that only makes room glides if it moves farther
const LULL = 1000; // ms of idleness after which hints shimmer and tooltips show again

export const gliding = new Set();

/** The boxes of all parts and pieces; without the pieces of parts that are the same as `before`. */
export function boxes(table, before = new Map()) {
  const result = new Map();
  const same = new Set();
  for (const part of [table, ...table.querySelectorAll("[data-digest]")]) {
    const box = part.getBoundingClientRect();
    const { digest } = part.dataset;
    const old = before.get(part.id);
    if (old?.digest === digest && old.box.width === box.width && old.box.height === box.height) same.add(part);
    result.set(part.id, { box, digest });
  }
  for (const piece of table.querySelectorAll(".piece[id]")) {
    const part = piece.closest("[data-digest]");
    if (!same.has(part)) result.set(piece.id, { box: piece.getBoundingClientRect(), part: part.id });
  }
  return result;
}

/**
 * The pieces that have moved, with their distances, in the order of the last move. Unless something `happened`, no piece
 * counts as moved by the last move: the page only makes room.
 */
export function moves(before, now, sources, happened) {
  const moved = [];
  for (const [id, { box, part }] of now) {
    if (!part) continue; // a part
    const piece = document.getElementById(id);
    const from = before.get(id)?.box ?? sources.get(piece.dataset.from);
    if (!from || !from.width || !box.width) continue;
    const order = happened ? Number(piece.dataset.order ?? -1) : -1;
    let x = from.x + from.width / 2 - box.x - box.width / 2;
    let y = from.y + from.height / 2 - box.y - box.height / 2;
    if (order < 0 && before.get(id)?.part === part && Math.hypot(x, y) > STEP) {
      x -= before.get(part).box.x - now.get(part).box.x; // the part itself has moved
      y -= before.get(part).box.y - now.get(part).box.y;
    }
    if (Math.hypot(x, y) > (order < 0 ? STEP : 2)) moved.push({ piece, x, y, order });
  }
  return moved.sort((one, other) => one.order - other.order);
}

/** Animate pieces to their places. */
export function glide(moved) {
  const stagger = Math.min(STAGGER, (LONGEST - GLIDE) / Math.max(1, moved.length - 1));
  const first = moved.findIndex((step) => step.order >= 0); // pieces that make room start at once
  moved.forEach(({ piece, x, y, order }, place) => {
    const delay = order < 0 ? 0 : (place - first) * stagger * pace();
    const steps = [{ translate: `${x}px ${y}px` }, { translate: "0 0" }];
    piece.classList.add("glide");
    const running = piece.animate(steps, { duration: GLIDE * pace(), delay, easing: "ease-out", fill: "backwards" });
    gliding.add(running);
    running.onfinish = () => {
      gliding.delete(running);
      piece.classList.remove("glide");
    };
  });
}

/** Let what stylesheets move keep the pace too. */
export function keepPace() {
  if (pace() !== 1) for (const running of document.getAnimations()) if (running.animationName) running.playbackRate = 1 / pace();
}

/** End all animations. */
export function settle() {
  for (const running of gliding) {
    running.cancel();
    running.effect.target.classList.remove("glide");
  }
  gliding.clear();
}

const timers = new Map();

/**
 * Give the page a class until LULL ms after the last call. With `hushed`, nothing shimmers: each shimmering element has a
 * layer, which costs time in every frame. With `pressing`, no tooltip shows under the pointer: it would be laid out in the
 * frame that shows the answer.
 */
export function holdClass(name) {
  const { classList } = document.documentElement;
  classList.add(name);
  clearTimeout(timers.get(name));
  timers.set(name, setTimeout(() => classList.remove(name), LULL));
}

/** Call `then` after the next frame; returns a function that calls it at once, unless that was done. */
export function afterFrame(then) {
  let due = true;
  const now = () => {
    if (!due) return;
    due = false;
    then();
  };
  if (document.hidden) now();
  else requestAnimationFrame(() => setTimeout(now));
  return now;
}

document.addEventListener("pointerdown", ({ target }) => {
  if (!target.closest?.("#table button")) return;
  holdClass("hushed");
  holdClass("pressing");
  settle(); // animations would delay the answer
});
