// The log of one session: its events, numbered and on one clock, and what of them lies in the browser's storage.

/** @import { LogOptions, SessionEvent, SessionKey, SessionStep } from './types.js' */

import { signed } from './checksum.js';
import { browserDatabase, mirrored } from './indexed_db.js';
import { assert, isCount, isObject } from './validation.js';

/** So many events lie together in the storage: a step writes those beside it anew, however many wait. */
const TOGETHER = 200;

/** The storage that a page may not have. */
function storageOfBrowser() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** @returns {LogOptions} */
export const logOptions = () => ({ storage: storageOfBrowser(), database: browserDatabase(), now: () => performance.now(), wall: () => Date.now() });

export class SessionLog {
  /** Whether all that was to be kept lies in the storage. */
  isKept = true;

  /** @type {LogOptions} */ #options;
  /** @type {string} */ #key;
  /** @type {SessionEvent[]} */ #events = [];
  /** Seconds to add to the clock of the page for that of the session. */
  #offset = 0;
  /** Milliseconds since 1970 of the last event, where known. @type {number | null} */ #wallOfLast = null;
  /** What this page last read or wrote. @type {string | null} */ #text = null;
  /** Events from the first of these numbers to before the second lie in the storage as whole parts. */
  #parted = { from: 0, to: 0 };

  /**
   * @param {SessionKey} session
   * @param {LogOptions} options
   * @returns {Promise<SessionLog>} of which nothing has been read yet but what a killed browser had not written
   */
  static async restore(session, options) {
    const key = keyOf(session);
    const isNewer = (/** @type {string} */ name, /** @type {string} */ copy, /** @type {string} */ own) => name === key && nEventsOf(copy) > nEventsOf(own);
    const storage = await mirrored(options.storage, options.database, key, isNewer);
    return new SessionLog(session, { ...options, storage });
  }

  /**
   * @param {SessionKey} session
   * @param {LogOptions} options
   */
  constructor(session, options) {
    this.#options = options;
    this.#key = keyOf(session);
  }

  /** All of the session, in order. @returns {readonly SessionEvent[]} */
  get events() {
    return this.#events;
  }

  /** What the clock of the session shows, in seconds. */
  get onset() {
    return this.#options.now() / 1000 + this.#offset;
  }

  /**
   * Goes on with a session that may have begun before.
   *
   * @param {SessionEvent[]} events that are known from elsewhere; what the browser kept is added where it continues them
   */
  open(events) {
    const { now, wall } = this.#options;
    const nElsewhere = events.length;
    this.#events = events;
    this.#text = this.#stored(this.#key);
    const kept = this.#kept(nElsewhere);
    if (kept) this.#continue(kept, nElsewhere);
    const last = this.#events.at(-1);
    if (!last) return;
    const gone = this.#wallOfLast === null ? 0 : Math.max(0, wall() - this.#wallOfLast) / 1000;
    this.#offset = last.onset_s + gone - now() / 1000;
  }

