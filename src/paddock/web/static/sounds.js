// @ts-check
/** Short sounds, made by code. They are loaded when the reader has asked for them, and are never the only sign. */

/**
 * A tone: its wave, the pitch at its beginning and at its end in Hz, when it begins and how long it is, in seconds.
 * @typedef {[OscillatorType, number, number, number, number]} Tone
 */

/** @type {Record<string, Tone[]>} */
const SOUNDS = {
  card: [["triangle", 520, 390, 0, 0.07]],
  commit: [["triangle", 300, 300, 0, 0.09], ["triangle", 200, 190, 0.08, 0.12]],
  reveal: [["triangle", 440, 660, 0, 0.13]],
  engine: [["sawtooth", 70, 165, 0, 0.45], ["sawtooth", 74, 170, 0, 0.45]],
  danger: [["square", 233, 208, 0, 0.16], ["square", 165, 139, 0.18, 0.28]],
  turn: [["sine", 660, 660, 0, 0.15], ["sine", 880, 880, 0.16, 0.15]],
  finish: [["triangle", 523, 523, 0, 0.14], ["triangle", 659, 659, 0.13, 0.14], ["triangle", 784, 784, 0.26, 0.14], ["triangle", 1047, 1047, 0.39, 0.4]],
};
const LOUD = { quiet: 0.05, normal: 0.15, loud: 0.4 };
const HARSH = 0.35; // how loud a sawtooth or a square is, beside a sine that seems as loud
const APART = 0.2; // seconds between the beginnings of two sounds

/** @type {AudioContext | null} */
let audio = null;

/**
 * Play sounds one after the other, each kind once.
 * @param {string[]} kinds names of `SOUNDS`
 */
export function play(kinds) {
  audio ??= new AudioContext();
  const volume = LOUD[/** @type {keyof LOUD} */ (document.documentElement.dataset.volume ?? "normal")] ?? LOUD.normal;
  [...new Set(kinds)].forEach((kind, n) => SOUNDS[kind]?.forEach((tone) => sing(tone, n * APART, volume)));
}

/**
 * @param {Tone} tone
 * @param {number} after seconds
 * @param {number} volume
 */
function sing([wave, from, to, start, long], after, volume) {
  if (!audio) return;
  const at = audio.currentTime + after + start;
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  tone.type = wave;
  tone.frequency.setValueAtTime(from, at);
  tone.frequency.exponentialRampToValueAtTime(to, at + long);
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(volume * (["sine", "triangle"].includes(wave) ? 1 : HARSH), at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + long + 0.01);
}
