import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assignmentOf, scheduleOf, linkErrorOf, isDeclined, isDone, isName, isNumber, levelProgress, readLink, readStudy } from '../src/progress.js';
import { planOf, studyOf } from './studies.js';

const event = (level, kind, attempt = 1, action = '') => ({ level, attempt, event: kind, action });
/** Events in their order, a second apart. */
const session = (...events) => events.map((one, seq) => ({ ...one, seq, time_ms: 7, onset_s: seq + 0.5 }));

test('a level is over by a solution, by giving up, or by a limit', () => {
  for (const end of ['solved', 'give_up', 'limit']) {
    const events = session(event('a', 'start'), event('a', 'move', 1, 'x'), event('a', end), event('b', 'start'));
    assert.deepEqual(['a', 'b', 'c'].map((level) => levelProgress(events, level).isOver), [true, false, false], end);
  }
});

test('a level that was never begun has no past', () => {
  assert.deepEqual(levelProgress([], 'a'), { steps: [], start: undefined, nBefore: 0, nAttempts: 0, isOver: false });
});

test('steps have times on the clock of the session', () => {
  const events = session(event('a', 'start'), event('b', 'start'), event('a', 'move', 1, 'x'));
  assert.deepEqual(levelProgress(events, 'a').steps, [{ event: 'start', action: '', time_ms: 500 }, { event: 'move', action: 'x', time_ms: 2500 }]);
});

test('a level that was begun anew goes on from there, and its attempts are counted on', () => {
  const events = session(event('a', 'start'), event('a', 'move', 1, 'x'), event('a', 'reset', 1), event('a', 'move', 2, 'y'), event('a', 'start', 3), event('a', 'move', 3, 'z'));
  const { steps, nBefore, nAttempts } = levelProgress(events, 'a');
  assert.deepEqual([steps.map(({ action }) => action), nBefore, nAttempts], [['', 'z'], 2, 3]);
  assert.deepEqual(levelProgress(events.slice(0, 4), 'a').nAttempts, 2);
});

test('a start that chance drew is known', () => {
  const events = session({ ...event('a', 'start'), state_after: 'first' }, event('a', 'reset'), { ...event('a', 'start', 2), state_after: 'second' }, event('a', 'move', 2, 'x'));
  assert.equal(levelProgress(events.slice(0, 2), 'a').start, 'first');
  const { start, steps, nBefore } = levelProgress(events, 'a');
  assert.deepEqual([start, steps.length, nBefore], ['second', 2, 1]);
});

test('answers about a level are no part of it', () => {
  const events = session(event('a', 'start'), event('a', 'solved'), event('a', 'answer', 1, 'hard'));
  assert.deepEqual([levelProgress(events, 'a').isOver, levelProgress(events, 'a').steps.length], [true, 2]);
});

test('pages are done when they were left, and levels when they are over', () => {
  const events = session(event('', 'page', 1, 'consent'), event('', 'answer', 1, 'age'), event('a', 'give_up'), event('b', 'start'));
  const items = [{ kind: 'consent', name: 'consent' }, { kind: 'questions', name: 'questions-start' }, { kind: 'level', level: 'a' }, { kind: 'level', level: 'b' }, { kind: 'end', name: 'end' }];
  assert.deepEqual(items.map((item) => isDone(item, events)), [true, false, true, false, false]);
  assert.deepEqual([isDeclined(events), isDeclined(session(event('', 'decline', 1, 'consent')))], [false, true]);
});

test('what a session was given when it began', () => {
  assert.deepEqual(assignmentOf(session({ ...event('', 'assign', 1, 'timed'), value: '7' })), { number: 7, condition: 'timed' });
  assert.deepEqual(assignmentOf(session({ ...event('', 'assign'), value: '0' })), { number: 0, condition: null });
  for (const events of [[], session(event('a', 'start')), session({ ...event('', 'assign'), value: 'x' })]) assert.equal(assignmentOf(events), null);
});

/* Links */

const read = (search, study = studyOf()) => readLink(new URLSearchParams(search), study);
const NOTHING = { participant: null, session: '1', level: null, condition: null, number: null, token: null };

test('links', () => {
  assert.deepEqual(read('?participant=P01'), { ...NOTHING, participant: 'P01' });
  assert.deepEqual(read('?participant=P01&session=2&level=a%20b&condition=timed&number=3'), { participant: 'P01', session: '2', level: 'a b', condition: 'timed', number: '3', token: null });
  for (const search of ['', '?participant=', '?session=&level=']) assert.deepEqual(read(search), NOTHING);
});

