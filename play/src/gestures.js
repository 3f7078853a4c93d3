// Which moves of a position can be made how: told from pictures alone, without a rule of any game.

/** @import { Controls, Direction, Gesture, Move, Piece, Point, Press, Shape, Target } from './types.js' */

/** Places that differ by less are the same: numbers of pictures are rounded. */
const SAME = 1e-6;
/** A piece lands on a target when it is nearer to it than this share of the way from there to its next place. */
const NEAR = 0.45;
/** The same where it is straight above or below it, on a board without cells. */
const ABOVE = 0.8;

/** @type {Record<Direction, Point>} */
export const DIRECTIONS = {
  up: { row: -1, column: 0 },
  right: { row: 0, column: 1 },
  down: { row: 1, column: 0 },
  left: { row: 0, column: -1 },
};

/* Two pictures */

/**
 * The shapes of a picture found again in the next one.
 *
 * Shapes that look alike cannot be told apart. So those that are where one was stay; then those with the same place
 * in the list, then the nearest ones, are taken for the same. What is left of pieces with other looks is paired by
 * form and size, because a piece may look different where it has come to, such as a box on a goal.
 *
 * @param {Shape[]} before
 * @param {Shape[]} after
 * @param {{ from: number, to: number } | null} dragged a pair that is known, as indices
 * @returns {number[]} for each shape of `before` its index in `after`, -1 where it is gone
 */
export function matchShapes(before, after, dragged = null) {
  return matched(before, after, dragged).indices;
}

/**
 * What moves by hand between two pictures: shapes above the ground that are not where they were.
 *
 * @param {Shape[]} before
 * @param {Shape[]} after
 * @param {{ from: number, to: number } | null} dragged a pair that is known; it comes first
 * @returns {{ from: number, to: number }[]} indices in `before` and in `after`
 */
export function movedShapes(before, after, dragged = null) {
  const pairs = matchShapes(before, after, dragged).map((to, from) => ({ from, to }));
  const moved = pairs.filter(({ from, to }) => to >= 0 && isMovable(shapeAt(before, from)) && !isSamePlace(shapeAt(before, from), shapeAt(after, to)));
  return moved.sort((one, other) => Number(other.from === dragged?.from) - Number(one.from === dragged?.from));
}

/**
 * @param {Shape[]} before
 * @param {Shape[]} after
 * @param {{ from: number, to: number } | null} dragged
 */
function matched(before, after, dragged) {
  const indices = before.map(() => -1);
  const isFound = after.map(() => false);
  const pair = (/** @type {number} */ from, /** @type {number} */ to) => {
    indices[from] = to;
    isFound[to] = true;
  };
  const gone = () => indices.flatMap((to, from) => (to < 0 ? [from] : []));
  const come = () => isFound.flatMap((found, to) => (found ? [] : [to]));
  const isRepaint = repaint(before, after);
  const isSame = (/** @type {number} */ from, /** @type {number} */ to) => isAlike(shapeAt(before, from), shapeAt(after, to)) && !isRepaint(from, to);

  if (dragged) pair(dragged.from, dragged.to);
  pairStaying(before, after, gone(), come(), pair);
  const looks = { gone: gone(), come: come() };
  for (const from of looks.gone) if (from < after.length && !isFound[from] && isSame(from, from)) pair(from, from);
  pairNearest(before, after, gone(), come(), isSame, pair);
  const isOther = (/** @type {number} */ from, /** @type {number} */ to) => {
    const [one, other] = [shapeAt(before, from), shapeAt(after, to)];
    return isMovable(one) && isMovable(other) && one.paint.form === other.paint.form && isSameSize(one, other)
      && !isSamePlace(one, other) && !isRepaint(from, to);
  };
  const rest = { gone: gone(), come: come() };
  pairNearest(before, after, rest.gone, rest.come, isOther, pair);
  return { indices, looks, rest, isSame };
}

/**
 * Pairs what looks and lies as before.
 *
 * @param {Shape[]} before
 * @param {Shape[]} after
 * @param {number[]} gone
 * @param {number[]} come
 * @param {(from: number, to: number) => void} pair
 */
