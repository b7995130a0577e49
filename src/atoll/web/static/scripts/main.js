// Keeps a table up to date without loading the page anew: sends forms, morphs the answer in and lets pieces glide.
// What not every table needs is loaded by those that do.
import { announce } from "./announcing.js";
import { connect } from "./socket.js";
import "./asking.js";
import "./foretelling.js";
import { rove } from "./keyboard.js";
import { reveal } from "./showing.js";
import { live } from "./table.js";

// A page that the browser kept and shows again is as it was when one left it, with another's cards at a shared screen.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

const needed = (id) => document.getElementById(id);

if (live()) {
  const looksBack = "past" in live().dataset;
  if (looksBack) import("./later/looking_back.js").then(({ prepareLookingBack }) => prepareLookingBack());
  else if (!("trying" in live().dataset)) connect();
  if (document.querySelector("meta[name=atoll-now]")) import("./later/clocks.js").then(({ countDown }) => countDown());
  if (document.querySelector("meta[name=atoll-drags]")) import("./later/dragging.js");
  if (needed("talk")) import("./later/talk.js").then(({ prepareTalk }) => prepareTalk());
  if (needed("next-table")) import("./later/elsewhere.js");
  needed("invite")?.addEventListener("beforetoggle", () => import("./later/inviting.js").then(({ prepareInviting }) => prepareInviting()), { once: true });
  document.addEventListener("visibilitychange", () => import("./later/told.js").then(({ sighted }) => sighted()), { once: true });
  if (document.hidden) import("./later/told.js");
  announce(true);
  import("./later/reasons.js");
  rove(live());
  reveal(live());
  if (window.requestIdleCallback) addEventListener("load", () => import("./later/loading.js").then(({ readDrawings }) => readDrawings())); // Safari has none
}
if (needed("device-address")) import("./later/inviting.js").then(({ prepareInviting }) => prepareInviting());
if (needed("rules-search")) import("./later/searching.js").then(({ prepareSearching }) => prepareSearching());
if (needed("loading")) import("./later/loading.js").then(({ followProgress }) => followProgress());
