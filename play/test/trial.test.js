import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MapGame } from '../src/map_game.js';
import { Trial } from '../src/trial.js';
import { mapFile } from './levels.js';
import { Strip } from './strip.js';

/** A trial of a level, and the events that it sends. */
async function trialOf(name, options = {}) {
  const events = [];
  const game = typeof name === 'string' ? await MapGame.read(await mapFile(name)) : name;
  const trial = new Trial(game, { canUndo: true, canReset: true, limits: {}, onEvent: (event) => events.push(event), now: () => 1000, ...options });
  const move = (notation, time = 0) => trial.move(trial.scene.moves.find((one) => one.notation === notation), time);
  return { trial, events, move };
}
const told = (events) => events.map(({ event, action, time_ms: time, attempt }) => [event, action, time, attempt].join(' ').trim());

/* Three disks: 1>3 1>2 3>2 1>3 2>1 2>3 1>3 is the shortest way. */
const SOLUTION = ['1>3', '1>2', '3>2', '1>3', '2>1', '2>3', '1>3'];

test('events have the time of their input, and a solution follows its move', async () => {
  const { trial, events, move } = await trialOf('tower');
  await trial.begin();
  for (const [index, notation] of SOLUTION.entries()) await move(notation, 2000 + index);
  assert.deepEqual(told(events), ['start  1000 1', ...SOLUTION.map((notation, index) => `move ${notation} ${2000 + index} 1`), 'solved  2006 1']);
  assert.deepEqual(await trial.finished, { outcome: 'solved' });
  assert.equal(trial.cost, 7);
});

test('a reset belongs to the attempt that it ends; undo names the move', async () => {
  const { trial, events, move } = await trialOf('tower');
  await trial.begin();
  await move('1>2');
  await move('1>3');
  assert.equal(await trial.undo(5), '1>3');
  assert.equal(trial.cost, 1);
  await trial.reset(6);
  await move('1>3');
  assert.deepEqual(told(events).slice(3), ['undo 1>3 5 1', 'reset  6 1', 'move 1>3 0 2']);
  assert.equal(trial.cost, 1);
});

test('a hint is one of the moves, and is logged', async () => {
  const { trial, events } = await trialOf('tower');
  await trial.begin();
  const hint = await trial.hint(9);
  assert.deepEqual([hint.notation, hint.distance], ['1>3', 7]);
  assert.ok(trial.scene.moves.includes(hint.move));
  assert.deepEqual(told(events)[1], 'hint 1>3 9 1');
});

test('where no goal can be reached a hint says so, and was asked for all the same', async () => {
  const { trial, events } = await trialOf('pegs');
  await trial.begin();
  assert.equal(await trial.hint(3), null);
  assert.deepEqual(told(events)[1], 'hint  3 1');
});

test('nothing can be taken back at the start, or where it is not allowed', async () => {
  const free = await trialOf('tower');
  await free.trial.begin();
  assert.deepEqual([free.trial.canUndo, free.trial.canReset], [false, false]);
  await free.move('1>2');
  assert.deepEqual([free.trial.canUndo, free.trial.canReset], [true, true]);
  const strict = await trialOf('tower', { canUndo: false, canReset: false });
  await strict.trial.begin();
  await strict.move('1>2');
  assert.deepEqual([strict.trial.canUndo, strict.trial.canReset], [false, false]);
});

/* Ends */

test('the limit of moves counts those that were taken back and those of earlier attempts', async () => {
  const { trial, events, move } = await trialOf('tower', { limits: { moves: 3 } });
  await trial.begin();
  await move('1>2');
  await trial.undo(0);
  await move('1>2');
  await trial.reset(0);
  assert.equal(trial.movesLeft, 1);
  assert.equal(trial.outcome, null);
  await move('1>3', 8);
  assert.equal(trial.outcome, 'moves');
  assert.deepEqual(told(events).slice(-2), ['move 1>3 8 2', 'limit moves 8 2']);
});

test('a solution by the last move of the limit is a solution', async () => {
  const { trial, events, move } = await trialOf('tower', { limits: { moves: 7 } });
  await trial.begin();
  for (const notation of SOLUTION) await move(notation);
  assert.equal(trial.outcome, 'solved');
  assert.equal(events.at(-1).event, 'solved');
});

