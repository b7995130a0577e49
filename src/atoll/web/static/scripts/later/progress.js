// Progress: how far the games are loaded.
import { live } from "../table.js";

const POLL = [100, 1000]; // ms between two requests, first and at most

/** Poll the progress until all is loaded; a page that waits for a table is reloaded when that can be shown. */
export async function followProgress(wait = POLL[0]) {
  const bar = document.getElementById("loading");
  if (!bar) return;
  try {
    const html = await (await fetch(bar.dataset.url)).text();
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("loading");
    if (fresh.dataset.ready === "yes" && !location.pathname.endsWith("/") && !live()) return location.reload();
    if (fresh.dataset.over === "yes") return bar.remove();
    morphdom(bar, fresh);
  } catch {
    // the server is away: try again
  }
  setTimeout(followProgress, wait, Math.min(1.3 * wait, POLL[1]));
}
