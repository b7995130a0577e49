// The lobby on the start page: drawn anew every few seconds while somebody looks.
const LOOK = 4000; // ms between looks

async function look() {
  const shown = document.getElementById("lobby");
  if (!document.hidden) {
    try {
      const answer = await fetch(shown.dataset.url);
      const fresh = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("lobby");
      if (fresh) morphdom(shown, fresh, { onBeforeElUpdated: (old, now) => !old.isEqualNode(now) });
    } catch {
      // the server is away: look again
    }
  }
  setTimeout(look, LOOK);
}

setTimeout(look, LOOK);
