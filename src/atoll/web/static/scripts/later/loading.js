// Loading: how far the rules are, and the game's drawings.
import { live } from "../table.js";

const LOOK = [100, 1000]; // ms between looks how far the rules are, the first and the most
const DRAWINGS = 2; // drawings read at once while nothing else is to be done
const HELD = 500; // ms until drawings are read again after a button was held down

/** Draw the progress anew until everything is ready; a page that waits for a table is loaded when it can be shown. */
export async function followProgress(wait = LOOK[0]) {
  const shown = document.getElementById("loading");
  if (!shown) return;
  try {
    const html = await (await fetch(shown.dataset.url)).text();
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("loading");
    if (fresh.dataset.ready === "yes" && location.pathname !== "/" && !live()) return location.reload();
    if (fresh.dataset.over === "yes") return shown.remove();
    morphdom(shown, fresh);
  } catch {
    // the server is away: try again
  }
  setTimeout(followProgress, wait, Math.min(1.3 * wait, LOOK[1]));
}

/** Let the browser read all drawings of the game (web/pages/drawings.py): each takes it a while where it is shown first. */
export function readDrawings() {
  const sheet = [...document.styleSheets].find((found) => found.href?.includes("/drawings.css"));
  const names = sheet ? [...sheet.cssRules].map((rule) => /^\.(drawn-\S+)$/.exec(rule.selectorText)?.[1]).filter(Boolean) : [];
  const box = document.createElement("div");
  box.className = "unseen";
  box.ariaHidden = "true";
  document.body.prepend(box); // at the end it would make the page higher
  let held = false;
  document.addEventListener("pointerdown", () => (held = true));
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (held = false));
  const read = () => {
    if (held) return setTimeout(read, HELD);
    for (const name of names.splice(0, DRAWINGS)) box.appendChild(document.createElement("i")).className = `drawn ${name}`;
    if (names.length) requestIdleCallback(read);
  };
  requestIdleCallback(read);
}
