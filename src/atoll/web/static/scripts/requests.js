// Requests: sends choices and moves to the server, and shows its answers.
import { settle } from "./motion.js";
import { byRequest, bySocket } from "./socket.js";
import { live, page, rounds, showMessage, showAway } from "./table.js";
import { show } from "./update.js";

const RETRY = 1000; // ms until an unanswered request is sent again

export let questions = 0;

/** Ask the server, by the open socket or by a request of its own, and show the table that it answers with. */
export async function ask(url, form = null) {
  const number = ++questions;
  const address = new URL(url, location);
  const isChoice = form || address.href !== page.address.href; // else it only asks for news
  try {
    const answer = bySocket(number, address, form);
    settle(); // animations would delay the answer
    const html = (await answer) ?? (await byRequest(address, form));
    if (html === undefined) return; // another page is opened
    if (number !== questions && !form) return; // a later choice is on its way
    page.address = form ? new URL(location.pathname, location) : address;
    show(html);
    if (form || (isChoice && !page.waiting?.form)) page.waiting = null;
    showMessage("");
  } catch {
    if (isChoice && (form || !page.waiting?.form)) page.waiting = { address, form };
    scheduleRetry();
  }
}

let retry = null;
let retrying = null; // the request that is being retried

/** Send the waiting request again until the server answers; a move takes precedence over a choice. */
function scheduleRetry() {
  showAway();
  clearTimeout(retry);
  if (page.waiting) retry = setTimeout(retryNow, RETRY);
}

/** Send the waiting request now, unless it is on its way. */
export function retryNow() {
  if (!page.waiting || retrying) return;
  clearTimeout(retry);
  retrying = ask(page.waiting.address, page.waiting.form).finally(() => (retrying = null));
}

/** Ask a question that takes the server a while: the button shows that it is busy, then the page is updated. */
async function askSlowly(form) {
  const button = form.querySelector("button");
  if (button.ariaBusy === "true") return;
  const label = button.ariaLabel;
  button.ariaBusy = "true";
  button.ariaLabel = button.querySelector("span").textContent = form.dataset.busy;
  let refusal = "";
  try {
    const found = await import("./later/hints.js").then(({ searchHere }) => searchHere(form.action)).catch(() => null);
    const answer = await fetch(form.action, { method: "POST", body: found, headers: { "Atoll-Fragment": rounds() } });
    if (!answer.ok) refusal = await answer.text();
  } catch {
    button.ariaBusy = null; // the next question says that the server is away
    button.ariaLabel = button.querySelector("span").textContent = label;
  }
  await ask(page.address);
  if (refusal) show(refusal);
}

/** The address of a form and, for a POST, its fields. */
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
  form.closest("[popover]")?.hidePopover(); // the result is behind the menu
  if (form.dataset.busy) return askSlowly(form);
  if (!fields && address.pathname !== location.pathname) return location.assign(address);
  const button = event.submitter;
  button?.classList.add("taken"); // until there is an answer
  ask(address, fields).finally(() => button?.classList.remove("taken"));
});

/** Cancelling a choice updates the table in place, which keeps scroll position and focus. */
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#bar a.cancel");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  ask(link.href);
});
