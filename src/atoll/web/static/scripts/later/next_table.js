// The line that leads to the next table that waits for who looks: asked for when the turn here has passed, and then
// now and then.
import { live } from "../table.js";

const LOOK = 30_000; // ms between looks
const line = document.getElementById("next-table");
let mine = true;

async function look() {
  if (document.hidden) return;
  const table = location.pathname.split("/").at(-1);
  try {
    const answer = await fetch(`${line.dataset.url}?table=${encodeURIComponent(table)}`);
    const fresh = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("next-table");
    if (fresh && !line.isEqualNode(fresh)) morphdom(line, fresh);
  } catch {
    // the server is away: look again
  }
}

function turned() {
  const before = mine;
  mine = Boolean(live()?.querySelector("#bar.mine"));
  if (before && !mine) look();
}

turned();
new MutationObserver(turned).observe(document.querySelector("title"), { childList: true });
setInterval(() => mine || look(), LOOK);
