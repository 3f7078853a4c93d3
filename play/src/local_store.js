// The events of a session where no server takes them: in the browser's storage, until they are sent as a whole. To the
// page it is an `EventStore`, as a `Recorder` is.

/** @import { RecordingError, StoreOptions, SessionKey, SessionStep } from './types.js' */

import { linesOf, logOptions, SessionLog } from './log.js';

export class LocalStore {
  /** Why nothing is recorded any more; nothing while all is well. @type {RecordingError | null} */
  fault = null;
  /** A storage that takes steps takes them at once. */
  isLate = false;
  /** Nobody but the player can stop a storage. */
  isInterrupted = false;

  /** @type {StoreOptions} */ #options;
  /** @type {SessionKey} */ #key;
  /** @type {SessionLog} */ #log;

  /**
   * The store of a session that may have begun before in this browser.
   *
   * @param {SessionKey} key
   * @param {Partial<StoreOptions>} options
   */
  static async open(key, options = {}) {
    const whole = { ...logOptions(), onChange: () => {}, ...options };
    const store = new LocalStore(key, whole, await SessionLog.restore(key, whole));
    store.#log.open([]);
    return store;
  }

  /**
   * @param {SessionKey} key
   * @param {StoreOptions} options
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
    return this.#log.note('sent') === String(this.events.length);
  }

  markSent() {
    this.#log.setNote('sent', String(this.events.length));
  }
}
