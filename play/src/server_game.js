// A level played against a server, which knows the rules and, where chance has a turn, throws the dice.

/** @import { BoardSize, Game, Move, Position, Shape } from './types.js' */

import { assert, isObject, readAim, readMove, readBoard, readPaints, readShape } from './validation.js';
import { jsonOf, httpError } from './requests.js';

/** So many positions are kept; earlier ones are asked for again. */
const MOST_KEPT = 256;

/**
 * What the server said of a position.
 * @typedef {{ position: Position, shapes: Shape[], moves: Move[] }} Known
 */

/** @implements {Game} */
export class ServerGame {
  /** @type {string} */ level;
  /** @type {string} */ unit = '';
  /** @type {Record<string, string>} */ aim = {};
  /** @type {boolean} */ hints = false;
  /** Whether chance draws the start of each attempt. @type {boolean} */ isStartDrawn = false;
  /** @type {BoardSize} */ board = { width: 0, height: 0, grid: false, openings: [], goal: null };

  /** Address of the level. @type {string} */ #address;
  /** @type {typeof fetch} */ #fetch;
  /** By their ids, the latest last. @type {Map<string, Known>} */ #known = new Map();
  /** @type {Position | undefined} */ #start;

  /**
   * A level of a server.
   *
   * @param {string} base address of the server, without a slash at the end
   * @param {string} level
   * @param {typeof fetch} fetch what asks the server
   * @returns {Promise<ServerGame>}
   * @throws {Error} with the text of the server, or one that says why it cannot be reached or understood
   */
  static async load(base, level, fetch = (...request) => globalThis.fetch(...request)) {
    const game = new ServerGame(base, level, fetch);
    const answer = await game.#ask('');
    game.#understood(() => {
      const { unit, aim, hints, board, start, level: name } = answer;
      assert(typeof name === 'string' && typeof unit === 'string' && typeof hints === 'boolean', 'the level has no name, unit or hints');
      Object.assign(game, { level: name, unit, aim: readAim(aim), hints, board: readBoard(board), isStartDrawn: answer.is_start_drawn === true });
      game.#start = game.#keep(start);
    });
    return game;
  }

  /**
   * @param {string} base
   * @param {string} level
   * @param {typeof fetch} fetch
   */
  constructor(base, level, fetch) {
    this.level = level;
    this.#address = `${base}/api/levels/${encodeURIComponent(level)}`;
    this.#fetch = fetch;
  }

  async start() {
    assert(this.#start, `level ${this.level} is not loaded: use ServerGame.load`);
    return this.#start;
  }

  /**
   * Lets attempts start in another position than the one that was drawn.
   *
   * @param {string} state
   */
  async startAt(state) {
    this.#start = (await this.#about({ id: state, solved: false, ended: false })).position;
  }

  /** The position in which attempts start, where chance drew it. @returns {string | undefined} */
  get drawnStart() {
    return this.isStartDrawn ? String(this.#start?.id) : undefined;
  }

  /** @param {Position} position */
  async moves(position) {
    return (await this.#about(position)).moves;
  }

  /** @param {Position} position */
  async picture(position) {
    return (await this.#about(position)).shapes;
  }

  /**
   * @param {Position} position
   * @param {Move} move
   */
  async play(position, move) {
    const body = JSON.stringify({ state: position.id, action: move.notation });
    const answer = await this.#ask('/play', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    return this.#understood(() => {
      const { notation } = answer;
      assert(typeof notation === 'string', 'the move that was made has no notation');
      return { notation, position: this.#keep(answer.position) };
    });
  }

  /** @param {Position} position */
  async hint(position) {
    const answer = await this.#ask(`/hint?state=${encodeURIComponent(position.id)}`);
    return this.#understood(() => {
      // The command line calls the value by what it counts.
      const name = ['value', 'distance', 'points'].find((one) => one in answer);
      assert(name, 'the hint has no value');
      const { [name]: value, moves } = answer;
      if (value === null || position.solved) return null;
      assert(typeof value === 'number' && Array.isArray(moves), 'the value of the hint is no number, or it has no list of moves');
      const optimal = moves.find((move) => isObject(move) && move.is_optimal === true);
      if (!optimal) return null;
      assert(typeof optimal.move === 'string', 'the optimal move has no notation');
      return { notation: optimal.move, distance: value };
    });
  }

  /**
   * @param {Position} position
   * @returns {Promise<Known>}
   */
  async #about({ id }) {
    const known = this.#known.get(String(id));
    if (known) return known;
    const answer = await this.#ask(`/position?state=${encodeURIComponent(id)}`);
    return this.#understood(() => {
      const found = readPosition(answer);
      // Under the id that was asked for, lest a server with other words for the same state be asked again and again.
      this.#put(String(id), found);
      return found;
    });
  }

  /** @param {unknown} value */
  #keep(value) {
    const known = readPosition(value);
    this.#put(String(known.position.id), known);
    return known.position;
  }

  /**
   * @param {string} id
   * @param {Known} known
   */
  #put(id, known) {
    this.#known.delete(id);
    this.#known.set(id, known);
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > MOST_KEPT && oldest !== undefined) this.#known.delete(oldest);
  }

  /**
   * @param {string} path
   * @param {RequestInit} request
   * @returns {Promise<Record<string, unknown>>}
   */
  async #ask(path, request = {}) {
    const { response, answer } = await jsonOf(this.#fetch(this.#address + path, request));
    if (!response.ok) throw httpError(response.status, isObject(answer) && typeof answer.error === 'string' ? answer.error : `The server answers ${response.status}`);
    return this.#understood(() => {
      assert(isObject(answer), 'its answer is no JSON object');
      return answer;
    });
  }

  /**
   * @template T
   * @param {() => T} read
   * @returns {T}
   */
  #understood(read) {
    try {
      return read();
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
      throw new Error(`The server cannot be understood (${cause.message}); see whether page and server are of one version`, { cause });
    }
  }
}

/**
 * @param {unknown} value
 * @returns {Known}
 */
function readPosition(value) {
  assert(isObject(value), 'a position is missing');
  const { state, solved, ended, shapes, moves } = value;
  assert(typeof state === 'string' && typeof solved === 'boolean' && typeof ended === 'boolean', 'a position is not { state, solved, ended, … }');
  const paints = readPaints(value.paints);
  const pictureOf = (/** @type {unknown} */ list) => {
    assert(Array.isArray(list), 'a picture is no list of shapes');
    return list.map((shape) => readShape(shape, paints));
  };
  assert(Array.isArray(moves), 'a position has no list of moves');
  return {
    position: { id: state, solved, ended },
    shapes: pictureOf(shapes),
    moves: moves.map((move) => ({ ...readMove(move), after: pictureOf(move.after) })),
  };
}
