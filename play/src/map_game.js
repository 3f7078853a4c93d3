// A level played from its map of all states: the file has everything, and nothing more is asked of a server.

/** @import { BoardSize, Game, Gesture, Move, Position, Shape } from './types.js' */

import { crc32 } from './checksum.js';
import { assert, isObject, readAim, readMove, readBoard, readPaints, readShape } from './validation.js';
import { fileOf } from './requests.js';

const MAGIC = 'plymap2\n';
/** Behind everything stands the checksum of it. */
const SUM_BYTES = 4;
/** The distance of a state from which no goal can be reached. */
const NO_GOAL = 65_535;
/** Up to so many entries of a list have indices of 16 bits. */
const MOST_SHORT = 65_536;
/** The rest of a message about a file that cannot be read. */
const REMEDY = 'load the page again, and if that does not help, write the map anew';

/** @implements {Game} */
export class MapGame {
  /** @type {string} */ level;
  /** @type {string} */ unit;
  /** @type {Record<string, string>} */ aim;
  /** @type {BoardSize} */ board;
  /** @type {boolean} */ hints;

  /** Name of the file, for messages. @type {string} */ #file;
  /** @type {Header} */ #header;
  /** @type {Arrays} */ #arrays;
  /** Entries of the header, read when they are first asked for. @type {(Shape | undefined)[]} */ #shapes = [];
  /** @type {({ notation: string, cost: number, gesture: Gesture | null } | undefined)[]} */ #actions = [];

  /**
   * The level of a map file, version 2, packed by gzip or unpacked.
   *
   * Numbers that point outside of their lists are found when a position that has them is first asked for.
   *
   * @param {string | URL} url
   * @param {typeof fetch} fetch what asks the server
   * @returns {Promise<MapGame>}
   * @throws {Error} that names the file: it cannot be had, or it is damaged or of another version
   */
  static async load(url, fetch = (...request) => globalThis.fetch(...request)) {
    return MapGame.read(await fileOf(fetch(url), String(url)), String(url));
  }

  /**
   * The same from the bytes of a file.
   *
   * @param {ArrayBuffer} buffer
   * @param {string} file its name, for messages
   * @returns {Promise<MapGame>}
   * @throws {Error} as `load`
   */
  static async read(buffer, file = 'level map') {
    const bytes = await unpacked(buffer, file);
    return new MapGame(bytes, file);
  }

  /**
   * @param {ArrayBuffer} buffer
   * @param {string} file
   */
  constructor(buffer, file) {
    this.#file = file;
    const { header, end } = this.#checked(() => readHeader(buffer));
    this.#header = header;
    this.#arrays = this.#checked(() => readArrays(buffer, end, header));
    this.level = header.level;
    this.unit = header.unit;
    this.aim = header.aim;
    this.board = header.board;
    this.hints = header.distances;
  }

  async start() {
    return this.#checked(() => this.#position(this.#header.start));
  }

