// The hand of a simulated player: does what a player can do on a board, by the events of pointers, keys and buttons.

/** @import { Move, Point, Shape } from '../play/types.js' */
/** @import { Board } from '../play/board.js' */

import { CELL } from '../play/drawing.js';
import { landing, middleOf, pieceAt } from '../play/gestures.js';

/** A drag is seen in so many places on its way. */
const PLACES = 4;
const KEYS = { up: 'ArrowUp', right: 'ArrowRight', down: 'ArrowDown', left: 'ArrowLeft' };
/** What is done by buttons, and by which ones. @type {Record<string, string[]>} */
const TOOLS = { undo: ['undo'], reset: ['reset'], hint: ['hint'], give_up: ['give_up', 'give_up_yes'] };

export class Hand {
  /** @type {HTMLElement} */ #root;
  /** @type {Board} */ #board;
  /** @type {boolean} */ #isGrid;

  /**
   * @param {HTMLElement} root what the board stands in
   * @param {Board} board
   * @param {boolean} isGrid whether it has cells
   */
  constructor(root, board, isGrid) {
    this.#root = root;
    this.#board = board;
    this.#isGrid = isGrid;
  }

  /**
   * @param {{ event: string, action: string }} deed
   * @throws {Error} where there is no way to do it
   */
  make({ event, action }) {
    if (event === 'move') this.#move(action);
    else for (const tool of TOOLS[event] ?? []) this.#press(this.#root.querySelector(`[data-tool="${tool}"]`), event);
  }

  /** @param {string} notation */
  #move(notation) {
    const move = this.#board.scene.moves.find((one) => one.notation === notation);
    if (!move) throw new Error(`the move ${notation} is not legal`);
    const { gesture } = move;
    const drag = this.#dragOf(move);
    if (gesture && 'swipe' in gesture) this.#key(KEYS[gesture.swipe]);
    else if (gesture) this.#drag({ row: gesture.press[0] + 0.5, column: gesture.press[1] + 0.5 });
    else if (drag) this.#drag(drag.from, drag.to);
    else this.#press([...this.#root.querySelectorAll('.play-others button')].find((one) => one.textContent === notation), `move ${notation}`);
  }

  /**
   * Where a piece is taken and let go.
   *
   * @param {Move} move
   * @returns {{ from: Point, to: Point } | null} nothing where no piece makes the move
   */
  #dragOf(move) {
    const { shapes, controls: { pieces } } = this.#board.scene;
    for (const piece of pieces) {
      const target = piece.targets.find((one) => one.move === move);
      const shape = /** @type {Shape} */ (shapes[piece.shape]);
      const from = middleOf(shape);
      if (!target || pieceAt(shapes, pieces, from, 0)?.piece !== piece) continue;
      if (landing(shape, piece, { row: target.down, column: target.right }, this.#isGrid) !== target) continue;
      return { from, to: { row: from.row + target.down, column: from.column + target.right } };
    }
    return null;
  }

  /**
   * @param {Point} from
   * @param {Point} to the same: a tap
   */
  #drag(from, to = from) {
    const place = /** @type {HTMLElement} */ (this.#root.querySelector('.play-board'));
    // A browser captures only the pointers of devices.
    place.setPointerCapture = () => {};
    this.#point(place, 'pointerdown', from);
    for (let index = 1; index <= PLACES; index += 1) {
      const share = index / PLACES;
      this.#point(place, 'pointermove', { row: from.row + (to.row - from.row) * share, column: from.column + (to.column - from.column) * share });
    }
    this.#point(place, 'pointerup', to);
  }

  /**
   * @param {HTMLElement} place
   * @param {string} name
   * @param {Point} point
   */
  #point(place, name, { row, column }) {
    const drawing = /** @type {SVGSVGElement} */ (place.querySelector('svg'));
    const { x, y } = new DOMPoint(column * CELL, row * CELL).matrixTransform(drawing.getScreenCTM() ?? new DOMMatrix());
    place.dispatchEvent(new PointerEvent(name, { pointerId: 1, pointerType: 'mouse', isPrimary: true, button: 0, clientX: x, clientY: y, bubbles: true, cancelable: true }));
  }

  /** @param {string} key */
  #key(key) {
    this.#root.querySelector('.play-board')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }

  /**
   * @param {Element | null | undefined} button
   * @param {string} what
   */
  #press(button, what) {
    if (!(button instanceof HTMLElement) || button.getAttribute('aria-disabled') === 'true') throw new Error(`${what} is not possible`);
    button.click();
  }
}
