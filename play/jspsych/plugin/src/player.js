// A simulated player in one trial: waits as people do, and makes one step after the other.

/** @import { Board } from '../play/board.js' */
/** @import { TrialEvent } from './record.js' */
/** @import { Deed } from './simulation.js' */

import { Hand } from './hand.js';

/** A board that does not take a step within this time, in milliseconds, never will. */
const PATIENCE = 10_000;

export class Player {
  /** How many times as fast as a person; the clock runs as fast, so that times are those of a person. @type {number} */ speed;

  /** @type {Deed[]} */ #deeds;
  /** @type {(ms: number) => Promise<void>} */ #pause;
  /** The clock at the last event of the board, in milliseconds. */
  #last = 0;
  /** @type {(event: TrialEvent) => void} */ #hear = () => {};

  /**
   * @param {Deed[]} deeds
   * @param {{ speed: number, pause: (ms: number) => Promise<void> }} how
   */
  constructor(deeds, { speed, pause }) {
    this.#deeds = deeds;
    this.speed = speed;
    this.#pause = pause;
  }

  /** The clock, in milliseconds. */
  now() {
    return performance.now() * this.speed;
  }

  /**
   * What the board tells.
   *
   * @param {TrialEvent} event
   */
  heard(event) {
    this.#last = event.time_ms;
    this.#hear(event);
  }

  /**
   * Plays until the level or the list is over; then the level is given up, where that is allowed.
   *
   * @param {HTMLElement} root what the board stands in
   * @param {Board} board
   * @param {{ isGrid: boolean, canGiveUp: boolean }} about
   * @returns {Promise<boolean>} whether the level is over
   * @throws {Error} where the board does not take a step
   */
  async play(root, board, { isGrid, canGiveUp }) {
    const hand = new Hand(root, board, isGrid);
    let isOver = false;
    const over = board.finished.then(() => { isOver = true; });
    let at = 0;
    for (const deed of this.#deeds) {
      await Promise.race([over, this.#until(this.#last + deed.at - at)]);
      at = deed.at;
      if (isOver) return true;
      await this.#make(hand, deed);
    }
    // The end of a level is told after its last event.
    await Promise.race([over, this.#pause(0)]);
    if (!isOver && canGiveUp) await this.#make(hand, { event: 'give_up', action: '' });
    return isOver || canGiveUp;
  }

  /**
   * @param {Hand} hand
   * @param {{ event: string, action: string }} deed
   */
  async #make(hand, { event, action }) {
    /** @type {Promise<TrialEvent>} */
    const told = new Promise((resolve) => { this.#hear = resolve; });
    hand.make({ event, action });
    const answer = await Promise.race([told, this.#pause(PATIENCE)]);
    const isMeant = answer?.event === event && (event !== 'move' || answer.action === action);
    // The time may run out while a hand is on its way.
    if (!isMeant && answer?.event !== 'limit') throw new Error(`${event} ${action} became ${answer ? `${answer.event} ${answer.action}` : 'nothing'}`);
    // The board is ready for the next step a little after it has told of this one.
    await this.#pause(0);
  }

  /** @param {number} time on the clock */
  async #until(time) {
    // Timers may come too early by a little.
    while (this.now() < time) await this.#pause((time - this.now()) / this.speed);
  }
}