  /** @param {Position} position */
  async moves(position) {
    return this.#checked(() => this.#movesOf(this.#state(position)).map(({ action, target }) => {
      const { notation, cost, gesture } = this.#action(action);
      return { notation, cost, gesture, after: this.#picture(target) };
    }));
  }

  /**
   * @param {Position} position
   * @param {Move} move
   */
  async play(position, move) {
    return this.#checked(() => {
      const made = this.#movesOf(this.#state(position)).find(({ action }) => this.#action(action).notation === move.notation);
      if (!made) throw new TypeError(`${this.level}: ${move.notation} is no legal move of state ${position.id}`);
      return { position: this.#position(made.target), notation: move.notation };
    });
  }

  /** @param {Position} position */
  async picture(position) {
    return this.#checked(() => this.#picture(this.#state(position)));
  }

  /** @param {Position} position */
  async hint(position) {
    return this.#checked(() => {
      const { distances } = this.#arrays;
      const state = this.#state(position);
      const distance = distances?.[state] ?? NO_GOAL;
      if (!distances || distance === NO_GOAL || position.solved) return null;
      const moves = this.#movesOf(state).map(({ action, target }) => {
        const { notation, cost } = this.#action(action);
        const after = distances[target] ?? NO_GOAL;
        return { notation, length: after === NO_GOAL ? Infinity : after + cost };
      });
      const optimal = moves.find(({ length }) => length === distance);
      assert(optimal, `no move of state ${state} fits its distance`);
      return { notation: optimal.notation, distance };
    });
  }

  /** @param {Position} position */
  #state({ id }) {
    if (typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < this.#header.nStates) return id;
    throw new TypeError(`${this.level}: there is no state ${id}; its states are numbered from 0 to ${this.#header.nStates - 1}`);
  }

  /**
   * @param {number} state
   * @returns {Position}
   */
  #position(state) {
    const { goals, firstMove } = this.#arrays;
    const solved = (at(goals, state >> 3) & (1 << (state & 7))) !== 0;
    return { id: state, solved, ended: solved || at(firstMove, state) === at(firstMove, state + 1) };
  }

  /** @param {number} state */
  #movesOf(state) {
    const { firstMove, targets, moveActions } = this.#arrays;
    const moves = [];
    for (const index of range(firstMove, state, targets.length, 'moves')) {
      const target = at(targets, index);
      assert(target < this.#header.nStates, `a move of state ${state} leads to state ${target}, and there are ${this.#header.nStates}`);
      moves.push({ action: at(moveActions, index), target });
    }
    return moves;
  }

  /** @param {number} state */
  #picture(state) {
    const { firstShape, stateShapes } = this.#arrays;
    const shapes = [];
    for (const index of range(firstShape, state, stateShapes.length, 'shapes')) shapes.push(this.#shape(at(stateShapes, index)));
    return shapes;
  }

  /** @param {number} index */
  #shape(index) {
    const { shapes, paints } = this.#header;
    assert(index < shapes.length, `a state has shape ${index}, and there are ${shapes.length} shapes`);
    return (this.#shapes[index] ??= readShape(shapes[index], paints));
  }

  /** @param {number} index */
  #action(index) {
    const { actions } = this.#header;
    assert(index < actions.length, `a move has action ${index}, and there are ${actions.length} actions`);
    return (this.#actions[index] ??= readMove(actions[index]));
  }

  /**
   * What is wrong in the file is told with its name. Wrong calls are the caller's, and pass as they are.
   *
   * @template T
   * @param {() => T} read
   * @returns {T}
   */
  #checked(read) {
    try {
      return read();
    } catch (cause) {
      if (cause instanceof TypeError || !(cause instanceof Error)) throw cause;
      throw new Error(`${this.#file}: ${cause.message}; ${REMEDY}`, { cause });
    }
  }
}

/**
 * @typedef {object} Header
 * @property {string} level
 * @property {string} unit
 * @property {Record<string, string>} aim
 * @property {number} nStates
 * @property {number} start
 * @property {boolean} distances
 * @property {BoardSize} board
 * @property {import('./types.js').Paint[]} paints
 * @property {unknown[]} shapes
 * @property {unknown[]} actions
 */

/**
 * Views on the bytes of the file.
 * @typedef {object} Arrays
 * @property {Uint32Array} firstShape
 * @property {Uint16Array | Uint32Array} stateShapes
 * @property {Uint32Array} firstMove
 * @property {Uint32Array} targets
 * @property {Uint16Array | Uint32Array} moveActions
 * @property {Uint8Array} goals
 * @property {Uint16Array | null} distances
 */

/**
 * Some hosts unpack what they send, and say so only to the browser: the first bytes tell.
 *
 * @param {ArrayBuffer} buffer
 * @param {string} file
 */
