// Keeps what a player does until the server has it: in memory, and in the browser's storage in case the page goes away.

/** @import { RecordingError, RecorderOptions, SessionEvent, SessionKey, SessionStep } from './types.js' */

import { logOptions, microseconds, readEvents, SessionLog } from './log.js';
import { assert, isCount, isObject } from './validation.js';
import { isTransientStatus, httpError, Unreachable } from './requests.js';

/** A request has no more events than this, and no more bytes. */
const MOST_SENT = 500;
const MOST_BYTES = 250_000;
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
  token: null,
  fetch: (...request) => globalThis.fetch(...request),
  timers: { set: (call, ms) => setTimeout(call, ms), clear: (timer) => clearTimeout(timer) },
  onChange: () => {},
});

export class Recorder {
  /** Why nothing is recorded any more; nothing while all is well. @type {RecordingError | null} */
  fault = null;
  /** Whether a step has been waiting for so long that its player should know. */
  isLate = false;
  /** Whether the server has told that its log is not where it was, so that it takes nothing until somebody mends that. */
  isInterrupted = false;

  /** @type {RecorderOptions} */ #options;
  /** @type {SessionKey} */ #key;
  /** The whole session, so that a server that lost something gets it again. @type {SessionLog} */ #log;
  /** What shows the server whose session it is. @type {string} */ #token;
  /** What the server wants with new events, from the page alone that opened the session last. @type {number | null} */ #lease = null;
  /** The clock when they came here, in milliseconds. @type {number[]} */ #since = [];
  /** All before this one are with the server. */
  #nConfirmed = 0;
  #isWorking = false;
  #pause = FIRST_PAUSE;
  /** Ends a pause before its time. */
  #endRest = () => {};
  /** Ends the request that is on its way. */
  #abort = () => {};
  /** Whether the next try is to be made without a pause. */
  #isHurried = false;
  /** @type {unknown} */ #lateTimer;
  /** @type {{ n: number, resolve: () => void, reject: (reason: Error) => void }[]} */ #awaiting = [];

  /**
   * The recorder of a session that may have begun before: what the server has, and what the browser kept beyond it.
   *
   * @param {SessionKey} key
   * @param {Partial<RecorderOptions>} options
   * @returns {Promise<Recorder>}
   * @throws {Error} where the server cannot be reached or understood
   */
  static async open(key, options = {}) {
    const whole = { ...defaults(), ...options };
    const recorder = new Recorder(key, whole, await SessionLog.restore(key, whole));
    await recorder.#load();
    return recorder;
  }

  /**
   * @param {SessionKey} key
   * @param {RecorderOptions} options
   * @param {SessionLog} log of the same session
   */
  constructor(key, options, log) {
    this.#options = options;
    this.#key = key;
    this.#log = log;
    this.#token = options.token ?? log.note(TOKEN) ?? drawn();
  }

  /** All of the session, in order. @returns {readonly SessionEvent[]} */
  get events() {
    return this.#log.events;
  }

  /** What the clock of the session shows, in seconds. */
  get onset() {
    return this.#log.onset;
  }

  /** How many events the server does not have, as far as is known. */
  get nWaiting() {
    return this.events.length - this.#nConfirmed;
  }

  /** Whether what waits would outlive the page. */
  get isKept() {
    return this.#log.isKept;
  }

  /**
   * Takes a step, or several that are one for a player, and sends them.
   *
   * @param {SessionStep | SessionStep[]} steps
   * @param {number} [onset] in seconds on the clock of the session; that of `time_ms`, unless told
   */
  record(steps, onset) {
    if (this.fault) return;
    for (const step of [steps].flat()) {
      this.#log.add(step, onset);
      this.#since.push(this.#options.now());
    }
    this.#log.keep(this.#nConfirmed);
    this.#mind();
    void this.#work();
  }

  /**
   * Resolves when the server has all that was recorded until now; the next try is made at once.
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
    this.#endRest();
    await flushed;
  }

  /** The next try is made at once: the line is there again, or the player looks at the page again. */
  wake() {
    this.#pause = FIRST_PAUSE;
    this.#endRest();
    // A request that was made on the line that is gone would wait for its time to run out; made twice it does no harm.
    this.#isHurried = true;
    this.#abort();
  }

  /** The page goes away: sends what waits by a request that outlives it. Whatever gets lost is still in the storage. */
  leave() {
    if (this.fault || !this.nWaiting) return;
    const request = this.#request(MOST_BYTES_OF_LEAVING);
    this.#options.fetch(`${this.#options.base}/api/events`, { ...request, keepalive: true }).catch(() => {});
  }

