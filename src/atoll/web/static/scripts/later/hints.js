// Hints that this browser finds: the server describes the search of the seat's view, workers carry it out.
import { Engine, merged, onSite } from "./engine.js";

const PATIENCE = 2; // so many times as long as a search may take, the browser has for it: then the server searches

/** The fields of a hint's form with the best moves, null where the server has to search. `action`: the form's address. */
export async function searchHere(action) {
  if (!globalThis.WebAssembly || !globalThis.Worker) return null;
  const answer = await fetch(`${action}/search`, { method: "POST" });
  if (answer.status !== 200) return null;
  const search = await answer.json();
  // Not by a worker: on a slow connection it goes on after the server has searched, for the next hint
  const network = search.network && fetch(onSite(search.network.url)).then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(response.status)));
  const cores = Math.max(1, navigator.hardwareConcurrency ?? 1);
  const generators = search.generators.slice(0, cores);
  const engines = generators.map(() => new Engine(onSite(search.module)));
  let timer;
  const over = new Promise((_, reject) => (timer = setTimeout(reject, PATIENCE * search.milliseconds)));
  try {
    const content = await Promise.race([network, over]);
    const grown = Promise.all(engines.map((engine, place) => engine.call("evaluate", search, content, generators[place])));
    const trees = await Promise.race([grown, over]);
    const best = merged(trees).slice(0, search.most_moves);
    return new URLSearchParams({ played: search.played, found: JSON.stringify(best.map(({ action, wins }) => [action, wins])) });
  } finally {
    clearTimeout(timer);
    for (const engine of engines) engine.stop();
  }
}
