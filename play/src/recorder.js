// Keeps what a player does until the server has it: in memory, and in the browser's storage in case the page goes away.

/** @import { Fault, RecorderOptions, SittingEvent, SittingStep } from './types.js' */

import { expect, isObject } from './reading.js';

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

/** The storage that a page may not have. */
function storageOfBrowser() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** @type {RecorderOptions} */
const DEFAULTS = {
  base: '',
  fetch: (...request) => globalThis.fetch(...request),
  storage: null,
  now: () => performance.now(),
  wall: () => Date.now(),
  timers: { set: (call, ms) => setTimeout(call, ms), clear: (timer) => clearTimeout(timer) },
  onChange: () => {},
};

export class Recorder {
  /** Why nothing is recorded any more; nothing while all is well. @type {Fault | null} */
  fault = null;
  /** Whether a step has been waiting for so long that its player should know. */
  isLate = false;

  /** @type {RecorderOptions} */ #options;
  /** @type {string} */ #participant;
  /** @type {string} */ #session;
  /** @type {string} */ #key;
  /** The whole sitting, so that a server that lost something gets it again. @type {SittingEvent[]} */ #events = [];
  /** The clock when they came here, in milliseconds. @type {number[]} */ #since = [];
  /** All before this one are with the server. */
  #nConfirmed = 0;
  /** Seconds to add to the clock of the page for that of the sitting. */
  #offset = 0;
  /** Milliseconds since 1970 of the last event, where known. @type {number | null} */ #wallOfLast = null;
  #isWorking = false;
  /** Ends a pause before its time. */
  #wake = () => {};
  /** @type {unknown} */ #lateTimer;
  /** @type {{ n: number, resolve: () => void, reject: (reason: Error) => void }[]} */ #awaiting = [];

  /**
   * The recorder of a sitting that may have begun before: what the server has, and what the browser kept beyond it.
   *
   * @param {{ study: string, participant: string, session: string }} sitting
   * @param {Partial<RecorderOptions>} options
   * @returns {Promise<Recorder>}
   * @throws {Error} where the server cannot be reached or understood
   */
  static async open(sitting, options = {}) {
    const recorder = new Recorder(sitting, { ...DEFAULTS, storage: storageOfBrowser(), ...options });
    await recorder.#load();
    return recorder;
  }

  /**
   * @param {{ study: string, participant: string, session: string }} sitting
   * @param {RecorderOptions} options
   */
  constructor({ study, participant, session }, options) {
    this.#options = options;
    this.#participant = participant;
    this.#session = session;
    this.#key = ['plymap', study, participant, session].map(encodeURIComponent).join('/');
  }

  /** All of the sitting, in order. @returns {readonly SittingEvent[]} */
  get events() {
    return this.#events;
  }

  /** How many events the server does not have, as far as is known. */
  get nWaiting() {
    return this.#events.length - this.#nConfirmed;
  }

