// Reasons: a press on a piece that cannot be chosen now shows why in the bar, until the next press.

/** Remove the reason, on a click and not before, since elements under a finger would move. */
const removeReason = () => document.getElementById("why")?.remove();

addEventListener("click", removeReason, true);
addEventListener("keydown", ({ key }) => key === "Escape" && removeReason());

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#main .about[data-why]");
  const prompt = button && document.querySelector("#bar.mine #prompt");
  if (!prompt) return;
  if (button.popoverTargetElement?.textContent === button.dataset.why) event.preventDefault(); // the tooltip says the same
  const line = document.createElement("span");
  line.id = "why";
  line.textContent = button.dataset.why;
  prompt.append(line); // covers the prompt, which stays for screen readers: its role announces both
});
