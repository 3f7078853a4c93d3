// The hand of a simulated player: makes moves on a board in the page by the events that a pointer or a key sends.

/** @import { Game, Move, Piece, Point, Shape } from '../play/types.js' */
/** @import { Scene } from '../play/session.js' */
/** @import { Words } from '../play/words.js' */

import { middleOf } from '../play/gestures.js';
import { Session } from '../play/session.js';

/** Units of the drawing in a cell. */
const CELL = 100;
/** A drag is seen in so many places on its way, so many milliseconds apart. */
const PLACES = 5;
const PACE = 16;
/** The pointer of no device. */
const POINTER = 0x706c79;

const KEYS = { up: 'ArrowUp', right: 'ArrowRight', down: 'ArrowDown', left: 'ArrowLeft' };

export class Hand {
  /** @type {HTMLElement} */ #root;
  /** @type {Words} */ #words;
  /** @type {(ms: number) => Promise<void>} */ #pause;
  /** Where the board is: it does what was done there. @type {Session} */ #shadow;

  /**
   * @param {HTMLElement} root what the board stands in
   * @param {Game} game
   * @param {Words} words of the board
   * @param {(ms: number) => Promise<void>} pause
   */
  constructor(root, game, words, pause) {
    this.#root = root;
    this.#words = words;
    this.#pause = pause;
    this.#shadow = new Session(game, { canUndo: true, canReset: true, limits: {}, onEvent: () => {}, now: () => 0 });
  }

  async begin() {
    await this.#shadow.begin();
  }

  /**
   * Takes note of what the board told.
   *
   * @param {{ event: string, action: string }} event
   */
  async follow({ event, action }) {
    const move = this.#shadow.scene.moves.find(({ notation }) => notation === action);
    if (event === 'move' && move) await this.#shadow.move(move, 0);
    else if (event === 'undo') await this.#shadow.undo(0);
    else if (event === 'reset') await this.#shadow.reset(0);
  }

  /**
   * @param {{ event: string, action: string }} deed
   * @returns {Promise<boolean>} whether there is a way to do it
   */
  async make({ event, action }) {
    if (event === 'move') return this.#move(this.#shadow.scene, action);
    const isAsked = this.#press('.play-tools', this.#words.say(event));
    return isAsked && event === 'give_up' ? this.#press('.play-tools', this.#words.say('give_up_yes')) : isAsked;
  }

  /**
   * @param {Scene} scene
   * @param {string} notation
   */
  async #move({ moves, shapes, controls }, notation) {
    const move = moves.find((one) => one.notation === notation);
    const piece = controls.pieces.find(({ targets }) => targets.some((target) => target.move === move));
    const press = controls.presses.find((one) => one.move === move);
    const swipe = Object.entries(controls.swipes).find(([, one]) => one === move);
    if (!move) return false;
    if (swipe) this.#key(KEYS[/** @type {keyof typeof KEYS} */ (swipe[0])]);
    else if (press) await this.#drag({ row: press.row + 0.5, column: press.column + 0.5 }, null);
    else if (piece) await this.#dragPiece(/** @type {Shape} */ (shapes[piece.shape]), piece, move);
    else return this.#press('.play-others', notation);
    return true;
  }

  /**
   * @param {Shape} shape
   * @param {Piece} piece
   * @param {Move} move
   */
  async #dragPiece(shape, { targets }, move) {
    const target = targets.find((one) => one.move === move);
    const from = middleOf(shape);
    if (target) await this.#drag(from, { row: from.row + target.down, column: from.column + target.right });
  }

  /**
   * @param {Point} from
   * @param {Point | null} to nothing: a tap
   */
  async #drag(from, to) {
    const place = /** @type {HTMLElement} */ (this.#root.querySelector('.play-board'));
    // A browser captures only pointers of devices.
    place.setPointerCapture = () => {};
    this.#point(place, 'pointerdown', from);
    for (let index = 1; to && index <= PLACES; index += 1) {
      await this.#pause(PACE);
      const share = index / PLACES;
      this.#point(place, 'pointermove', { row: from.row + (to.row - from.row) * share, column: from.column + (to.column - from.column) * share });
    }
    this.#point(place, 'pointerup', to ?? from);
  }

  /**
   * @param {HTMLElement} place
   * @param {string} name
   * @param {Point} point
   */
  #point(place, name, { row, column }) {
    const drawing = /** @type {SVGSVGElement} */ (place.querySelector('svg'));
    const { x, y } = new DOMPoint(column * CELL, row * CELL).matrixTransform(drawing.getScreenCTM() ?? new DOMMatrix());
    place.dispatchEvent(new PointerEvent(name, { pointerId: POINTER, isPrimary: true, button: 0, clientX: x, clientY: y, bubbles: true }));
  }

  /** @param {string} key */
  #key(key) {
    this.#root.querySelector('.play-board')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }

  /**
   * Clicks a button that can be seen.
   *
   * @param {string} group
   * @param {string} text
   */
  #press(group, text) {
    const buttons = /** @type {HTMLElement[]} */ ([...this.#root.querySelectorAll(`${group} button`)]);
    const button = buttons.find((one) => one.textContent === text && !one.closest('[hidden]') && one.getAttribute('aria-disabled') !== 'true');
    button?.click();
    return button !== undefined;
  }
}
