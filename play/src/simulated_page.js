// A simulated person in the place of a real one: turns pages, answers questions, and plays levels as a list says.

/** @import { PlannedEvent, PlayedBoard } from './simulated_player.js' */

import { seededRandom } from './randomization.js';
import { assert, isObject } from './validation.js';
import { SimulatedPlayer } from './simulated_player.js';

/** Seconds that a page is looked at. */
const PAGE = 2;

export class PageSimulator extends SimulatedPlayer {
  /** @type {Record<string, PlannedEvent[]>} */ #levels = {};

  constructor() {
    super();
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
    assert(isObject(value) && typeof value.speed === 'number' && value.speed > 0 && Number.isSafeInteger(value.seed) && isObject(value.levels), 'A simulated person is not { speed, seed, levels }');
    this.speed = value.speed;
    this.#levels = /** @type {Record<string, PlannedEvent[]>} */ (value.levels);
    this.draw = seededRandom(Number(value.seed));
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
   * Answers the questions of a page, and goes on.
   *
   * @param {HTMLElement} page
   */
  async page(page) {
    try {
      await this.until(this.now() + PAGE * 1000);
      for (const question of page.querySelectorAll('.session-question')) this.#answer(question);
      const [button] = [...page.querySelectorAll('.session-button:not(.session-other)')].slice(-1);
      assert(button instanceof HTMLElement, 'a page has no way on');
      button.click();
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * Plays a level to its end; where the list ends before, it is given up, or ends by its limit of time.
   *
   * @param {string} level its id
   * @param {PlayedBoard} played
   */
  async level(level, played) {
    try {
      // A level that goes on after a page was loaded again tells of no start.
      this.last = this.now();
      await this.play(this.#levels[level] ?? [], played);
    } catch (error) {
      this.fail(new Error(`Level ${level}: ${error instanceof Error ? error.message : error}`, { cause: error }));
    }
  }

  /** @param {Element} question */
  #answer(question) {
    const options = /** @type {HTMLInputElement[]} */ ([...question.querySelectorAll('input[type=radio], input[type=checkbox]')]);
    if (options.length) {
      const chosen = this.draw(options.length);
      options.filter((option, index) => index === chosen || (option.type === 'checkbox' && this.draw(2) === 0)).forEach((option) => option.click());
      return;
    }
    const input = question.querySelector('input, textarea');
    if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement)) return;
    input.value = `simulated ${this.draw(1000)}`;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
