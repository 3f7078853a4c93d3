// A simulated player of levels: waits as people do, and makes one step after the other on a board, by the events of the
// pointers, keys and buttons that a person has.

/** @import { Move, PlayEvent, Point, Shape } from './types.js' */
/** @import { Board } from './board.js' */

import { CELL } from './drawing.js';
import { landing, middleOf, pieceAt } from './gestures.js';
import { assert } from './validation.js';

/** A board that does not take a step within this time, in milliseconds, never will. */
const PATIENCE = 10_000;
/** Steps in which a pointer is moved. */
const N_STEPS = 4;
/** How far a swipe goes, in pixels. */
const SWIPE = 80;

const ARROWS = { up: 'ArrowUp', right: 'ArrowRight', down: 'ArrowDown', left: 'ArrowLeft' };
const WAYS = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] };
/** What is done by the buttons below the board. @type {Record<string, string[]>} */
const TOOLS = { undo: ['undo'], reset: ['reset'], hint: ['hint'], give_up: ['give_up', 'give_up_yes'] };

/**
 * What a simulated player does in a level, after waiting for so many seconds.
 * @typedef {{ event: string, action: string, wait_s: number }} PlannedEvent
 */

/**
 * A board, what it stands in, and whether it has cells.
 * @typedef {{ board: Board, root: HTMLElement, isGrid: boolean }} PlayedBoard
 */

export class SimulatedPlayer {
  /** How many times as fast as a person. */
  speed;
  /** Chance, where a move can be made in two ways: a whole number from 0 to below n. @type {(n: number) => number} */
  draw = () => 0;
  /** The clock at the last event of the board, in milliseconds. */
  last = 0;
  /** @type {(ms: number) => Promise<void>} */ #pause;
  /** @type {(event: PlayEvent) => void} */ #hear = () => {};

