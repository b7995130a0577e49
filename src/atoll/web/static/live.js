// Keeps a table up to date without loading the page anew: sends forms, morphs the answer in and lets pieces glide.
"use strict";

const GLIDE = 300; // ms, one piece
const APART = 80; // ms between one piece and the next
const TOGETHER = 900; // ms, all of them
const STEP = 10; // pixels that a piece need not glide which only makes room
const POLL = 3000; // ms between looks when sockets do not work
const LOOK = [100, 1000]; // ms between looks how far the rules are, the first and the most
const NOTE = 100; // ms from a choice to its address
const REST = 30; // ms until a pointer is taken to mean where it is
const PATIENCE = 3000; // ms for the socket to answer
const IDLE = 60; // ms after the page has changed until what may be pressed next is looked at
const AHEAD = 12; // buttons that are looked at, the most
const DRAWINGS = 2; // drawings read at once while nothing else is to be done
const LULL = 1000; // ms after which what may be pressed shimmers again, and what was pressed tells its meaning
const HELD = 500; // ms until drawings are read again after a button was held down
const LATER = "<!--later-->"; // stands before what may be drawn a frame after the rest (web/pages/regions.py)
const PRESSES = ["Enter", " "]; // keys that press what has the focus
const KEYS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

const MORPH = {
  onBeforeNodeAdded: (fresh) => (isLeftOut(fresh) ? missed() : fresh),
  onBeforeElUpdated: (old, fresh) => {
    if (!isLeftOut(fresh)) return !old.isEqualNode(fresh); // most of a table stays as it is
    return old.dataset.digest === fresh.dataset.digest ? false : missed();
  },
};
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** Whether the server left out the inside of an element, since this page has it (web/pages/regions.py). */
const isLeftOut = (element) => element.dataset && "same" in element.dataset;
const live = () => document.getElementById("table");
const rounds = () => live().querySelectorAll(".log-round").length;
/** The digests of the parts that this page has, in their order. */
const digests = (table) => Array.from(table.querySelectorAll("[data-digest]"), (part) => part.dataset.digest).join(" ");
const version = (table) => Number(table.dataset.version);
/** The version of a live part that is not read yet. */
const versionOf = (html) => Number(/data-version="(\d+)"/.exec(html.slice(0, 400))?.[1]);

// Motion

const gliding = new Set();
let stood = null; // where everything stood when a button was pressed down, until something moves

/** Where every part and piece is drawn now; nothing of the pieces in parts that are what they were `before`. */
function boxes(table, before = new Map()) {
  const found = new Map();
  const same = new Set();
  for (const part of [table, ...table.querySelectorAll("[data-digest]")]) {
    const box = part.getBoundingClientRect();
    const { digest } = part.dataset;
    const was = before.get(part.id);
    if (was?.digest === digest && was.box.width === box.width && was.box.height === box.height) same.add(part);
    found.set(part.id, { box, digest });
  }
  for (const piece of table.querySelectorAll(".piece[id]")) {
    const part = piece.closest("[data-digest]");
    if (!same.has(part)) found.set(piece.id, { box: piece.getBoundingClientRect(), part: part.id });
  }
  return found;
}

/**
 * The pieces that stand elsewhere than before, and how far from there, in the order in which they moved. Where nothing
 * `happened`, the last move's pieces do not move once more: the page makes room.
 */
function moves(before, now, old, happened) {
  const moved = [];
  for (const [id, { box, part }] of now) {
    if (!part) continue; // it is one
    const piece = document.getElementById(id);
    const from = before.get(id)?.box ?? old.get(piece.dataset.from);
    if (!from || !from.width || !box.width) continue;
    const order = happened ? Number(piece.dataset.order ?? -1) : -1;
    let x = from.x + from.width / 2 - box.x - box.width / 2;
    let y = from.y + from.height / 2 - box.y - box.height / 2;
    if (order < 0 && before.get(id)?.part === part && Math.hypot(x, y) > STEP) {
      x -= before.get(part).box.x - now.get(part).box.x; // the part has taken it along
      y -= before.get(part).box.y - now.get(part).box.y;
    }
    if (Math.hypot(x, y) > (order < 0 ? STEP : 2)) moved.push({ piece, x, y, order });
  }
  return moved.sort((one, other) => one.order - other.order);
}

