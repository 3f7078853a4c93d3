// A simulated person in the place of a real one: turns pages, answers questions, and plays levels as a list says, by the
// pointers, keys and buttons that a person has.

/** @import { Move, PlayEvent, Point, Shape } from './types.js' */
/** @import { Board } from './board.js' */

import { CELL } from './drawing.js';
import { landing, middleOf, pieceAt } from './gestures.js';
import { drawing } from './orders.js';
import { expect, isObject } from './reading.js';

/** Seconds that a page is looked at. */
const PAGE = 2;
/** Milliseconds in which the board has to tell of what was done on it. */
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
 * What a simulated person does in a level, after waiting for so many seconds.
 * @typedef {{ event: string, action: string, wait_s: number }} Planned
 */

export class Robot {
  /** How many times as fast as a person. */
  #speed = 1;
  /** @type {Record<string, Planned[]>} */ #levels = {};
  #draw = drawing(0);
  /** The clock at the last event of the board, in milliseconds. */
  #last = 0;
  /** @type {(event: PlayEvent) => void} */ #hear = () => {};

  constructor() {
    addEventListener('error', ({ message }) => this.fail(message));
    addEventListener('unhandledrejection', ({ reason }) => this.fail(reason));
  }

  /**
   * Learns what to do.
   *
   * @param {string} participant
   */
  async load(participant) {
    const response = await fetch(`simulated/${encodeURIComponent(participant)}.json`);
    if (!response.ok) throw new Error(`There is no simulated person ${participant}: the server answers ${response.status}`);
    const value = await response.json();
    expect(isObject(value) && typeof value.speed === 'number' && value.speed > 0 && Number.isSafeInteger(value.seed) && isObject(value.levels), 'A simulated person is not { speed, seed, levels }');
    this.#speed = value.speed;
    this.#levels = /** @type {Record<string, Planned[]>} */ (value.levels);
    this.#draw = drawing(Number(value.seed));
  }

  /** The clock of a simulated person, in milliseconds: what is done at twice the speed has the times of life all the same. */
  now() {
    return performance.now() * this.#speed;
  }

