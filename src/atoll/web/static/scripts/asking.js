// Asking: what is chosen and decided goes to the server, and its answer is shown.
import { foretold } from "./foretelling.js";
import { afterFrame, settle } from "./motion.js";
import { show } from "./showing.js";
import { byRequest, bySocket, wording } from "./socket.js";
import { live, page, rounds, say, sayAway, version, versionOf } from "./table.js";

const NOTE = 100; // ms from a choice to its address
const RETRY = 1000; // ms until what the server did not answer is asked again

export let questions = 0;
export let hurry = null; // asks now what waits until the page is drawn

/**
 * Ask the server, by the open socket or by a request of its own, and show the table that it answers with. What is known
 * ahead is drawn first: on few cores the server's work would take the time of drawing.
 */
export async function ask(url, form = null) {
  hurry?.();
  const number = ++questions;
  const address = new URL(url, location);
  const pressed = form || address.href !== page.address.href; // else the page looks whether there is something new
  const question = wording(address, form);
  const ahead = question && foretold.get(question);
  const display = (html, parsed = null) => {
    page.address = form ? new URL(location.pathname, location) : address;
    show(html, false, parsed);
    setTimeout(note, NOTE);
  };
  const put = () => {
    hurry = null;
    return question && bySocket(number, question);
  };
  try {
    const answer = ahead ? new Promise((asked) => (hurry = afterFrame(() => asked(put())))) : put();
    settle(); // a glide would take the time of the answer
    if (ahead) display(ahead.html, form ? unsaid(ahead.parsed) : ahead.parsed);
    const html = (await answer) ?? (await byRequest(address, form));
    if (html === undefined) return; // the page is left
    if (number !== questions && !form) return; // a later choice is on its way
    if (!ahead || html !== page.shown) display(html); // what is older may have been drawn over it
    else if (form) live().dataset.version = Math.max(version(live()), versionOf(html));
    if (form || (pressed && !page.waiting?.form)) page.waiting = null;
    say("");
  } catch {
    if (pressed && (form || !page.waiting?.form)) page.waiting = { address, form };
    wait();
  }
}

for (const leaving of ["pagehide", "visibilitychange"]) addEventListener(leaving, () => hurry?.(), true);

let retry = null;
let again = null; // what waited is being asked

/** The server is away: what was pressed is asked again until it answers, a decision before any choice. */
function wait() {
  sayAway();
  clearTimeout(retry);
  if (page.waiting) retry = setTimeout(askAgain, RETRY);
}

/** Ask what waits, if something does: once, however often the server shows that it is back. */
export function askAgain() {
  if (!page.waiting || again) return;
  clearTimeout(retry);
  again = ask(page.waiting.address, page.waiting.form).finally(() => (again = null));
}

/** What is expected of a decision, with the version that the page has: until the server says so it is not newer. */
function unsaid(parsed) {
  parsed.getElementById("table")?.setAttribute("data-version", version(live()));
  return parsed;
}

/** Let the browser show the address of what the page shows; it takes the browser as long as drawing, so that comes first. */
function note() {
  if (page.address.href !== location.href) history.replaceState(null, "", page.address);
}

/** Ask for something that the server has to think about: the button says so, then the page is drawn as it is by then. */
async function ponder(form) {
  const button = form.querySelector("button");
  if (button.ariaBusy === "true") return;
  const said = button.ariaLabel;
  button.ariaBusy = "true";
  button.ariaLabel = button.querySelector("span").textContent = form.dataset.busy;
  let refused = "";
  try {
    const answer = await fetch(form.action, { method: "POST", headers: { "Atoll-Fragment": rounds() } });
    if (!answer.ok) refused = await answer.text();
  } catch {
    button.ariaBusy = null; // the next question says that the server is away
    button.ariaLabel = button.querySelector("span").textContent = said;
  }
  await ask(page.address);
  if (refused) show(refused);
}

/** What a form asks: an address and, if it changes something, its fields. */
export function questionOf(form, submitter) {
  const address = new URL(form.action);
  const fields = new URLSearchParams(new FormData(form, submitter));
  if (form.method === "post") return [address, fields];
  address.search = fields;
  return [address, null];
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!live()?.contains(form)) return;
  const [address, fields] = questionOf(form, event.submitter);
  event.preventDefault();
  form.closest("[popover]")?.hidePopover(); // what comes of it is behind the menu
  if (form.dataset.busy) return ponder(form);
  if (!fields && address.pathname !== location.pathname) return location.assign(address);
  ask(address, fields);
});

/** To choose again is to show the table with nothing chosen: a page loaded anew would lose its place and the focus. */
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#bar a.cancel");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  ask(link.href);
});