/** Let pieces glide to where they stand. */
function glide(moved) {
  const apart = Math.min(APART, (TOGETHER - GLIDE) / Math.max(1, moved.length - 1));
  const first = moved.findIndex((step) => step.order >= 0); // what only made room moves at once
  moved.forEach(({ piece, x, y, order }, place) => {
    const delay = order < 0 ? 0 : (place - first) * apart;
    const steps = [{ translate: `${x}px ${y}px` }, { translate: "0 0" }];
    piece.classList.add("glide");
    const running = piece.animate(steps, { duration: GLIDE, delay, easing: "ease-out", fill: "backwards" });
    gliding.add(running);
    running.onfinish = () => {
      gliding.delete(running);
      piece.classList.remove("glide");
    };
  });
}

/** Let nothing glide any more. */
function settle() {
  for (const running of gliding) {
    running.cancel();
    running.effect.target.classList.remove("glide");
  }
  gliding.clear();
}

const lulls = new Map();

/**
 * Give the page a class until there has been a lull. While somebody plays (`hushed`) nothing shimmers: each thing that
 * does has a layer of its own, which every frame pays for. While this one presses (`pressing`) nothing tells its meaning
 * under the pointer: it would be laid out in the frame that shows what was pressed.
 */
function during(name) {
  const { classList } = document.documentElement;
  classList.add(name);
  clearTimeout(lulls.get(name));
  lulls.set(name, setTimeout(() => classList.remove(name), LULL));
}

/** What is drawn at once, parsed. */
const parse = (html) => new DOMParser().parseFromString(html.split(LATER, 1)[0], "text/html");

/** Do something once the next frame is drawn; returns what does it now, unless it is done. */
function afterFrame(then) {
  let due = true;
  const now = () => {
    if (!due) return;
    due = false;
    then();
  };
  if (document.hidden) now();
  else requestAnimationFrame(() => setTimeout(now));
  return now;
}

let finish = null; // does now what has been put off until the page is drawn

