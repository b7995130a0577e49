// The lobby on the start page, and how many tables wait for who looks: drawn anew every few seconds while somebody
// looks. Here the site becomes one that can be installed.
const LOOK = 4000; // ms between looks
const title = document.title;

/** Show on the tab and on the icon of the installed site how many tables wait. */
function count() {
  const waiting = Number(document.getElementById("digest")?.dataset.count ?? 0);
  document.title = waiting ? `(${waiting}) ${title}` : title;
  const badge = waiting ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.();
  badge?.catch(() => {});
}

async function look() {
  const lobby = document.getElementById("lobby");
  if (!document.hidden) {
    try {
      const answer = await fetch(lobby.dataset.url);
      const parsed = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const shown of [lobby, document.getElementById("digest")]) {
        const fresh = shown && parsed?.getElementById?.(shown.id);
        if (fresh) morphdom(shown, fresh, { onBeforeElUpdated: (old, now) => !old.isEqualNode(now) });
      }
      count();
    } catch {
      // the server is away: look again
    }
  }
  setTimeout(look, LOOK);
}

count();
setTimeout(look, LOOK);
addEventListener("load", () => navigator.serviceWorker?.register("/service_worker.js").catch(() => {}));