function pairStaying(before, after, gone, come, pair) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  for (const to of come) {
    const key = placeKey(shapeAt(after, to));
    places.set(key, [...(places.get(key) ?? []), to]);
  }
  for (const from of gone) {
    const shape = shapeAt(before, from);
    const here = places.get(placeKey(shape)) ?? [];
    const found = here.findIndex((to) => isAlike(shape, shapeAt(after, to)));
    if (found >= 0) here.splice(found, 1).forEach((to) => pair(from, to));
  }
}

/**
 * Pairs the rest, the nearest first; of those as near, first what has the fewest others to go with, so that more is
 * paired.
 *
 * @param {Shape[]} before
 * @param {Shape[]} after
 * @param {number[]} gone
 * @param {number[]} come
 * @param {(from: number, to: number) => boolean} fits
 * @param {(from: number, to: number) => void} pair
 */
function pairNearest(before, after, gone, come, fits, pair) {
  const ways = gone.flatMap((from) => {
    const ends = come.filter((to) => fits(from, to));
    return ends.map((to) => ({ from, to, way: Math.round(distance(shapeAt(before, from), shapeAt(after, to)) / SAME), nEnds: ends.length }));
  });
  ways.sort((one, other) => one.way - other.way || one.nEnds - other.nEnds);
  const [used, taken] = [new Set(), new Set()];
  for (const { from, to } of ways) {
    if (used.has(from) || taken.has(to)) continue;
    used.add(from);
    taken.add(to);
    pair(from, to);
  }
}

/**
 * Whether two shapes without letters, whose places were and are taken by others of their size, have been painted
 * anew and did not change places: lamps that are switched.
 *
 * @param {Shape[]} before
 * @param {Shape[]} after
 */
function repaint(before, after) {
  const placed = (/** @type {Shape[]} */ shapes) => new Set(shapes.map(placeKey));
  const [had, has] = [placed(before), placed(after)];
  return (/** @type {number} */ from, /** @type {number} */ to) => {
    const [one, other] = [shapeAt(before, from), shapeAt(after, to)];
    return !one.label && !other.label && has.has(placeKey(one)) && had.has(placeKey(other));
  };
}

/* Moves */

/**
 * How most moves of a position are made, for those who have to be told.
 *
 * @param {Controls} controls
 */
export function kindOf({ swipes, presses, pieces }) {
  if (Object.keys(swipes).length) return 'swipes';
  if (pieces.some((piece) => !isPressed(piece, presses))) return 'pieces';
  return presses.length ? 'presses' : 'others';
}

/**
 * How the moves of a position can be made.
 *
 * @param {Shape[]} before the picture of the position
 * @param {Move[]} moves all legal moves of the position
 * @returns {Controls}
 */
export function controlsOf(before, moves) {
  const gestured = byKey(moves.filter((move) => move.gesture), (move) => gestureKey(/** @type {Gesture} */ (move.gesture)));
  /** @type {Controls['swipes']} */
  const swipes = {};
  /** @type {Press[]} */
  const presses = [];
  const made = new Set();
  for (const claims of gestured.values()) {
    const [move, ...more] = claims;
    // What one gesture could make of several moves, buttons make.
    if (!move?.gesture || more.length) continue;
    made.add(move);
    if ('swipe' in move.gesture) swipes[move.gesture.swipe] = move;
    else presses.push({ row: move.gesture.press[0], column: move.gesture.press[1], move });
  }
  // What a press moves can be dragged, too.
  const pieces = piecesOf(before, moves.filter((move) => !move.gesture || 'press' in move.gesture));
  for (const { targets } of pieces) for (const { move } of targets) made.add(move);
  return { swipes, presses, pieces, others: moves.filter((move) => !made.has(move)) };
}

/**
 * Whether presses make all moves of a piece, so that it need not be picked up.
 *
 * @param {Piece} piece
 * @param {Press[]} presses
 */
export const isPressed = ({ targets }, presses) => targets.every((target) => presses.some(({ move }) => move === target.move));

/** @param {Gesture} gesture */
const gestureKey = (gesture) => ('swipe' in gesture ? gesture.swipe : gesture.press.join());

/**
 * The pieces that can be dragged. A shape and a place that would make more than one move make none.
 *
 * @param {Shape[]} before
 * @param {Move[]} moves
 * @returns {Piece[]}
 */
