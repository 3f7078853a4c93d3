import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assigned, itemsOf, seedOf } from '../src/plan.js';
import { blocksOf, planOf, questionOf } from './studies.js';

/** The list in short: names, where levels are their ids with block, trial and number. */
const told = (items) => items.map((item) => (item.kind === 'level' ? `${item.level} ${item.block} ${item.trial} ${item.number}/${item.of}` : item.name));
const levelsOf = (plan, row = 0, seed = 1) => itemsOf(plan, row, seed).filter(({ kind }) => kind === 'level').map(({ level }) => level).join('');
/** Levels and breaks alone. */
const beats = (plan) => itemsOf(plan, 0, 1).map(({ kind, level }) => ({ level, break: '|' })[kind] ?? '').join('');

test('a study of levels alone', () => {
  assert.deepEqual(itemsOf(planOf(), 0, 1), [
    { kind: 'level', name: 'level-a', level: 'a', block: 'levels', trial: 1, number: 1, of: 3 },
    { kind: 'level', name: 'level-b', level: 'b', block: 'levels', trial: 2, number: 2, of: 3 },
    { kind: 'level', name: 'level-c', level: 'c', block: 'levels', trial: 3, number: 3, of: 3 },
    { kind: 'end', name: 'end' },
  ]);
});

test('all that an experiment can have, in its order', () => {
  const plan = planOf({
    consent: '<p>Do you agree?</p>', instructions: ['<p>1</p>', '<p>2</p>'], practice: ['x', 'y'], blocks: blocksOf({ one: 'ab', two: 'c' }),
    breaks: { every: null, blocks: true, html: '<p>Rest.</p>' },
    questions: [questionOf('age', 'start'), questionOf('hard', 'level'), questionOf('tired', 'block'), questionOf('fun', 'end'), questionOf('sex', 'start')],
  });
  const items = itemsOf(plan, 0, 1);
  assert.deepEqual(told(items), [
    'consent', 'instructions-1', 'instructions-2', 'x practice 1 1/2', 'y practice 2 2/2', 'questions-start',
    'a one 3 1/3', 'questions-level-a', 'b one 4 2/3', 'questions-level-b', 'questions-block-one', 'break-1',
    'c two 5 3/3', 'questions-level-c', 'questions-block-two', 'questions-end', 'end',
  ]);
  assert.equal(new Set(items.map(({ name }) => name)).size, items.length);
  const about = items.filter(({ kind }) => kind === 'questions').map(({ questions, level, block, trial }) => [questions.map(({ name }) => name).join(), level, block, trial]);
  assert.deepEqual(about, [
    ['age,sex', '', null, null], ['hard', 'a', 'one', 3], ['hard', 'b', 'one', 4], ['tired', '', 'one', null],
    ['hard', 'c', 'two', 5], ['tired', '', 'two', null], ['fun', '', null, null],
  ]);
  assert.deepEqual(items[0], { kind: 'consent', name: 'consent', html: '<p>Do you agree?</p>' });
  assert.deepEqual(items[2], { kind: 'page', name: 'instructions-2', html: '<p>2</p>', number: 2, of: 2 });
  assert.deepEqual(items[11], { kind: 'break', name: 'break-1', html: '<p>Rest.</p>' });
});

