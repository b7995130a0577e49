// Checks a deal: this browser keeps the digest that it saw first and what its person added, and compares them at
// the end. SHA-256 by hand, since browsers give pages without https none.
const KEPT = "atoll-deals";
const MOST = 100; // tables that are kept

const facts = () => JSON.parse(document.getElementById("deal").dataset.deal);

let denied = {}; // what is kept on this page alone where storage is denied

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return denied;
  }
}

function keep(table, seen) {
  const { [table]: before, ...others } = kept();
  denied = Object.fromEntries([...Object.entries(others), [table, { ...before, ...seen }]].slice(-MOST));
  try {
    localStorage.setItem(KEPT, JSON.stringify(denied));
  } catch {}
}

/** Whether what a finished game says of its deal is right: "right", "wrong", or "unseen" if nothing is kept of it. */
export function checked({ commitment, key, contributions = [], seed, seat }, seen) {
  const words = contributions.flatMap((one, place) => (one === null ? [] : `\n${place}: ${one}`));
  const isRight =
    hex(sha256(utf8(key))) === commitment &&
    (seed === null || hex(hmac(utf8(key), utf8(`deal${words.join("")}`))).startsWith(seed)) &&
    (!seen || seen.commitment === commitment) &&
    (seen?.words === undefined || seen.seat !== seat || seen.words === (contributions[seat] ?? ""));
  return isRight ? (seen ? "right" : "unseen") : "wrong";
}

/** Keep the digest that was seen first, and what one has added as it was shown last before the game began. */
function note() {
  const { table, commitment, key, waits, seat, contributions } = facts();
  const seen = kept()[table];
  if (key || (seen && !waits)) return;
  keep(table, { commitment: seen?.commitment ?? commitment, ...(waits && { seat, words: contributions?.[seat] ?? "" }) });
}

/** Keep what is seen, and check when it is asked for. */
export function prepareDeal() {
  note();
  let last = null;
  new MutationObserver(() => {
    const { deal } = document.getElementById("deal")?.dataset ?? {};
    if (deal && deal !== last) note();
    last = deal;
  }).observe(document.getElementById("table"), { subtree: true, childList: true, attributeFilter: ["data-deal"] });
  document.addEventListener("click", ({ target }) => {
    if (target.id !== "check-deal") return;
    document.getElementById("deal-checked").textContent = target.dataset[checked(facts(), kept()[facts().table])];
  });
}

// SHA-256 (FIPS 180-4) and HMAC (RFC 2104)

const utf8 = (text) => new TextEncoder().encode(text);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
const fraction = (number) => ((number - Math.floor(number)) * 2 ** 32) | 0;
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const BEGIN = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const turned = (word, by) => (word >>> by) | (word << (32 - by));
const mixed = (word, one, two, three) => turned(word, one) ^ turned(word, two) ^ three;

export function sha256(message) {
  const padded = new DataView(new ArrayBuffer(Math.ceil((message.length + 9) / 64) * 64));
  new Uint8Array(padded.buffer).set([...message, 0x80]);
  padded.setUint32(padded.byteLength - 4, 8 * message.length);
  const state = [...BEGIN];
  for (let block = 0; block < padded.byteLength; block += 64) {
    const words = [];
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const [w2, w15] = [words[i - 2], words[i - 15]];
      words[i] = i < 16 ? padded.getInt32(block + 4 * i) : (mixed(w2, 17, 19, w2 >>> 10) + words[i - 7] + mixed(w15, 7, 18, w15 >>> 3) + words[i - 16]) | 0;
      const one = (h + mixed(e, 6, 11, turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
      const two = (mixed(a, 2, 13, turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => (state[place] = (state[place] + word) | 0));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => digest.setInt32(4 * place, word));
  return new Uint8Array(digest.buffer);
}

/** HMAC-SHA-256 by a key of at most 64 bytes. */
export function hmac(key, message) {
  const padded = (by) => Uint8Array.from({ length: 64 }, (_, place) => (key[place] ?? 0) ^ by);
  return sha256([...padded(0x5c), ...sha256([...padded(0x36), ...message])]);
}
