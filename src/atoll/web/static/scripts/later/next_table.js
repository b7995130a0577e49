// The link to the next table that waits for the viewer: requested when the viewer's turn here is over, and then polled.
import { live } from "../table.js";

const POLL = 30_000; // ms between two requests
const line = document.getElementById("next-table");
let mine = true;

async function poll() {
  if (document.hidden) return;
  const table = location.pathname.split("/").at(-1);
  try {
    const answer = await fetch(`${line.dataset.url}?table=${encodeURIComponent(table)}`);
    const fresh = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("next-table");
    if (fresh && !line.isEqualNode(fresh)) morphdom(line, fresh);
  } catch {
    // the server is away: try again
  }
}

function onTurn() {
  const before = mine;
  mine = Boolean(live()?.querySelector("#bar.mine"));
  if (before && !mine) poll();
}

onTurn();
new MutationObserver(onTurn).observe(document.querySelector("title"), { childList: true });
setInterval(() => mine || poll(), POLL);