function piecesOf(before, moves) {
  const drags = moves.flatMap((move) => dragsOf(before, move));
  const claims = byKey(drags, ({ from, target }) => `${from}:${placeKey({ ...shapeAt(before, from), row: target.row, column: target.column })}`);
  /** @type {Map<number, Target[]>} */
  const targets = new Map();
  for (const [one, ...more] of claims.values()) {
    if (!one || more.some(({ target }) => target.move !== one.target.move)) continue;
    targets.set(one.from, [...(targets.get(one.from) ?? []), one.target]);
  }
  const pieces = Array.from(targets, ([shape, list]) => ({ shape, targets: list }));
  return pieces.sort((one, other) => one.shape - other.shape);
}

/**
 * Every shape that a move takes away from its place, with every place to which one of its looks comes: of shapes that
 * look alike each may be the one that moves.
 *
 * @param {Shape[]} before
 * @param {Move} move
 * @returns {{ from: number, target: Target }[]}
 */
function dragsOf(before, move) {
  const { after } = move;
  const { indices, looks, rest, isSame } = matched(before, after, null);
  const alike = looks.gone.flatMap((from) => looks.come.filter((to) => isSame(from, to)).map((to) => ({ from, to })));
  const changed = rest.gone.flatMap((from) => {
    const to = indices[from] ?? -1;
    return to >= 0 ? [{ from, to }] : [];
  });
  const pairs = [...alike, ...changed].filter(({ from, to }) => isMovable(shapeAt(before, from)) && !isSamePlace(shapeAt(before, from), shapeAt(after, to)));
  const isJumped = jumped(before, after, pairs);
  return pairs.filter((pair) => !isJumped(pair)).map(({ from, to }) => {
    const [shape, { row, column }] = [shapeAt(before, from), shapeAt(after, to)];
    return { from, target: { row, column, down: row - shape.row, right: column - shape.column, move, after: to } };
  });
}

/**
 * Whether the way of a like shape to the same place leads over this one, which is then taken away: a peg jumps over
 * another one.
 *
 * @param {Shape[]} before
 * @param {Shape[]} after
 * @param {{ from: number, to: number }[]} pairs
 */
function jumped(before, after, pairs) {
  const sources = new Set(pairs.map(({ from }) => from));
  const places = new Set(pairs.map(({ to }) => to));
  return (/** @type {{ from: number, to: number }} */ { from, to }) => {
    if (sources.size <= places.size) return false;
    const [shape, place] = [shapeAt(before, from), shapeAt(after, to)];
    return pairs.some((other) => other.to === to && other.from !== from && liesBetween(shapeAt(before, other.from), shape, place));
  };
}

/**
 * @template T
 * @param {T[]} list
 * @param {(one: T) => string} keyOf
 */
