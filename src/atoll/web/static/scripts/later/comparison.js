// A comparison of two sets of components that this browser plays: the server says which games, workers play them.
import { Engine, onSite } from "./engine.js";

const MOST = 16; // workers

/** Play a comparison from where it is, and tell the server of each chunk of games; ends when the server wants no more. */
export async function play(address) {
  const answer = await fetch(address);
  if (answer.status !== 200) return;
  const { id, module, seed, sets, games, done } = await answer.json();
  const { count } = sets[0];
  let next = done;
  let told = Promise.resolve();

  async function tell(first, content) {
    const response = await fetch(`${address}?${new URLSearchParams({ id, first })}`, { method: "POST", body: content });
    if (!response.ok) throw new Error(`${response.status}`);
  }
  async function playOn(engine) {
    while (next < games) {
      const first = next;
      next += count;
      const played = engine.call("compare", sets, seed, first);
      told = Promise.all([played, told]).then(([content]) => tell(first, content)); // in their order
      told.catch(stop);
      await played;
    }
  }

  const cores = Math.max(1, (navigator.hardwareConcurrency ?? 1) - 1);
  const engines = Array.from({ length: Math.min(cores, MOST, Math.ceil((games - done) / count)) }, () => new Engine(onSite(module)));
  const stop = () => {
    next = games;
    for (const engine of engines) engine.stop();
  };
  try {
    await Promise.all(engines.map(playOn));
    await told;
  } finally {
    stop();
  }
}
