// What is read from JSON that may be wrong: shapes, paints, boards and gestures, which map files and servers have in common.

/** @import { BoardSize, Gesture, Paint, Shape } from './types.js' */

const COLOUR = /^#[0-9a-f]{6}$/i;
const FORMS = ['block', 'disc', 'label', 'image'];
const SIDES = ['top', 'right', 'bottom', 'left'];
const DIRECTIONS = ['up', 'right', 'down', 'left'];

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param {unknown} value
 * @returns {value is number}
 */
const isSize = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;

/**
 * @param {unknown} value
 * @returns {value is number}
 */
export const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/**
 * @param {unknown} condition
 * @param {string} fault
 * @returns {asserts condition}
 */
export function assert(condition, fault) {
  if (!condition) throw new Error(fault);
}

/**
 * @param {unknown} value
 * @returns {BoardSize}
 */
export function readBoard(value) {
  assert(isObject(value), 'the board is missing');
  const { width, height, grid, openings, goal } = value;
  assert(isSize(width) && isSize(height), 'the board has no width and height');
  assert(typeof grid === 'boolean', 'the board does not say whether it has a grid');
  assert(Array.isArray(openings), 'the board has no list of openings');
  for (const opening of openings) {
    const [row, column, side] = Array.isArray(opening) ? opening : [];
    assert(isSize(row) && isSize(column) && SIDES.includes(side), 'an opening is not [row, column, side]');
  }
  const isArea = goal === null || (Array.isArray(goal) && goal.length === 5 && goal.every(isSize));
  assert(isArea, 'the part that shows the goal is not [row, column, rows, columns, caption]');
  return { width, height, grid, openings, goal: /** @type {BoardSize['goal']} */ (goal) };
}

/**
 * The aim of a level by language.
 *
 * @param {unknown} value
 * @returns {Record<string, string>}
 */
export function readAim(value) {
  const isAim = isObject(value) && Object.values(value).every((sentence) => typeof sentence === 'string');
  assert(isAim, 'the aim is no table of sentences');
  return /** @type {Record<string, string>} */ (value);
}

/**
 * @param {unknown} value
 * @returns {Paint[]}
 */
export function readPaints(value) {
  assert(Array.isArray(value), 'there is no list of paints');
  return value.map((paint, index) => {
    const isPaint = isObject(paint)
      && FORMS.includes(/** @type {string} */ (paint.form))
      && (paint.style === 'piece' || paint.style === 'plain' || paint.style === 'target')
      && COLOUR.test(String(paint.fill)) && COLOUR.test(String(paint.ink))
      && isSize(paint.inset) && typeof paint.below === 'boolean' && typeof paint.named === 'boolean'
      && (paint.form === 'image' ? isImage(paint.image) : paint.image === undefined);
    assert(isPaint, `paint ${index} is not one that this version knows`);
    return /** @type {Paint} */ (/** @type {unknown} */ (paint));
  });
}

/** @param {unknown} image */
const isImage = (image) => Array.isArray(image) && image.every((part) => isObject(part) && COLOUR.test(String(part.fill))
  && Array.isArray(part.outlines) && part.outlines.every((outline) => Array.isArray(outline) && outline.every(isSize)));

/**
 * @param {unknown} value
 * @param {Paint[]} paints
 * @returns {Shape}
 */
export function readShape(value, paints) {
  const [row, column, rows, columns, number, label] = Array.isArray(value) ? value : [];
  const isPlace = Number.isFinite(row) && Number.isFinite(column) && isSize(rows) && isSize(columns);
  assert(isPlace && typeof label === 'string', 'a shape is not [row, column, rows, columns, paint, label]');
  const paint = paints[number];
  assert(paint, `a shape has paint ${number}, and there are ${paints.length} paints`);
  return { row, column, rows, columns, paint, label };
}

/**
 * @param {unknown} value
 * @returns {{ notation: string, cost: number, gesture: Gesture | null }}
 */
export function readMove(value) {
  assert(isObject(value), 'a move is not { notation, cost, gesture }');
  const { notation, cost, gesture } = value;
  assert(typeof notation === 'string' && isSize(cost), 'a move has no notation or no cost');
  return { notation, cost, gesture: readGesture(gesture ?? null, notation) };
}

/**
 * @param {unknown} value
 * @param {string} notation
 * @returns {Gesture | null}
 */
function readGesture(value, notation) {
  if (value === null) return null;
  const { swipe, press } = isObject(value) ? value : {};
  if (DIRECTIONS.includes(/** @type {string} */ (swipe))) return /** @type {Gesture} */ (value);
  const [row, column] = Array.isArray(press) ? press : [];
  assert(isSize(row) && isSize(column), `the gesture of move ${notation} is neither a swipe nor a press`);
  return { press: [row, column] };
}
