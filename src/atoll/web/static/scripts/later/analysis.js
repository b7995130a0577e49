// The page of an analysis that is under way: it shows how far that is, and lends this browser's cores where it asked for it.
import { Engine, merged, onSite } from "./engine.js";

const POLL = 3000; // ms between two looks
const MOST = 8; // workers

let lending = false;
let cannot = !globalThis.WebAssembly || !globalThis.Worker;

/** How many workers: one core is left to the page, if there are enough. */
function cores() {
  const all = navigator.hardwareConcurrency ?? 1;
  return Math.min(MOST, all > 2 ? all - 1 : all);
}

/** Carry out what the server asks for, until it closes the socket: then the analysis is done, or not for this page to do. */
function lend() {
  if (lending || cannot) return;
  lending = true;
  const url = new URL(`${location.pathname}/cores?cores=${cores()}`, location);
  url.protocol = url.protocol.replace("http", "ws");
  const socket = new WebSocket(url);
  const engines = [];
  const fail = () => {
    if (socket.readyState !== WebSocket.OPEN) return;
    cannot = true; // and the server goes on by itself
    socket.close();
  };
  let about = null;
  let network = null;

  async function carryOut(task) {
    const engine = engines.reduce((least, one) => (one.waiting.length < least.waiting.length ? one : least));
    if (!task.search) return { winners: await engine.call("playOn", about.games, task) };
    const { network: address } = task.search;
    const search = { ...task.search, network: { address } };
    const found = await engine.call("evaluate", search, await network, search.generators[0]);
    return { moves: merged([found]).map(({ action, visits, wins }) => [action, visits, wins]) };
  }
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (!about) {
      about = message;
      while (engines.length < cores()) engines.push(new Engine(onSite(about.module)));
      network = about.network && fetch(onSite(about.network)).then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(response.status)));
      network?.catch(fail);
    } else carryOut(message).then((found) => socket.send(JSON.stringify({ id: message.id, ...found })), fail);
  };
  socket.onclose = () => {
    for (const engine of engines) engine.stop();
    lending = false;
  };
}

async function look() {
  try {
    const html = await (await fetch(location.href)).text();
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("under-way");
    if (!fresh) return location.reload();
    morphdom(document.getElementById("under-way"), fresh);
  } catch {
    // the server is away: look again
  }
  follow();
}

function follow() {
  lend();
  setTimeout(look, POLL);
}
follow();
