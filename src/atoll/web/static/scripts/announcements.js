// Announcements: a live region tells screen readers the lines that the log gains, each once.
const MOST_LINES = 30; // lines that can be read again

let announced = new Map(); // the lines of each round that were in the log
let names = "";
let undoCount = "";

/** Announce the lines that the log has gained, by their own texts alone, names in elements of their own; `silently`: take them as announced. */
export function announce(silently = false) {
  const log = document.getElementById("log");
  const news = document.getElementById("news");
  if (!log || !news) return;
  const renamed = names !== (names = log.dataset.names); // every line may say something else
  const hasUndo = undoCount !== (undoCount = log.dataset.takenBack); // what stands no longer may come again
  const newLines = [];
  const lineSets = new Map();
  for (const round of log.querySelectorAll(".log-round")) {
    const lines = Array.from(round.querySelectorAll(".log-entry"), (entry) => entry.querySelector("span").innerHTML);
    const known = [...(announced.get(round.id) ?? [])];
    const isKnown = (line) => known.includes(line) && known.splice(known.indexOf(line), 1);
    newLines.push(...(renamed ? lines.slice(known.length) : lines.filter((line) => !isKnown(line))));
    lineSets.set(round.id, renamed || hasUndo ? lines : [...lines, ...known]); // an older page may have been drawn
  }
  announced = hasUndo ? lineSets : new Map([...announced, ...lineSets]);
  if (silently) return;
  for (const line of newLines.slice(-MOST_LINES)) news.append(Object.assign(document.createElement("p"), { innerHTML: line }));
  while (news.childElementCount > MOST_LINES) news.firstChild.remove();
}
