// Motion: pieces glide from where they stood to where they stand.
const GLIDE = 300; // ms, one piece
const APART = 80; // ms between one piece and the next
const TOGETHER = 900; // ms, all of them
const STEP = 10; // pixels that a piece need not glide which only makes room
const LULL = 1000; // ms after which what may be pressed shimmers again, and what was pressed tells its meaning

export const gliding = new Set();

/** Where every part and piece is drawn now; nothing of the pieces in parts that are what they were `before`. */
export function boxes(table, before = new Map()) {
  const found = new Map();
  const same = new Set();
  for (const part of [table, ...table.querySelectorAll("[data-digest]")]) {
    const box = part.getBoundingClientRect();
    const { digest } = part.dataset;
    const was = before.get(part.id);
    if (was?.digest === digest && was.box.width === box.width && was.box.height === box.height) same.add(part);
    found.set(part.id, { box, digest });
  }
  for (const piece of table.querySelectorAll(".piece[id]")) {
    const part = piece.closest("[data-digest]");
    if (!same.has(part)) found.set(piece.id, { box: piece.getBoundingClientRect(), part: part.id });
  }
  return found;
}

/**
 * The pieces that stand elsewhere than before, and how far from there, in the order in which they moved. Where nothing
 * `happened`, the last move's pieces do not move once more: the page makes room.
 */
export function moves(before, now, old, happened) {
  const moved = [];
  for (const [id, { box, part }] of now) {
    if (!part) continue; // it is one
    const piece = document.getElementById(id);
    const from = before.get(id)?.box ?? old.get(piece.dataset.from);
    if (!from || !from.width || !box.width) continue;
    const order = happened ? Number(piece.dataset.order ?? -1) : -1;
    let x = from.x + from.width / 2 - box.x - box.width / 2;
    let y = from.y + from.height / 2 - box.y - box.height / 2;
    if (order < 0 && before.get(id)?.part === part && Math.hypot(x, y) > STEP) {
      x -= before.get(part).box.x - now.get(part).box.x; // the part has taken it along
      y -= before.get(part).box.y - now.get(part).box.y;
    }
    if (Math.hypot(x, y) > (order < 0 ? STEP : 2)) moved.push({ piece, x, y, order });
  }
  return moved.sort((one, other) => one.order - other.order);
}

/** Let pieces glide to where they stand. */
export function glide(moved) {
  const apart = Math.min(APART, (TOGETHER - GLIDE) / Math.max(1, moved.length - 1));
  const first = moved.findIndex((step) => step.order >= 0); // what only made room moves at once
  moved.forEach(({ piece, x, y, order }, place) => {
    const delay = order < 0 ? 0 : (place - first) * apart;
    const steps = [{ translate: `${x}px ${y}px` }, { translate: "0 0" }];
    piece.classList.add("glide");
    const running = piece.animate(steps, { duration: GLIDE, delay, easing: "ease-out", fill: "backwards" });
    gliding.add(running);
    running.onfinish = () => {
      gliding.delete(running);
      piece.classList.remove("glide");
    };
  });
}

/** Let nothing glide any more. */
export function settle() {
  for (const running of gliding) {
    running.cancel();
    running.effect.target.classList.remove("glide");
  }
  gliding.clear();
}

const lulls = new Map();

/**
 * Give the page a class until there has been a lull. While somebody plays (`hushed`) nothing shimmers: each thing that
 * does has a layer of its own, which every frame pays for. While this one presses (`pressing`) nothing tells its meaning
 * under the pointer: it would be laid out in the frame that shows what was pressed.
 */
export function during(name) {
  const { classList } = document.documentElement;
  classList.add(name);
  clearTimeout(lulls.get(name));
  lulls.set(name, setTimeout(() => classList.remove(name), LULL));
}

/** Do something once the next frame is drawn; returns what does it now, unless it is done. */
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
  during("hushed");
  during("pressing");
  settle(); // glides would take the time of the answer
});