test('the first parameter that is there names the participant', () => {
  const study = studyOf({ participant: ['PROLIFIC_PID', 'participant'], session: ['SESSION_ID', 'session'] });
  assert.deepEqual(read('?participant=P01&PROLIFIC_PID=5f&SESSION_ID=66', study), { ...NOTHING, participant: '5f', session: '66' });
  assert.deepEqual(read('?participant=P01&PROLIFIC_PID=', study), { ...NOTHING, participant: 'P01' });
});

test('numbers of sessions', () => {
  for (const number of ['0', '12', '999999999']) assert.ok(isNumber(number), number);
  for (const number of ['', '-1', '1.5', '1e3', 'x', '9999999999']) assert.ok(!isNumber(number), number);
});

test('what is wrong with a link whatever the study is', () => {
  assert.equal(linkErrorOf({ session: '1', number: null }), null);
  assert.equal(linkErrorOf({ session: '1', number: '12' }), null);
  assert.deepEqual(linkErrorOf({ session: 'a b', number: null }), { text: 'wrong_session', words: { session: 'a b' } });
  assert.deepEqual(linkErrorOf({ session: '1', number: '-1' }), { text: 'wrong_number', words: { number: '-1' } });
});

/* What comes */

const plans = ['open', 'timed'].map((condition) => planOf({ condition, consent: '<p></p>', debriefing: '<p></p>', completion: { code: 'C', link: null } }));
/** The schedule in short: condition, number, whether it begins, and what comes; or what is wrong. */
function schedule({ assign = 'evenly', level = null, condition = null, events = [], number = 3 }) {
  const found = scheduleOf(studyOf({ assign, plans }), { level, condition }, { events, number, seed: 1 });
  return 'text' in found ? found : [found.plan.condition, found.number, found.isNew, found.items.map(({ name }) => name).join(' ')];
}
const ALL = 'consent level-a level-b level-c end';
const began = (number, condition) => session({ ...event('', 'assign', 1, condition), value: String(number) });

test('a session that begins has the number that it was given', () => {
  assert.deepEqual(schedule({}), ['timed', 3, true, ALL]);
  assert.deepEqual(schedule({ assign: 'url', condition: 'open' }), ['open', 3, true, ALL]);
  assert.deepEqual(schedule({ condition: 'open' }), ['timed', 3, true, ALL], 'where plans are chosen evenly, links do not choose');
});

test('a session that goes on keeps number and condition, whatever link and server say', () => {
  assert.deepEqual(schedule({ events: began(8, 'open'), number: 3 }), ['open', 8, false, ALL]);
  assert.deepEqual(schedule({ assign: 'url', condition: 'timed', events: began(8, 'open') }), ['open', 8, false, ALL]);
});

test('a link to a condition or a level that is not there', () => {
  assert.deepEqual(schedule({ assign: 'url' }), { text: 'no_condition', words: {} });
  assert.deepEqual(schedule({ assign: 'url', condition: 'none' }), { text: 'wrong_condition', words: { condition: 'none' } });
  assert.deepEqual(schedule({ events: began(0, 'gone') }), { text: 'wrong_condition', words: { condition: 'gone' } });
  assert.deepEqual(schedule({ level: 'nine' }), { text: 'wrong_level', words: { level: 'nine' } });
});

test('one level alone brings no credit', () => {
  assert.deepEqual(schedule({ level: 'b' }), ['timed', 3, true, 'level-b end']);
  const { plan, items } = scheduleOf(studyOf({ plans }), { level: 'b', condition: null }, { events: [], number: 0, seed: 1 });
  assert.deepEqual([plan.debriefing, plan.completion, items[0].trial], [null, { code: null, link: null }, 2]);
});

test('names that can stand in an address and in the name of a file', () => {
  for (const name of ['P01', 'a', '-', 'a.b_c-D', '...', 'x'.repeat(64)]) assert.ok(isName(name), name);
  for (const name of ['', '.', '..', 'a b', 'ä', 'a/b', 'P01\n', 'x'.repeat(65)]) assert.ok(!isName(name), name);
});

test('a study that is none says what is missing', () => {
  const study = studyOf();
  assert.deepEqual(readStudy({ ...study, more: 1 }), { ...study, more: 1 });
  const wrong = [
    [null, /no JSON object/],
    [{ ...study, title: 1 }, /no name, title or language/],
    [{ ...study, texts: undefined }, /no texts/],
    [{ ...study, server: undefined }, /whether there is a server/],
    [{ ...study, participant: [] }, /which parameters/],
    [{ ...study, assign: 'random' }, /how plans are chosen/],
    [{ ...study, levels: [] }, /not { id, map, hints }/],
    [{ ...study, levels: [{ id: 'a', map: true, hints: null }] }, /not { id, map, hints }/],
    [{ ...study, plans: [] }, /a plan/],
    [{ ...study, plans: [{ condition: null }] }, /a plan/],
  ];
  for (const [value, fault] of wrong) assert.throws(() => readStudy(value), fault);
});