  /* What was there before */

  async #load() {
    const { events, nEvents } = await this.#page(this.#takeLease(), 0);
    while (events.length < nEvents) {
      const page = await this.#page(this.#ask(`${this.#address}?from=${events.length}`), events.length);
      events.push(...page.events);
    }
    this.#openAt(events);
  }

  /**
   * Has the server begin the session, of which nothing is recorded: its first event tells its number and its condition.
   *
   * @param {string | null} condition that the link names
   * @throws {Error} where the server cannot be reached or understood, or has no such condition
   */
  async begin(condition) {
    if (this.#log.note(TOKEN) !== this.#token) this.#log.setNote(TOKEN, this.#token);
    // Who loses the token loses the session.
    await this.#log.settled();
    this.#log.reckon();
    const time = this.#options.now();
    const body = JSON.stringify({ condition, time_ms: time, onset_s: microseconds(this.#log.onset) });
    const { events } = await this.#page(this.#lessee(this.#ask(this.#address, this.#post(body))), 0);
    this.#openAt(events);
  }

  /** From now on the server takes what this page sends, and nothing that one before it has left on the way. */
  #takeLease() {
    return this.#lessee(this.#ask(`${this.#address}/lease`, this.#post('{}')));
  }

  /** @param {Promise<Reply>} asked for a lease */
  async #lessee(asked) {
    const reply = await asked;
    if (reply.status === 200 && isObject(reply.answer) && isCount(reply.answer.lease)) this.#lease = reply.answer.lease;
    return reply;
  }

  get #address() {
    const { participant, session } = this.#key;
    return `/api/sessions/${encodeURIComponent(participant)}/${encodeURIComponent(session)}`;
  }

  /** @param {SessionEvent[]} events that the server has */
  #openAt(events) {
    this.#nConfirmed = events.length;
    this.#log.open(events);
    this.#since = this.events.map(this.#options.now);
    this.#mind();
    void this.#work();
  }

  /**
   * Some of the events that the server has.
   *
   * @param {Promise<Reply>} asked
   * @param {number} first of them
   */
  async #page(asked, first) {
    const { status, answer } = await asked.catch((cause) => {
      throw new Unreachable('The server cannot be reached; see whether it runs, and try again', { cause });
    });
    if (isLogGone(status, answer)) throw Object.assign(new Unreachable(reasonOf(status, answer)), { isInterrupted: true });
    if (status === 200 && answer === null) throw new Unreachable('The server cannot be understood (its answer is no JSON); see whether the network wants a login first');
    if (kindOf(status) === 'link') throw new WrongLink(reasonOf(status, answer));
    if (status !== 200) throw httpError(status, reasonOf(status, answer));
    return readSession(answer, first);
  }

  /* The server */

  /** Sends what waits, one request after the other, until nothing does. */
  async #work() {
    if (this.#isWorking) return;
    this.#isWorking = true;
    // A move and the solution that it is come in one turn, and go in one request.
    await null;
    this.#pause = FIRST_PAUSE;
    while (this.nWaiting && !this.fault) {
      this.#isHurried = false;
      if (await this.#send()) {
        this.#pause = FIRST_PAUSE;
      } else if (!this.fault && !this.#isHurried) {
        const pause = this.#pause;
        this.#pause = Math.min(2 * pause, LONGEST_PAUSE);
        await this.#rest(pause);
      }
    }
    this.#isWorking = false;
  }

  /** @returns {Promise<boolean>} whether that led on, and the next request may follow at once */
  async #send() {
    const before = this.#nConfirmed;
    /** @type {Reply} */
    let reply;
    try {
      reply = await this.#ask('/api/events', this.#request(MOST_BYTES));
      if (isOvertaken(reply)) {
        // If the page that has the lease is alive and went on, the server finds that these events are others.
        await this.#takeLease();
        reply = await this.#ask('/api/events', this.#request(MOST_BYTES));
      }
    } catch {
      return false;
    }
    const { status, answer } = reply;
    if (isOvertaken(reply)) return false;
    const isConflict = status === 409 && isObject(answer) && answer.conflict === true;
    const n = isObject(answer) && isCount(answer.n_events) ? answer.n_events : null;
    if (!isConflict && n !== null && (status === 200 || status === 409)) {
      // More than was ever recorded here was recorded elsewhere.
      if (n > this.events.length) this.#stop('The session went on in another page', 'conflict');
      else this.#confirm(n);
      // A server that lost events is sent them again at once; one that answers without getting on is given time.
      return status === 200 ? n > before : n < before;
    }
    if (isLogGone(status, answer) && !this.isInterrupted) {
      this.isInterrupted = true;
      this.#mind();
    }
    // What says no reason comes from somebody between page and server, such as a network that wants a login first.
    const isFinal = status >= 400 && !isTransientStatus(status) && isObject(answer) && typeof answer.error === 'string';
    if (isFinal) this.#stop(reasonOf(status, answer), isConflict ? 'conflict' : kindOf(status));
    return false;
  }

  /** @param {number} n so many are with the server */
  #confirm(n) {
    this.#nConfirmed = n;
    this.isInterrupted = false;
    this.#log.keep(n);
    const isDone = (/** @type {{ n: number }} */ one) => one.n <= n;
    for (const { resolve } of this.#awaiting.filter(isDone)) resolve();
    this.#awaiting = this.#awaiting.filter((one) => !isDone(one));
    this.#mind();
  }

  /**
   * @param {string} reason
   * @param {RecordingError['kind']} kind
   */
  #stop(reason, kind) {
    this.fault = { reason, kind, nLost: this.nWaiting };
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
      this.#endRest = () => {
        timers.clear(timer);
        resolve(null);
      };
    });
    this.#endRest = () => {};
  }

  /**
   * What waits, from the first event on, as much as fits into a request.
   *
   * @param {number} mostBytes of it, unless one event alone has more
   */
  #request(mostBytes) {
    const { participant, session } = this.#key;
    const start = `{"participant":${JSON.stringify(participant)},"session":${JSON.stringify(session)},"lease":${this.#lease},"events":[`;
    const encoder = new TextEncoder();
    const texts = [];
    let nBytes = start.length + 2;
    for (const event of this.events.slice(this.#nConfirmed, this.#nConfirmed + MOST_SENT)) {
      const text = JSON.stringify(event);
      nBytes += encoder.encode(text).length + 1;
      if (nBytes > mostBytes && texts.length) break;
      texts.push(text);
    }
    return this.#post(`${start}${texts.join(',')}]}`);
  }

  /** @param {string} body */
  #post(body) {
    return { method: 'POST', headers: { 'Content-Type': 'application/json', ...this.#authorization }, body };
  }

  get #authorization() {
    return { Authorization: `Bearer ${this.#token}` };
  }

  /**
   * @param {string} path
   * @param {RequestInit} request
   * @returns {Promise<Reply>}
   * @throws {Error} where no answer comes in time
   */
  async #ask(path, request = { headers: this.#authorization }) {
    const { base, fetch, timers } = this.#options;
    const controller = new AbortController();
    const timer = timers.set(() => controller.abort(), TIMEOUT);
    this.#abort = () => controller.abort();
    try {
      const response = await fetch(base + path, { ...request, signal: controller.signal });
      const answer = /** @type {unknown} */ (await response.json().catch(() => null));
      return { status: response.status, answer };
    } finally {
      timers.clear(timer);
      this.#abort = () => {};
    }
  }
}

