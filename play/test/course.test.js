import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isName, pastOf, readLink, readStudy } from '../src/course.js';

const event = (level, kind, attempt = 1, action = '') => ({ level, attempt, event: kind, action });
/** Events in their order, a second apart. */
const sitting = (...events) => events.map((one, seq) => ({ ...one, seq, time_ms: 7, onset_s: seq + 0.5 }));

test('a level is over by a solution, by giving up, or by a limit', () => {
  for (const end of ['solved', 'give_up', 'time_out', 'moves_out']) {
    const events = sitting(event('a', 'start'), event('a', 'move', 1, 'x'), event('a', end), event('b', 'start'));
    assert.deepEqual(['a', 'b', 'c'].map((level) => pastOf(events, level).isOver), [true, false, false], end);
  }
});

test('a level that was never begun has no past', () => {
  assert.deepEqual(pastOf([], 'a'), { steps: [], start: undefined, nBefore: 0, nAttempts: 0, isOver: false });
});

test('steps have times on the clock of the sitting', () => {
  const events = sitting(event('a', 'start'), event('b', 'start'), event('a', 'move', 1, 'x'));
  assert.deepEqual(pastOf(events, 'a').steps, [{ event: 'start', action: '', time_ms: 500 }, { event: 'move', action: 'x', time_ms: 2500 }]);
});

test('a level that was begun anew goes on from there, and its attempts are counted on', () => {
  const events = sitting(event('a', 'start'), event('a', 'move', 1, 'x'), event('a', 'reset', 1), event('a', 'move', 2, 'y'), event('a', 'start', 3), event('a', 'move', 3, 'z'));
  const { steps, nBefore, nAttempts } = pastOf(events, 'a');
  assert.deepEqual([steps.map(({ action }) => action), nBefore, nAttempts], [['', 'z'], 2, 3]);
  assert.deepEqual(pastOf(events.slice(0, 4), 'a').nAttempts, 2);
});

test('a start that chance drew is known', () => {
  const events = sitting({ ...event('a', 'start'), state_after: 'first' }, event('a', 'reset'), { ...event('a', 'start', 2), state_after: 'second' }, event('a', 'move', 2, 'x'));
  assert.equal(pastOf(events.slice(0, 2), 'a').start, 'first');
  const { start, steps, nBefore } = pastOf(events, 'a');
  assert.deepEqual([start, steps.length, nBefore], ['second', 2, 1]);
});

test('links', () => {
  assert.deepEqual(readLink('?participant=P01'), { participant: 'P01', session: '1', level: null });
  assert.deepEqual(readLink('?participant=P01&session=2&level=a%20b'), { participant: 'P01', session: '2', level: 'a b' });
  assert.deepEqual(readLink(''), { participant: null, session: '1', level: null });
});

test('names that can stand in an address and in the name of a file', () => {
  for (const name of ['P01', 'a', '-', 'a.b_c-D', '...', 'x'.repeat(64)]) assert.ok(isName(name), name);
  for (const name of ['', '.', '..', 'a b', 'ä', 'a/b', 'P01\n', 'x'.repeat(65)]) assert.ok(!isName(name), name);
});

test('a study that is none says what is missing', () => {
  const study = { name: 'towers', title: 'Towers', language: 'en', hints: true, levels: [{ id: 'a', map: true }] };
  assert.deepEqual(readStudy({ ...study, more: 1 }), study);
  const wrong = [[null, /no JSON object/], [{ ...study, title: 1 }, /no name, title or language/], [{ ...study, hints: undefined }, /hints/], [{ ...study, levels: [] }, /no levels/], [{ ...study, levels: [{ id: 1, map: true }] }, /not { id, map }/]];
  for (const [value, fault] of wrong) assert.throws(() => readStudy(value), fault);
});
