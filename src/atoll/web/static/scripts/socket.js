// The web socket: questions, answers and news. A question that it does not answer becomes a request.
import { live, page, rounds, showMessage, showAway } from "./table.js";

const POLL = 3000; // ms between two requests where sockets do not work
const DELETED = 4404; // closes the socket of a table that is no longer there
const STOPS = 1012; // closes all sockets when the site stops
const SPREAD = 3000; // ms within which the pages then come back, so that they do not come all at once
const NOT_READY = 503; // without a table: the server has just come back
const LONGEST = 6000; // ms between two tries to open the socket
const PATIENCE = 3000; // ms for the socket to answer

export const pending = new Map(); // resolves the answers to questions, by number
export let socket = null;
let handlers = null; // callbacks for messages
let failures = 0;
let pollTimer = null;

export const connected = () => socket?.readyState === WebSocket.OPEN;

/** Send a text by the open socket. */
export const send = (text) => socket.send(text);

/** The socket's answer to a question; undefined if it takes none or does not answer in time, when asking again is safe. */
export function bySocket(number, address, form) {
  const name = address.pathname.slice(location.pathname.length + 1);
  if (!connected() || !address.pathname.startsWith(location.pathname)) return; // a form of another page, such as one's name
  if (!["", "moves", "take-back", "undo"].includes(name)) return;
  socket.send(`${number} ${rounds()} ${name}?${form ?? address.searchParams}`);
  return new Promise((answer) => {
    pending.set(number, answer);
    setTimeout(() => pending.delete(number) && answer(), PATIENCE);
  });
}

/** The answer to a form or address by a request; undefined if it leads to another page, which is opened. */
export async function byRequest(address, form) {
  if (connected()) socket.send(`0 0 ?${form ? "" : address.searchParams}`);
  const method = form ? "POST" : "GET";
  const answer = await fetch(address, { method, body: form, headers: { "Atoll-Fragment": rounds() } });
  const arrived = new URL(answer.url);
  if (answer.redirected && ![location.pathname, address.pathname].includes(arrived.pathname)) return void location.assign(arrived);
  const html = await answer.text();
  if (answer.status === NOT_READY && !html.includes('id="table"')) throw new Error("the server is not ready");
  return html;
}

/** Resolve the question of an answer; messages without a question are news. */
function receive(message) {
  const end = message.data.indexOf("\n");
  const head = message.data.slice(0, end);
  const html = message.data.slice(end + 1);
  if (head === "talk") return handlers.chat(html);
  const answer = pending.get(Number(head));
  if (!answer) return handlers.news(html);
  pending.delete(Number(head));
  answer(html);
}

/**
 * Connect the socket, or poll where sockets do not work. The callbacks: `news` and `chat` take HTML, `onOpen` is called when
 * the socket is open, `poll` when it is time for a request.
 */
export function connect(callbacks) {
  handlers = callbacks;
  open();
}

function open() {
  const url = new URL(`${location.pathname}/live`, location);
  url.protocol = url.protocol.replace("http", "ws");
  const { version } = live().dataset;
  url.search = new URLSearchParams({ version, rounds: rounds(), chosen: page.address.search, ...(document.hidden && { hidden: "" }) });
  socket = new WebSocket(url);
  socket.onopen = () => {
    failures = 0;
    clearInterval(pollTimer);
    pollTimer = null;
    showMessage("");
    handlers.onOpen();
  };
  socket.onmessage = receive;
  socket.onclose = ({ code }) => {
    if (code === DELETED) return location.reload();
    for (const answer of pending.values()) answer();
    pending.clear();
    failures += 1;
    if ((failures > 1 || code === STOPS) && !pollTimer) showAway(code === STOPS);
    if (failures > 3 && !pollTimer) pollTimer = setInterval(() => document.hidden || handlers.poll(), POLL);
    const backoff = Math.min(LONGEST, 250 * 2 ** failures) * (0.5 + Math.random());
    setTimeout(open, code === STOPS ? SPREAD * Math.random() : backoff);
  };
}
