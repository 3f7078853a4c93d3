// From what the board told to the data of a trial. No page.

/** @import { Outcome } from '../play/types.js' */

import { ENDS } from '../play/progress.js';

/**
 * What was done, as it stands in the data.
 * @typedef {{ event: string, action: string, time_ms: number, attempt: number }} TrialEvent
 */

/** How a level ended, in the words of the data. @type {Record<Outcome, string>} */
const OUTCOMES = { solved: 'solved', given_up: 'given_up', time: 'limit_seconds', moves: 'limit_moves', ended: 'ended' };

/**
 * @param {string} level
 * @param {readonly TrialEvent[]} told by the board, in order
 * @param {Outcome} outcome
 * @param {number} now the clock of the board
 */
export function dataOf(level, told, outcome, now) {
  const events = closed(told, outcome, now).map((one) => ({ ...one, time_ms: rounded(one.time_ms) }));
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last) throw new Error(`Level ${level} has no events: its board has not begun`);
  return {
    level,
    outcome: OUTCOMES[outcome],
    n_moves: events.filter(({ event }) => event === 'move').length,
    n_attempts: last.attempt,
    rt: Math.round(last.time_ms - first.time_ms),
    events,
  };
}

/**
 * The board has no event for a level that nothing is left to do in.
 *
 * @param {readonly TrialEvent[]} told
 * @param {Outcome} outcome
 * @param {number} now
 */
function closed(told, outcome, now) {
  const last = told.at(-1);
  const end = ENDS[outcome];
  return !last || last.event === end.event ? told : [...told, { ...end, time_ms: now, attempt: last.attempt }];
}

/** Clocks of browsers have no more than microseconds; what lies beyond is noise of the arithmetic. @param {number} ms */
const rounded = (ms) => Math.round(ms * 1000) / 1000;
