// Requests: what is chosen and decided goes to the server, and its answer is shown.
import { settle } from "./motion.js";
import { byRequest, bySocket } from "./socket.js";
import { live, page, rounds, say, sayAway } from "./table.js";
import { show } from "./update.js";

const RETRY = 1000; // ms until what the server did not answer is asked again

export let questions = 0;

/** Ask the server, by the open socket or by a request of its own, and show the table that it answers with. */
export async function ask(url, form = null) {
  const number = ++questions;
  const address = new URL(url, location);
  const pressed = form || address.href !== page.address.href; // else the page looks whether there is something new
  try {
    const answer = bySocket(number, address, form);
    settle(); // a glide would take the time of the answer
    const html = (await answer) ?? (await byRequest(address, form));
    if (html === undefined) return; // the page is left
    if (number !== questions && !form) return; // a later choice is on its way
    page.address = form ? new URL(location.pathname, location) : address;
    show(html);
    if (form || (pressed && !page.waiting?.form)) page.waiting = null;
    say("");
  } catch {
    if (pressed && (form || !page.waiting?.form)) page.waiting = { address, form };
    wait();
  }
}

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
function questionOf(form, submitter) {
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
  const button = event.submitter;
  button?.classList.add("taken"); // until there is an answer
  ask(address, fields).finally(() => button?.classList.remove("taken"));
});

/** To choose again is to show the table with nothing chosen: a page loaded anew would lose its place and the focus. */
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#bar a.cancel");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  ask(link.href);
});
