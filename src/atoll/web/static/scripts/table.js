// The live part of the page: its elements, version and digests, the address with the chosen parts, and messages.

export const LATER = "<!--later-->"; // precedes the parts that may be drawn a frame later (web/pages/regions.py)

/** The address of the shown state, which the browser gets a frame later, and the request that waits for the server. */
export const page = { address: new URL(location), waiting: null };

/** Whether the server left an element empty, since this page has its content (web/pages/regions.py). */
export const isLeftOut = (element) => element.dataset && "same" in element.dataset;
export const live = () => document.getElementById("table");
export const rounds = () => live().querySelectorAll(".log-round").length;
/** The digests of the regions that this page has, in their order. */
export const digests = (table) => Array.from(table.querySelectorAll("[data-digest]"), (part) => part.dataset.digest).join(" ");
export const version = (table) => Number(table.dataset.version);
/** The version of a live part that is not read yet. */
export const versionOf = (html) => Number(/data-version="(\d+)"/.exec(html.slice(0, 400))?.[1]);

/** The parts that are drawn at once, parsed. */
export const parse = (html) => new DOMParser().parseFromString(html.split(LATER, 1)[0], "text/html");

/** Show a message of the script's own: above the table or, with `inBar`, over the bar, where nothing moves. */
export function showMessage(text, inBar = false) {
  const old = document.getElementById("line");
  if (old?.textContent === text) return;
  old?.remove();
  if (!text) return;
  const line = document.createElement("p");
  line.id = "line";
  line.className = "notice";
  line.setAttribute("role", "alert");
  line.textContent = text;
  if (inBar) document.getElementById("bar").append(line);
  else live().before(line);
}

/** Show that the server is away or stops, and whether a request waits for it. */
export function showAway(stops = false) {
  const { away, stopping, waits } = document.body.dataset;
  showMessage(page.waiting ? waits : stops ? stopping : away, true);
}
