import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MapGame } from '../src/map_game.js';
import { Session } from '../src/session.js';
import { mapFile } from './levels.js';
import { Strip } from './strip.js';

/** A session of a level, and the events that it sends. */
async function sessionOf(name, options = {}) {
  const events = [];
  const game = typeof name === 'string' ? await MapGame.read(await mapFile(name)) : name;
  const session = new Session(game, { canUndo: true, canReset: true, limits: {}, onEvent: (event) => events.push(event), now: () => 1000, ...options });
  const move = (notation, time = 0) => session.move(session.scene.moves.find((one) => one.notation === notation), time);
  return { session, events, move };
}
const told = (events) => events.map(({ event, action, time_ms: time, attempt }) => [event, action, time, attempt].join(' ').trim());

/* Three disks: 1>3 1>2 3>2 1>3 2>1 2>3 1>3 is the shortest way. */
const SOLUTION = ['1>3', '1>2', '3>2', '1>3', '2>1', '2>3', '1>3'];

test('events have the time of their input, and a solution follows its move', async () => {
  const { session, events, move } = await sessionOf('tower');
  await session.begin();
  for (const [index, notation] of SOLUTION.entries()) await move(notation, 2000 + index);
  assert.deepEqual(told(events), ['start  1000 1', ...SOLUTION.map((notation, index) => `move ${notation} ${2000 + index} 1`), 'solved  2006 1']);
  assert.deepEqual(await session.finished, { outcome: 'solved' });
  assert.equal(session.cost, 7);
});

test('a reset belongs to the attempt that it ends; undo names the move', async () => {
  const { session, events, move } = await sessionOf('tower');
  await session.begin();
  await move('1>2');
  await move('1>3');
  assert.equal(await session.undo(5), '1>3');
  assert.equal(session.cost, 1);
  await session.reset(6);
  await move('1>3');
  assert.deepEqual(told(events).slice(3), ['undo 1>3 5 1', 'reset  6 1', 'move 1>3 0 2']);
  assert.equal(session.cost, 1);
});

test('a hint is one of the moves, and is logged', async () => {
  const { session, events } = await sessionOf('tower');
  await session.begin();
  const hint = await session.hint(9);
  assert.deepEqual([hint.notation, hint.distance], ['1>3', 7]);
  assert.ok(session.scene.moves.includes(hint.move));
  assert.deepEqual(told(events)[1], 'hint 1>3 9 1');
});

test('where no goal can be reached a hint says so, and was asked for all the same', async () => {
  const { session, events } = await sessionOf('pegs');
  await session.begin();
  assert.equal(await session.hint(3), null);
  assert.deepEqual(told(events)[1], 'hint  3 1');
});

test('nothing can be taken back at the start, or where it is not allowed', async () => {
  const free = await sessionOf('tower');
  await free.session.begin();
  assert.deepEqual([free.session.canUndo, free.session.canReset], [false, false]);
  await free.move('1>2');
  assert.deepEqual([free.session.canUndo, free.session.canReset], [true, true]);
  const strict = await sessionOf('tower', { canUndo: false, canReset: false });
  await strict.session.begin();
  await strict.move('1>2');
  assert.deepEqual([strict.session.canUndo, strict.session.canReset], [false, false]);
});

/* Ends */

test('the limit of moves counts those that were taken back and those of earlier attempts', async () => {
  const { session, events, move } = await sessionOf('tower', { limits: { moves: 3 } });
  await session.begin();
  await move('1>2');
  await session.undo(0);
  await move('1>2');
  await session.reset(0);
  assert.equal(session.movesLeft, 1);
  assert.equal(session.outcome, null);
  await move('1>3', 8);
  assert.equal(session.outcome, 'moves');
  assert.deepEqual(told(events).slice(-2), ['move 1>3 8 2', 'limit moves 8 2']);
});

test('a solution by the last move of the limit is a solution', async () => {
  const { session, events, move } = await sessionOf('tower', { limits: { moves: 7 } });
  await session.begin();
  for (const notation of SOLUTION) await move(notation);
  assert.equal(session.outcome, 'solved');
  assert.equal(events.at(-1).event, 'solved');
});