  /**
   * @param {SessionStep} step
   * @param {number} onset in seconds on the clock of the session; that of `time_ms`, unless told
   */
  add({ time_ms: time, ...step }, onset = time / 1000 + this.#offset) {
    const { now, wall } = this.#options;
    // A clock of the system may be set back, but a session does not run backwards.
    const later = Math.max(onset, this.#events.at(-1)?.onset_s ?? -Infinity);
    this.#events.push({ seq: this.#events.length, ...step, time_ms: time, onset_s: microseconds(later) });
    this.#wallOfLast = wall() - (now() - (later - this.#offset) * 1000);
  }

  /**
   * Puts events into the storage, in case the page goes away.
   *
   * @param {number} first of them; those before are safe elsewhere
   */
  keep(first) {
    this.isKept = this.#keepParts(first);
    const events = this.#events.slice(Math.max(first, this.#parted.to));
    const last = this.#wallOfLast === null ? null : { seq: this.#events.length - 1, wall_ms: this.#wallOfLast };
    const text = JSON.stringify({ n_events: this.#events.length, events, last });
    const isStored = this.#store(this.#key, text);
    if (isStored) this.#text = text;
    this.isKept &&= isStored;
  }

  /** Has the clock go on from now on, should the next event be recorded elsewhere. */
  reckon() {
    const n = this.#events.length;
    this.#store(this.#key, JSON.stringify({ n_events: n, events: [], last: { seq: n, wall_ms: this.#options.wall() } }));
  }

  /**
   * Lets the storage have all whole parts that are not safe elsewhere, and no others.
   *
   * @param {number} first event that is not safe
   */
  #keepParts(first) {
    const whole = (/** @type {number} */ n) => n - (n % TOGETHER);
    const [from, end] = [whole(first), whole(this.#events.length)];
    // A server may have lost what it had.
    if (from < this.#parted.from || from > this.#parted.to) {
      this.#removeParts(this.#parted.to);
      this.#parted = { from, to: from };
    }
    this.#removeParts(from);
    for (; this.#parted.to < end; this.#parted.to += TOGETHER) {
      const { to } = this.#parted;
      if (!this.#store(this.#keyOfPart(to), JSON.stringify(this.#events.slice(to, to + TOGETHER)))) return false;
    }
    return true;
  }

  /** @param {number} end the part that begins with this event stays */
  #removeParts(end) {
    for (; this.#parted.from < end; this.#parted.from += TOGETHER) this.#remove(this.#keyOfPart(this.#parted.from));
  }

  /** @param {number} first event of it */
  #keyOfPart(first) {
    return `${this.#key}/events/${first}`;
  }

  /** Whether another page has written into the storage what this one does not know of. */
  get isOvertaken() {
    return this.#options.storage !== null && this.#stored(this.#key) !== this.#text;
  }

  /** Until what was written is on the disk. */
  async settled() {
    await this.#options.storage?.settled?.();
  }

  /* Remarks beside the log, such as that its data were sent */

  /** @param {string} name */
  note(name) {
    return this.#stored(`${this.#key}/${name}`);
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  setNote(name, text) {
    this.#store(`${this.#key}/${name}`, text);
  }

  /* What was there before */

  /**
   * What the browser kept; nothing where there is nothing that can be read.
   *
   * @param {number} nElsewhere
   */
  #kept(nElsewhere) {
    if (this.#text === null) return null;
    const parts = [];
    try {
      const { nEvents, events, last } = readKept(JSON.parse(this.#text));
      const end = nEvents - events.length;
      for (let first = nElsewhere - (nElsewhere % TOGETHER); first < end; first += TOGETHER) parts.push(this.#stored(this.#keyOfPart(first)));
      const whole = [...parts.flatMap((text) => JSON.parse(text ?? 'null')).filter((event) => event?.seq < end), ...events];
      assert(end <= nElsewhere || whole.length >= nEvents - nElsewhere, 'a part of what was kept is missing');
      this.#parted = parts.length ? { from: nElsewhere - (nElsewhere % TOGETHER), to: end - (end % TOGETHER) } : this.#parted;
      return { nEvents, events: readEvents(whole), last };
    } catch {
      this.#setAside([...parts, this.#text].filter(Boolean).join('\n'), nElsewhere);
      return null;
    }
  }

  /**
   * Takes what was kept beyond the events from elsewhere. What does not continue them comes from a page that had another
   * course: it cannot be sent, and must not be lost.
   *
   * @param {Kept} kept
   * @param {number} nElsewhere
   */
  #continue({ events, last, nEvents }, nElsewhere) {
    const first = events[0]?.seq ?? 0;
    const isSameCourse = first <= nElsewhere && events.every((event) => {
      const known = this.#events[event.seq];
      return !known || isSame(known, event);
    });
    if (!isSameCourse) {
      this.#setAside(JSON.stringify({ n_events: nEvents, events, last }), nElsewhere);
      return;
    }
    this.#events.push(...events.slice(nElsewhere - first));
    if (last && last.seq === this.#events.length - 1) this.#wallOfLast = last.wall_ms;
  }

  /**
   * @param {string} text
   * @param {number} nElsewhere
   */
  #setAside(text, nElsewhere) {
    this.#parted = { from: nElsewhere - (nElsewhere % TOGETHER), to: nElsewhere - (nElsewhere % TOGETHER) };
    this.setNote('aside', [this.note('aside'), text].filter(Boolean).join('\n'));
    this.keep(nElsewhere);
  }

  /* The storage of the browser */

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
      return this.#options.storage !== null;
    } catch {
      // A storage that is full or forbidden: the memory still has everything.
      return false;
    }
  }

  /** @param {string} key */
  #remove(key) {
    try {
      this.#options.storage?.removeItem(key);
    } catch {
      // What cannot be removed does no harm: a server has it.
    }
  }
}

/**
 * What lies in the storage under the name of a session: its latest events, and of how many. Events before them lie in
 * parts, each under a key of its own, or are safe elsewhere.
 *
 * @typedef {{ nEvents: number, events: SessionEvent[], last: { seq: number, wall_ms: number } | null }} Kept
 */

/** @param {SessionKey} session */
const keyOf = ({ study, participant, session }) => ['plymap', study, participant, session].map(encodeURIComponent).join('/');

/**
 * Of how many events a text was kept; less than any where it cannot be read.
 *
 * @param {string} text
 */
function nEventsOf(text) {
  try {
    return readKept(JSON.parse(text)).nEvents;
  } catch {
    return -1;
  }
}

/** @param {number} seconds */
export const microseconds = (seconds) => Math.round(seconds * 1e6) / 1e6;

/**
 * @param {unknown} value
 * @returns {Kept}
 */
function readKept(value) {
  assert(isObject(value), 'what was kept is no JSON object');
  const { last, n_events: nEvents } = value;
  const events = readEvents(value.events);
  assert(isCount(nEvents) && (!events.length || events.at(-1)?.seq === nEvents - 1), 'what was kept does not end with its last event');
  const isLast = isObject(last) && isCount(last.seq) && typeof last.wall_ms === 'number';
  return { nEvents, events, last: isLast ? { seq: Number(last.seq), wall_ms: Number(last.wall_ms) } : null };
}

/**
 * @param {unknown} value
 * @returns {SessionEvent[]}
 */
export function readEvents(value) {
  assert(Array.isArray(value), 'there is no list of events');
  value.forEach((event, index) => {
    const isEvent = isObject(event) && isCount(event.seq) && isCount(event.attempt)
      && typeof event.level === 'string' && typeof event.event === 'string' && typeof event.action === 'string'
      && Number.isFinite(event.time_ms) && Number.isFinite(event.onset_s);
    assert(isEvent, `event ${index} is not { seq, level, attempt, event, action, time_ms, onset_s }`);
    assert(event.seq === value[0].seq + index, `event ${event.seq} does not follow the one before it`);
  });
  return value;
}

/** What two events have to have in common to the letter. */
const EXACT = /** @type {const} */ (['level', 'attempt', 'event', 'action', 'value', 'state_after', 'condition', 'block', 'trial']);

/**
 * Whether two events are one. A server may write the last digit of a time in another way.
 *
 * @param {SessionEvent} one
 * @param {SessionEvent} other
 */
function isSame(one, other) {
  return EXACT.every((name) => one[name] === other[name])
    && Math.abs(one.time_ms - other.time_ms) < 1e-3 && Math.abs(one.onset_s - other.onset_s) < 1e-5;
}

/**
 * The events of a session as lines of JSON with their checksums, as a server writes them.
 *
 * @param {Pick<SessionKey, 'participant' | 'session'>} session
 * @param {readonly SessionEvent[]} events
 */
export function linesOf({ participant, session }, events) {
  return events.map(({ seq, time_ms: time, onset_s: onset, ...step }) => {
    const named = EXACT.filter((name) => step[name] !== undefined).map((name) => [name, step[name]]);
    return signed(JSON.stringify({ participant, session, seq, ...Object.fromEntries(named), time_ms: time, onset_s: onset }));
  }).join('');
}
