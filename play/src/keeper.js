// Keeps what a player does where no server takes it: in the browser's storage, until the data of the session are sent as
// a whole. To the page it has the face of a Recorder.

/** @import { Fault, KeeperOptions, SessionKey, SessionStep } from './types.js' */

import { linesOf, logOptions, SessionLog } from './log.js';

export class Keeper {
  /** Why nothing is recorded any more; nothing while all is well. @type {Fault | null} */
  fault = null;
  /** A storage that takes steps takes them at once. */
  isLate = false;
  /** Nobody but the player can stop a storage. */
  isInterrupted = false;

  /** @type {KeeperOptions} */ #options;
  /** @type {SessionKey} */ #key;
  /** @type {SessionLog} */ #log;

  /**
   * The keeper of a session that may have begun before in this browser.
   *
   * @param {SessionKey} key
   * @param {Partial<KeeperOptions>} options
   */
  static async open(key, options = {}) {
    const whole = { ...logOptions(), onChange: () => {}, ...options };
    const keeper = new Keeper(key, whole, await SessionLog.of(key, whole));
    keeper.#log.open([]);
    return keeper;
  }

  /**
   * @param {SessionKey} key
   * @param {KeeperOptions} options
   * @param {SessionLog} log of the same session
   */
  constructor(key, options, log) {
    this.#options = options;
    this.#key = key;
    this.#log = log;
  }

  get events() {
    return this.#log.events;
  }

  /** What the clock of the session shows, in seconds. */
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
   * Takes a step, or several that are one for a player, unless the session went on in another page of the browser.
   *
   * @param {SessionStep | SessionStep[]} given
   * @param {number} [onset] in seconds on the clock of the session; that of `time_ms`, unless told
   */
  record(given, onset) {
    if (this.fault) return;
    const steps = [given].flat();
    if (this.#log.isOvertaken) this.fault = { reason: 'The session went on in another page', kind: 'conflict', nLost: steps.length };
    else {
      for (const step of steps) this.#log.add(step, onset);
      this.#log.keep(0);
    }
    this.#options.onChange();
  }

  /** Nothing is on its way: the data are sent when the session is over. */
  leave() {}

  wake() {}

  /** The whole session as lines of JSON. */
  get data() {
    return linesOf(this.#key, this.events);
  }

  /** Whether all of it has been sent. */
  get isSent() {
    return this.#log.remark('sent') === String(this.events.length);
  }

  markSent() {
    this.#log.setRemark('sent', String(this.events.length));
  }
}
