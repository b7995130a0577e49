// The keyboard: arrow keys move between the buttons of a group, Escape cancels a choice.
import { ask } from "./requests.js";
import { buttonsOf } from "./tab_stops.js";
import { live, page } from "./table.js";
import { finishUpdate } from "./update.js";

const PRESSES = ["Enter", " "]; // keys that press the focused button
const KEYS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

document.addEventListener("keydown", (event) => {
  const table = live();
  if (!table || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape" && page.address.search && !table.querySelector(":popover-open")) return ask(location.pathname);
  if (event.target === document.body) finishUpdate(); // the focus is restored when an update is finished
  const focused = document.activeElement;
  if (focused !== event.target && PRESSES.includes(event.key) && !event.repeat && focused.matches("button")) {
    event.preventDefault();
    return focused.click();
  }
  const group = focused.closest("[data-keys]");
  if (!group || !KEYS[event.key]) return;
  const buttons = buttonsOf(group);
  const next = buttons[(buttons.indexOf(focused) + KEYS[event.key] + buttons.length) % buttons.length];
  if (!next) return;
  event.preventDefault();
  for (const button of buttons) button.setAttribute("tabindex", button === next ? 0 : -1);
  next.focus();
});
