// Reasons: what cannot be chosen now says in the bar why, until something else is pressed.
import { live, say } from "./table.js";

const NEXT = ["pointerdown", "keydown"];

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#main .about[data-why]");
  if (!button || !live().querySelector("#bar.mine")) return;
  const forget = () => {
    for (const kind of NEXT) removeEventListener(kind, forget, true);
    say("");
  };
  for (const kind of NEXT) addEventListener(kind, forget, true);
  say(button.dataset.why, true);
});
