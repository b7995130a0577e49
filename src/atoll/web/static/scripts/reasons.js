// Reasons: what cannot be chosen now says in the bar why, as long as its words are open.
import { live, say } from "./table.js";

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#main .about[data-why]");
  if (!button || !live().querySelector("#bar.mine")) return;
  const words = button.popoverTargetElement;
  const forget = ({ newState }) => {
    if (newState !== "closed") return;
    words.removeEventListener("toggle", forget);
    say("");
  };
  words?.addEventListener("toggle", forget);
  say(button.dataset.why, true);
});
