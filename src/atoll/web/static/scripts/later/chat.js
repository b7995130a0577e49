// Chat: the panel beside it, what is unread, and a line for what came last.
const panel = () => document.getElementById("talk");
const KEY = "atoll-talk"; // set if this browser hides the chat
const TOAST = 6000; // ms for which a new message shows over the table

/** Whether this browser hides the chat. */
function isHidden() {
  try {
    return Boolean(localStorage.getItem(KEY));
  } catch {
    return hidden; // storage is denied: it is hidden on this page alone
  }
}

function setHidden(value) {
  hidden = value;
  try {
    if (value) localStorage.setItem(KEY, "hidden");
    else localStorage.removeItem(KEY);
  } catch {}
}

let hidden = false;
let lastNumber = null; // the number of the last message that the page has
let timer = null;

/** Show a message over the table for a while: its name and text; nothing if there is none. */
function showToast(message = null) {
  const toast = document.getElementById("talk-toast");
  clearTimeout(timer);
  toast.replaceChildren(...(message?.querySelector("p").cloneNode(true).childNodes ?? []));
  timer = setTimeout(() => toast.replaceChildren(), TOAST);
}

/** Show what is said now. */
export function showChat(html) {
  const body = document.getElementById("talk-body");
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("talk-body");
  if (!body || !fresh) return;
  morphdom(body, fresh, {
    onBeforeElUpdated: (old, now) => {
      return old.id !== "say" && !old.isEqualNode(now); // keeps the unsent text
    },
  });
  const number = Number(fresh.dataset.number);
  const lines = body.querySelectorAll(".messages li");
  lines[lines.length - 1]?.scrollIntoView({ block: "nearest" });
  const news = lastNumber !== null && number > lastNumber && !lines[lines.length - 1]?.matches(".mine");
  lastNumber = number;
  if (!news || panel().matches(":popover-open") || isHidden()) return;
  document.documentElement.classList.add("has-unread");
  showToast(lines[lines.length - 1]);
}

async function ask(url, body) {
  const answer = await fetch(url, { method: body ? "POST" : "GET", body, headers: { "Atoll-Fragment": "0" } });
  showChat(await answer.text());
  return answer.ok;
}

/** Let the panel open beside the table, and send what is written there. */
export function prepareChat() {
  const talk = panel();
  if (!talk) return;
  const root = document.documentElement.classList;
  root.toggle("talk-hidden", isHidden());
  ask(talk.dataset.url).catch(() => {}); // the socket tells the next one
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("#talk-hide")) {
      setHidden(!isHidden());
      root.toggle("talk-hidden", isHidden());
    }
    if (!event.target.closest?.("#open-talk")) return;
    event.preventDefault();
    talk.showPopover();
    if (matchMedia("(pointer: fine)").matches || !event.detail) document.getElementById("say")?.focus(); // not by a finger, which would get a keyboard over the table
    root.remove("has-unread");
    showToast();
    const messages = talk.querySelector(".messages");
    if (messages) messages.scrollTop = messages.scrollHeight;
  });
  talk.addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = document.getElementById("say");
    const text = event.target.contains(field) ? field.value : null;
    if (await ask(event.target.action, new URLSearchParams(new FormData(event.target, event.submitter))).catch(() => false)) {
      if (text !== null && field.value === text) field.value = "";
    }
  });
}
