// Announcements: screen readers are told what the log gains, once, whichever way the page comes to show it.
const KEPT = 30; // lines that can be read again

let said = new Map(); // the lines of each round that were in the log
let names = "";
let takenBack = "";

/** Announce the lines that the log has gained, by their own texts alone; `silently`: take them as announced. */
export function announce(silently = false) {
  const log = document.getElementById("log");
  const news = document.getElementById("news");
  if (!log || !news) return;
  const renamed = names !== (names = log.dataset.names); // every line may say something else
  const undone = takenBack !== (takenBack = log.dataset.takenBack); // what stands no longer may come again
  const gained = [];
  const found = new Map();
  for (const round of log.querySelectorAll(".log-round")) {
    const lines = Array.from(round.querySelectorAll(".log-entry"), (entry) => entry.querySelector("span").textContent);
    const known = [...(said.get(round.id) ?? [])];
    const isKnown = (line) => known.includes(line) && known.splice(known.indexOf(line), 1);
    gained.push(...(renamed ? lines.slice(known.length) : lines.filter((line) => !isKnown(line))));
    found.set(round.id, renamed || undone ? lines : [...lines, ...known]); // an older page may have been drawn
  }
  said = undone ? found : new Map([...said, ...found]);
  if (silently) return;
  for (const line of gained.slice(-KEPT)) news.append(Object.assign(document.createElement("p"), { textContent: line }));
  while (news.childElementCount > KEPT) news.firstChild.remove();
}
