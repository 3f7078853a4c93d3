// Keeps what a player does where no server takes it: in the browser's storage, until the data of the sitting are sent as
// a whole. To the page it has the face of a Recorder.

/** @import { Fault, KeeperOptions, SittingName, SittingStep } from './types.js' */

import { linesOf, logOptions, SittingLog } from './log.js';

export class Keeper {
  /** Why nothing is recorded any more; nothing while all is well. @type {Fault | null} */
  fault = null;
  /** A storage that takes steps takes them at once. */
  isLate = false;
  /** Nobody but the player can stop a storage. */
  isInterrupted = false;

  /** @type {KeeperOptions} */ #options;
  /** @type {SittingName} */ #sitting;
  /** @type {SittingLog} */ #log;

  /**
   * The keeper of a sitting that may have begun before in this browser.
   *
   * @param {SittingName} sitting
   * @param {Partial<KeeperOptions>} options
   */
  static async open(sitting, options = {}) {
    const whole = { ...logOptions(), onChange: () => {}, ...options };
    const keeper = new Keeper(sitting, whole, await SittingLog.of(sitting, whole));
    keeper.#log.open([]);
    return keeper;
  }

  /**
   * @param {SittingName} sitting
   * @param {KeeperOptions} options
   * @param {SittingLog} log of the same sitting
   */
  constructor(sitting, options, log) {
    this.#options = options;
    this.#sitting = sitting;
    this.#log = log;
  }

  get events() {
    return this.#log.events;
  }

  /** What the clock of the sitting shows, in seconds. */
  get onset() {
    return this.#log.onset;
  }

  /** How many events would be lost with the page. */
  get nWaiting() {
    return this.#log.isKept || this.isSent ? 0 : this.events.length;
  }

  get isKept() {
    return this.#log.isKept;
  }

  /**
   * Takes a step, or several that are one for a player, unless the sitting went on in another page of the browser.
   *
   * @param {SittingStep | SittingStep[]} given
   * @param {number} [onset] in seconds on the clock of the sitting; that of `time_ms`, unless told
   */
  record(given, onset) {
    if (this.fault) return;
    const steps = [given].flat();
    if (this.#log.isOvertaken) this.fault = { reason: 'The sitting went on in another page', kind: 'conflict', nLost: steps.length };
    else {
      for (const step of steps) this.#log.add(step, onset);
      this.#log.keep(0);
    }
    this.#options.onChange();
  }

  /** Nothing is on its way: the data are sent when the sitting is over. */
  leave() {}

  wake() {}

  /** The whole sitting as lines of JSON. */
  get data() {
    return linesOf(this.#sitting, this.events);
  }

  /** Whether all of it has been sent. */
  get isSent() {
    return this.#log.remark('sent') === String(this.events.length);
  }

  markSent() {
    this.#log.setRemark('sent', String(this.events.length));
  }
}
