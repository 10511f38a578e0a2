// @ts-check
/**
 * Moves the pieces of a board from where they stood before an update to where they stand now, step by step.
 *
 * A piece is a group of a drawing with a transform, `data-piece`, its number, and an id that ends in this number. A
 * line of the story with `data-moves` is a step or several: with "3+1 5" the pieces 3 and 1 move together, then 5.
 * With "3@40,25", those of piece 3 that have `data-roams` go to this place of the drawing. With "3!" they are hit
 * where they stand, with "3*" they arrive. Pieces that no step names move meanwhile. Only transforms and opacity change, so the page keeps its layout.
 * This module is loaded after the page: nothing moves before.
 */

/** @typedef {import("./board.js").Piece} Piece */
/** @typedef {import("./board.js").Pieces} Pieces */
/** @typedef {{names: string[], places: Map<string, number[]>, hits: Map<string, string>, text: string}} Step */
/** @typedef {{from: number, to: number, a: DOMMatrix, b: DOMMatrix, lift: number}} Leg of a way; times in beats */

const LONG = 750; // ms: one movement
const WHOLE = 3000; // ms: of many movements, the next one begins sooner, so that they take about this time

/** @type {Record<string, Keyframe[]>} what happens to a piece where it stands, on top of its way */
const MOMENTS = {
  "!": [0, -14, 12, -9, 6, 0].map((turn) => ({ transform: `rotate(${turn}deg)` })),
  "*": [1, 1.7, 1, 1.3, 1].map((size) => ({ transform: `scale(${size})` })),
};

/** @type {Animation[]} */
let playing = [];
/** @type {Element[]} */
let extra = []; // elements to remove in the end: captions, copies of pieces that are gone

/** Skip to the end. */
export function halt() {
  for (const animation of playing) animation.finish();
  for (const element of extra) element.remove();
  playing = [];
  extra = [];
}

/**
 * Move the pieces.
 * @param {Pieces} before
 * @param {Pieces} now
 * @param {HTMLElement[]} lines of the story that are steps, in their order
 * @param {number} start ms to wait
 * @param {number} speed the factor of all times
 */
export function drive(before, now, lines, start, speed) {
  const steps = lines.flatMap((line) => {
    const text = line.lastElementChild?.lastChild?.textContent?.trim() ?? "";
    return (line.dataset.moves ?? "").split(" ").map((group) => {
      const parts = group.split("+");
      const hits = new Map(parts.filter((one) => /[!*]$/.test(one)).map((one) => [one.slice(0, -1), one.slice(-1)]));
      const all = parts.filter((one) => !/[!*]$/.test(one)).map((one) => one.split("@"));
      const there = all.filter(([, at]) => at).map(([name, at]) => /** @type {[string, number[]]} */ ([name, at.split(",").map(Number)]));
      return { names: all.map(([name]) => name), places: new Map(there), hits, text };
    });
  });
  const beat = Math.min(LONG, WHOLE / Math.max(1, steps.length));
  const each = LONG / beat; // the length of a movement in beats
  const beats = Math.max(0, steps.length - 1) + each;
  /** @type {(element: Element, frames: Keyframe[]) => void} */
  const play = (element, frames) => {
    const times = { delay: start * speed, duration: beats * beat * speed, fill: /** @type {const} */ ("backwards") };
    for (const frame of frames) if (frame.offset) frame.offset /= beats;
    playing.push(element.animate(frames, times));
  };

  const shown = new Set([...before.values()].map((piece) => piece.drawing?.id)); // drawings that were there before
  const ways = legs(before, now, steps, each);
  for (const [id, piece] of now) {
    if (!piece.element.checkVisibility()) continue;
    const a = before.get(id)?.at;
    if (a && (ways.has(id) || String(a) !== String(piece.at))) {
      play(piece.element, way(ways.get(id) ?? [{ from: 0, to: beats, a, b: piece.at, lift: 0 }], beats));
    } else if (!a && shown.has(piece.drawing?.id)) play(piece.element, [{ opacity: 0 }, { opacity: 1 }]);
  }
  for (const [id, piece] of before) {
    const drawing = piece.drawing;
    if (now.has(id) || !drawing?.isConnected || !drawing.checkVisibility()) continue;
    const i = Math.max(0, steps.findLastIndex((step) => step.names.includes(piece.element.dataset.piece ?? "")));
    const from = { transform: css(piece.at), opacity: 1 };
    const to = { transform: css(piece.at.translate(0, piece.high)), opacity: 0 }; // it leaves the road
    const copy = ghost(piece.element);
    drawing.append(copy);
    extra.push(copy);
    play(copy, [from, { ...from, offset: i }, { ...to, offset: i + each }, to]);
  }
  for (const piece of now.values()) {
    if (!("roams" in piece.element.dataset) || !piece.element.checkVisibility()) continue;
    steps.forEach((step, i) => {
      const how = step.hits.get(piece.element.dataset.piece ?? "");
      if (how) playing.push(piece.element.animate(MOMENTS[how], { delay: (start + i * beat) * speed, duration: LONG * speed, composite: "add" }));
    });
  }
  captions(steps, beats, play);
}

