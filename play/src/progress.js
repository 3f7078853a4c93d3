// What a link asks for and what of a session is done: read from text and events, without a page.

/** @import { Item, Outcome, Plan, SessionEvent, Step, Study } from './types.js' */

import { assigned, itemsOf } from './plan.js';
import { assert, isCount, isObject } from './validation.js';

/** Names of participants and sessions. Addresses with a part that is `.` or `..` lead elsewhere. */
export const NAME = '(?!\\.{1,2}$)[A-Za-z0-9._\\-]{1,64}';

/** The events by which levels end. Where no move is left nobody can but give up. @type {Record<Outcome, { event: string, action: string }>} */
export const ENDS = {
  solved: { event: 'solved', action: '' },
  given_up: { event: 'give_up', action: '' },
  time: { event: 'limit', action: 'seconds' },
  moves: { event: 'limit', action: 'moves' },
  ended: { event: 'give_up', action: '' },
};

/**
 * What a link asks for, as it stands there; nothing where a parameter is missing or empty.
 *
 * @typedef {{ participant: string | null, session: string, level: string | null, condition: string | null, number: string | null, token: string | null }} Link
 */

/**
 * @param {URLSearchParams} link
 * @param {Pick<Study, 'participant' | 'session'>} study which parameters name the participant and the session
 * @returns {Link}
 */
export function readLink(link, { participant, session }) {
  const first = (/** @type {string[]} */ names) => names.map((name) => link.get(name)).find(Boolean) ?? null;
  return {
    participant: first(participant),
    session: first(session) ?? '1',
    level: first(['level']),
    condition: first(['condition']),
    number: first(['number']),
    token: first(['token']),
  };
}

/** @param {string} text */
export const isName = (text) => new RegExp(`^${NAME}$`).test(text);

/** @param {string} text */
export const isNumber = (text) => /^\d{1,9}$/.test(text);

/**
 * What is wrong with a link whatever the study is: the name of a text and the words in it.
 *
 * @param {Pick<Link, 'session' | 'number'>} link
 * @returns {{ text: string, words: Record<string, string> } | null}
 */
export function linkErrorOf({ session, number }) {
  if (!isName(session)) return { text: 'wrong_session', words: { session } };
  return number !== null && !isNumber(number) ? { text: 'wrong_number', words: { number } } : null;
}

/**
 * Checks what the page could not do without; the program that writes studies has checked the rest.
 *
 * @param {unknown} value
 * @returns {Study}
 * @throws {Error} where it is none
 */
export function readStudy(value) {
  assert(isObject(value), 'the study is no JSON object');
  const { name, title, language, texts, server, participant, session, assign, levels, plans } = value;
  assert(typeof name === 'string' && typeof title === 'string' && typeof language === 'string', 'the study has no name, title or language');
  assert(isObject(texts), 'the study has no texts');
  assert(typeof server === 'boolean', 'the study does not say whether there is a server');
  assert(isListOf(participant, isText) && isListOf(session, isText), 'the study does not say which parameters name participant and session');
  assert(assign === 'evenly' || assign === 'url', 'the study does not say how plans are chosen');
  assert(isListOf(levels, (one) => isObject(one) && typeof one.id === 'string' && isAddress(one.map) && isAddress(one.hints)), 'a level of the study is not { id, map, hints }');
  assert(isListOf(plans, isPlan), 'a plan of the study is not { condition, blocks, questions, … }');
  return /** @type {Study} */ (/** @type {unknown} */ (value));
}

/**
 * @param {unknown} value
 * @param {(one: unknown) => boolean} isOne
 */
const isListOf = (value, isOne) => Array.isArray(value) && value.length > 0 && value.every(isOne);

/** @param {unknown} value */
const isText = (value) => typeof value === 'string';

/** @param {unknown} value */
const isAddress = (value) => value === null || typeof value === 'string';

/** @param {unknown} value */
function isPlan(value) {
  if (!isObject(value)) return false;
  const { instructions, practice, blocks, questions, breaks, completion, limits } = value;
  return [instructions, practice, blocks, questions].every(Array.isArray) && [breaks, completion, limits].every(isObject);
}

/* What comes */

/**
 * What comes in a session. Its number and its condition are told by its first event where it goes on; where it begins,
 * they are to become its first event.
 *
 * @param {Study} study
 * @param {Pick<Link, 'level' | 'condition'>} link
 * @param {{ events: readonly SessionEvent[], number: number, seed: number }} session `number` where it begins
 * @returns {{ plan: Plan, items: Item[], number: number, isNew: boolean } | { text: string, words: Record<string, string> }} what is wrong with the link, where that cannot be told
 */
export function scheduleOf(study, link, { events, number: counted, seed }) {
  const before = assignmentOf(events);
  const number = before?.number ?? counted;
  const condition = before ? before.condition : study.assign === 'url' ? link.condition : null;
  const found = assigned(study, number, condition);
  if (!found) return condition === null ? { text: 'no_condition', words: {} } : { text: 'wrong_condition', words: { condition } };
  const { plan, row } = found;
  const items = itemsOf(plan, row, seed);
  const { level } = link;
  if (level === null) return { plan, items, number, isNew: !before };
  const alone = items.filter((item) => item.kind === 'end' || (item.kind === 'level' && item.level === level));
  if (alone.length < 2) return { text: 'wrong_level', words: { level } };
  // Who plays one level alone has not been through the experiment.
  return { plan: { ...plan, debriefing: null, completion: { code: null, link: null } }, items: alone, number, isNew: !before };
}

/* What is done */

/**
 * The number and the condition that a session was given when it began; nothing where it has not begun.
 *
 * @param {readonly SessionEvent[]} events
 * @returns {{ number: number, condition: string | null } | null}
 */
export function assignmentOf(events) {
  const assign = events.find(({ event }) => event === 'assign');
  const number = Number(assign?.value);
  return assign && isCount(number) ? { number, condition: assign.action || null } : null;
}

/**
 * Whether consent was refused.
 *
 * @param {readonly SessionEvent[]} events
 */
export const isDeclined = (events) => events.some(({ event }) => event === 'decline');

/**
 * @param {Item} item
 * @param {readonly SessionEvent[]} events
 */
export function isDone(item, events) {
  if (item.kind === 'level') return levelProgress(events, item.level).isOver;
  return events.some(({ event, action }) => event === 'page' && action === item.name);
}

/**
 * What was done in a level.
 *
 * `steps` are those since it was last begun, with times on the clock of the session, which goes on when a page is loaded
 * again; `start` is the position in which it was begun, where chance drew it; `nBefore` is the number of attempts before
 * that, and `nAttempts` that of all.
 *
 * @param {readonly SessionEvent[]} events of the session
 * @param {string} level
 * @returns {{ steps: Step[], start: string | undefined, nBefore: number, nAttempts: number, isOver: boolean }}
 */
export function levelProgress(events, level) {
  const all = events.filter((one) => one.level === level && one.event !== 'answer');
  const last = all.slice(Math.max(0, all.findLastIndex(({ event }) => event === 'start')));
  const ends = Object.values(ENDS).map(({ event }) => event);
  return {
    steps: last.map(({ event, action, onset_s: onset }) => ({ event, action, time_ms: onset * 1000 })),
    start: last[0]?.state_after,
    nBefore: (last[0]?.attempt ?? 1) - 1,
    nAttempts: Math.max(0, ...all.map(({ attempt }) => attempt)),
    isOver: last.some(({ event }) => ends.includes(event)),
  };
}
