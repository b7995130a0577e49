// Progress: how far the site has made the rules ready.
import { live } from "../table.js";

const LOOK = [100, 1000]; // ms between looks how far the rules are, the first and the most

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