test('without a legal move a level ends only if nothing can be taken back', async () => {
  const free = await sessionOf('pegs', { canReset: false });
  await free.session.begin();
  for (const notation of ['a-c', 'd-f']) await free.move(notation);
  assert.equal(free.session.scene.position.ended, true);
  assert.equal(free.session.outcome, null);
  const strict = await sessionOf('pegs', { canUndo: false, canReset: false });
  await strict.session.begin();
  for (const notation of ['a-c', 'd-f']) await strict.move(notation);
  assert.equal(strict.session.outcome, 'ended');
});

test('the first end counts', async () => {
  const { session, events } = await sessionOf('tower');
  await session.begin();
  session.giveUp(4);
  session.timeUp();
  session.giveUp(6);
  assert.deepEqual(await session.finished, { outcome: 'given_up' });
  assert.deepEqual(told(events).slice(1), ['give_up  4 1']);
});

test('the limit of seconds is an event as well', async () => {
  const { session, events, move } = await sessionOf('tower', { limits: { seconds: 5 } });
  await session.begin();
  await move('1>2', 4999);
  session.timeUp();
  assert.equal(session.outcome, 'time');
  assert.deepEqual(told(events).slice(2), ['limit seconds 6000 1']);
});

/* Going on */

test('what was done before is repeated without events: position, attempt and what can be taken back', async () => {
  const first = await sessionOf('tower');
  await first.session.begin();
  await first.move('1>2');
  await first.session.reset(0);
  await first.move('1>3');
  await first.move('1>2');
  await first.session.hint(0);
  await first.session.undo(0);
  const second = await sessionOf('tower', { limits: { moves: 10 } });
  await second.session.resume(first.events);
  assert.deepEqual(second.events, []);
  assert.deepEqual(second.session.scene.position, first.session.scene.position);
  assert.equal(second.session.movesLeft, 7);
  await second.session.undo(8);
  assert.deepEqual(told(second.events), ['undo 1>3 8 2']);
});

test('a level that was over is over', async () => {
  const limit = (action) => [{ event: 'limit', action }];
  for (const [ends, outcome] of [[[{ event: 'give_up', action: '' }], 'given_up'], [limit('seconds'), 'time'], [limit('moves'), 'moves'], [SOLUTION.map((action) => ({ event: 'move', action })), 'solved']]) {
    const { session } = await sessionOf('tower');
    await session.resume([{ event: 'start', action: '' }, ...ends]);
    assert.equal(session.outcome, outcome);
  }
});

test('steps that do not fit are named', async () => {
  const wrong = [
    [{ event: 'move', action: '2>1' }, /step 2 \(move 2>1\) cannot be repeated: it is not legal there/],
    [{ event: 'undo', action: '1>2' }, /step 2 .* no move to take back/],
    [{ event: 'jump', action: '' }, /step 2 .* no such event/],
  ];
  for (const [step, fault] of wrong) {
    const { session } = await sessionOf('tower');
    await assert.rejects(session.resume([{ event: 'start', action: '' }, step]), fault);
  }
});

test('what chance did is done again', async () => {
  const first = await sessionOf(new Strip());
  await first.session.begin();
  await first.move('right');
  const [, { action }] = first.events;
  assert.match(action, /^right\+\d$/);
  assert.equal(first.session.cost, 5);
  const second = await sessionOf(new Strip());
  await second.session.resume(first.events);
  assert.equal(second.session.scene.position.id, first.session.scene.position.id);
  assert.equal(second.session.cost, 5);
});

test('chance that does not repeat itself is found out', async () => {
  class Forgetful extends Strip {
    play(position, move) { return super.play(position, { notation: move.notation.replace(/\+(\d)/, (_, cell) => `+${cell === '0' ? 1 : 0}`) }); }
  }
  const { session } = await sessionOf(new Forgetful());
  await assert.rejects(session.resume([{ event: 'start', action: '' }, { event: 'move', action: 'right+0' }]), /chance did otherwise: right\+1/);
});

test('a move that fails leaves everything as it was', async () => {
  const game = await MapGame.read(await mapFile('tower'));
  const { session, events, move } = await sessionOf(game);
  await session.begin();
  const before = session.scene;
  game.play = async () => { throw new Error('the line is dead'); };
  await assert.rejects(move('1>2'), /the line is dead/);
  assert.equal(session.scene, before);
  assert.equal(events.length, 1);
  assert.equal(session.canUndo, false);
});

test('a level begins once', async () => {
  const { session } = await sessionOf('tower');
  assert.throws(() => session.scene, /has not begun/);
  await session.begin();
  await assert.rejects(session.begin(), /has begun already/);
});
