// One trial: a player in one level; what was done, what may be done, and when it is over. It knows no page; the board shows it.

/** @import { Controls, Game, Move, Outcome, PlayEvent, Position, TrialOptions, Shape, Step } from './types.js' */

import { controlsOf } from './gestures.js';

/**
 * A position with all that there is to know about it.
 * @typedef {{ position: Position, moves: Move[], shapes: Shape[], controls: Controls }} Scene
 */

export class Trial {
  /** @type {Game} */ #game;
  /** @type {TrialOptions} */ #options;
  /** @type {Scene | null} */ #scene = null;
  /** @type {Position | null} */ #start = null;
  /** What led to the position, without what was taken back. @type {{ before: Position, notation: string, cost: number }[]} */ #history = [];
  #attempt = 1;
  #nMade = 0;
  /** The clock when the level began, in milliseconds; less the time that it had lasted before where it goes on. */
  #begun = 0;
  /** The clock when its time is up. */
  #deadline = Infinity;
  /** @type {Outcome | null} */ #outcome = null;
  /** @type {(end: { outcome: Outcome }) => void} */ #finish = () => {};

  /** Resolves when the level is over. @type {Promise<{ outcome: Outcome }>} */
  finished = new Promise((resolve) => { this.#finish = resolve; });

  /**
   * @param {Game} game
   * @param {TrialOptions} options
   */
  constructor(game, options) {
    this.#game = game;
    this.#options = options;
  }

  /** What is on the board. */
  get scene() {
    if (!this.#scene) throw new Error('The level has not begun: call begin() or resume() first');
    return this.#scene;
  }

  /** How the level ended; nothing while it goes on. */
  get outcome() {
    return this.#outcome;
  }

  /** The cost of the moves that led here, in the unit of the game. */
  get cost() {
    return this.#history.reduce((sum, { cost }) => sum + cost, 0);
  }

  /** How many moves the limit leaves; moves that were taken back count as made, and those of earlier attempts too. */
  get movesLeft() {
    return (this.#options.limits.moves ?? Infinity) - this.#nMade;
  }

  /** How long the level has lasted. */
  get seconds() {
    return (this.#options.now() - this.#begun) / 1000;
  }

  get isTimeUp() {
    return this.#options.now() >= this.#deadline;
  }

  get canUndo() {
    return this.#options.canUndo && this.#history.length > 0 && !this.#outcome;
  }

  get canReset() {
    return this.#options.canReset && this.#history.length > 0 && !this.#outcome;
  }

  async begin() {
    await this.#open();
    this.#begun = this.#options.now();
    this.#emit('start', '', this.#begun);
    this.#limit();
    this.#settle();
  }

  /**
   * Goes through what was done before, without events. Where steps have times, the clock of the level goes on from the last
   * of them, or has gone on meanwhile.
   *
   * @param {Step[]} steps
   * @param {number} [time] what the clock of the steps shows by now, in milliseconds, where that is known
   * @throws {Error} where they do not fit the level
   */
  async resume(steps, time) {
    const times = steps.map(({ time_ms: own }) => own ?? NaN);
    const used = (time ?? times.at(-1) ?? 0) - (times[0] ?? 0);
    this.#begun = this.#options.now() - (Number.isFinite(used) ? used : 0);
    await this.#open();
    for (const [index, step] of steps.entries()) {
      if (this.#outcome) break;
      try {
        await this.#repeat(step);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`Level ${this.#game.level} cannot go on where it was left: step ${index + 1} (${step.event} ${step.action}) cannot be repeated: ${reason}`, { cause });
      }
    }
    this.#limit();
    this.#settle();
  }

  /**
   * Makes a legal move of the present position.
   *
   * @param {Move} move
   * @param {number} time of the input
   */
  async move(move, time) {
    const notation = await this.#play(move);
    this.#emit('move', notation, time);
    if (this.scene.position.solved) this.#emit('solved', '', time);
    else if (this.movesLeft <= 0) this.#emit('limit', 'moves', time);
    this.#settle();
  }

  /**
   * Takes the last move back.
   *
   * @param {number} time of the input
   * @returns {Promise<string>} the move
   */
  async undo(time) {
    const notation = await this.#back();
    this.#emit('undo', notation, time);
    return notation;
  }

  /**
   * Starts again: a new attempt.
   *
   * @param {number} time of the input
   */
  async reset(time) {
    await this.#again(() => this.#emit('reset', '', time));
  }

  /**
   * An optimal move, as one of the moves of the position, and the distance; nothing where no goal can be reached.
   *
   * @param {number} time of the input
   */
  async hint(time) {
    const { position, moves } = this.scene;
    const hint = await this.#game.hint(position);
    this.#emit('hint', hint?.notation ?? '', time);
    return hint && { ...hint, move: meant(moves, hint.notation) };
  }

  /** @param {number} time of the input */
  giveUp(time) {
    if (this.#outcome) return;
    this.#emit('give_up', '', time);
    this.#end('given_up');
  }

  /** The limit of seconds is reached. */
  timeUp() {
    if (this.#outcome) return;
    this.#emit('limit', 'seconds', this.#deadline);
    this.#end('time');
  }

  /** @param {Outcome} outcome */
  #end(outcome) {
    if (this.#outcome) return;
    this.#outcome = outcome;
    this.#finish({ outcome });
  }

  async #open() {
    if (this.#start) throw new Error('The level has begun already: make a new board for another one');
    this.#start = await this.#game.start();
    await this.#go(this.#start);
  }

  /** @param {Position} position */
  async #go(position) {
    const [moves, shapes] = await Promise.all([this.#game.moves(position), this.#game.picture(position)]);
    // Where the rules go on beyond a goal, the level does not.
    const legal = position.solved ? [] : moves;
    this.#scene = { position, shapes, moves: legal, controls: controlsOf(shapes, legal) };
  }

  /** @param {Move} move */
  async #play(move) {
    const before = this.scene.position;
    const { position, notation } = await this.#game.play(before, move);
    await this.#go(position);
    this.#history.push({ before, notation, cost: move.cost });
    this.#nMade += 1;
    return notation;
  }

  async #back() {
    const last = this.#history.at(-1);
    if (!last) throw new Error('there is no move to take back');
    await this.#go(last.before);
    this.#history.pop();
    return last.notation;
  }

  /** @param {() => void} onDone called while the attempt that ends still counts */
  async #again(onDone) {
    await this.#go(/** @type {Position} */ (this.#start));
    this.#history = [];
    onDone();
    this.#attempt += 1;
  }

  /** @param {Step} step */
  async #repeat({ event, action }) {
    if (event === 'move') await this.#replay(action);
    else if (event === 'undo') await this.#back();
    else if (event === 'reset') await this.#again(() => {});
    else if (event === 'give_up') this.#end('given_up');
    else if (event === 'limit') this.#end(action === 'moves' ? 'moves' : 'time');
    else if (!['start', 'hint', 'solved'].includes(event)) throw new Error('there is no such event');
  }

  /**
   * Plays what was logged. Where chance had its turn the log says more than the move, and the game has to do the same
   * again.
   *
   * @param {string} action
   */
  async #replay(action) {
    const move = meant(this.scene.moves, action);
    if (!move) throw new Error('it is not legal there');
    const notation = await this.#play({ ...move, notation: action });
    if (notation !== action) throw new Error(`chance did otherwise: ${notation}`);
  }

  /** Says when the time is up: not before the level is there. */
  #limit() {
    this.#deadline = Math.max(this.#options.now(), this.#begun + (this.#options.limits.seconds ?? Infinity) * 1000);
  }

  #settle() {
    const { position } = this.scene;
    if (position.solved) this.#end('solved');
    else if (this.movesLeft <= 0) this.#end('moves');
    else if (position.ended && !this.canUndo && !this.canReset) this.#end('ended');
  }

  /**
   * @param {PlayEvent['event']} event
   * @param {string} action
   * @param {number} time
   */
  #emit(event, action, time) {
    this.#options.onEvent({ event, action, time_ms: time, attempt: this.#attempt });
  }
}

/**
 * The legal move that a notation means: the move itself, or that to which the notation adds what chance did.
 *
 * @param {Move[]} moves
 * @param {string} notation
 * @returns {Move | null}
 */
function meant(moves, notation) {
  const isBegun = (/** @type {Move} */ move) => notation.startsWith(move.notation) && !/^[\p{L}\p{N}]/u.test(notation.slice(move.notation.length));
  const found = moves.filter(isBegun).sort((one, other) => other.notation.length - one.notation.length);
  return found[0] ?? null;
}