test('without a legal move a level ends only if nothing can be taken back', async () => {
  const free = await trialOf('pegs', { canReset: false });
  await free.trial.begin();
  for (const notation of ['a-c', 'd-f']) await free.move(notation);
  assert.equal(free.trial.scene.position.ended, true);
  assert.equal(free.trial.outcome, null);
  const strict = await trialOf('pegs', { canUndo: false, canReset: false });
  await strict.trial.begin();
  for (const notation of ['a-c', 'd-f']) await strict.move(notation);
  assert.equal(strict.trial.outcome, 'ended');
});

test('the first end counts', async () => {
  const { trial, events } = await trialOf('tower');
  await trial.begin();
  trial.giveUp(4);
  trial.timeUp();
  trial.giveUp(6);
  assert.deepEqual(await trial.finished, { outcome: 'given_up' });
  assert.deepEqual(told(events).slice(1), ['give_up  4 1']);
});

test('the limit of seconds is an event as well', async () => {
  const { trial, events, move } = await trialOf('tower', { limits: { seconds: 5 } });
  await trial.begin();
  await move('1>2', 4999);
  trial.timeUp();
  assert.equal(trial.outcome, 'time');
  assert.deepEqual(told(events).slice(2), ['limit seconds 6000 1']);
});

/* Going on */

test('what was done before is repeated without events: position, attempt and what can be taken back', async () => {
  const first = await trialOf('tower');
  await first.trial.begin();
  await first.move('1>2');
  await first.trial.reset(0);
  await first.move('1>3');
  await first.move('1>2');
  await first.trial.hint(0);
  await first.trial.undo(0);
  const second = await trialOf('tower', { limits: { moves: 10 } });
  await second.trial.resume(first.events);
  assert.deepEqual(second.events, []);
  assert.deepEqual(second.trial.scene.position, first.trial.scene.position);
  assert.equal(second.trial.movesLeft, 7);
  await second.trial.undo(8);
  assert.deepEqual(told(second.events), ['undo 1>3 8 2']);
});

test('a level that was over is over', async () => {
  const limit = (action) => [{ event: 'limit', action }];
  for (const [ends, outcome] of [[[{ event: 'give_up', action: '' }], 'given_up'], [limit('seconds'), 'time'], [limit('moves'), 'moves'], [SOLUTION.map((action) => ({ event: 'move', action })), 'solved']]) {
    const { trial } = await trialOf('tower');
    await trial.resume([{ event: 'start', action: '' }, ...ends]);
    assert.equal(trial.outcome, outcome);
  }
});

test('steps that do not fit are named', async () => {
  const wrong = [
    [{ event: 'move', action: '2>1' }, /step 2 \(move 2>1\) cannot be repeated: it is not legal there/],
    [{ event: 'undo', action: '1>2' }, /step 2 .* no move to take back/],
    [{ event: 'jump', action: '' }, /step 2 .* no such event/],
  ];
  for (const [step, fault] of wrong) {
    const { trial } = await trialOf('tower');
    await assert.rejects(trial.resume([{ event: 'start', action: '' }, step]), fault);
  }
});

test('what chance did is done again', async () => {
  const first = await trialOf(new Strip());
  await first.trial.begin();
  await first.move('right');
  const [, { action }] = first.events;
  assert.match(action, /^right\+\d$/);
  assert.equal(first.trial.cost, 5);
  const second = await trialOf(new Strip());
  await second.trial.resume(first.events);
  assert.equal(second.trial.scene.position.id, first.trial.scene.position.id);
  assert.equal(second.trial.cost, 5);
});

test('chance that does not repeat itself is found out', async () => {
  class Forgetful extends Strip {
    play(position, move) { return super.play(position, { notation: move.notation.replace(/\+(\d)/, (_, cell) => `+${cell === '0' ? 1 : 0}`) }); }
  }
  const { trial } = await trialOf(new Forgetful());
  await assert.rejects(trial.resume([{ event: 'start', action: '' }, { event: 'move', action: 'right+0' }]), /chance did otherwise: right\+1/);
});

test('a move that fails leaves everything as it was', async () => {
  const game = await MapGame.read(await mapFile('tower'));
  const { trial, events, move } = await trialOf(game);
  await trial.begin();
  const before = trial.scene;
  game.play = async () => { throw new Error('the line is dead'); };
  await assert.rejects(move('1>2'), /the line is dead/);
  assert.equal(trial.scene, before);
  assert.equal(events.length, 1);
  assert.equal(trial.canUndo, false);
});

test('a level begins once', async () => {
  const { trial } = await trialOf('tower');
  assert.throws(() => trial.scene, /has not begun/);
  await trial.begin();
  await assert.rejects(trial.begin(), /has begun already/);
});
