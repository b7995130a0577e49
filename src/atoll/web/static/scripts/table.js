// The table that the page shows: what its live part says of itself, and the address with what is chosen.

export const LATER = "<!--later-->"; // stands before what may be drawn a frame after the rest (web/pages/regions.py)

/** The address of what is shown, which the browser shows a frame later; what was pressed while the server was away. */
export const page = { address: new URL(location), waiting: null };

/** Whether the server left out the inside of an element, since this page has it (web/pages/regions.py). */
export const isLeftOut = (element) => element.dataset && "same" in element.dataset;
export const live = () => document.getElementById("table");
export const rounds = () => live().querySelectorAll(".log-round").length;
/** The digests of the regions that this page has, in their order. */
export const digests = (table) => Array.from(table.querySelectorAll("[data-digest]"), (part) => part.dataset.digest).join(" ");
export const version = (table) => Number(table.dataset.version);
/** The version of a live part that is not read yet. */
export const versionOf = (html) => Number(/data-version="(\d+)"/.exec(html.slice(0, 400))?.[1]);

/** What is drawn at once, parsed. */
export const parse = (html) => new DOMParser().parseFromString(html.split(LATER, 1)[0], "text/html");

/** Say something that the server did not say: above the table, or over what the bar says, where it moves nothing. */
export function say(text, inBar = false) {
  const shown = document.getElementById("line");
  if (shown?.textContent === text) return;
  shown?.remove();
  if (!text) return;
  const line = document.createElement("p");
  line.id = "line";
  line.className = "notice";
  line.setAttribute("role", "alert");
  line.textContent = text;
  if (inBar) document.getElementById("bar").append(line);
  else live().before(line);
}

/** Say that the server is away or that it stops, and that what was pressed waits for it, if something does. */
export function sayAway(stops = false) {
  const { away, stopping, waits } = document.body.dataset;
  say(page.waiting ? waits : stops ? stopping : away, true);
}
