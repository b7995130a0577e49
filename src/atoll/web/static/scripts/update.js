// Updates: a live part takes the place of the one that is shown.
import { announce } from "./announcements.js";
import { afterFrame, boxes, during, glide, gliding, moves, settle } from "./motion.js";
import { byRequest } from "./socket.js";
import { rove } from "./tab_stops.js";
import { LATER, digests, isLeftOut, live, page, parse, say, sayAway, version, versionOf } from "./table.js";

/** Whether somebody has chosen or written something in a field of the menu that the server has not got yet. */
const isFilled = (field, fresh) =>
  field.matches("#menu :is(select, input)") &&
  field.value !== fresh.value &&
  field.value !== (field.options ? (field.querySelector("[selected]") ?? field.options[0])?.value : field.defaultValue);

const MORPH = {
  onBeforeNodeDiscarded: (old) => old.id !== "line", // what is said over the bar stays until something else is
  onBeforeNodeAdded: (fresh) => (isLeftOut(fresh) ? missed() : fresh),
  onBeforeElUpdated: (old, fresh) => {
    if (old.id === "news" || isFilled(old, fresh)) return false; // what was announced, what is not sent yet
    if (fresh.localName === "details") fresh.open = old.open; // what is opened stays open
    if (!isLeftOut(fresh)) return !old.isEqualNode(fresh); // most of a table stays as it is
    return old.dataset.digest === fresh.dataset.digest ? false : missed();
  },
};
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let finish = null; // does now what has been put off until the page is drawn

/** Do what waits for the page to be drawn. */
export const finishNow = () => finish?.();

/** Put a live part in the place of the one that is shown, unless it is older (then false); news must be newer. */
export function show(html, news = false) {
  if (news && versionOf(html) <= version(live())) return;
  const parsed = parse(html);
  const fresh = parsed.getElementById("table");
  const table = live();
  if (!fresh) {
    say(parsed.body.textContent.trim());
    return;
  }
  const past = "past" in fresh.dataset; // where one steps back too
  const stepped = past || "past" in table.dataset;
  if (version(fresh) < version(table) && !past) return false;
  if (isLeftOut(fresh) && table.dataset.digest !== fresh.dataset.digest) return missed();
  const happened = version(fresh) > version(table);
  finish?.();
  during("hushed");
  const moving = !document.hidden && !calm.matches;
  const before = moving ? boxes(table) : null;
  const sources = moving ? sourcesOf(fresh, table, before) : null;
  const still = !gliding.size; // what glides in a part that stays as it is has to go on
  settle();
  const focused = document.activeElement;
  if (!news && table.contains(focused)) focused.blur(); // else the browser lays the page out when its attributes change
  const open = [...table.querySelectorAll(":popover-open")].map(({ id }) => id);
  rove(fresh, focused);
  const late = morph(table, fresh, html.split(LATER)[1]);
  const now = live();
  document.title = document.getElementById("bar").dataset.title;
  rove(now, focused); // what was left out has its own idea of the tab stops
  for (const id of open) {
    const part = document.getElementById(id);
    if (part?.popover && !part.matches(":popover-open")) part.showPopover();
  }
  const moved = moving ? moves(before, boxes(now, still ? before : undefined), sources, happened) : [];
  glide(moved);
  finish = afterFrame(() => {
    refocus(focused);
    late?.();
    announce(stepped);
    reveal(now);
    if (page.address.href !== location.href) history.replaceState(null, "", page.address);
  });
}

/** Make the table what it should be: what differs, or all of it. Returns what draws the parts that come later. */
function morph(table, fresh, later) {
  if (!isLeftOut(fresh)) {
    keepRounds(table, fresh);
    return void morphdom(table, fresh, MORPH);
  }
  const draw = (part) => {
    const old = document.getElementById(part.id);
    if (old) morphdom(old, part, MORPH);
  };
  [...fresh.children].forEach(draw);
  table.dataset.version = fresh.dataset.version;
  return () => {
    const { body } = parse(later ?? "");
    keepRounds(table, body);
    [...body.children].forEach(draw);
    if (digests(table) !== fresh.dataset.has) missed();
  };
}

/** The server leaves out the rounds that the log has: they stay where they are, before the newer ones. */
function keepRounds(table, fresh) {
  const log = fresh.querySelector(".log-rounds");
  if (!log || "past" in table.dataset) return;
  const first = log.firstElementChild;
  const number = (round) => Number(round?.id.slice("log-round-".length));
  for (const round of table.querySelectorAll(".log-round")) {
    if (log.querySelector(`#${round.id}`) || number(round) > number(first)) continue; // a later one was taken back
    const same = round.cloneNode(false);
    same.dataset.same = "";
    log.insertBefore(same, first);
  }
}

/** Bring what a lesson asks for into the window. */
export function reveal(table) {
  if (table.querySelector("#bar.teaching .cancel")) return; // its button is in the bar
  table.querySelector("main .asked")?.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
}

let asking = null;

/** The server was wrong about what this page has: ask for all of it. */
export function missed() {
  const { href } = page.address;
  asking ??= byRequest(page.address)
    .then(
      (html) => html && page.address.href === href && show(html), // else something was pressed meanwhile
      () => sayAway(),
    )
    .then((done) => {
      asking = null;
      if (done === false) missed(); // the table has changed meanwhile
    });
  return false;
}

/** Boxes of what pieces come from that were nowhere before. */
function sourcesOf(fresh, table, before) {
  const found = new Map();
  for (const piece of fresh.querySelectorAll("[data-from]")) {
    if (before.has(piece.id)) continue;
    const source = table.querySelector(`#${CSS.escape(piece.dataset.from)}`);
    if (source) found.set(source.id, source.getBoundingClientRect());
  }
  return found;
}

/** Keep the keyboard where it was: on the same element, else on the button that carries the move out, else on the bar. */
function refocus(focused) {
  if (!focused || focused === document.body || document.activeElement !== document.body) return;
  const same = focused.isConnected ? focused : focused.id && document.getElementById(focused.id);
  const next = same || document.getElementById("confirm") || document.getElementById("prompt");
  if (!next) return;
  if (next.id === "prompt") next.tabIndex = -1;
  next.focus({ preventScroll: true });
}