/**
 * A copy of a piece that is gone, hidden unless it is animated.
 * @param {SVGGElement} piece
 */
function ghost(piece) {
  const copy = /** @type {SVGGElement} */ (piece.cloneNode(true));
  for (const name of ["id", "data-piece", "role", "aria-label"]) copy.removeAttribute(name);
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("is-gone");
  return copy;
}

/**
 * Show the sentences of the steps in the caption of the board, one after the other.
 * @param {Step[]} steps
 * @param {number} beats
 * @param {(element: Element, frames: Keyframe[]) => void} play
 */
function captions(steps, beats, play) {
  const starts = steps.flatMap((step, i) => (step.text !== steps[i - 1]?.text ? [i] : []));
  starts.forEach((from, n) => {
    const line = document.createElement("span");
    line.textContent = steps[from].text;
    document.getElementById("board-says")?.append(line);
    extra.push(line);
    const to = starts[n + 1] ?? beats;
    play(line, [{ opacity: 0 }, { opacity: 0, offset: from }, { opacity: 1, offset: from }, { opacity: 1, offset: to }, { opacity: 0, offset: to }, { opacity: 0 }]);
  });
}

/** @param {DOMMatrix} m */
const css = (m) => `matrix(${[m.a, m.b, m.c, m.d, m.e, m.f].join()})`;

/**
 * The ways of the pieces that steps name. Between two steps, it is known where a piece stands if the step says so,
 * or if two have swapped: others wait for the last step that names them.
 * @param {Pieces} before
 * @param {Pieces} now
 * @param {Step[]} steps
 * @param {number} each length of a movement in beats
 */
function legs(before, now, steps, each) {
  const here = new Map([...before].map(([id, piece]) => [id, piece.at]));
  /** @type {Map<string, Leg[]>} */
  const out = new Map();
  steps.forEach(({ names, places }, i) => {
    /** @type {Map<string, DOMMatrix>} */
    const next = new Map();
    for (const [id, piece] of now) {
      const name = piece.element.dataset.piece ?? "";
      if (!names.includes(name) || !here.has(id)) continue;
      const other = id.slice(0, -name.length) + names.find((one) => one !== name);
      const last = !steps.some((step, j) => j > i && step.names.includes(name));
      const to = last ? piece.at : (moved(piece, places.get(name)) ?? (names.length === 2 && here.get(other)));
      if (to) next.set(id, to);
    }
    for (const [id, b] of next) {
      const piece = /** @type {Piece} */ (now.get(id));
      const done = out.get(id) ?? [];
      const a = /** @type {DOMMatrix} */ (here.get(id));
      const kin = id.slice(0, -(piece.element.dataset.piece ?? "").length);
      const met = [...here].find(([one, at]) => {
        const then = next.get(one) ?? now.get(one)?.at;
        return one !== id && one.replace(/\d+$/, "") === kin && then && (at.e - a.e) * (then.e - b.e) < 0;
      }); // a piece that it meets on its way: they keep clear of each other
      const part = met && next.has(met[0]) ? 0.45 : 0.9; // if both are on their way, each gives way
      const lift = met ? piece.high * b.d * part * (a.f > met[1].f ? 1 : -1) : 0;
      const from = Math.max(i, done.at(-1)?.to ?? 0);
      out.set(id, [...done, { from, to: Math.max(i + each, from), a, b, lift }]);
    }
    for (const [id, at] of next) here.set(id, at);
  });
  return out;
}

/**
 * Where a piece stands at this place of the drawing.
 * @param {Piece} piece
 * @param {number[]} [place]
 */
function moved(piece, place) {
  if (!place || !("roams" in piece.element.dataset)) return undefined;
  const m = DOMMatrix.fromMatrix(piece.at);
  [m.e, m.f] = place;
  return m;
}

/**
 * The keyframes of a way; their offsets are in beats.
 * @param {Leg[]} legs
 * @param {number} beats
 */
function way(legs, beats) {
  /** @type {Keyframe[]} */
  const frames = [{ transform: css(legs[0].a) }];
  for (const { from, to, a, b, lift } of legs) {
    /** @param {number} part of the leg, and its sideways movement */
    const mid = (part) => {
      const m = DOMMatrix.fromMatrix(a);
      m.e += part * (b.e - a.e);
      m.f += part * (b.f - a.f) + lift;
      return { transform: css(m), offset: from + part * (to - from), easing: "linear" };
    };
    frames.push({ transform: css(a), offset: from, easing: lift ? "ease-in" : "ease-in-out" });
    if (lift) frames.push(mid(0.3), { ...mid(0.7), easing: "ease-out" });
    frames.push({ transform: css(b), offset: Math.min(to, beats) });
  }
  return [...frames, { transform: css(legs.at(-1)?.b ?? legs[0].a) }];
}
