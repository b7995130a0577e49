// Notifications of a hidden page: when it becomes one's turn, the icon changes and, if chosen, a sound and a notification
// follow. The server is told whether the page is visible.
import { connected, send } from "../socket.js";
import { live } from "../table.js";

const settings = document.querySelector('meta[name="atoll-told"]')?.content ?? "";
const icon = document.querySelector('link[rel="icon"]');
const usual = icon?.getAttribute("href");
let mine = isMine();

function isMine() {
  return Boolean(live()?.querySelector("#bar.mine"));
}

/** Two short notes. */
function sound() {
  const context = new AudioContext();
  for (const [at, pitch] of [[0, 660], [0.16, 880]]) {
    const note = context.createOscillator();
    const loudness = context.createGain();
    note.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.12, context.currentTime + at);
    loudness.gain.exponentialRampToValueAtTime(0.001, context.currentTime + at + 0.15);
    note.connect(loudness).connect(context.destination);
    note.start(context.currentTime + at);
    note.stop(context.currentTime + at + 0.15);
  }
}

/** A notification; on phones only a service worker may show one. */
async function notify() {
  if (window.Notification?.permission !== "granted") return;
  const how = { tag: location.pathname.split("/").at(-1), icon: usual, data: location.pathname };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) return worker.showNotification(document.title, how).catch(() => {});
  const note = new Notification(document.title, how);
  note.onclick = () => {
    focus();
    note.close();
  };
}

/** Show by the icon whether it is one's turn, and send it once. */
function show() {
  const before = mine;
  mine = isMine();
  const unseen = mine && document.hidden;
  icon?.setAttribute("href", unseen ? usual.replace("icon.svg", "icon-turn.svg") : usual);
  const badge = unseen ? navigator.setAppBadge?.() : navigator.clearAppBadge?.();
  badge?.catch(() => {});
  if (!unseen || before) return;
  if (settings.includes("sound")) sound();
  if (settings.includes("note")) notify();
}

/** The page has come into sight, or is out of sight. */
export function onVisibility() {
  if (connected()) send(document.hidden ? "look away" : "look");
  show();
}

navigator.serviceWorker?.register(new URL("../service_worker.js", new URL(usual, location))).catch(() => {}); // who came by an invitation has none yet
new MutationObserver(show).observe(document.querySelector("title"), { childList: true });
document.addEventListener("visibilitychange", onVisibility);
