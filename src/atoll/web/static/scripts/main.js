// Keeps a table up to date without reloading the page: sends forms, morphs answers in and animates pieces. Modules in
// `later` are imported by the pages that need them.
import { announce } from "./announcements.js";
import "./keyboard.js";
import { ask, retryNow } from "./requests.js";
import { connect } from "./socket.js";
import { rove } from "./tab_stops.js";
import { live, page } from "./table.js";
import { reveal, show } from "./update.js";

// Reload a page from the history cache: it may show another player's hand at a shared screen.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

const needed = (id) => document.getElementById(id);

const HANDLERS = {
  news: (html) => show(html, true),
  chat: (html) => import("./later/chat.js").then(({ showChat }) => showChat(html)),
  onOpen: retryNow,
  poll: () => ask(page.address),
};

if (live()) {
  const isReplay = "past" in live().dataset;
  if (isReplay) import("./later/replay.js").then(({ prepareReplay }) => prepareReplay());
  else if (!("trying" in live().dataset)) connect(HANDLERS);
  if (document.querySelector("meta[name=atoll-now]")) import("./later/clocks.js").then(({ countDown }) => countDown());
  if (document.querySelector("meta[name=atoll-drags]")) import("./later/drag.js");
  if (needed("deal")) import("./later/deals.js").then(({ prepareDeal }) => prepareDeal());
  if (needed("talk")) import("./later/chat.js").then(({ prepareChat }) => prepareChat());
  if (needed("next-table")) import("./later/next_table.js");
  needed("invite")?.addEventListener("beforetoggle", () => import("./later/invitation.js").then(({ prepareInvitation }) => prepareInvitation()));
  document.addEventListener("visibilitychange", () => import("./later/notifications.js").then(({ onVisibility }) => onVisibility()), { once: true });
  if (document.hidden) import("./later/notifications.js");
  announce(true);
  import("./later/reasons.js");
  rove(live());
  reveal(live());
  if (window.requestIdleCallback) addEventListener("load", () => import("./later/drawings.js").then(({ readDrawings }) => readDrawings())); // Safari has none
}
if (needed("device-address") || needed("room-invite") || (needed("invite-address") && !needed("invite"))) import("./later/invitation.js").then(({ prepareInvitation }) => prepareInvitation());
if (needed("rules-search")) import("./later/search.js").then(({ prepareSearch }) => prepareSearch());
