// What a link asks for and what of a study is done: read from text and events, without a page.

/** @import { Outcome, SittingEvent, Step, Study } from './types.js' */

import { expect, isObject } from './reading.js';

/** Names of participants and sessions. Addresses with a part that is `.` or `..` lead elsewhere. */
export const NAME = '(?!\\.{1,2}$)[A-Za-z0-9._\\-]{1,64}';

/** The events by which levels end. Time and moves that are up have none of the board, and where no move is left nobody can but give up. @type {Record<Outcome, string>} */
export const ENDS = { solved: 'solved', given_up: 'give_up', time: 'time_out', moves: 'moves_out', ended: 'give_up' };

/**
 * @param {string} search of the address of the page
 * @returns {{ participant: string | null, session: string, level: string | null }} as they stand there
 */
export function readLink(search) {
  const link = new URLSearchParams(search);
  return { participant: link.get('participant'), session: link.get('session') ?? '1', level: link.get('level') };
}

/** @param {string} text */
export const isName = (text) => new RegExp(`^${NAME}$`).test(text);

/**
 * @param {unknown} value
 * @returns {Study}
 * @throws {Error} where it is none
 */
export function readStudy(value) {
  expect(isObject(value), 'the study is no JSON object');
  const { name, title, language, hints, levels } = value;
  expect(typeof name === 'string' && typeof title === 'string' && typeof language === 'string', 'the study has no name, title or language');
  expect(typeof hints === 'boolean', 'the study does not say whether there are hints');
  expect(Array.isArray(levels) && levels.length > 0, 'the study has no levels');
  for (const level of levels) {
    expect(isObject(level) && typeof level.id === 'string' && typeof level.map === 'boolean', 'a level of the study is not { id, map }');
  }
  return { name, title, language, hints, levels };
}

/**
 * What was done in a level.
 *
 * `steps` are those since it was last begun, with times on the clock of the sitting, which goes on when a page is loaded
 * again; `start` is the position in which it was begun, where chance drew it; `nBefore` is the number of attempts before
 * that, and `nAttempts` that of all.
 *
 * @param {readonly SittingEvent[]} events of the sitting
 * @param {string} level
 * @returns {{ steps: Step[], start: string | undefined, nBefore: number, nAttempts: number, isOver: boolean }}
 */
export function pastOf(events, level) {
  const all = events.filter((one) => one.level === level);
  const last = all.slice(Math.max(0, all.findLastIndex(({ event }) => event === 'start')));
  const ends = Object.values(ENDS);
  return {
    steps: last.map(({ event, action, onset_s: onset }) => ({ event, action, time_ms: onset * 1000 })),
    start: last[0]?.state_after,
    nBefore: (last[0]?.attempt ?? 1) - 1,
    nAttempts: Math.max(0, ...all.map(({ attempt }) => attempt)),
    isOver: last.some(({ event }) => ends.includes(event)),
  };
}