/** Put a live part in the place of the one that is shown, unless it is older (then false); news must be newer. */
function show(html, news = false, parsed = null) {
  if (news && versionOf(html) <= version(live())) return;
  parsed ??= parse(html);
  const fresh = parsed.getElementById("table");
  const table = live();
  if (!fresh) {
    say(parsed.body.textContent.trim());
    return;
  }
  if (version(fresh) < version(table)) return false;
  if (isLeftOut(fresh) && table.dataset.digest !== fresh.dataset.digest) return missed();
  const happened = versionOf(html) > version(table); // what is expected of a decision has its version in the text alone
  forget();
  finish?.();
  during("hushed");
  const moving = !document.hidden && !calm.matches;
  const before = moving ? (stood ?? boxes(table)) : null;
  stood = null;
  const sources = moving ? sourcesOf(fresh, table, before) : null;
  const still = !gliding.size; // what glides in a part that stays as it is has to go on
  settle();
  const focused = document.activeElement;
  if (!news && table.contains(focused)) focused.blur(); // else the browser lays the page out when its attributes change
  const open = [...table.querySelectorAll(":popover-open")].map((shown) => shown.id);
  rove(fresh, focused);
  const late = morph(table, fresh, html.split(LATER)[1]);
  const now = live();
  rove(now, focused); // what was left out has its own idea of the tab stops
  for (const id of open) {
    const shown = document.getElementById(id);
    if (shown?.popover && !shown.matches(":popover-open")) shown.showPopover();
  }
  const moved = moving ? moves(before, boxes(now, still ? before : undefined), sources, happened) : [];
  glide(moved);
  finish = afterFrame(() => {
    refocus(focused);
    late?.();
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

/** The server leaves out the rounds that the log has: they stay where they are, after the newer ones. */
function keepRounds(table, fresh) {
  const log = fresh.querySelector(".log-lines");
  if (!log) return;
  for (const round of table.querySelectorAll(".log-round")) {
    if (log.querySelector(`#${round.id}`)) continue;
    const same = round.cloneNode(false);
    same.dataset.same = "";
    log.append(same);
  }
}

let asking = null;

/** The server was wrong about what this page has: ask for all of it. */
function missed() {
  asking ??= byRequest(here)
    .then(
      (html) => html && show(html),
      () => say(document.body.dataset.away),
    )
    .then((shown) => {
      asking = null;
      if (shown === false) missed(); // the table has changed meanwhile
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

/** Say something that the server did not say. */
function say(text) {
  let line = document.getElementById("line");
  if (!text) return line?.remove();
  if (!line) {
    line = document.createElement("p");
    line.id = "line";
    line.className = "notice";
    line.setAttribute("role", "status");
    live().before(line);
  }
  if (line.textContent !== text) line.textContent = text;
}

// Choosing and deciding

let questions = 0;
let hurry = null; // asks now what waits until the page is drawn
let here = new URL(location); // with what is chosen
const owed = new Map(); // what the socket has been asked, by number, and what takes its answer

/**
 * Ask the server, by the open socket or by a request of its own, and show the table that it answers with. What is known
 * ahead is drawn first: on few cores the server's work would take the time of drawing.
 */
async function ask(url, form = null) {
  hurry?.();
  const number = ++questions;
  const address = new URL(url, location);
  const question = wording(address, form);
  const ahead = question && foretold.get(question);
  const display = (html, parsed = null) => {
    here = form ? new URL(location.pathname, location) : address;
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
    if (html !== ahead?.html) display(html);
    else if (form) live().dataset.version = Math.max(version(live()), versionOf(html));
    say("");
  } catch {
    say(document.body.dataset.away);
    if (ahead && form) doubt();
  }
}

for (const leaving of ["pagehide", "visibilitychange"]) addEventListener(leaving, () => hurry?.(), true);

let inDoubt = false;

/** The page shows a decision that the server may not have heard: show what it has, as soon as it can be asked. */
function doubt() {
  inDoubt = !connected();
  if (!inDoubt) missed();
}

/** What is expected of a decision, with the version that the page has: until the server says so it is not newer. */
function unsaid(parsed) {
  parsed.getElementById("table")?.setAttribute("data-version", version(live()));
  return parsed;
}

/** Let the browser show the address of what the page shows; it takes the browser as long as drawing, so that comes first. */
function note() {
  if (here.href !== location.href) history.replaceState(null, "", here);
}

const connected = () => socket?.readyState === WebSocket.OPEN;

/** A question as it is put to the socket; nothing if the socket does not take it. */
function wording(address, form) {
  const name = address.pathname.slice(location.pathname.length + 1);
  if (!connected() || !["", "moves", "take-back"].includes(name)) return;
  return `${rounds()} ${name}?${form ?? address.searchParams}`;
}

/** The socket's answer; nothing if it does not answer, and nothing is lost by asking again. */
function bySocket(number, question) {
  if (!connected()) return;
  socket.send(`${number} ${question}`);
  return new Promise((answer) => {
    owed.set(number, answer);
    setTimeout(() => owed.delete(number) && answer(), PATIENCE);
  });
}

/** The answer to any form; another page is gone to. */
async function byRequest(address, form) {
  if (connected()) socket.send(`0 0 ?${form ? "" : address.searchParams}`);
  const method = form ? "POST" : "GET";
  const answer = await fetch(address, { method, body: form, headers: { "Atoll-Fragment": rounds() } });
  const arrived = new URL(answer.url);
  if (!answer.redirected || [location.pathname, address.pathname].includes(arrived.pathname)) return answer.text();
  location.assign(arrived);
}

/** Give an answer to who asked, and keep one that may be asked for; what nobody asked for is news. */
function hear(message) {
  const end = message.data.indexOf("\n");
  const head = message.data.slice(0, end);
  const html = message.data.slice(end + 1);
  if (head.startsWith("soon ")) return learn(head.slice(5), html);
  const answer = owed.get(Number(head));
  if (!answer) return show(html, true);
  owed.delete(Number(head));
  answer(html);
}

/** Ask for something that the server has to think about: the button says so, then the page is drawn as it is by then. */
async function ponder(form) {
  const button = form.querySelector("button");
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  button.ariaLabel = button.querySelector("span").textContent = form.dataset.busy;
  let refused = "";
  try {
    const answer = await fetch(form.action, { method: "POST", headers: { "Atoll-Fragment": rounds() } });
    if (!answer.ok) refused = await answer.text();
  } catch {
    // the next question says that the server is away
  }
  await ask(here);
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
  if (form.dataset.busy) return ponder(form);
  if (!fields && address.pathname !== location.pathname) return location.assign(address);
  ask(address, fields);
});

// What may be pressed next: the server says ahead what it would answer, or at least makes ready to

const foretold = new Map(); // answers by their questions: as they came, and parsed
let foretelling = new Set(); // questions that the server has been told of since the page last changed
let intent = null;
let idle = null;

/** Tell the server what would be asked by a press. Returns whether there is something to tell. */
function foretell(button) {
  const form = button.form;
  if (!form || form.dataset.busy || !live()?.contains(form)) return false;
  const question = wording(...questionOf(form, button));
  if (!question || foretelling.has(question)) return false;
  foretelling.add(question);
  socket.send(`soon ${question}`);
  return true;
}

/** Keep what would be answered, and go on to the next button. */
function learn(question, html) {
  if (!foretelling.has(question)) return; // of a page that is gone
  if (html) foretold.set(question, { html, parsed: parse(html) });
  clearTimeout(idle);
  idle = setTimeout(lookAhead);
}

/** Foretell what is pressed next in the likeliest case: what carries out the move, else any of the pieces. */
function lookAhead() {
  if (document.hidden || navigator.connection?.saveData || foretelling.size >= AHEAD) return;
  const sure = document.getElementById("confirm");
  const buttons = sure ? [sure] : live().querySelectorAll("main button.press[type=submit]");
  for (const button of buttons) if (foretell(button)) return;
}

/** The page changes: what was foretold is over. */
function forget() {
  foretold.clear();
  foretelling = new Set();
  clearTimeout(idle);
  idle = setTimeout(lookAhead, IDLE);
}

/** Foretell what the pointer or the focus rests on. */
function rest({ target }) {
  clearTimeout(intent);
  const button = target.closest?.("button");
  if (button) intent = setTimeout(foretell, REST, button);
}

document.addEventListener("pointerover", rest);
document.addEventListener("focusin", rest);
document.addEventListener("pointerdown", ({ target }) => {
  clearTimeout(intent);
  const button = target.closest?.("#table button");
  if (!button) return;
  foretell(button);
  during("hushed");
  during("pressing");
  settle(); // glides would take the time of the answer
  stood = boxes(live());
});
for (const shift of ["scroll", "resize"]) addEventListener(shift, () => (stood = null), true);

document.addEventListener("keydown", (event) => {
  const table = live();
  if (!table || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape" && here.search && !table.querySelector(":popover-open")) return ask(location.pathname);
  if (event.target === document.body) finish?.(); // nothing has the focus until the page is drawn
  const focused = document.activeElement;
  if (focused !== event.target && PRESSES.includes(event.key) && !event.repeat && focused.matches("button")) {
    event.preventDefault();
    return focused.click();
  }
  const group = focused.closest("[data-keys]");
  if (!group || !KEYS[event.key]) return;
  const buttons = buttonsOf(group);
  const next = buttons[(buttons.indexOf(focused) + KEYS[event.key] + buttons.length) % buttons.length];
  if (!next) return;
  event.preventDefault();
  for (const button of buttons) button.setAttribute("tabindex", button === next ? 0 : -1);
  next.focus();
});

/** The buttons of a group, without those of a group inside it. */
function buttonsOf(group) {
  return [...group.querySelectorAll("button.press")].filter((button) => button.closest("[data-keys]") === group);
}

/** One tab stop in each group of buttons. */
function rove(table, focused) {
  for (const group of table.querySelectorAll("[data-keys]")) {
    const buttons = buttonsOf(group);
    const stop = buttons.find((button) => button.id && button.id === focused?.id) ?? buttons[0];
    for (const button of buttons) {
      const index = button === stop ? "0" : "-1";
      if (button.getAttribute("tabindex") !== index) button.setAttribute("tabindex", index);
    }
  }
}

// Dragging: a piece with data-drag is dropped on a place with data-drop; together they name the parts that are chosen

const SLACK = 8; // pixels before a press becomes a drag
let drag = null;

/** The place under the pointer on which a piece may be dropped. */
function placeUnder(event) {
  const below = document.elementsFromPoint(event.clientX, event.clientY);
  return below.find((element) => !drag.piece.contains(element) && element.closest("[data-drop]"))?.closest("[data-drop]");
}

/** A drag is no press, although a click follows it. */
function swallow(click) {
  click.preventDefault();
  click.stopPropagation();
}

/** Stop dragging; the piece stays where it is drawn until `settle` puts it back or the table is drawn anew. */
function endDrag(settle) {
  const { piece, place } = drag;
  drag = null;
  live().classList.remove("dragging");
  place?.classList.remove("under");
  piece.classList.remove("dragged");
  if (settle) piece.style.translate = "";
}

document.addEventListener("pointerdown", (event) => {
  const source = event.button === 0 && live()?.contains(event.target) && event.target.closest("[data-drag]");
  const piece = source && (source.matches(".piece") ? source : source.querySelector(".piece"));
  if (piece) drag = { piece, parts: source.dataset.drag, x: event.clientX, y: event.clientY, moving: false, id: event.pointerId };
});

document.addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  const x = event.clientX - drag.x;
  const y = event.clientY - drag.y;
  if (!drag.piece.isConnected) return endDrag(true);
  if (!drag.moving && Math.hypot(x, y) < SLACK) return;
  if (!drag.moving) {
    drag.moving = true;
    stood = null;
    live().classList.add("dragging");
    drag.piece.classList.add("dragged");
    for (const running of drag.piece.getAnimations()) running.cancel();
  }
  drag.piece.style.translate = `${x}px ${y}px`;
  const place = placeUnder(event);
  if (place === drag.place) return;
  drag.place?.classList.remove("under");
  place?.classList.add("under");
  drag.place = place;
});

document.addEventListener("pointerup", (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  if (!drag.moving) return void (drag = null);
  const place = drag.place;
  const { piece, parts } = drag;
  addEventListener("click", swallow, true);
  setTimeout(() => removeEventListener("click", swallow, true));
  endDrag(!place);
  if (!place) return;
  const fields = [parts, place.dataset.drop].filter(Boolean).join("&");
  ask(`${location.pathname}?${fields}`).finally(() => (piece.style.translate = ""));
});

document.addEventListener("pointercancel", () => drag && endDrag(true));
document.addEventListener("dragstart", (event) => live()?.contains(event.target) && event.preventDefault());

// News

let socket = null;
let failed = 0;
let poll = null;

/** Wait for news: by a socket, or by looking every few seconds where sockets do not work. */
function connect() {
  const url = new URL(`${location.pathname}/live`, location);
  url.protocol = url.protocol.replace("http", "ws");
  const { version } = live().dataset;
  url.search = new URLSearchParams({ version, rounds: rounds(), chosen: here.search });
  socket = new WebSocket(url);
  socket.onopen = () => {
    failed = 0;
    clearInterval(poll);
    poll = null;
    say("");
    if (inDoubt) doubt();
    forget();
  };
  socket.onmessage = hear;
  socket.onclose = () => {
    for (const answer of owed.values()) answer();
    owed.clear();
    failed += 1;
    if (failed > 1 && !poll) say(document.body.dataset.away);
    if (failed > 3 && !poll) poll = setInterval(() => document.hidden || ask(here), POLL);
    setTimeout(connect, Math.min(30000, 250 * 2 ** failed) * (0.5 + Math.random()));
  };
}

/** Draw the progress anew until everything is ready; a page that waits for a table is loaded when it can be shown. */
async function load(wait = LOOK[0]) {
  const shown = document.getElementById("loading");
  if (!shown) return;
  try {
    const html = await (await fetch(shown.dataset.url)).text();
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("loading");
    if (fresh.dataset.ready === "yes" && location.pathname !== "/" && !live()) return location.reload();
    if (fresh.dataset.over === "yes") return shown.remove();
    morphdom(shown, fresh);
  } catch {
    // the server is away: try again
  }
  setTimeout(load, wait, Math.min(1.3 * wait, LOOK[1]));
}

/** Let the browser read all drawings of the game (web/pages/drawings.py): each takes it a while where it is shown first. */
function readDrawings() {
  const sheet = [...document.styleSheets].find((found) => found.href?.includes("/drawings.css"));
  const names = sheet ? [...sheet.cssRules].map((rule) => /^\.(drawn-\S+)$/.exec(rule.selectorText)?.[1]).filter(Boolean) : [];
  const box = document.createElement("div");
  box.className = "unseen";
  box.ariaHidden = "true";
  document.body.prepend(box); // at the end it would make the page higher
  let held = false;
  document.addEventListener("pointerdown", () => (held = true));
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (held = false));
  const read = () => {
    if (held) return setTimeout(read, HELD);
    for (const name of names.splice(0, DRAWINGS)) box.appendChild(document.createElement("i")).className = `drawn ${name}`;
    if (names.length) requestIdleCallback(read);
  };
  requestIdleCallback(read);
}

if (live()) {
  connect();
  rove(live());
  if (window.requestIdleCallback) addEventListener("load", readDrawings); // Safari has none
}
load();