async function unpacked(buffer, file) {
  const [first, second] = new Uint8Array(buffer);
  if (first !== 0x1f || second !== 0x8b) return buffer;
  const stream = new Blob([buffer]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer().catch((cause) => {
    throw new Error(`${file}: the file is cut short or damaged and cannot be unpacked; ${REMEDY}`, { cause });
  });
}

/** @param {ArrayBuffer} buffer */
function readHeader(buffer) {
  const magic = new TextDecoder('latin1').decode(buffer.slice(0, MAGIC.length));
  const version = /^plymap(\d+)\n/.exec(magic)?.[1];
  assert(version === undefined || magic === MAGIC, `the map is of version ${version}, and this page reads version 2`);
  assert(magic === MAGIC, 'the file is no map of a level');
  const after = MAGIC.length + 4;
  const view = new DataView(buffer);
  const length = buffer.byteLength - SUM_BYTES;
  const isWhole = length >= after && view.getUint32(length, true) === crc32(new Uint8Array(buffer, 0, length));
  assert(isWhole, 'the file is cut short or damaged: its checksum is another one');
  const end = after + view.getUint32(MAGIC.length, true);
  assert(length >= end, 'the file ends too early');
  const text = new TextDecoder().decode(new Uint8Array(buffer, after, end - after));
  return { header: headerOf(parsed(text)), end };
}

/** @param {string} text */
function parsed(text) {
  try {
    return /** @type {unknown} */ (JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * @param {unknown} value
 * @returns {Header}
 */
function headerOf(value) {
  assert(isObject(value), 'its head cannot be read');
  const { level, unit, aim, n_states: nStates, start, distances, shapes, actions } = value;
  assert(typeof level === 'string' && typeof unit === 'string', 'its head has no level or no unit');
  assert(typeof nStates === 'number' && Number.isInteger(nStates) && nStates > 0, 'its head has no number of states');
  assert(typeof start === 'number' && Number.isInteger(start) && start >= 0 && start < nStates, `the start, ${start}, is none of the ${nStates} states`);
  assert(typeof distances === 'boolean', 'its head does not say whether there are distances');
  assert(Array.isArray(shapes) && Array.isArray(actions), 'its head has no list of shapes or of actions');
  const [board, paints] = [readBoard(value.board), readPaints(value.paints)];
  return { level, unit, aim: readAim(aim), nStates, start, distances, board, paints, shapes, actions };
}

/**
 * @param {ArrayBuffer} buffer
 * @param {number} end of the head
 * @param {Header} header
 * @returns {Arrays}
 */
function readArrays(buffer, end, { nStates, shapes, actions, distances }) {
  const length = buffer.byteLength - SUM_BYTES;
  let offset = aligned(end);

  /**
   * Where the next array stands.
   *
   * @param {number} entries
   * @param {number} size of an entry, in bytes
   */
  function next(entries, size) {
    const from = offset;
    offset = aligned(from + entries * size);
    assert(offset <= length, 'the file ends too early');
    return from;
  }

  const bytes = (/** @type {number} */ length) => new Uint8Array(buffer, next(length, 1), length);
  const shorts = (/** @type {number} */ length) => new Uint16Array(buffer, next(length, 2), length);
  const longs = (/** @type {number} */ length) => new Uint32Array(buffer, next(length, 4), length);
  const indices = (/** @type {unknown[]} */ list, /** @type {number} */ length) => (list.length <= MOST_SHORT ? shorts : longs)(length);

  const firstShape = longs(nStates + 1);
  const stateShapes = indices(shapes, at(firstShape, nStates));
  const firstMove = longs(nStates + 1);
  const targets = longs(at(firstMove, nStates));
  const moveActions = indices(actions, targets.length);
  const goals = bytes(Math.ceil(nStates / 8));
  const all = { firstShape, stateShapes, firstMove, targets, moveActions, goals, distances: distances ? shorts(nStates) : null };
  assert(offset === length, 'the file is longer than its head says');
  return all;
}

/** @param {number} offset */
const aligned = (offset) => Math.ceil(offset / 4) * 4;

/**
 * @param {Uint8Array | Uint16Array | Uint32Array} array
 * @param {number} index inside of the array
 */
const at = (array, index) => /** @type {number} */ (array[index]);

/**
 * The indices of what belongs to a state.
 *
 * @param {Uint32Array} first
 * @param {number} state
 * @param {number} length
 * @param {string} what
 */
function range(first, state, length, what) {
  const [from, to] = [at(first, state), at(first, state + 1)];
  assert(from <= to && to <= length, `the ${what} of state ${state} stand nowhere`);
  return Array.from({ length: to - from }, (_, index) => from + index);
}
