// Updates: a new live part is morphed into the one that is shown.
import { announce } from "./announcements.js";
import { afterFrame, boxes, holdClass, glide, gliding, keepPace, moves, settle } from "./motion.js";
import { byRequest } from "./socket.js";
import { rove } from "./tab_stops.js";
import { LATER, digests, isLeftOut, live, page, parse, showMessage, showAway, version, versionOf } from "./table.js";

/** Whether somebody has chosen or written something in a field of the menu that the server has not got yet. */
const isFilled = (field, fresh) =>
  field.matches("#menu :is(select, input)") &&
  field.value !== fresh.value &&
  field.value !== (field.options ? (field.querySelector("[selected]") ?? field.options[0])?.value : field.defaultValue);

const MORPH = {
  onBeforeNodeDiscarded: (old) => old.id !== "line", // a message over the bar stays until it is replaced
  onBeforeNodeAdded: (fresh) => (isLeftOut(fresh) ? requestAll() : fresh),
  onBeforeElUpdated: (old, fresh) => {
    if (old.id === "news" || "kept" in old.dataset || isFilled(old, fresh)) return false; // what is announced, whole pages alone have, or is not sent yet
    if (fresh.localName === "details") fresh.open = old.open; // open details stay open
    if (!isLeftOut(fresh)) return !old.isEqualNode(fresh); // skips equal parts, which are most of a table
    return old.dataset.digest === fresh.dataset.digest ? false : requestAll();
  },
};
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let finish = null; // the second half of the last update, which waits for a frame

/** Finish the last update now. */
export const finishUpdate = () => finish?.();

/** Show a live part, unless it is older than the one that is shown (then false); `news` has to be newer. */
export function show(html, news = false) {
  if (news && versionOf(html) <= version(live())) return;
  const parsed = parse(html);
  const fresh = parsed.getElementById("table");
  const table = live();
  if (!fresh) {
    showMessage(parsed.body.textContent.trim());
    return;
  }
  const isPast = "past" in fresh.dataset; // where versions may fall
  const isReplay = isPast || "past" in table.dataset;
  if (version(fresh) < version(table) && !isPast) return false;
  if (isLeftOut(fresh) && table.dataset.digest !== fresh.dataset.digest) return requestAll();
  const happened = version(fresh) > version(table);
  finish?.();
  holdClass("hushed");
  const moving = !document.hidden && !calm.matches;
  const before = moving ? boxes(table) : null;
  const sources = moving ? sourcesOf(fresh, table, before) : null;
  const heard = happened && !isReplay && !document.hidden && document.documentElement.dataset.sound !== "off" ? signs(table) : null;
  const hasEnded = fresh.matches(".over") && !table.matches(".over") && !isReplay;
  const isStill = !gliding.size; // pieces that glide in unchanged parts go on
  settle();
  const focused = document.activeElement;
  if (!news && table.contains(focused)) focused.blur(); // else a change of its attributes forces a layout
  const open = [...table.querySelectorAll(":popover-open")].map(({ id }) => id);
  rove(fresh, focused);
  const drawLater = morph(table, fresh, html.split(LATER)[1]);
  const now = live();
  document.title = document.getElementById("bar").dataset.title;
  const follow = document.getElementById("verdict")?.dataset.follow;
  if (follow && news) location.assign(follow); // all have agreed to play again
  rove(now, focused); // parts that were left out may have other tab stops
  for (const id of open) {
    const part = document.getElementById(id);
    if (part?.popover && !part.matches(":popover-open")) part.showPopover();
  }
  const moved = moving ? moves(before, boxes(now, isStill ? before : undefined), sources, happened) : [];
  glide(moved);
  finish = afterFrame(() => {
    refocus(focused);
    drawLater?.();
    keepPace();
    announce(isReplay);
    if (heard) import("./later/sounds.js").then(({ play }) => play(live(), heard));
    reveal(now);
    if (hasEnded) showScore(now);
    if (page.address.href !== location.href) history.replaceState(null, "", page.address);
  });
}

/** By what one hears what changes. */
const signs = (table) => ({
  log: table.querySelector(".log-rounds")?.textContent,
  mine: Boolean(table.querySelector("#bar.mine")),
  over: table.matches(".over"),
  turned: Array.from(table.querySelectorAll(".revealed[id], .turned[id]"), ({ id }) => id),
});

/** Morph the parts that differ, or the whole table. Returns a function that morphs the deferred parts. */
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
    if (digests(table) !== fresh.dataset.has) requestAll();
  };
}

/** Keep the rounds of the log that the server left out, before the newer ones. */
function keepRounds(table, fresh) {
  const log = fresh.querySelector(".log-rounds");
  if (!log || "past" in table.dataset) return;
  const first = log.firstElementChild;
  const number = (round) => Number(round?.id.slice("log-round-".length));
  for (const round of table.querySelectorAll(".log-round")) {
    if (log.querySelector(`#${round.id}`) || number(round) > number(first)) continue; // an undone round
    const same = round.cloneNode(false);
    same.dataset.same = "";
    log.insertBefore(same, first);
  }
}

/** Scroll to the element that a lesson asks for. */
export function reveal(table) {
  if (table.querySelector("#bar.teaching .cancel")) return; // the button is in the bar
  table.querySelector("main .asked")?.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
}

/** Scroll to the final score, which comes above all else when a game ends. */
function showScore(table) {
  table.querySelector("#main").scrollTop = 0;
  table.scrollIntoView({ block: "start" });
}

let request = null;

/** Request the whole live part, since the server has other digests than this page. */
export function requestAll() {
  const { href } = page.address;
  request ??= byRequest(page.address)
    .then(
      (html) => html && page.address.href === href && show(html), // else the viewer has chosen something meanwhile
      () => showAway(),
    )
    .then((done) => {
      request = null;
      if (done === false) requestAll(); // the table has changed meanwhile
    });
  return false;
}

/** The boxes of the elements from which new pieces come. */
function sourcesOf(fresh, table, before) {
  const result = new Map();
  for (const piece of fresh.querySelectorAll("[data-from]")) {
    if (before.has(piece.id)) continue;
    const source = table.querySelector(`#${CSS.escape(piece.dataset.from)}`);
    if (source) result.set(source.id, source.getBoundingClientRect());
  }
  return result;
}

/** Restore the focus: on the same element, else on the confirming button, else on the prompt. */
function refocus(focused) {
  if (!focused || focused === document.body || document.activeElement !== document.body) return;
  const same = focused.isConnected ? focused : focused.id && document.getElementById(focused.id);
  const next = same || document.getElementById("confirm") || document.getElementById("prompt");
  if (!next) return;
  if (next.id === "prompt") next.tabIndex = -1;
  next.focus({ preventScroll: true });
}
