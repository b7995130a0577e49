// Sounds: what is laid, turned over and collected, one's turn, and the end; quiet, and made here.
const SEVERAL = 4; // of what happens at once, so many are heard
const APART = 0.08; // seconds

let context = null;

/** A note that dies away: pitch in Hz, loudness, seconds, form of its wave, and how it slides. */
function note(pitch, at, { loud = 0.06, long = 0.22, form = "sine", to = pitch } = {}) {
  const begin = context.currentTime + at;
  const tone = new OscillatorNode(context, { type: form, frequency: pitch });
  const gain = new GainNode(context, { gain: 0 });
  tone.frequency.exponentialRampToValueAtTime(to, begin + long);
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(loud, begin + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + long);
  tone.connect(gain).connect(context.destination);
  tone.start(begin);
  tone.stop(begin + long);
}

/** A breath of noise whose pitch rises, as of paper. */
function rustle(at) {
  const begin = context.currentTime + at;
  const buffer = context.createBuffer(1, context.sampleRate * 0.13, context.sampleRate);
  buffer.getChannelData(0).forEach((_, place, samples) => (samples[place] = Math.random() * 2 - 1));
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: 1400, Q: 1.4 });
  const gain = new GainNode(context, { gain: 0.05 });
  filter.frequency.exponentialRampToValueAtTime(3600, begin + 0.13);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + 0.13);
  const noise = new AudioBufferSourceNode(context, { buffer });
  noise.connect(filter).connect(gain).connect(context.destination);
  noise.start(begin);
}

const SOUNDS = {
  lay: (at) => note(210, at, { loud: 0.11, long: 0.09, form: "triangle", to: 120 }),
  turn: rustle,
  collect: (at) => [1047, 1568].forEach((pitch, place) => note(pitch, at + place * 0.06, { loud: 0.035 })),
  mine: (at) => [523, 659].forEach((pitch, place) => note(pitch, at + place * 0.11, { loud: 0.055, long: 0.3 })),
  won: (at) => [523, 659, 784, 1047].forEach((pitch, place) => note(pitch, at + place * 0.12, { long: 0.45 })),
  over: (at) => [523, 440].forEach((pitch, place) => note(pitch, at + place * 0.18, { long: 0.45 })),
};

/**
 * What is to be heard of an update. Of a move: its pieces, laid where they have no `data-sound` of their own, whatever else has
 * one, and what was turned over; and one's turn, and the end.
 */
export function soundsOf(table, before) {
  const sounds = [];
  if (table.querySelector(".log-rounds")?.textContent !== before.log) {
    const pieces = [...table.querySelectorAll("[data-order], [data-sound]")];
    const heard = pieces.flatMap((piece) => (piece.dataset.sound ?? "lay").split(" "));
    for (const sound of new Set(heard)) sounds.push(...heard.filter((other) => other === sound).slice(0, SEVERAL));
  }
  const turned = [...table.querySelectorAll(".revealed[id], .turned[id]")].some(({ id }) => !before.turned.includes(id));
  if (turned) sounds.push("turn");
  if (table.matches(".over") && !before.over) sounds.push(table.querySelector(".confetti") ? "won" : "over");
  else if (table.querySelector("#bar.mine") && !before.mine) sounds.push("mine");
  return sounds;
}

/** Play what is to be heard, once somebody has pressed something in this page: browsers allow no sound before. */
export function play(table, before) {
  const sounds = soundsOf(table, before);
  if (!sounds.length || !navigator.userActivation?.hasBeenActive || !globalThis.AudioContext) return;
  context ??= new AudioContext();
  context.resume();
  sounds.forEach((sound, place) => SOUNDS[sound](place * APART));
}
