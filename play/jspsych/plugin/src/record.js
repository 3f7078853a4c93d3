// From what the board told to the data of a trial. No page.

/** @import { Outcome } from '../play/types.js' */

/**
 * What was done, as it stands in the data: an event of the board, or the limit that ended the level.
 * @typedef {{ event: string, action: string, time_ms: number, attempt: number }} TrialEvent
 */

/** How a level ended, in the words of the data. @type {Record<Outcome, string>} */
const OUTCOMES = { solved: 'solved', given_up: 'given_up', time: 'limit_seconds', moves: 'limit_moves', ended: 'ended' };

/** The events of the ends that the board has none for: whoever has no move left cannot but give up. @type {Partial<Record<Outcome, { event: string, action: string }>>} */
const ENDS = { time: { event: 'limit', action: 'seconds' }, moves: { event: 'limit', action: 'moves' }, ended: { event: 'give_up', action: '' } };

/**
 * @param {string} level
 * @param {readonly TrialEvent[]} told by the board, in order
 * @param {Outcome} outcome
 * @param {number} now the clock of the board; counts where time ended the level
 */
export function dataOf(level, told, outcome, now) {
  const events = told.map((one) => ({ ...one, time_ms: rounded(one.time_ms) }));
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last) throw new Error(`Level ${level} has no events: its board has not begun`);
  const end = ENDS[outcome];
  const closed = rounded(outcome === 'time' ? now : last.time_ms);
  if (end) events.push({ ...end, time_ms: closed, attempt: attemptAfter(last) });
  return {
    level,
    outcome: OUTCOMES[outcome],
    n_moves: events.filter(({ event }) => event === 'move').length,
    n_attempts: /** @type {TrialEvent} */ (events.at(-1)).attempt,
    rt: Math.round(closed - first.time_ms),
    events,
  };
}

/** A reset belongs to the attempt that it ends. @param {TrialEvent} last */
const attemptAfter = ({ event, attempt }) => (event === 'reset' ? attempt + 1 : attempt);

/** Clocks of browsers have no more than microseconds; what lies beyond is noise of the arithmetic. @param {number} ms */
const rounded = (ms) => Math.round(ms * 1000) / 1000;