function byKey(list, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/* Hands */

/**
 * How far a piece follows the pointer. Where all its targets lie on one line through its place it keeps to the line,
 * and does not pass beyond the farthest target on either side; else it follows freely.
 *
 * @param {Piece} piece
 * @param {Point} way of the pointer
 * @returns {Point} way of the piece
 */
export function held({ targets }, way) {
  const line = lineOf(targets);
  if (!line) return way;
  const along = targets.map((target) => dot(wayTo(target), line));
  const [least, most] = [Math.min(0, ...along), Math.max(0, ...along)];
  const place = Math.min(Math.max(dot(way, line), least), most);
  return { row: line.row * place, column: line.column * place };
}

/**
 * The target on which a piece lands that was let go on its way; nothing where it goes back.
 *
 * A piece that slides along itself lands on the nearest place. Any other piece may lie where the rules do not allow
 * it, and must not jump from there to a place that is only the nearest. Where there are no cells, it may lie high above
 * its place too: that is how one puts a disk on a peg.
 *
 * @param {Shape} shape
 * @param {Piece} piece
 * @param {Point} way of the piece from its place
 * @param {boolean} isGrid whether the board has cells
 * @returns {Target | null}
 */
export function landing(shape, piece, way, isGrid) {
  const missed = (/** @type {Target} */ target) => distanceOf(way, wayTo(target));
  const nearest = least(piece.targets, missed);
  if (!nearest || missed(nearest) >= Math.hypot(way.row, way.column)) return null;
  const others = [{ row: 0, column: 0 }, ...piece.targets.filter((target) => target !== nearest).map(wayTo)];
  const gap = Math.min(...others.map((other) => distanceOf(other, wayTo(nearest))));
  const isNear = missed(nearest) < NEAR * gap;
  const isAbove = !isGrid && Math.abs(way.column - nearest.right) < shape.columns / 2 && missed(nearest) < ABOVE * gap;
  return isNear || isAbove || slides(shape, piece) ? nearest : null;
}

/**
 * The direction of the line on which all targets of a piece lie, of length 1.
 *
 * @param {Target[]} targets
 * @returns {Point | null}
 */
export function lineOf(targets) {
  const [first] = targets;
  if (!first) return null;
  const length = Math.hypot(first.down, first.right);
  const line = { row: first.down / length, column: first.right / length };
  return targets.every(({ down, right }) => Math.abs(down * line.column - right * line.row) < SAME) ? line : null;
}

/**
 * Whether a piece slides along itself: its places lie on one line and overlap.
 *
 * @param {Shape} shape
 * @param {Piece} piece
 */
export function slides(shape, { targets }) {
  const line = lineOf(targets);
  if (!line) return false;
  const isAcross = Math.abs(line.row) < SAME;
  if (!isAcross && Math.abs(line.column) >= SAME) return false;
  const stops = [0, ...targets.map((target) => dot(wayTo(target), line))].sort((one, other) => one - other);
  const gaps = stops.slice(1).map((stop, index) => stop - /** @type {number} */ (stops[index]));
  return Math.min(...gaps) < (isAcross ? shape.columns : shape.rows) + SAME;
}

/**
 * Where a target is marked and meant: its middle; of a piece that slides the cell at its head, since places overlap.
 *
 * @param {Shape} shape
 * @param {Piece} piece
 * @param {Target} target
 * @returns {Point}
 */
export function handleOf(shape, piece, target) {
  const middle = middleOf({ ...shape, row: target.row, column: target.column });
  if (!slides(shape, piece)) return middle;
  const size = Math.min(shape.rows, shape.columns);
  return {
    row: middle.row + (Math.sign(target.down) * (shape.rows - size)) / 2,
    column: middle.column + (Math.sign(target.right) * (shape.columns - size)) / 2,
  };
}

/**
 * The piece under a point: the topmost one that holds it, else the nearest one within the margin.
 *
 * @param {Shape[]} shapes
 * @param {Piece[]} pieces
 * @param {Point} point
 * @param {number} margin in cells
 * @returns {{ piece: Piece, miss: number } | null} and how far it lies from the point
 */
export function pieceAt(shapes, pieces, point, margin) {
  const found = least([...pieces].reverse(), ({ shape }) => missOf(shapeAt(shapes, shape), point));
  const miss = found ? missOf(shapeAt(shapes, found.shape), point) : Infinity;
  return found && miss <= margin ? { piece: found, miss } : null;
}

/**
 * The target of a piece under a point, or the nearest one within the margin.
 *
 * @param {Shape} shape
 * @param {Piece} piece
 * @param {Point} point
 * @param {number} margin in cells
 * @returns {{ target: Target, miss: number } | null} and how far it lies from the point
 */
export function targetAt(shape, piece, point, margin) {
  const placed = (/** @type {Target} */ { row, column }) => ({ ...shape, row, column });
  const near = piece.targets.filter((target) => missOf(placed(target), point) <= margin);
  const target = least(near, (one) => distanceOf(handleOf(shape, piece, one), point));
  return target && { target, miss: missOf(placed(target), point) };
}

/**
 * The direction of a way that is long enough for a swipe.
 *
 * @param {number} right
 * @param {number} down
 * @param {number} shortest
 * @returns {Direction | null}
 */
export function swipeOf(right, down, shortest) {
  if (Math.hypot(right, down) < shortest) return null;
  if (Math.abs(right) > Math.abs(down)) return right > 0 ? 'right' : 'left';
  return down > 0 ? 'down' : 'up';
}

/**
 * The nearest of some places in a direction: what lies straight ahead comes before what is as near but aside.
 *
 * @template {Point} Place
 * @param {Place[]} places
 * @param {Point} from
 * @param {Direction} direction
 * @returns {Place | null}
 */
export function nearestTowards(places, from, direction) {
  const { row, column } = DIRECTIONS[direction];
  const ahead = (/** @type {Place} */ place) => dot({ row: place.row - from.row, column: place.column - from.column }, { row, column });
  const aside = (/** @type {Place} */ place) => Math.abs((place.row - from.row) * column - (place.column - from.column) * row);
  return least(places.filter((place) => ahead(place) > SAME), (place) => ahead(place) + 2 * aside(place));
}

/* Geometry */

/**
 * The way that a piece goes to a target.
 *
 * @param {Target} target
 * @returns {Point}
 */
const wayTo = ({ down, right }) => ({ row: down, column: right });

/**
 * @param {Shape} shape
 * @returns {Point}
 */
export const middleOf = ({ row, column, rows, columns }) => ({ row: row + rows / 2, column: column + columns / 2 });

/**
 * @param {Shape} shape
 * @param {Point} point
 */
export const holds = (shape, point) => missOf(shape, point) === 0;

/**
 * How far a point lies outside of the rectangle of a shape.
 *
 * @param {Shape} shape
 * @param {Point} point
 */
const missOf = (shape, { row, column }) => Math.hypot(
  Math.max(shape.row - row, 0, row - shape.row - shape.rows),
  Math.max(shape.column - column, 0, column - shape.column - shape.columns),
);

/**
 * @param {Point} one
 * @param {Point} other
 */
const dot = (one, other) => one.row * other.row + one.column * other.column;

/**
 * @param {Point} one
 * @param {Point} other
 */
const distanceOf = (one, other) => Math.hypot(one.row - other.row, one.column - other.column);

/**
 * @param {Shape} one
 * @param {Shape} other
 */
const distance = (one, other) => distanceOf(middleOf(one), middleOf(other));

/**
 * Whether the middle of `between` lies on the straight way from one shape to another.
 *
 * @param {Shape} one
 * @param {Shape} between
 * @param {Shape} other
 */
const liesBetween = (one, between, other) => Math.abs(distance(one, between) + distance(between, other) - distance(one, other)) < SAME;

/** @param {Shape} shape */
const isMovable = ({ paint }) => !paint.below;

/**
 * @param {Shape} one
 * @param {Shape} other
 */
export const isSamePlace = (one, other) => Math.abs(one.row - other.row) < SAME && Math.abs(one.column - other.column) < SAME;

/**
 * @param {Shape} one
 * @param {Shape} other
 */
const isSameSize = (one, other) => Math.abs(one.rows - other.rows) < SAME && Math.abs(one.columns - other.columns) < SAME;

/**
 * Whether two shapes look the same, wherever they are.
 *
 * @param {Shape} one
 * @param {Shape} other
 */
export function isAlike(one, other) {
  const [a, b] = [one.paint, other.paint];
  const isSamePaint = a === b || (a.form === b.form && a.style === b.style && a.fill === b.fill && a.ink === b.ink && a.inset === b.inset && a.below === b.below && isSameImage(a.image, b.image));
  return isSamePaint && one.label === other.label && isSameSize(one, other);
}

/**
 * @param {Shape['paint']['image']} one
 * @param {Shape['paint']['image']} other
 */
const isSameImage = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

/** @param {Shape} shape */
const placeKey = ({ row, column, rows, columns }) => [row, column, rows, columns].map((one) => Math.round(one * 1e4)).join();

/**
 * @param {Shape[]} shapes
 * @param {number} index inside of the list
 */
const shapeAt = (shapes, index) => /** @type {Shape} */ (shapes[index]);

/**
 * The first of those with the least value.
 *
 * @template T
 * @param {T[]} list
 * @param {(one: T) => number} valueOf
 * @returns {T | null}
 */
function least(list, valueOf) {
  /** @type {T | null} */
  let found = null;
  let value = Infinity;
  for (const one of list) {
    const own = valueOf(one);
    if (own < value) [found, value] = [one, own];
  }
  return found;
}
