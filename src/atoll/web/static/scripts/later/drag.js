// Drag and drop: a piece with data-drag is dropped on a place with data-drop; together they name the parts that are chosen.
import { ask } from "../requests.js";
import { live } from "../table.js";

const SLACK = 8; // pixels before a press becomes a drag
let drag = null;

/** The place under the pointer on which a piece may be dropped. */
function placeUnder(event) {
  const below = document.elementsFromPoint(event.clientX, event.clientY);
  return below.find((element) => !drag.piece.contains(element) && element.closest("[data-drop]"))?.closest("[data-drop]");
}

/** A drag is no press, although a click follows it. */
function swallow(click) {
  click.preventDefault();
  click.stopPropagation();
}

/** Stop dragging; the piece stays where it is drawn until `settle` puts it back or the table is drawn anew. */
function endDrag(settle) {
  const { piece, place } = drag;
  drag = null;
  live().classList.remove("dragging");
  place?.classList.remove("under");
  piece.classList.remove("dragged");
  if (settle) piece.style.translate = "";
}

document.addEventListener("pointerdown", (event) => {
  const source = event.button === 0 && live()?.contains(event.target) && event.target.closest("[data-drag]");
  const piece = source && (source.matches(".piece") ? source : source.querySelector(".piece"));
  if (piece) drag = { piece, parts: source.dataset.drag, x: event.clientX, y: event.clientY, moving: false, id: event.pointerId };
});

document.addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  const x = event.clientX - drag.x;
  const y = event.clientY - drag.y;
  if (!drag.piece.isConnected) return endDrag(true);
  if (!drag.moving && Math.hypot(x, y) < SLACK) return;
  if (!drag.moving) {
    drag.moving = true;
    live().classList.add("dragging");
    drag.piece.classList.add("dragged");
    for (const running of drag.piece.getAnimations()) running.cancel();
  }
  drag.piece.style.translate = `${x}px ${y}px`;
  const place = placeUnder(event);
  if (place === drag.place) return;
  drag.place?.classList.remove("under");
  place?.classList.add("under");
  drag.place = place;
});

document.addEventListener("pointerup", (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  if (!drag.moving) return void (drag = null);
  const place = drag.place;
  const { piece, parts } = drag;
  addEventListener("click", swallow, true);
  setTimeout(() => removeEventListener("click", swallow, true));
  endDrag(!place);
  if (!place) return;
  const fields = [parts, place.dataset.drop].filter(Boolean).join("&");
  ask(`${location.pathname}?${fields}`)
    .then(() => live().dataset.confirms === "no" && document.getElementById("confirm")?.click())
    .finally(() => (piece.style.translate = ""));
});

document.addEventListener("pointercancel", () => drag && endDrag(true));
document.addEventListener("dragstart", (event) => live()?.contains(event.target) && event.preventDefault());
