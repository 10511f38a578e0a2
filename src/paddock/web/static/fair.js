// @ts-check
/**
 * Checks the cards of a record in the reader's browser. What was possible at each draw follows from the rules, which the
 * server applies; everything else is computed here from the record: see “Fair cards” in the documentation.
 */

import { noted } from "./lots.js";
import { bytes, hex, hmac, sha256, unhex } from "./sha256.js";

const NEAR = 1e-12; // relative: times closer than that may be in either order, as floating-point numbers are rounded

/**
 * What a record says of its secret.
 * @typedef {{ name: string, commitment: string, secret: string, numbers?: Record<string, string>, mixed?: string }} Fair
 * A draw: where, the number of what came, and the number, the notation and the weight of all that was possible.
 * @typedef {{ place: string, came: number, possible: [number, string, number][] }} Draw
 */

/**
 * Return the place and the notation of each random outcome in a record, in their order.
 * @param {string[]} lines
 */
function outcomes(lines) {
  const found = /** @type {[string, string][]} */ ([]);
  const counts = /** @type {Map<string, number>} */ (new Map());
  let round = "";
  for (const line of lines) {
    round = line.match(/^[a-z]+ ([1-9]\d*)$/)?.[1] ?? round;
    const [, heading, words] = line.match(/^([a-z][a-z0-9 ]*): (.*)$/) ?? [];
    if (!round || !words || /^note \d/.test(line)) continue;
    for (const word of words.split(" ")) {
      const nth = (counts.get(`${round} ${heading}`) ?? 0) + 1;
      counts.set(`${round} ${heading}`, nth);
      found.push([`${round} ${heading} ${nth}`, word]);
    }
  }
  return found;
}

/**
 * Return the waiting time of an outcome: −ln(u) divided by its weight. The shortest one wins.
 * @param {Uint8Array} key
 * @param {string} what its place and its number
 * @param {number} weight
 */
function time(key, what, weight) {
  const bits = new DataView(hmac(key, bytes(what)).buffer).getBigUint64(0);
  const half = 2n * bits + 1n;
  const all = 1n << 65n;
  const ln = half < all / 2n ? Math.log(Number(half) / Number(all)) : Math.log1p(-Number(all - half) / Number(all));
  return -ln / weight;
}

/**
 * Return the first outcome that does not follow from the key; null if all do.
 * @param {Uint8Array} key
 * @param {Draw[]} draws
 * @param {[string, string][]} came in the record
 */
function wrong(key, draws, came) {
  const names = /** @type {Map<string, string>} */ (new Map()); // of outcomes: each number has one name
  for (const [nth, [place, found]] of came.entries()) {
    const draw = draws[nth];
    const word = place.replace(/ .*/, "");
    const told = draw?.possible.find(([number]) => number === draw.came);
    if (draw?.place !== place || told?.[1] !== found) return { place, found, expected: "?" };
    for (const [number, name] of draw.possible) {
      const known = names.get(`${word} ${number}`) ?? name;
      if (known !== name) return { place, found, expected: "?" };
      names.set(`${word} ${number}`, name);
    }
    const times = draw.possible.map(([number, , weight]) => time(key, `${place} ${number}`, weight));
    const least = Math.min(...times);
    if (times[draw.possible.indexOf(told)] > least * (1 + NEAR)) return { place, found, expected: draw.possible[times.indexOf(least)][1] };
  }
  return draws.length > came.length ? { place: draws[came.length].place, found: "–", expected: "?" } : null;
}

/** @param {Record<string, string>} numbers */
function mixed(numbers) {
  const lines = Object.keys(numbers).sort((a, b) => Number(a) - Number(b)).map((place) => `${place} ${numbers[place]}\n`);
  return hex(sha256(bytes(lines.join(""))));
}

// The page

/** @template {HTMLElement} T @param {string} id @returns {T} */
const at = (id) => /** @type {any} */ (document.getElementById(id));
const page = at("fair");
const list = at("checks");
let loaded = ""; // the record that the address of the page names
let shown = false; // whether that one is checked

