// The start page: polls the lobby and the viewer's tables while the page is visible, and
// registers the service worker, by which the site can be installed.
const POLL = 1500; // ms between two requests: one's other devices show the same within two seconds
const title = document.title;

/** Show the number of waiting tables in the title and on the installed site's icon. */
function count() {
  const waiting = Number(document.getElementById("digest")?.dataset.count ?? 0);
  document.title = waiting ? `(${waiting}) ${title}` : title;
  const badge = waiting ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.();
  badge?.catch(() => {});
}

/** What is folded stays as it is; what is equal is left alone. */
function keepOpen(old, now) {
  if (old.localName === "details") now.open = old.open;
  return !old.isEqualNode(now);
}

async function poll() {
  const lobby = document.getElementById("lobby");
  if (!document.hidden) {
    try {
      const answer = await fetch(lobby.dataset.url);
      const parsed = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const part of [lobby, document.getElementById("tables")]) {
        const fresh = part && parsed?.getElementById?.(part.id);
        if (fresh) morphdom(part, fresh, { onBeforeElUpdated: keepOpen });
      }
      count();
    } catch {
      // the server is away: try again
    }
  }
  setTimeout(poll, POLL);
}

count();
setTimeout(poll, POLL);
const worker = new URL("../service_worker.js", document.querySelector('link[rel="icon"]').href);
addEventListener("load", () => navigator.serviceWorker?.register(worker).catch(() => {}));
