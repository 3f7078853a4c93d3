// Keeps what a player does until the server has it: in memory, and in the browser's storage in case the page goes away.

/** @import { Fault, RecorderOptions, SittingEvent, SittingName, SittingStep } from './types.js' */

import { logOptions, readEvents, SittingLog } from './log.js';
import { expect, isCount, isObject } from './reading.js';

/** A request has no more events than this. */
const MOST_SENT = 500;
/** Milliseconds after which a request without an answer is lost. */
const TIMEOUT = 10_000;
/** Milliseconds until a request is made again, the first time; each further time takes twice as long. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
/** A step that waits for longer than this, in milliseconds, is late. */
const LATE = 5000;
/** Browsers refuse requests of more than 64 KiB that are to outlive their page. */
const MOST_BYTES_OF_LEAVING = 60_000;

/** @returns {RecorderOptions} */
const defaults = () => ({
  ...logOptions(),
  base: '.',
  fetch: (...request) => globalThis.fetch(...request),
  timers: { set: (call, ms) => setTimeout(call, ms), clear: (timer) => clearTimeout(timer) },
  onChange: () => {},
});

export class Recorder {
  /** Why nothing is recorded any more; nothing while all is well. @type {Fault | null} */
  fault = null;
  /** Whether a step has been waiting for so long that its player should know. */
  isLate = false;

  /** Of the sitting among those of the study, from 0. @type {number | null} */
  number = null;

  /** @type {RecorderOptions} */ #options;
  /** @type {SittingName} */ #sitting;
  /** The whole sitting, so that a server that lost something gets it again. @type {SittingLog} */ #log;
  /** The clock when they came here, in milliseconds. @type {number[]} */ #since = [];
  /** All before this one are with the server. */
  #nConfirmed = 0;
  #isWorking = false;
  /** Ends a pause before its time. */
  #wake = () => {};
  /** @type {unknown} */ #lateTimer;
  /** @type {{ n: number, resolve: () => void, reject: (reason: Error) => void }[]} */ #awaiting = [];

  /**
   * The recorder of a sitting that may have begun before: what the server has, and what the browser kept beyond it.
   *
   * @param {SittingName} sitting
   * @param {Partial<RecorderOptions>} options
   * @returns {Promise<Recorder>}
   * @throws {Error} where the server cannot be reached or understood
   */
  static async open(sitting, options = {}) {
    const recorder = new Recorder(sitting, { ...defaults(), ...options });
    await recorder.#load();
    return recorder;
  }

  /**
   * @param {SittingName} sitting
   * @param {RecorderOptions} options
   */
  constructor(sitting, options) {
    this.#options = options;
    this.#sitting = sitting;
    this.#log = new SittingLog(sitting, options);
  }

  /** All of the sitting, in order. @returns {readonly SittingEvent[]} */
  get events() {
    return this.#log.events;
  }

  /** What the clock of the sitting shows, in seconds. */
  get onset() {
    return this.#log.onset;
  }

  /** How many events the server does not have, as far as is known. */
  get nWaiting() {
    return this.events.length - this.#nConfirmed;
  }

  /**
   * Takes a step, and sends it.
   *
   * @param {SittingStep} step
   * @param {number} [onset] in seconds on the clock of the sitting; that of `time_ms`, unless told
   */
  record(step, onset) {
    if (this.fault) return;
    this.#log.add(step, onset);
    this.#since.push(this.#options.now());
    this.#log.keep(this.#nConfirmed);
    this.#mind();
    void this.#work();
  }

