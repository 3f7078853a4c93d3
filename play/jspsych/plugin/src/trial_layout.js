// What a trial puts into the page: how moves are made, the board, and the button that goes on.

/** @import { BoardOptions, Game } from '../play/types.js' */
/** @import { Translator } from '../play/i18n.js' */

import { Board } from '../play/board.js';
import { controlsOf, kindOf } from '../play/gestures.js';
import { isTouchScreen } from '../play/input.js';
import { make } from '../play/panel.js';

/** Space around the parts and between them, in pixels; more than the style sheet says by a little. */
const GAPS = 44;

export class TrialLayout {
  /** What the board stands in. */
  place = make('div');
  #how = make('p', { class: 'jspsych-plymap-how', hidden: '' });
  #after = make('div', { class: 'jspsych-plymap-after' });
  #root = make('div', { class: 'jspsych-plymap' }, this.#how, this.place, this.#after);
  /** Of what stands around the board. @type {Translator} */ #words;
  /** @type {Board | null} */ #board = null;
  #sizes = new ResizeObserver(() => this.#fit());
  /** An experiment that is ended from outside takes the trial out of the page without a word. */
  #leaving = new MutationObserver(() => { if (!this.#root.isConnected) this.close(); });

  /**
   * @param {HTMLElement} display is filled
   * @param {Translator} words
   */
  constructor(display, words) {
    this.#words = words;
    display.replaceChildren(this.#root);
    for (const part of [this.#how, this.#after]) this.#sizes.observe(part);
    this.#leaving.observe(display, { childList: true });
  }

  /**
   * Loads a level, as often as the player wants to try.
   *
   * @template T
   * @param {() => Promise<T>} load
   * @returns {Promise<T>}
   */
  async load(load) {
    for (;;) {
      this.#after.replaceChildren(make('p', { role: 'status' }, this.#words.translate('loading')));
      try {
        return await load();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        await this.#button(this.#words.translate('try_again'), make('p', { role: 'alert' }, `${this.#words.translate('level_not_loaded')} ${reason}`));
      } finally {
        this.#after.replaceChildren();
      }
    }
  }

  /**
   * Shows a level and begins it.
   *
   * @param {Game} game
   * @param {Partial<BoardOptions>} options
   * @param {{ how: boolean, focus: boolean }} wanted
   */
  async begin(game, options, { how, focus }) {
    if (how) await this.#showHow(game);
    const board = new Board(this.place, game, options);
    this.#board = board;
    if (getComputedStyle(/** @type {Element} */ (this.place.firstElementChild)).display !== 'grid') {
      console.warn('The board has no style: link dist/board.css of jspsych-plymap in the page');
    }
    await board.begin();
    if (focus) board.focus();
    return board;
  }

  /**
   * Waits until the player goes on.
   *
   * @param {string | null} label
   */
  async leave(label) {
    await this.#button(label ?? this.#words.translate('next'));
  }

  /** The button that is awaited. */
  get button() {
    return this.#after.querySelector('button');
  }

  close() {
    this.#leaving.disconnect();
    this.#sizes.disconnect();
    this.#board?.destroy();
    this.#root.remove();
  }

  /** @param {Game} game */
  async #showHow(game) {
    const start = await game.start();
    const [shapes, moves] = await Promise.all([game.picture(start), game.moves(start)]);
    const name = `how_${kindOf(controlsOf(shapes, moves))}`;
    this.#how.textContent = this.#words.translate(isTouchScreen() ? `${name}_touch` : name);
    this.#how.hidden = false;
  }

  /**
   * @param {string} label
   * @param {...Node} before what stands above it
   * @returns {Promise<void>} resolves when it is pressed
   */
  #button(label, ...before) {
    return new Promise((resolve) => {
      const button = make('button', { type: 'button', class: 'jspsych-btn' }, label);
      button.addEventListener('click', () => resolve(), { once: true });
      this.#after.replaceChildren(...before, button);
      button.focus({ preventScroll: true });
      button.scrollIntoView({ block: 'nearest' });
    });
  }

  /** Tells the board how much of the height of the window is not its own. */
  #fit() {
    const bar = document.querySelector('#jspsych-progressbar-container');
    const ofBar = bar ? bar.getBoundingClientRect().height + parseFloat(getComputedStyle(bar).marginBottom) : 0;
    this.place.style.setProperty('--play-around', `${Math.ceil(this.#how.offsetHeight + this.#after.offsetHeight + ofBar + GAPS)}px`);
  }
}
