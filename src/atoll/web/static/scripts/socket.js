// The socket: questions and their answers, and news; what it does not answer is asked by a request of its own.
import { live, page, rounds, say, sayAway } from "./table.js";

const POLL = 3000; // ms between looks when sockets do not work
const DELETED = 4404; // closes the socket of a table that is no longer there
const STOPS = 1012; // closes all sockets when the site stops
const SPREAD = 3000; // ms within which the pages then come back, so that they do not come all at once
const NOT_READY = 503; // without a table: the server has just come back
const LONGEST = 6000; // ms between two tries to open the socket
const PATIENCE = 3000; // ms for the socket to answer

export const owed = new Map(); // what the socket has been asked, by number, and what takes its answer
export let socket = null;
let handlers = null; // what takes what comes by the socket
let failed = 0;
let poll = null;

export const connected = () => socket?.readyState === WebSocket.OPEN;

/** Say something by the socket, which is open. */
export const tell = (text) => socket.send(text);

/** The socket's answer; nothing if it does not take the question or does not answer, and nothing is lost by asking again. */
export function bySocket(number, address, form) {
  const name = address.pathname.slice(location.pathname.length + 1);
  if (!connected() || !address.pathname.startsWith(location.pathname)) return; // a form of another page, such as one's name
  if (!["", "moves", "take-back", "undo"].includes(name)) return;
  socket.send(`${number} ${rounds()} ${name}?${form ?? address.searchParams}`);
  return new Promise((answer) => {
    owed.set(number, answer);
    setTimeout(() => owed.delete(number) && answer(), PATIENCE);
  });
}

/** The answer to any form; another page is gone to. */
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

/** Give an answer to who asked; what nobody asked for is news. */
function hear(message) {
  const end = message.data.indexOf("\n");
  const head = message.data.slice(0, end);
  const html = message.data.slice(end + 1);
  if (head === "talk") return handlers.chat(html);
  const answer = owed.get(Number(head));
  if (!answer) return handlers.news(html);
  owed.delete(Number(head));
  answer(html);
}

/**
 * Wait for news: by a socket, or by looking every few seconds where sockets do not work. The handlers take `news` and
 * the `chat` as they come, and are told that the socket is `opened`, and that it is time to `look`.
 */
export function connect(given) {
  handlers = given;
  open();
}

function open() {
  const url = new URL(`${location.pathname}/live`, location);
  url.protocol = url.protocol.replace("http", "ws");
  const { version } = live().dataset;
  url.search = new URLSearchParams({ version, rounds: rounds(), chosen: page.address.search, ...(document.hidden && { hidden: "" }) });
  socket = new WebSocket(url);
  socket.onopen = () => {
    failed = 0;
    clearInterval(poll);
    poll = null;
    say("");
    handlers.opened();
  };
  socket.onmessage = hear;
  socket.onclose = ({ code }) => {
    if (code === DELETED) return location.reload();
    for (const answer of owed.values()) answer();
    owed.clear();
    failed += 1;
    if ((failed > 1 || code === STOPS) && !poll) sayAway(code === STOPS);
    if (failed > 3 && !poll) poll = setInterval(() => document.hidden || handlers.look(), POLL);
    const backoff = Math.min(LONGEST, 250 * 2 ** failed) * (0.5 + Math.random());
    setTimeout(open, code === STOPS ? SPREAD * Math.random() : backoff);
  };
}