  /**
   * Kept when the server has all that was recorded until now; the next try is made at once.
   *
   * @returns {Promise<void>}
   * @throws {Error} where recording stops before
   */
  async flush() {
    if (!this.nWaiting) return;
    if (this.fault) throw new Error(this.fault.reason);
    const flushed = /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
      this.#awaiting.push({ n: this.events.length, resolve, reject });
    }));
    this.#wake();
    await flushed;
  }

  /** The page goes away: sends what waits by a request that outlives it. Whatever gets lost is still in the storage. */
  leave() {
    if (this.fault || !this.nWaiting) return;
    let n = Math.min(this.nWaiting, MOST_SENT);
    let request = this.#requestOf(n);
    while (n > 1 && new TextEncoder().encode(request.body).length > MOST_BYTES_OF_LEAVING) {
      n = Math.ceil(n / 2);
      request = this.#requestOf(n);
    }
    this.#options.fetch(`${this.#options.base}/api/events`, { ...request, keepalive: true }).catch(() => {});
  }

  /* What was there before */

  async #load() {
    const { participant, session } = this.#sitting;
    const address = `/api/sittings/${encodeURIComponent(participant)}/${encodeURIComponent(session)}`;
    const { status, answer } = await this.#ask(address).catch((cause) => {
      throw new Error('The server cannot be reached; see whether it runs, and try again', { cause });
    });
    if (status !== 200) throw new Error(reasonOf(status, answer));
    const { events, number } = readSitting(answer);
    this.number = number;
    this.#nConfirmed = events.length;
    this.#log.open(events);
    this.#since = this.events.map(this.#options.now);
    this.#mind();
    void this.#work();
  }

  /* The server */

  /** Sends what waits, one request after the other, until nothing does. */
  async #work() {
    if (this.#isWorking) return;
    this.#isWorking = true;
    // A move and the solution that it is come in one turn, and go in one request.
    await null;
    let pause = FIRST_PAUSE;
    while (this.nWaiting && !this.fault) {
      if (await this.#send()) {
        pause = FIRST_PAUSE;
      } else if (!this.fault) {
        await this.#rest(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE);
      }
    }
    this.#isWorking = false;
  }

  /** @returns {Promise<boolean>} whether that led on, and the next request may follow at once */
  async #send() {
    const before = this.#nConfirmed;
    /** @type {{ status: number, answer: unknown }} */
    let reply;
    try {
      reply = await this.#ask('/api/events', this.#requestOf(Math.min(this.nWaiting, MOST_SENT)));
    } catch {
      return false;
    }
    const { status, answer } = reply;
    const isConflict = status === 409 && isObject(answer) && answer.conflict === true;
    const n = isObject(answer) && isCount(answer.n_events) ? answer.n_events : null;
    if (!isConflict && n !== null && (status === 200 || status === 409)) {
      // More than was ever recorded here was recorded elsewhere.
      if (n > this.events.length) this.#stop('The sitting went on in another page', true);
      else this.#confirm(n);
      // A server that lost events is sent them again at once; one that answers without getting on is given time.
      return status === 200 ? n > before : n < before;
    }
    // Too many requests of one address, as of a laboratory behind one: later.
    if (status >= 400 && status < 500 && status !== 429) this.#stop(reasonOf(status, answer), isConflict);
    return false;
  }

  /** @param {number} n so many are with the server */
  #confirm(n) {
    this.#nConfirmed = n;
    this.#log.keep(n);
    const isDone = (/** @type {{ n: number }} */ one) => one.n <= n;
    for (const { resolve } of this.#awaiting.filter(isDone)) resolve();
    this.#awaiting = this.#awaiting.filter((one) => !isDone(one));
    this.#mind();
  }

  /**
   * @param {string} reason
   * @param {boolean} isConflict
   */
  #stop(reason, isConflict) {
    this.fault = { reason, isConflict, nLost: this.nWaiting };
    for (const { reject } of this.#awaiting) reject(new Error(reason));
    this.#awaiting = [];
    this.#mind();
  }

  /** Looks whether the first event that waits does so for too long, and again when it will. */
  #mind() {
    const { now, timers, onChange } = this.#options;
    timers.clear(this.#lateTimer);
    const left = (this.#since[this.#nConfirmed] ?? Infinity) + LATE - now();
    this.isLate = left <= 0 && !this.fault;
    if (left > 0 && Number.isFinite(left) && !this.fault) this.#lateTimer = timers.set(() => this.#mind(), left);
    try {
      onChange();
    } catch (error) {
      // A fault of what is shown must not stop what is recorded.
      timers.set(() => { throw error; }, 0);
    }
  }

  /** @param {number} ms */
  async #rest(ms) {
    const { timers } = this.#options;
    await new Promise((resolve) => {
      const timer = timers.set(() => resolve(null), ms);
      this.#wake = () => {
        timers.clear(timer);
        resolve(null);
      };
    });
    this.#wake = () => {};
  }

  /** @param {number} n how many events, from the first one that waits */
  #requestOf(n) {
    const events = this.events.slice(this.#nConfirmed, this.#nConfirmed + n);
    const { participant, session } = this.#sitting;
    const body = JSON.stringify({ participant, session, events });
    return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  }

  /**
   * @param {string} path
   * @param {RequestInit} request
   * @throws {Error} where no answer comes in time
   */
  async #ask(path, request = {}) {
    const { base, fetch, timers } = this.#options;
    const controller = new AbortController();
    const timer = timers.set(() => controller.abort(), TIMEOUT);
    try {
      const response = await fetch(base + path, { ...request, signal: controller.signal });
      const answer = /** @type {unknown} */ (await response.json().catch(() => null));
      return { status: response.status, answer };
    } finally {
      timers.clear(timer);
    }
  }
}

/**
 * @param {number} status
 * @param {unknown} answer
 */
function reasonOf(status, answer) {
  return isObject(answer) && typeof answer.error === 'string' ? answer.error : `The server answers ${status}`;
}

/**
 * @param {unknown} value
 * @returns {{ events: SittingEvent[], number: number }}
 */
function readSitting(value) {
  try {
    expect(isObject(value), 'its answer is no JSON object');
    const events = readEvents(value.events);
    expect(value.n_events === events.length && (events[0]?.seq ?? 0) === 0, 'the events of the sitting are not all there');
    expect(isCount(value.number), 'the sitting has no number');
    return { events, number: value.number };
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new Error(`The server cannot be understood (${cause.message}); see whether page and server are of one version`, { cause });
  }
}