/** The link does not show that the session is that of whoever has it. */
export class WrongLink extends Error {}

/** The remark that holds what shows the server whose session it is. */
const TOKEN = 'token';

/** 128 bits of chance, in hexadecimal. */
const drawn = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @typedef {{ status: number, answer: unknown }} Reply */

/** @param {Reply} reply to events that came without the lease of their session */
const isOvertaken = ({ status, answer }) => status === 409 && isObject(answer) && answer.overtaken === true;

/**
 * @param {number} status
 * @param {unknown} answer
 */
const isLogGone = (status, answer) => status === 503 && isObject(answer) && answer.log === 'gone';

/**
 * @param {number} status from 400
 * @returns {RecordingError['kind']}
 */
const kindOf = (status) => (status === 401 || status === 403 ? 'link' : 'refused');

/**
 * @param {number} status
 * @param {unknown} answer
 */
function reasonOf(status, answer) {
  return isObject(answer) && typeof answer.error === 'string' ? answer.error : `The server answers ${status}`;
}

/**
 * @param {unknown} value
 * @param {number} first event that was asked for
 * @returns {{ events: SessionEvent[], nEvents: number }}
 */
function readSession(value, first) {
  try {
    assert(isObject(value), 'its answer is no JSON object');
    const events = readEvents(value.events);
    const { n_events: nEvents } = value;
    assert(isCount(nEvents) && (events[0]?.seq ?? first) === first, `events from ${first} on were asked for, and others came`);
    assert(events.length > 0 || first >= nEvents, 'the events of the session are not all there');
    return { events, nEvents };
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new Error(`The server cannot be understood (${cause.message}); see whether page and server are of one version`, { cause });
  }
}