/**
 * Add a line of the result: one of the sentences that the page has, with its words.
 * @param {string} name
 * @param {boolean | null} good null: it says what was not checked
 * @param {Record<string, string | number>} words
 */
function say(name, good, words = {}) {
  const sentence = /** @type {HTMLTemplateElement} */ (at(`say-${name}`)).content.textContent ?? "";
  const line = document.createElement("li");
  line.dataset.check = name;
  line.className = good === null ? "is-open" : good ? "is-good" : "is-bad";
  line.textContent = `${good === null ? "–" : good ? "✓" : "✗"} ${sentence.replace(/\{(\w+)\}/g, (_, word) => `${words[word] ?? ""}`)}`;
  list.append(line);
  return good !== false;
}

/** @param {string} text */
async function check(text) {
  shown = text === loaded;
  list.replaceChildren();
  at("verdict").textContent = "";
  const lines = text.split("\n").map((line) => line.trimEnd());
  const written = lines.find((line) => line.startsWith("fair: "));
  /** @type {Fair} */
  let fair;
  try {
    fair = JSON.parse((written ?? "").slice("fair: ".length));
  } catch {
    return say("none", false);
  }
  const answer = await fetch(page.dataset.draws ?? "", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ text }) });
  const told = await answer.json();
  if (!answer.ok) return verdict(say("record", false, { why: told.error }));
  return verdict(judge(fair, told.draws, outcomes(lines)));
}

/**
 * @param {Fair} fair
 * @param {Draw[]} draws
 * @param {[string, string][]} came
 */
function judge(fair, draws, came) {
  const [numbers, mine] = [fair.numbers ?? {}, noted(fair.name)];
  const own = `paddock table 1 ${page.dataset.table}`;
  // A record that calls itself another game's would have nothing to do with what was noted of this one.
  let good = say("name", noted(own) && fair.name !== own && shown ? false : null, { name: fair.name });
  const hashed = hex(sha256(unhex(fair.secret)));
  good = say(hashed === fair.commitment ? "hash" : "other-hash", hashed === fair.commitment, { hash: fair.commitment }) && good;
  const hash = /** @type {HTMLInputElement} */ (at("hash")).value.trim().toLowerCase() || mine?.commitment;
  if (!hash) say("unknown", null);
  else good = say(hash === hashed ? "noted" : "not-noted", hash === hashed, { hash }) && good;
  if (fair.mixed) {
    const right = mixed(numbers) === fair.mixed;
    good = say(right ? "mixed" : "not-mixed", right, { n: Object.keys(numbers).length }) && good;
    for (const lot of Object.values(mine?.lots ?? {})) {
      const there = Object.values(numbers).includes(lot);
      good = say(there ? "mine" : "not-mine", there, { lot }) && good;
    }
  }
  const key = hmac(unhex(fair.secret), bytes(fair.mixed ? `${fair.name} ${fair.mixed}` : fair.name));
  const fault = wrong(key, draws, came);
  return say(fault ? "fault" : "draws", !fault, { n: came.length, ...fault }) && good;
}

/** @param {boolean} good */
function verdict(good) {
  at("verdict").textContent = page.dataset[good ? "good" : "bad"] ?? "";
  at("verdict").className = good ? "note" : "fault";
  return good;
}

async function start() {
  const record = /** @type {HTMLTextAreaElement} */ (at("record"));
  const file = /** @type {HTMLInputElement} */ (at("file"));
  const tried = () => check(record.value).catch(() => say("lost", false));
  file.addEventListener("change", async () => {
    record.value = (await file.files?.[0]?.text()) ?? "";
    await tried();
  });
  /** @type {HTMLFormElement} */ (at("check")).addEventListener("submit", (event) => {
    event.preventDefault();
    tried();
  });
  if (!page.dataset.record) return;
  const answer = await fetch(page.dataset.record).catch(() => null);
  if (!answer?.ok) return say("lost", false);
  record.value = await answer.text();
  loaded = record.value; // as a field of a form writes it
  await tried();
}

start();
