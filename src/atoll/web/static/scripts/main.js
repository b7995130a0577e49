// Keeps a table up to date without loading the page anew: sends forms, morphs the answer in and lets pieces glide.
import { connect } from "./socket.js";
import "./asking.js";
import "./foretelling.js";
import { countDown } from "./clocks.js";
import { rove } from "./keyboard.js";
import "./dragging.js";
import { prepareInviting } from "./inviting.js";
import { looksBack, prepareLookingBack } from "./looking_back.js";
import { followProgress, readDrawings } from "./loading.js";
import "./reasons.js";
import { prepareSearching } from "./searching.js";
import { reveal } from "./showing.js";
import { live } from "./table.js";
import { prepareTalk } from "./talk.js";

if (live()) {
  if (looksBack()) prepareLookingBack();
  else if (!("trying" in live().dataset)) connect();
  countDown();
  rove(live());
  reveal(live());
  prepareInviting();
  prepareTalk();
  document.addEventListener("visibilitychange", () => import("./later/told.js").then(({ sighted }) => sighted()), { once: true });
  if (document.hidden) import("./later/told.js");
  if (document.getElementById("next-table")) import("./later/elsewhere.js");
  if (window.requestIdleCallback) addEventListener("load", readDrawings); // Safari has none
}
prepareSearching();
followProgress();