  /**
   * @param {number} speed
   * @param {(ms: number) => Promise<void>} pause
   */
  constructor(speed = 1, pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); })) {
    this.speed = speed;
    this.#pause = pause;
  }

  /** The clock, in milliseconds: what is done at twice the speed has the times of life all the same. */
  now() {
    return performance.now() * this.speed;
  }

  /**
   * What the board tells.
   *
   * @param {PlayEvent} event
   */
  onEvent(event) {
    this.last = event.time_ms;
    this.#hear(event);
  }

  /**
   * Plays until the level or the list is over; then the level is given up, where that is allowed. What comes of itself, such
   * as a start, is passed over.
   *
   * @param {PlannedEvent[]} steps
   * @param {PlayedBoard} played
   * @returns {Promise<boolean>} whether the level is over
   * @throws {Error} where the board does not take a step
   */
  async play(steps, played) {
    let isOver = false;
    const over = played.board.finished.then(() => { isOver = true; });
    for (const { event, action, wait_s: wait } of steps) {
      if (event !== 'move' && !(event in TOOLS)) continue;
      await Promise.race([over, this.until(this.last + wait * 1000)]);
      if (isOver) return true;
      await this.#make(played, event, action);
    }
    // The end of a level is told after its last event.
    await Promise.race([over, this.#pause(0)]);
    const canGiveUp = played.root.querySelector('[data-tool="give_up"]') !== null;
    if (!isOver && canGiveUp) await this.#make(played, 'give_up', '');
    return isOver || canGiveUp;
  }

  /** @param {number} time on the clock */
  async until(time) {
    // Timers may come too early by a little; and the board is ready for the next step a little after it told of the last one.
    do await this.#pause((time - this.now()) / this.speed); while (this.now() < time);
  }

  /**
   * @param {PlayedBoard} played
   * @param {string} event
   * @param {string} action
   */
  async #make(played, event, action) {
    /** @type {Promise<PlayEvent>} */
    const told = new Promise((resolve) => { this.#hear = resolve; });
    const hand = new SimulatedInput(played);
    if (event === 'move') hand.move(action, this.draw);
    else TOOLS[event]?.forEach((name) => hand.press(`[data-tool="${name}"]`, name));
    const heard = await Promise.race([told, this.#pause(PATIENCE)]);
    // A hint has an action of the board. The time may run out while a hand is on its way.
    const isMeant = heard?.event === 'limit' || (heard?.event === event && (event !== 'move' || heard.action === action));
    assert(isMeant, `${event} ${action} became ${heard ? `${heard.event} ${heard.action}` : 'nothing'}`);
  }
}

/** A pointer and the keys, on one board. */
class SimulatedInput {
  /** @type {PlayedBoard} */ #played;
  /** @type {HTMLElement} */ #place;

  /** @param {PlayedBoard} played */
  constructor(played) {
    this.#played = played;
    const place = played.root.querySelector('.play-board');
    assert(place instanceof HTMLElement, 'there is no board');
    this.#place = place;
    // A pointer that no device has cannot be captured, and need not be.
    place.setPointerCapture = () => {};
  }

  /**
   * @param {string} notation
   * @param {(n: number) => number} draw
   */
  move(notation, draw) {
    const { board: { scene }, isGrid } = this.#played;
    const move = scene.moves.find((one) => one.notation === notation);
    assert(move, `the move ${notation} is not legal`);
    const { gesture } = move;
    const drag = dragOf(scene, move, isGrid);
    if (gesture && 'swipe' in gesture && draw(2) === 0) this.#key(ARROWS[gesture.swipe]);
    else if (gesture && 'swipe' in gesture) this.#swipe(/** @type {[number, number]} */ (WAYS[gesture.swipe]));
    else if (gesture) this.#drag({ row: gesture.press[0] + 0.5, column: gesture.press[1] + 0.5 });
    else if (drag) this.#drag(drag.from, drag.to);
    else this.press('.play-others button', `move ${notation}`, notation);
  }

  /**
   * @param {string} selector
   * @param {string} what is not possible without the button
   * @param {string} [label] that the button has
   */
  press(selector, what, label) {
    /** @type {NodeListOf<HTMLElement>} */
    const buttons = this.#played.root.querySelectorAll(selector);
    const button = [...buttons].find(({ textContent }) => label === undefined || textContent === label);
    assert(button && button.getAttribute('aria-disabled') !== 'true', `${what} is not possible`);
    button.click();
  }

  /** @param {string} key */
  #key(key) {
    this.#played.board.focus();
    this.#place.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }

  /**
   * @param {Point} from
   * @param {Point} to
   */
  #drag(from, to = from) {
    this.#draw(this.#client(from), this.#client(to));
  }

  /** @param {[right: number, down: number]} way */
  #swipe([right, down]) {
    const { x, y, width, height } = this.#place.getBoundingClientRect();
    const middle = { x: x + width / 2, y: y + height / 2 };
    this.#draw(middle, { x: middle.x + right * SWIPE, y: middle.y + down * SWIPE });
  }

  /**
   * @param {{ x: number, y: number }} from
   * @param {{ x: number, y: number }} to
   */
  #draw(from, to) {
    this.#point('pointerdown', from);
    for (let step = 1; step <= N_STEPS; step += 1) {
      this.#point('pointermove', { x: from.x + ((to.x - from.x) * step) / N_STEPS, y: from.y + ((to.y - from.y) * step) / N_STEPS });
    }
    this.#point('pointerup', to);
  }

  /**
   * @param {string} name
   * @param {{ x: number, y: number }} at
   */
  #point(name, { x, y }) {
    this.#place.dispatchEvent(new PointerEvent(name, { pointerId: 1, isPrimary: true, pointerType: 'mouse', button: 0, buttons: name === 'pointerup' ? 0 : 1, clientX: x, clientY: y, bubbles: true, cancelable: true }));
  }

  /** @param {Point} point of the board */
  #client({ row, column }) {
    const svg = /** @type {SVGSVGElement} */ (this.#place.querySelector('svg'));
    return new DOMPoint(column * CELL, row * CELL).matrixTransform(/** @type {DOMMatrix} */ (svg.getScreenCTM()));
  }
}

/**
 * Where a hand takes a piece, and where it lets it go.
 *
 * @param {Board['scene']} scene
 * @param {Move} move
 * @param {boolean} isGrid
 * @returns {{ from: Point, to: Point } | null} nothing where no piece makes the move
 */
function dragOf({ shapes, controls: { pieces } }, move, isGrid) {
  for (const piece of pieces) {
    const target = piece.targets.find((one) => one.move === move);
    const shape = /** @type {Shape} */ (shapes[piece.shape]);
    const way = target && { row: target.down, column: target.right };
    const from = middleOf(shape);
    if (!way || pieceAt(shapes, pieces, from, 0)?.piece !== piece || landing(shape, piece, way, isGrid) !== target) continue;
    return { from, to: { row: from.row + way.row, column: from.column + way.column } };
  }
  return null;
}
