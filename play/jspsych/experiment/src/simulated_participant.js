// A simulated person: what they do in each level, and where their data go.

import { isObject } from 'jspsych-plymap/play/validation.js';
import { httpUploader } from 'jspsych-plymap/play/upload.js';

/** Milliseconds that a page is looked at. */
const PAGE = 2000;

/** @typedef {{ event: string, action: string, wait_s: number }} Planned */

export class SimulatedParticipant {
  /** How many times as fast as a person; the clock runs as fast. @type {number} */ speed;
  /** @type {number} */ seed;
  /** What they do in levels; nothing where that is left to the plugin. @type {Record<string, Planned[]> | null} */ #levels;

  /**
   * Where there is no file, somebody who finds the way alone.
   *
   * @param {string} participant
   */
  static async load(participant) {
    const response = await fetch(`simulated/${encodeURIComponent(participant)}.json`);
    return new SimulatedParticipant(response.ok ? await response.json() : { speed: 1, seed: 0, levels: null });
  }

  /**
   * Tells a server that awaits simulated people what went wrong.
   *
   * @param {unknown} error
   */
  static fail(error) {
    if (new URLSearchParams(location.search).get('simulate') !== '1') return;
    const body = error instanceof Error ? error.message : String(error);
    fetch('simulated/failed', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body }).catch(() => {});
  }

  /** Tells of faults that nobody awaits, such as those of timers. */
  static watch() {
    addEventListener('error', ({ message }) => SimulatedParticipant.fail(message));
    addEventListener('unhandledrejection', ({ reason }) => SimulatedParticipant.fail(reason));
  }

  /** @param {unknown} value */
  constructor(value) {
    const { speed, seed, levels } = /** @type {Record<string, unknown>} */ (isObject(value) ? value : {});
    if (typeof speed !== 'number' || !(speed > 0) || !Number.isSafeInteger(seed)) throw new Error('A simulated person is not { speed, seed, levels }');
    this.speed = speed;
    this.seed = Number(seed);
    this.#levels = /** @type {Record<string, Planned[]> | null} */ (levels ?? null);
  }

  /** @param {string} file */
  uploader(file) {
    return httpUploader('simulated/save', file);
  }

  /** How long pages are looked at, in milliseconds of the clock of the wall. */
  get pause() {
    return Math.max(1, Math.round(PAGE / this.speed));
  }

  /**
   * Options for the trial of a level.
   *
   * @param {string} level
   */
  optionsOf(level) {
    if (!this.#levels) return { speed: this.speed };
    let time = 0;
    const events = (this.#levels[level] ?? []).map(({ event, action, wait_s: wait }) => ({ event, action, time_ms: (time += wait * 1000) }));
    return { speed: this.speed, data: { events } };
  }
}

/** The clock of events, in milliseconds to three decimals. @param {SimulatedParticipant | null} simulated */
export const clockOf = (simulated) => () => Math.round(performance.now() * (simulated?.speed ?? 1) * 1000) / 1000;
