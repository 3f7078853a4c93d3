// Simulated levels without a page: what is played is legal, ends as it should, and is what the data say.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import './page_of_node.js';
import { JsPsych } from 'jspsych';

import { MapGame } from '../../src/map_game.js';
import { Trial } from '../../src/trial.js';
import { mapFile } from '../../test/levels.js';
import PlymapPlugin from 'jspsych-plymap';

/** The data of one level, simulated. */
async function simulated(name, parameters = {}, data = {}, file = {}) {
  const jsPsych = new JsPsych();
  jsPsych.randomization.setSeed('a seed');
  const level = await mapFile(name, file);
  await jsPsych.simulate([{ type: PlymapPlugin, level, simulation_options: { data }, ...parameters }], 'data-only');
  const rows = jsPsych.data.get().values();
  assert.equal(rows.length, 1);
  return rows[0];
}

/** The position that events lead to, by the rules of the level. */
async function replayed(name, { events }, options = {}) {
  const game = await MapGame.read(await mapFile(name));
  const trial = new Trial(game, { canUndo: true, canReset: true, limits: {}, onEvent: () => {}, now: () => 0, ...options });
  await trial.resume(events.filter(({ event }) => event !== 'limit'));
  return trial;
}
const told = ({ events }) => events.map(({ event, action }) => [event, action].join(' ').trim());
const isOrdered = ({ events }) => events.every(({ time_ms: time }, index) => index === 0 || time >= events[index - 1].time_ms);

test('with distances a level is solved by a shortest solution', async () => {
  for (const name of ['tower', 'slide', 'swipe', 'lamps', 'jugs']) {
    const data = await simulated(name);
    assert.equal(data.trial_type, 'plymap');
    assert.equal(data.level, name);
    assert.deepEqual([data.outcome, data.n_attempts], ['solved', 1], name);
    const game = await MapGame.read(await mapFile(name));
    const { distance } = await game.hint(await game.start());
    assert.equal(data.n_moves, distance, name);
    assert.deepEqual([data.events[0].event, data.events.at(-1).event], ['start', 'solved']);
    assert.equal((await replayed(name, data)).outcome, 'solved');
    assert.ok(isOrdered(data));
    assert.equal(data.rt, Math.round(data.events.at(-1).time_ms - data.events[0].time_ms));
    assert.ok(data.rt > 400 * distance, `${name}: ${data.rt} ms are no time for ${distance} moves`);
  }
});

test('without distances it is a walk by chance of legal moves, given up if it comes upon no goal', async () => {
  const data = await simulated('slide', {}, {}, { withDistances: false });
  assert.ok(data.n_moves >= 1);
  assert.equal(data.outcome, 'given_up');
  assert.equal((await replayed('slide', data)).outcome, 'given_up');
});

test('where giving up is not allowed the walk goes on to a goal', async () => {
  const data = await simulated('tower', { give_up: false }, { n_moves: 3 }, { withDistances: false });
  assert.equal(data.outcome, 'solved');
  assert.ok(data.n_moves >= 7);
  assert.equal((await replayed('tower', data)).outcome, 'solved');
});

test('the outcome can be chosen', async () => {
  const givenUp = await simulated('tower', {}, { outcome: 'given_up', n_moves: 4 });
  assert.deepEqual([givenUp.outcome, givenUp.n_moves, told(givenUp).at(-1)], ['given_up', 4, 'give_up']);
  const byMoves = await simulated('tower', { moves: 3 }, { outcome: 'limit_moves' });
  assert.deepEqual([byMoves.outcome, byMoves.n_moves, told(byMoves).at(-1)], ['limit_moves', 3, 'limit moves']);
  const bySeconds = await simulated('tower', { seconds: 9 }, { outcome: 'limit_seconds' });
  assert.deepEqual([bySeconds.outcome, bySeconds.rt, told(bySeconds).at(-1)], ['limit_seconds', 9000, 'limit seconds']);
});

test('an outcome that cannot be is refused', async () => {
  await assert.rejects(simulated('tower', {}, { outcome: 'limit_moves' }), /tower cannot be simulated with the outcome limit_moves/);
  await assert.rejects(simulated('tower', { give_up: false }, { outcome: 'given_up' }), /cannot be simulated/);
  await assert.rejects(simulated('pegs', {}, { outcome: 'solved' }), /no way to a goal was found/);
});

test('events can be given; times from a page are taken from its start', async () => {
  const steps = [['start', '', 5000], ['move', '1>2', 6000], ['undo', '1>2', 7000], ['hint', '1>3', 7500], ['move', '1>2', 8000], ['reset', '', 9000], ['move', '1>3', 9500], ['give_up', '', 9900]];
  const events = steps.map(([event, action, time_ms]) => ({ event, action, time_ms }));
  const data = await simulated('tower', { hints: true }, { events, strategy: 'mine' });
  const [{ time_ms: start }] = data.events;
  assert.deepEqual(data.events.map(({ event, action, time_ms: time }) => [event, action, Math.round(time - start + 5000)]), steps);
  assert.deepEqual(data.events.map(({ attempt }) => attempt), [1, 1, 1, 1, 1, 1, 2, 2]);
  assert.deepEqual([data.outcome, data.n_moves, data.n_attempts, data.rt, data.strategy], ['given_up', 3, 2, 4900, 'mine']);
});

test('a step that is not possible is named', async () => {
  const events = [{ event: 'move', action: '1>2', time_ms: 100 }, { event: 'move', action: '1>2', time_ms: 200 }];
  await assert.rejects(simulated('tower', {}, { events }), /Step 2 of the simulation \(move 1>2\) is not possible there/);
  await assert.rejects(simulated('tower', { undo: false }, { events: [events[0], { event: 'undo', time_ms: 200 }] }), /Step 2 of the simulation \(undo\)/);
  await assert.rejects(simulated('tower', { hints: false }, { events: [{ event: 'hint', time_ms: 200 }] }), /Step 1 of the simulation \(hint\)/);
});

test('the time can be chosen', async () => {
  const data = await simulated('tower', {}, { rt: 20_000 });
  assert.equal(data.rt, 20_000);
  assert.ok(Math.abs(data.events.at(-1).time_ms - data.events[0].time_ms - 20_000) < 1);
});

test('levels follow each other on one clock, also where nothing is waited for', async () => {
  const jsPsych = new JsPsych();
  const level = await mapFile('tower');
  await jsPsych.simulate([{ timeline: [{ type: PlymapPlugin, level }], repetitions: 3 }], 'data-only');
  const starts = jsPsych.data.get().values().map(({ events }) => [events[0].time_ms, events.at(-1).time_ms]);
  assert.equal(starts.length, 3);
  assert.ok(starts.flat().every((time, index, all) => index === 0 || time > all[index - 1]), String(starts));
});

test('a level of a trial may be told by a function, as any parameter', async () => {
  const level = await mapFile('lamps');
  const jsPsych = new JsPsych();
  await jsPsych.simulate([{ type: PlymapPlugin, level: () => level }]);
  assert.equal(jsPsych.data.get().values()[0].outcome, 'solved');
});

test('a trial without a level is refused by jsPsych', async () => {
  await assert.rejects(new JsPsych().run([{ type: PlymapPlugin }]), /You must specify a value for the "level" parameter/);
});

test('jsPsych gets citations of the version that is used', async () => {
  const citations = new JsPsych().getCitations([PlymapPlugin], 'apa');
  assert.match(citations, /de Leeuw[\s\S]*plymap authors.*Version \d+\.\d+\.\d+/);
});
