// @ts-check
/** Reads the pieces of a board: where they stand, before an update and after it. drive.js moves them. */

/**
 * A piece before an update.
 * @typedef {{element: SVGGElement, at: DOMMatrix, high: number, drawing: SVGElement | null}} Piece
 */
/** @typedef {Map<string, Piece>} Pieces by their ids */

/** Return the pieces and where they stand. @returns {Pieces} */
export function pieces() {
  const all = /** @type {NodeListOf<SVGGElement>} */ (document.querySelectorAll("svg [data-piece]"));
  return new Map([...all].map((element) => [element.id, { element, at: place(element), high: high(element), drawing: element.ownerSVGElement }]));
}

/** @param {SVGGElement} element */
const place = (element) =>
  [...element.transform.baseVal].reduce((all, one) => all.multiply(DOMMatrix.fromMatrix(one.matrix)), new DOMMatrix());

/** @param {SVGGElement} element the height of a piece that can leave its lane; 0 for words beside it */
const high = (element) => ("flat" in element.dataset || !element.checkVisibility() ? 0 : element.getBBox().height);

/**
 * Whether a piece has come, gone or moved.
 * @param {Pieces} before
 * @param {Pieces} now
 */
export const changed = (before, now) =>
  before.size !== now.size || [...now].some(([id, piece]) => String(before.get(id)?.at) !== String(piece.at));