  /**
   * Something went wrong.
   *
   * @param {unknown} error
   */
  fail(error) {
    const body = error instanceof Error ? error.message : String(error);
    fetch('simulated/failed', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body }).catch(reportError);
  }

  /**
   * What the board tells.
   *
   * @param {PlayEvent} event
   */
  heard(event) {
    this.#last = event.time_ms;
    this.#hear(event);
  }

  /**
   * Answers the questions of a page, and goes on.
   *
   * @param {HTMLElement} page
   */
  async page(page) {
    try {
      this.#last = this.now();
      await this.#wait(PAGE);
      for (const question of page.querySelectorAll('.sitting-question')) this.#answer(question);
      const [button] = [...page.querySelectorAll('.sitting-button:not(.sitting-other)')].slice(-1);
      expect(button instanceof HTMLElement, 'a page has no way on');
      button.click();
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * Plays a level to its end; where the list ends before, it is given up, or ends by its limit of time.
   *
   * @param {Board} board
   * @param {{ level: string, isGrid: boolean }} about its id, and whether its board has cells
   */
  async level(board, { level, isGrid }) {
    try {
      let isOver = false;
      void board.finished.then(() => { isOver = true; });
      this.#last = this.now();
      for (const step of this.#levels[level] ?? []) {
        if (!(step.event in TOOLS) && step.event !== 'move') continue;
        await this.#wait(step.wait_s);
        if (isOver) return;
        await this.#do(board, step, isGrid);
      }
      // The end of a level is told after its last event.
      await this.#pause(0);
      if (!isOver && toolOf('give_up')) await this.#do(board, { event: 'give_up', action: '', wait_s: 0 }, isGrid);
    } catch (error) {
      this.fail(new Error(`Level ${level}: ${error instanceof Error ? error.message : error}`, { cause: error }));
    }
  }

  /* Pages */

  /** @param {Element} question */
  #answer(question) {
    const options = /** @type {HTMLInputElement[]} */ ([...question.querySelectorAll('input[type=radio], input[type=checkbox]')]);
    if (options.length) {
      const chosen = this.#draw(options.length);
      options.filter((option, index) => index === chosen || (option.type === 'checkbox' && this.#draw(2) === 0)).forEach((option) => option.click());
      return;
    }
    const input = question.querySelector('input, textarea');
    if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement)) return;
    input.value = `simulated ${this.#draw(1000)}`;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /* Levels */

  /**
   * @param {Board} board
   * @param {Planned} step
   * @param {boolean} isGrid
   */
  async #do(board, { event, action }, isGrid) {
    const told = this.#told(event, action);
    const tools = TOOLS[event];
    if (tools) tools.forEach((name) => press(toolOf(name), name));
    else this.#move(board, action, isGrid);
    await told;
  }

  /**
   * Kept when the board tells that something was done.
   *
   * @param {string} event
   * @param {string} action that it has to have; a hint has one of the board
   * @returns {Promise<void>}
   */
  #told(event, action) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`nothing is heard of ${event} ${action}`)), PATIENCE);
      this.#hear = (heard) => {
        clearTimeout(timer);
        this.#hear = () => {};
        const isMeant = heard.event === event && (event !== 'move' || heard.action === action);
        // The time may run out while a hand is on its way.
        if (isMeant || heard.event === 'limit') resolve();
        else reject(new Error(`${event} ${action} became ${heard.event} ${heard.action}`));
      };
    });
  }

  /**
   * @param {Board} board
   * @param {string} notation
   * @param {boolean} isGrid
   */
  #move({ scene }, notation, isGrid) {
    const move = scene.moves.find((one) => one.notation === notation);
    expect(move, `the move ${notation} is not legal`);
    const hand = new Hand();
    const { gesture } = move;
    const drag = dragOf(scene, move, isGrid);
    if (gesture && 'swipe' in gesture && this.#draw(2) === 0) hand.key(ARROWS[gesture.swipe]);
    else if (gesture && 'swipe' in gesture) hand.swipe(/** @type {[number, number]} */ (WAYS[gesture.swipe]));
    else if (gesture) hand.drag({ row: gesture.press[0] + 0.5, column: gesture.press[1] + 0.5 });
    else if (drag) hand.drag(drag.from, drag.to);
    else press([...document.querySelectorAll('.play-others button')].find((one) => one.textContent === notation) ?? null, notation);
  }

  /* Time */

  /** @param {number} seconds after the last event */
  async #wait(seconds) {
    const end = this.#last + seconds * 1000;
    // Timers may come too early by a little.
    while (this.now() < end) await this.#pause((end - this.now()) / this.#speed);
  }

  /** @param {number} ms */
  async #pause(ms) {
    await new Promise((resolve) => { setTimeout(resolve, ms); });
  }
}

/** A pointer and the keys, on the board of the page. */
class Hand {
  /** @type {HTMLElement} */ #place;
  /** @type {SVGSVGElement} */ #svg;

  constructor() {
    const [place, svg] = [document.querySelector('.play-board'), document.querySelector('.play-board svg')];
    expect(place instanceof HTMLElement && svg instanceof SVGSVGElement, 'there is no board');
    this.#place = place;
    this.#svg = svg;
    // A pointer that no device has cannot be captured, and need not be.
    place.setPointerCapture = () => {};
  }

  /** @param {string} key */
  key(key) {
    this.#place.focus({ preventScroll: true });
    this.#place.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }

  /**
   * @param {Point} from
   * @param {Point} to
   */
  drag(from, to = from) {
    this.#draw(this.#client(from), this.#client(to));
  }

  /** @param {[right: number, down: number]} way */
  swipe([right, down]) {
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
    return new DOMPoint(column * CELL, row * CELL).matrixTransform(/** @type {DOMMatrix} */ (this.#svg.getScreenCTM()));
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

/** @param {string} name */
const toolOf = (name) => document.querySelector(`[data-tool="${name}"]`);

/**
 * @param {Element | null} button
 * @param {string} name
 */
function press(button, name) {
  expect(button instanceof HTMLElement, `there is no button ${name}`);
  button.click();
}
