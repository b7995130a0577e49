// Reasons: what cannot be chosen now says in the bar why, until something else is pressed.

/** Take back what was said; as something is clicked, not before, since what is below a finger would move. */
const forget = () => document.getElementById("why")?.remove();

addEventListener("click", forget, true);
addEventListener("keydown", ({ key }) => key === "Escape" && forget());

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#main .about[data-why]");
  const prompt = button && document.querySelector("#bar.mine #prompt");
  if (!prompt) return;
  if (button.popoverTargetElement?.textContent === button.dataset.why) event.preventDefault(); // it would say the same
  const line = document.createElement("span");
  line.id = "why";
  line.textContent = button.dataset.why;
  prompt.append(line); // in place of what is asked, which stays for screen readers: its role announces both
});