test('names of pages cannot be those of levels', () => {
  const plan = planOf({ blocks: blocksOf({ start: ['start', 'end', 'block-start', 'consent'] }), questions: ['start', 'level', 'block', 'end'].map((when) => questionOf(when, when)), consent: '' });
  const names = itemsOf(plan, 0, 1).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

test('breaks stand between two levels, and levels are counted anew after each', () => {
  const with_ = (letters, breaks) => beats(planOf({ practice: ['x'], blocks: blocksOf(letters), breaks: { every: null, blocks: false, html: null, ...breaks } }));
  assert.equal(with_({ one: 'abcd', two: 'efgh' }, {}), 'xabcdefgh');
  assert.equal(with_({ one: 'abcd', two: 'efgh' }, { blocks: true }), 'xabcd|efgh');
  assert.equal(with_({ one: 'abcd', two: 'efgh' }, { every: 2 }), 'xab|cd|ef|gh');
  assert.equal(with_({ one: 'abcd', two: 'efgh' }, { every: 4, blocks: true }), 'xabcd|efgh');
  assert.equal(with_({ one: 'abcd', two: 'efgh' }, { every: 3, blocks: true }), 'xabc|d|efg|h');
  assert.equal(with_({ one: 'abc', two: '', three: 'd' }, { every: 1, blocks: true }), 'xa|b|c|d');
});

test('orders of levels and of blocks', () => {
  const blocks = (order) => blocksOf({ one: 'abcd' }, order);
  assert.deepEqual([0, 1, 2, 3, 4].map((row) => levelsOf(planOf({ blocks: blocks('latin-square') }), row)), ['abdc', 'bcad', 'cdba', 'dacb', 'abdc']);
  assert.deepEqual([1, 2, 3].map((seed) => levelsOf(planOf({ blocks: blocks('shuffled') }), 0, seed)), ['dbac', 'cdba', 'dbca']);
  const whole = blocksOf({ one: 'ab', two: 'cd', three: 'ef' });
  assert.deepEqual([0, 1, 2, 3].map((row) => levelsOf(planOf({ blocks: whole, block_order: 'latin-square' }), row)), ['abcdef', 'cdefab', 'efabcd', 'efcdab']);
  assert.deepEqual([1, 2, 3].map((seed) => levelsOf(planOf({ blocks: whole, block_order: 'shuffled' }), 0, seed)), ['cdefab', 'cdabef', 'cdefab']);
});

test('each order of blocks meets each order of levels', () => {
  const plan = planOf({ blocks: blocksOf({ one: 'ab', two: 'cd' }, 'latin-square'), block_order: 'latin-square' });
  assert.deepEqual([0, 1, 2, 3, 4].map((row) => levelsOf(plan, row)), ['abcd', 'cdab', 'badc', 'dcba', 'abcd']);
});

test('what one block draws does not hang on another', () => {
  const orderOf = (blocks) => levelsOf(planOf({ blocks }), 0, 5).replace(/[^a-f]/g, '');
  const drawn = blocksOf({ one: 'abcdef' }, 'shuffled');
  assert.equal(orderOf([...blocksOf({ zero: 'xyz' }, 'shuffled'), ...drawn]), orderOf(drawn));
});

test('the seed of a session', () => {
  assert.equal(seedOf('towers', 'P01', '1'), 115_323_203);
  const seeds = ['1', '2'].flatMap((session) => Array.from({ length: 500 }, (_, n) => seedOf('towers', `P${n}`, session)));
  assert.equal(new Set(seeds).size, 1000);
});

/* Who gets which plan */

const [open, timed, strict] = ['open', 'timed', 'strict'].map((condition) => planOf({ condition }));
const given = (study, number, condition) => {
  const found = assigned(study, number, condition);
  return found && `${found.plan.condition} ${found.row}`;
};

test('evenly: one plan after the other, and a row further when each had its turn', () => {
  const study = { assign: 'evenly', plans: [open, timed, strict] };
  assert.deepEqual([0, 1, 2, 3, 4].map((number) => given(study, number, null)), ['open 0', 'timed 0', 'strict 0', 'open 1', 'timed 1']);
  assert.equal(given(study, 4, 'open'), 'open 1', 'a session that goes on keeps its condition');
  assert.equal(given(study, 4, 'gone'), null);
});

test('by the link', () => {
  const study = { assign: 'url', plans: [open, timed] };
  assert.deepEqual([given(study, 5, 'timed'), given(study, 5, 'other'), given(study, 5, null)], ['timed 5', null, null]);
});

test('a study without conditions', () => {
  for (const assign of ['evenly', 'url']) assert.deepEqual([given({ assign, plans: [planOf()] }, 3, null), given({ assign, plans: [planOf()] }, 3, 'any')], ['null 3', 'null 3']);
});
