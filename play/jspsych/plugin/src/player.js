// A simulated person in one trial: the robot of the board's own page, whose faults end the trial.

/** @import { Board } from '../play/board.js' */
/** @import { Deed } from './simulation.js' */

import { Robot } from '../play/robot.js';

export class Player extends Robot {
  /** How many times as fast as a person; the clock runs as fast, so that times are those of a person. @type {number} */ speed;
  /** @type {(error: unknown) => void} */ #reject = () => {};

  /**
   * @param {string} level
   * @param {Deed[]} deeds
   * @param {{ speed: number, seed: number }} how
   */
  constructor(level, deeds, { speed, seed }) {
    const planned = deeds.map(({ event, action, at }, index) => ({ event, action, wait_s: (at - (deeds[index - 1]?.at ?? 0)) / 1000 }));
    super({ speed, seed, levels: { [level]: planned } });
    this.speed = speed;
  }

  /**
   * Plays to the end of the level, or of what was planned.
   *
   * @param {Board} board
   * @param {string} level
   * @param {boolean} isGrid
   * @returns {Promise<void>}
   * @throws {Error} where the board does not take a step
   */
  play(board, level, isGrid) {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      void this.level(board, { level, isGrid }).then(resolve);
    });
  }

  /** @param {unknown} error */
  fail(error) {
    this.#reject(error);
  }
}