  /**
   * Takes a step, and sends it.
   *
   * @param {SittingStep} step
   * @param {number} onset in seconds on the clock of the sitting; that of `time_ms`, unless told
   */
  record({ time_ms: time, ...step }, onset = time / 1000 + this.#offset) {
    if (this.fault) return;
    const { now, wall } = this.#options;
    // A clock of the system may be set back, but a sitting does not run backwards.
    const later = Math.max(onset, this.#events.at(-1)?.onset_s ?? -Infinity);
    this.#events.push({ seq: this.#events.length, ...step, time_ms: time, onset_s: microseconds(later) });
    this.#since.push(now());
    this.#wallOfLast = wall() - (now() - (later - this.#offset) * 1000);
    this.#keep();
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
      this.#awaiting.push({ n: this.#events.length, resolve, reject });
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
    const { now, wall } = this.#options;
    const address = `/api/sittings/${encodeURIComponent(this.#participant)}/${encodeURIComponent(this.#session)}`;
    const { status, answer } = await this.#ask(address).catch((cause) => {
      throw new Error('The server cannot be reached; see whether it runs, and try again', { cause });
    });
    if (status !== 200) throw new Error(reasonOf(status, answer));
    this.#events = readSitting(answer);
    this.#nConfirmed = this.#events.length;
    const kept = this.#kept();
    if (kept) this.#continue(kept);
    this.#since = this.#events.map(now);
    const last = this.#events.at(-1);
    if (last) {
      const gone = this.#wallOfLast === null ? 0 : Math.max(0, wall() - this.#wallOfLast) / 1000;
      this.#offset = last.onset_s + gone - now() / 1000;
    }
    this.#mind();
    void this.#work();
  }

  /** What the browser kept; nothing where there is nothing that can be read. */
  #kept() {
    const text = this.#stored(this.#key);
    if (text === null) return null;
    try {
      return readKept(JSON.parse(text));
    } catch {
      this.#setAside(text);
      return null;
    }
  }

  /**
   * Takes what was kept beyond the events of the server. What does not continue them comes from a page that had
   * another course: it cannot be sent, and must not be lost.
   *
   * @param {Kept} kept
   */
  #continue({ events, last }) {
    const first = events[0]?.seq ?? 0;
    const isSameCourse = first <= this.#events.length && events.every((event) => {
      const known = this.#events[event.seq];
      return !known || isSame(known, event);
    });
    if (!isSameCourse) {
      this.#setAside(JSON.stringify({ events, last }));
      return;
    }
    this.#events.push(...events.slice(this.#events.length - first));
    if (last && last.seq === this.#events.length - 1) this.#wallOfLast = last.wall_ms;
  }

  /* The storage of the browser */

  #keep() {
    const last = this.#wallOfLast === null ? null : { seq: this.#events.length - 1, wall_ms: this.#wallOfLast };
    this.#store(this.#key, JSON.stringify({ events: this.#events.slice(this.#nConfirmed), last }));
  }

  /** @param {string} text */
  #setAside(text) {
    const key = `${this.#key}/aside`;
    this.#store(key, [this.#stored(key), text].filter(Boolean).join('\n'));
    this.#keep();
  }

  /** @param {string} key */
  #stored(key) {
    try {
      return this.#options.storage?.getItem(key) ?? null;
    } catch {
      return null;
    }
  }

  /**
   * @param {string} key
   * @param {string} text
   */
  #store(key, text) {
    try {
      this.#options.storage?.setItem(key, text);
    } catch {
      // A storage that is full or forbidden: the memory still has everything.
    }
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
      if (n > this.#events.length) this.#stop({ reason: 'The sitting went on in another page', isConflict: true });
      else this.#confirm(n);
      // A server that lost events is sent them again at once; one that answers without getting on is given time.
      return status === 200 ? n > before : n < before;
    }
    // Too many requests of one address, as of a laboratory behind one: later.
    if (status >= 400 && status < 500 && status !== 429) this.#stop({ reason: reasonOf(status, answer), isConflict });
    return false;
  }

  /** @param {number} n so many are with the server */
  #confirm(n) {
    this.#nConfirmed = n;
    this.#keep();
    const isDone = (/** @type {{ n: number }} */ one) => one.n <= n;
    for (const { resolve } of this.#awaiting.filter(isDone)) resolve();
    this.#awaiting = this.#awaiting.filter((one) => !isDone(one));
    this.#mind();
  }

  /** @param {Fault} fault */
  #stop(fault) {
    this.fault = fault;
    for (const { reject } of this.#awaiting) reject(new Error(fault.reason));
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
    const events = this.#events.slice(this.#nConfirmed, this.#nConfirmed + n);
    const body = JSON.stringify({ participant: this.#participant, session: this.#session, events });
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
 * What lies in the storage.
 * @typedef {{ events: SittingEvent[], last: { seq: number, wall_ms: number } | null }} Kept
 */

/** @param {number} seconds */
const microseconds = (seconds) => Math.round(seconds * 1e6) / 1e6;

/**
 * @param {unknown} value
 * @returns {value is number}
 */
const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/**
 * @param {number} status
 * @param {unknown} answer
 */
function reasonOf(status, answer) {
  return isObject(answer) && typeof answer.error === 'string' ? answer.error : `The server answers ${status}`;
}

/**
 * @param {unknown} value
 * @returns {SittingEvent[]}
 */
function readSitting(value) {
  try {
    expect(isObject(value), 'its answer is no JSON object');
    const events = readEvents(value.events);
    expect(value.n_events === events.length && (events[0]?.seq ?? 0) === 0, 'the events of the sitting are not all there');
    return events;
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new Error(`The server cannot be understood (${cause.message}); see whether page and server are of one version`, { cause });
  }
}

/**
 * @param {unknown} value
 * @returns {Kept}
 */
function readKept(value) {
  expect(isObject(value), 'what was kept is no JSON object');
  const { last } = value;
  const isLast = isObject(last) && isCount(last.seq) && typeof last.wall_ms === 'number';
  return { events: readEvents(value.events), last: isLast ? { seq: Number(last.seq), wall_ms: Number(last.wall_ms) } : null };
}

/**
 * @param {unknown} value
 * @returns {SittingEvent[]}
 */
function readEvents(value) {
  expect(Array.isArray(value), 'there is no list of events');
  value.forEach((event, index) => {
    const isEvent = isObject(event) && isCount(event.seq) && isCount(event.attempt)
      && typeof event.level === 'string' && typeof event.event === 'string' && typeof event.action === 'string'
      && Number.isFinite(event.time_ms) && Number.isFinite(event.onset_s);
    expect(isEvent, `event ${index} is not { seq, level, attempt, event, action, time_ms, onset_s }`);
    expect(event.seq === value[0].seq + index, `event ${event.seq} does not follow the one before it`);
  });
  return value;
}

/**
 * Whether two events are one. A server may write the last digit of a time in another way.
 *
 * @param {SittingEvent} one
 * @param {SittingEvent} other
 */
function isSame(one, other) {
  return one.level === other.level && one.attempt === other.attempt && one.event === other.event && one.action === other.action && one.state_after === other.state_after
    && Math.abs(one.time_ms - other.time_ms) < 1e-3 && Math.abs(one.onset_s - other.onset_s) < 1e-5;
}
