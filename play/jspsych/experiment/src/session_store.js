// The rows of a session, in memory and in the storage of the browser: a page that is loaded again goes on after the last
// trial that was over.

import { isObject } from 'jspsych-plymap/play/validation.js';

/** @typedef {Record<string, any>} Row */

/**
 * What lies in the storage.
 * @typedef {object} State
 * @property {number} number of the session
 * @property {string | null} condition
 * @property {number} origin when the first page was loaded, in milliseconds since 1970
 * @property {number} n_loads how often a page of the session was loaded
 * @property {boolean} is_saved whether the rows are where they belong
 * @property {Row[]} rows
 */

export class SessionStore {
  /** Nothing before the session has begun. @type {State | null} */ #state = null;
  /** @type {Storage | null} */ #storage;
  /** @type {string} */ #key;
  /** Milliseconds from the clock of the page to that of the session. */
  #offset = 0;
  #isKept = false;

  /**
   * @param {string[]} names that tell the session from others
   * @param {boolean} isForgotten whether nothing is kept, and nothing was
   */
  constructor(names, isForgotten) {
    this.#key = ['plymap-jspsych', ...names].map(encodeURIComponent).join('/');
    this.#storage = isForgotten ? null : storageOfBrowser();
    const state = this.#stored();
    if (!state) return;
    this.#state = { ...state, n_loads: state.n_loads + 1 };
    const last = state.rows.at(-1)?.events.at(-1).time_ms ?? 0;
    // The clock of a system may be set back, but a session does not run backwards.
    this.#offset = Math.max(performance.timeOrigin - state.origin, last);
  }

  /** The number and condition of a session that has begun. */
  get assignment() {
    return this.#state && { number: this.#state.number, condition: this.#state.condition };
  }

  /**
   * Begins the session, unless it has begun.
   *
   * @param {number} number
   * @param {string | null} condition
   */
  begin(number, condition) {
    this.#state ??= { number, condition, origin: performance.timeOrigin, n_loads: 1, is_saved: false, rows: [] };
    this.#keep();
  }

  /** @returns {readonly Row[]} */
  get rows() {
    return this.#begun.rows;
  }

  get nLoads() {
    return this.#begun.n_loads;
  }

  get isSaved() {
    return this.#begun.is_saved;
  }

  /** Whether nothing is lost with the page. */
  get isSafe() {
    return this.#isKept || this.isSaved;
  }

  /** Whether consent was refused. */
  get isRefused() {
    return this.rows.some(({ events }) => events.some((/** @type {any} */ { event }) => event === 'decline'));
  }

  /** The data, as jsPsych writes them. */
  get data() {
    return JSON.stringify(this.rows);
  }

  /**
   * Takes a row of the data of jsPsych, and brings it to the clock and the count of the session.
   *
   * @param {Row} row
   */
  add(row) {
    row.trial_index = this.#begun.rows.length;
    for (const event of row.events) event.time_ms = Math.round((event.time_ms + this.#offset) * 1000) / 1000;
    this.#begun.rows.push(row);
    this.#keep();
  }

  markSaved() {
    this.#begun.is_saved = true;
    this.#keep();
  }

  get #begun() {
    if (!this.#state) throw new Error('The session has not begun');
    return this.#state;
  }

  /** @returns {State | null} */
  #stored() {
    try {
      const state = JSON.parse(this.#storage?.getItem(this.#key) ?? 'null');
      return isObject(state) && Array.isArray(state.rows) ? /** @type {State} */ (/** @type {unknown} */ (state)) : null;
    } catch {
      // What cannot be read was not written here.
      return null;
    }
  }

  #keep() {
    try {
      this.#storage?.setItem(this.#key, JSON.stringify(this.#state));
      this.#isKept = this.#storage !== null;
    } catch {
      // A storage that is full: the memory still has everything.
      this.#isKept = false;
    }
  }
}

/** The storage that a page may not have. */
function storageOfBrowser() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
