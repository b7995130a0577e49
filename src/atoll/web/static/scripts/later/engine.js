// A game's rules and its search in this browser: the game's module, in workers of its own (this file is their script, too).
const WORD = 8; // bytes of a word of a frame
const PAGE = 1 << 16; // bytes of a page of memory
const DONE = [0, -2]; // what functions return that raised no error
const CHUNK = 20; // iterations between two looks at the clock, at least

const after = (address, step) => Math.ceil(address / step) * step;

/** Records that lie in `bytes`, each of `size`; as an argument of a call. */
const records = (bytes, size = bytes.length) => ({ array: bytes, item: size, shape: [bytes.length / size] });
/** The buffer that takes no events. */
const NO_EVENTS = { array: new Int16Array(0), item: 2, shape: [0, 6] };

/** The seed of a part of a whole (engine/chance.py). */
const derive = (seed, ...path) => path.reduce((word, step) => mix(mix(word) ^ mix(BigInt(step))), mix(BigInt(seed))) || 1n;
const mix = (word) => {
  word = word64(word + 0x9e3779b97f4a7c15n);
  word = word64((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n);
  word = word64((word ^ (word >> 27n)) * 0x94d049bb133111ebn);
  return word ^ (word >> 31n);
};
const word64 = (number) => BigInt.asUintN(64, number);

/** A module with memory of its own. States, views and parts are the bytes of their records. */
export class Room {
  constructor(module) {
    this.functions = new WebAssembly.Instance(module).exports;
    this.free = after(this.functions.__heap_base.value, 64);
  }

  static async open(url) {
    return new Room(await WebAssembly.compileStreaming(fetch(url)));
  }

  /** Let the memory have so many bytes. */
  reach(size) {
    const { memory } = this.functions;
    const missing = size - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  }

  /** The same, and nothing is left there of what was before. */
  clear(size) {
    this.reach(size);
    new Uint8Array(this.functions.memory.buffer).fill(0, this.free, size);
  }

  write(address, bytes) {
    new Uint8Array(this.functions.memory.buffer).set(bytes, address);
  }

  words(address, numbers) {
    const view = new DataView(this.functions.memory.buffer);
    numbers.forEach((number, place) => view.setBigInt64(address + WORD * place, BigInt(number), true));
  }

  /** Call an export with the frame at an address: what it returns. */
  run(name, frame) {
    if (!DONE.includes(this.functions[name](frame))) throw new Error(`${name}: an error in the rules`);
    return Number(new DataView(this.functions.memory.buffer).getBigInt64(frame, true));
  }

  /** Call an export with numbers and arrays, which are copied in and, as what was written, back. */
  call(name, ...given) {
    let free = this.free;
    const take = (size) => {
      const address = free;
      free = after(address + size, 16);
      return address;
    };
    const placed = [];
    const words = given.flatMap((value) => {
      if (typeof value === "number") return value;
      const { array, item, shape } = ArrayBuffer.isView(value) ? { array: value, item: value.BYTES_PER_ELEMENT, shape: [value.length] } : value;
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      const strides = shape.map((_, place) => shape.slice(place + 1).reduce((product, length) => product * length, item));
      const address = take(bytes.length);
      placed.push([address, bytes]);
      return [0, 0, bytes.length / item, item, address, ...shape, ...strides];
    });
    const frame = take(WORD * (words.length + 1));
    this.reach(free);
    for (const [address, bytes] of placed) this.write(address, bytes);
    this.words(frame + WORD, words);
    const result = this.run(name, frame);
    const { buffer } = this.functions.memory;
    for (const [address, bytes] of placed) bytes.set(new Uint8Array(buffer, address, bytes.length));
    return result;
  }

  /** A new game's first state, of `size` bytes. */
  start(size, parts, players, generator) {
    const state = new Uint8Array(size);
    this.call("start", records(state), records(parts), players, generator);
    return state;
  }

  /** The actions that a seat may choose, `most` at most. */
  legal(state, parts, seat, most) {
    const actions = new Int32Array(most);
    return actions.slice(0, this.call("legal_actions", records(state), records(parts), seat, actions));
  }

  /** The state after a legal action. */
  play(state, parts, seat, action) {
    const next = state.slice();
    this.call("play", records(next), records(parts), seat, action, NO_EVENTS);
    return next;
  }

  /** What a seat may know. */
  view(state, parts, seat) {
    const view = new Uint8Array(state.length);
    this.call("view", records(state), records(parts), seat, records(view));
    return view;
  }

  /** A full state that agrees with a view; the generator is advanced. */
  resample(view, parts, generator) {
    const state = new Uint8Array(view.length);
    this.call("resample", records(view), records(parts), generator, records(state));
    return state;
  }

  /** Each seat's points, and the bit set of the winners. */
  result(state, parts, players) {
    const points = new Int32Array(players);
    return { winners: this.call("result", records(state), records(parts), points), points };
  }

  /**
   * Search from a view: the actions, visits and sums of the shares of the win that a tree grown from one of the `generators`
   * gives the moves. `search` is what the server says of it (bots/search_image.py), `network` the bytes of its network.
   */
  evaluate(search, network, generator) {
    const ends = performance.now() + (search.milliseconds ?? Infinity);
    this.clear(search.size);
    if (network) this.write(search.network.address, new Uint8Array(network));
    for (const { address, content } of search.pieces) this.write(address, bytesOf(content));
    this.write(search.generator, bytesOf(generator));
    const began = performance.now();
    let [size, done, step] = [1, 0, CHUNK];
    while (done < search.iterations && performance.now() < ends) {
      step = Math.min(step, search.iterations - done);
      this.words(search.counts, [size, step]);
      size = this.run(search.export, search.frame);
      if (size < 0) throw new Error("the game does not end");
      done += step;
      step = Math.max(CHUNK, Math.floor(done / Math.max(1, performance.now() - began)));
    }
    return this.children(search);
  }

  /**
   * Play games `first` and on between bots of the lab. `games` is what the server says of them (lab/games_image.py); returns,
   * one after another, the columns that it wants.
   */
  playMany(games, seed, first) {
    const { count, players, columns } = games;
    this.clear(games.size);
    for (const { address, content } of games.pieces) this.write(address, bytesOf(content));
    const words = new DataView(this.functions.memory.buffer);
    const begin = (generators, place, word) => words.setBigUint64(generators + WORD * (3 * place + 2), word, true);
    for (let game = 0; game < count; game++) {
      begin(games.chances, game, derive(derive(seed, first + game)));
      for (let seat = 0; seat < players; seat++) begin(games.generators, game * players + seat, derive(seed, first + game, seat));
    }
    if (this.run(games.export, games.frame)) throw new Error("the game does not end");
    const memory = new Uint8Array(this.functions.memory.buffer);
    const taken = new Uint8Array(columns.reduce((sum, { width }) => sum + count * width, 0));
    let free = 0;
    for (const { address, stride, width } of columns)
      for (let game = 0; game < count; game++, free += width) taken.set(memory.subarray(address + game * stride, address + game * stride + width), free);
    return taken;
  }

  /**
   * Play on from `worlds` worlds that agree with a view, after each of some `moves` of its seat, -1 in place of none: the bit
   * sets of the winners, the games of the first move before those of the next. `games` is what the server says of all such
   * games (lab/continued_image.py), the other one is a task.
   */
  playOn(games, { view, seat, moves, seed, worlds }) {
    const count = moves.length * worlds;
    const given = {};
    for (const { name, number = 0, item = 0, shape = [], content = "", more } of games.arguments) {
      if (!item) {
        given[name] = name === "seat" ? seat : number;
        continue;
      }
      const rows = more === undefined ? shape : [count + more, ...shape.slice(1)];
      const array = new Uint8Array(rows.reduce((product, length) => product * length, item));
      const own = bytesOf(name === "seen" ? view : content);
      for (let free = 0; own.length && free < array.length; free += own.length) array.set(own, free);
      given[name] = { array, item, shape: rows };
    }
    const { firsts, chances, drawing, generators, winners } = given;
    moves.forEach((move, place) => new Int32Array(firsts.array.buffer).fill(move, place * worlds, (place + 1) * worlds));
    const [toDraw, later, players] = games.steps.map((step) => derive(seed, step));
    const begin = ({ array }, each, place, words) => {
      const view = new BigUint64Array(array.buffer);
      for (let game = place; game < count; game += worlds) words.forEach((word, own) => (view[3 * (game * each + own) + 2] = word));
    };
    for (let world = 0; world < worlds; world++) {
      begin(drawing, 1, world, [derive(derive(toDraw, world))]);
      begin(chances, 1, world, [derive(derive(later, world))]);
      begin(generators, games.players, world, Array.from({ length: games.players }, (_, own) => derive(players, world, own)));
    }
    if (this.call(games.export, ...Object.values(given))) throw new Error("the game does not end");
    return Array.from(new Int32Array(winners.array.buffer));
  }

  /** The same deals under several sets of components, compressed. */
  async compare(sets, seed, first) {
    const played = sets.map((games) => this.playMany(games, seed, first));
    return new Response(new Blob(played).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
  }

  /** What a search found out about the moves at its root. */
  children({ nodes, node }) {
    const view = new DataView(this.functions.memory.buffer);
    const read = (place, name) => view.getInt32(nodes + place * node.size + node[name], true);
    const found = [];
    for (let child = read(0, "child"); child; child = read(child, "sibling")) {
      const wins = view.getFloat32(nodes + child * node.size + node.wins, true);
      found.push({ action: read(child, "action"), visits: read(child, "visits"), wins });
    }
    return found;
  }
}

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** A room in a worker: `call` carries out a method of Room there, `stop` ends the worker whatever it does. */
export class Engine {
  constructor(url) {
    this.worker = new Worker(import.meta.url, { type: "module" });
    this.waiting = [];
    this.worker.onmessage = ({ data: { result, error } }) => {
      const { resolve, reject } = this.waiting.shift();
      if (error) reject(new Error(error));
      else resolve(result);
    };
    this.worker.onerror = ({ message }) => this.fail(new Error(message || "the worker cannot be loaded"));
    this.worker.postMessage({ url: String(url) });
  }

  fail(error) {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  call(method, ...given) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.worker.postMessage({ method, given });
    });
  }

  stop() {
    this.worker.terminate();
    this.fail(new Error("stopped"));
  }
}

/** An address of the site's own, which begins at its root, wherever that is. */
export const onSite = (address) => new URL(`../../..${address}`, import.meta.url);

/** The moves that trees with the same root tried, the most visited first, each with its share of the win. */
export function merged(trees) {
  const moves = new Map();
  for (const { action, visits, wins } of trees.flat()) {
    const move = moves.get(action) ?? { action, visits: 0, wins: 0 };
    moves.set(action, { action, visits: move.visits + visits, wins: move.wins + wins });
  }
  const tried = [...moves.values()].filter(({ visits }) => visits);
  return tried
    .map(({ action, visits, wins }) => ({ action, visits, wins: wins / visits }))
    .sort((one, other) => other.visits - one.visits || one.action - other.action);
}

if (globalThis.WorkerGlobalScope) {
  let room = null;
  onmessage = async ({ data: { url, method, given } }) => {
    try {
      if (url) (room = Room.open(url)).catch(() => {}); // each call says so
      else postMessage({ result: await (await room)[method](...given) });
    } catch (error) {
      postMessage({ error: String(error) });
    }
  };
}
