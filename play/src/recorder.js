// Sends what is done to the server until it is confirmed, and keeps it in the browser until then: neither a lost answer
// nor a page that is loaded again loses or doubles a step.

/** @import { RecordedEvent } from './types.js' */

/** So many events go in one request. */
const MOST_SENT = 500;
/** So long an answer is waited for, and then from try to try, in milliseconds. */
const PATIENCE = 10_000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

export class Recorder {
  /** How many events the server has confirmed. */
  nConfirmed = 0;
  /** Not confirmed yet, in order. @type {RecordedEvent[]} */
  waiting = [];
  /** Why nothing is recorded any more. @type {string | null} */
  stopped = null;

  /** @type {string} */ #participant;
  /** @type {string} */ #session;
  /** @type {() => void} */ #changed;
  /** @type {typeof fetch} */ #fetch;
  /** @type {Storage} */ #storage;
  /** @type {string} */ #key;
  #pause = FIRST_PAUSE;
  /** @type {Promise<void> | null} */ #sending = null;

  /**
   * @param {string} participant
   * @param {string} session
   * @param {() => void} changed is called when something is confirmed, or recording stops
   * @param {typeof fetch} fetch
   * @param {Storage} storage
   */
  constructor(participant, session, changed, fetch = (...request) => globalThis.fetch(...request), storage = localStorage) {
    this.#participant = participant;
    this.#session = session;
    this.#changed = changed;
    this.#fetch = fetch;
    this.#storage = storage;
    this.#key = `plymap ${JSON.stringify([participant, session])}`;
  }

  /**
   * What was done in this sitting before: what the server has, and what it had not confirmed when the page was left.
   *
   * @returns {Promise<RecordedEvent[]>}
   */
  async begin() {
    const path = [this.#participant, this.#session].map(encodeURIComponent).join('/');
    const response = await this.#fetch(`/api/sittings/${path}`);
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    this.nConfirmed = answer.n_events;
    /** @type {RecordedEvent[]} */
    const kept = JSON.parse(this.#storage.getItem(this.#key) ?? '[]');
    this.waiting = kept.filter((event) => event.seq >= this.nConfirmed);
    // What does not follow on what the server has belongs to another sitting of the same name.
    if (this.waiting[0] && this.waiting[0].seq !== this.nConfirmed) this.waiting = [];
    this.#send();
    return [...answer.events, ...this.waiting];
  }

  /** The number that the next event gets. */
  get next() {
    return this.nConfirmed + this.waiting.length;
  }

  /** @param {RecordedEvent} event with the number `next` */
  add(event) {
    this.waiting.push(event);
    this.#keep();
    this.#send();
  }

  /** Settles when all is confirmed, or recording has stopped. */
  async flush() {
    while (this.waiting.length && !this.stopped) await this.#send();
  }

  /** A last try of a page that is left; what does not arrive is sent when it is opened again. */
  leave() {
    if (this.waiting.length && !this.stopped) this.#post(this.waiting.slice(0, MOST_SENT), { keepalive: true }).catch(() => {});
  }

  #keep() {
    try {
      this.#storage.setItem(this.#key, JSON.stringify(this.waiting));
    } catch {
      // A browser without room for it: the page still holds it.
    }
  }

  #send() {
    this.#sending ??= this.#sendAll().finally(() => { this.#sending = null; });
    return this.#sending;
  }

  async #sendAll() {
    while (this.waiting.length && !this.stopped) {
      const answer = await this.#try(this.waiting.slice(0, MOST_SENT));
      if (answer) {
        this.waiting = this.waiting.filter((event) => event.seq >= answer.n_events);
        this.nConfirmed = answer.n_events;
        this.#pause = FIRST_PAUSE;
        this.#keep();
      } else if (!this.stopped) {
        await new Promise((done) => { setTimeout(done, this.#pause); });
        this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
      }
      this.#changed();
    }
  }

  /**
   * @param {RecordedEvent[]} events
   * @returns {Promise<{ n_events: number } | null>} nothing where it should be tried again
   */
  async #try(events) {
    try {
      const response = await this.#post(events, { signal: AbortSignal.timeout(PATIENCE) });
      const answer = await response.json();
      if (response.ok) return answer;
      if (response.status >= 500 || response.status === 429) return null;
      this.stopped = String(answer.error);
    } catch {
      // The network, or a server that does not run: later.
    }
    return null;
  }

  /**
   * @param {RecordedEvent[]} events
   * @param {RequestInit} more
   */
  #post(events, more) {
    const body = JSON.stringify({ participant: this.#participant, session: this.#session, events });
    return this.#fetch('/api/events', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, ...more });
  }
}
