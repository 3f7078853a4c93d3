import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';

import { loadGame } from '../src/backends.js';
import { MapGame } from '../src/map_game.js';
import { contentOf, encoded, explored, LEVELS, mapFile, packed, summed } from './levels.js';

/** Every position, move, picture and hint of a file is what the rules of the level say. */
for (const name of Object.keys(LEVELS)) {
  test(`the map of ${name} says what its rules say`, async () => {
    const game = await MapGame.read(await mapFile(name));
    const level = LEVELS[name];
    const { states, moves, goals, distances } = explored(level);
    assert.equal(game.level, name);
    assert.equal(game.unit, 'moves');
    assert.equal(game.hints, true);
    assert.deepEqual(game.board, level.board);
    assert.equal((await game.start()).id, 0);
    for (const [id, state] of states.entries()) {
      const position = { id, solved: goals[id], ended: goals[id] || moves[id].length === 0 };
      assert.deepEqual(await game.picture(position), level.picture(state));
      const found = await game.moves(position);
      assert.deepEqual(found.map(({ notation, cost, gesture }) => ({ notation, cost, gesture })), moves[id].map(({ target: _, ...action }) => action));
      for (const [index, move] of found.entries()) {
        const target = moves[id][index].target;
        assert.deepEqual(move.after, level.picture(states[target]));
        const played = await game.play(position, move);
        assert.deepEqual(played, { notation: move.notation, position: { id: target, solved: goals[target], ended: goals[target] || moves[target].length === 0 } });
      }
      const hint = await game.hint(position);
      if (goals[id] || distances[id] === 65_535) assert.equal(hint, null);
      else {
        const optimal = moves[id].find(({ notation }) => notation === hint.notation);
        assert.equal(hint.distance, distances[id]);
        assert.equal(distances[optimal.target] + 1, distances[id]);
      }
    }
  });
}

/* Numbers that can be found elsewhere: three disks need 7 moves and have 27 states; 5 and 3 litres make 4 in 6 steps. */
test('known numbers of known puzzles', async () => {
  const tower = await MapGame.read(await mapFile('tower'));
  assert.equal((await tower.hint(await tower.start())).distance, 7);
  assert.equal(contentOf('tower').header.n_states, 27);
  const jugs = await MapGame.read(await mapFile('jugs'));
  assert.equal((await jugs.hint(await jugs.start())).distance, 6);
});

test('a file that a host has unpacked is read as well', async () => {
  const game = await MapGame.read(encoded(contentOf('tower')));
  assert.equal((await game.moves(await game.start())).length, 2);
});

test('a map without distances has no hints', async () => {
  const game = await MapGame.read(await mapFile('tower', { withDistances: false }));
  assert.equal(game.hints, false);
  assert.equal(await game.hint(await game.start()), null);
});

test('with more than 65,536 shapes or actions indices have 32 bits', async () => {
  const content = contentOf('tower');
  const { shapes, actions } = content.header;
  const wide = (list) => [...list, ...new Array(65_537 - list.length).fill(list[0])];
  const game = await MapGame.read(encoded({ ...content, header: { ...content.header, shapes: wide(shapes), actions: wide(actions) } }));
  const plain = await MapGame.read(encoded(content));
  const start = await plain.start();
  assert.deepEqual(await game.moves(start), await plain.moves(start));
});

test('a move that is not legal is refused, and so is a state that does not exist', async () => {
  const game = await MapGame.read(await mapFile('tower'));
  const start = await game.start();
  await assert.rejects(game.play(start, { notation: '2>1' }), /tower: 2>1 is no legal move of state 0/);
  await assert.rejects(game.picture({ id: 27 }), /tower: there is no state 27; its states are numbered from 0 to 26/);
  await assert.rejects(game.moves({ id: -1 }), /no state -1/);
});

/* Damage: each message names the file and says what to do */

const FILE = 'maps/tower.plymap';
const damaged = (change) => {
  const content = structuredClone(contentOf('tower'));
  change(content);
  return encoded(content);
};
const refuses = (buffer, fault) => assert.rejects(async () => MapGame.read(buffer, FILE), (error) => {
  assert.match(error.message, new RegExp(`^${FILE}: `));
  assert.match(error.message, fault);
  assert.match(error.message, /write the map anew/);
  return true;
});

test('a file that ends too early, wherever, is refused', async () => {
  const whole = encoded(contentOf('tower'));
  for (let length = 0; length < whole.byteLength; length += 1) {
    await refuses(whole.slice(0, length), /cut short or damaged|no map of a level/);
    // As if it had been written so.
    if (length > 8) await refuses(summed(new Uint8Array(whole, 0, length - 4)), /cut short or damaged|ends too early|no map of a level|head/);
  }
  const zipped = await packed(whole);
  for (const length of [2, 10, 100, zipped.byteLength - 9]) await refuses(zipped.slice(0, length), /cut short or damaged/);
});

/** All that a file tells of its level. */
async function told(buffer) {
  const game = await MapGame.read(buffer);
  const { n_states: n } = contentOf('pegs').header;
  const positions = Array.from({ length: n }, (_, id) => ({ id, solved: false, ended: false }));
  return JSON.stringify([game.level, game.unit, game.board, game.hints, await game.start(),
    await Promise.all(positions.map(async (position) => [await game.picture(position), await game.moves(position), await game.hint(position)]))]);
}

test('each flipped bit of a file, packed or unpacked, is refused or without effect', async () => {
  const plain = encoded(contentOf('pegs'));
  const zipped = await packed(plain);
  const whole = await told(plain);
  for (const [file, most] of [[plain, 0], [zipped, 80]]) {
    const bytes = new Uint8Array(file);
    const n = { refused: 0, withoutEffect: 0 };
    for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
      const flipped = bytes.slice();
      flipped[bit >> 3] ^= 1 << (bit & 7);
      const found = await told(flipped.buffer).catch(() => null);
      n[found === null ? 'refused' : 'withoutEffect'] += 1;
      assert.ok(found === null || found === whole, `bit ${bit & 7} of byte ${bit >> 3} was not noticed`);
    }
    assert.equal(n.refused + n.withoutEffect, 8 * bytes.length);
    // What gzip says of time and system has none.
    assert.ok(n.withoutEffect <= most, `${n.withoutEffect} without effect`);
  }
});

test('a file that is too long, of another version or something else is refused', async () => {
  const whole = new Uint8Array(encoded(contentOf('tower')));
  await refuses(summed(whole), /longer than its head says/);
  await refuses(encoded(contentOf('tower'), 'plymap1\n'), /of version 1, and this page reads version 2/);
  await refuses(new TextEncoder().encode('<!doctype html><title>404</title>').buffer, /no map of a level/);
});

const headFaults = [
  ['the start', (header) => { header.start = 27; }, /the start, 27, is none of the 27 states/],
  ['the number of states', (header) => { header.n_states = 0.5; }, /number of states/],
  ['the board', (header) => { header.board.width = null; }, /no width and height/],
  ['a part for the goal', (header) => { header.board.goal = [0, 0, 1]; }, /shows the goal/],
  ['an aim', (header) => { header.aim = 'out'; }, /the aim/],
  ['an image', (header) => { header.paints[0].image = [{ outlines: [['x']], fill: '#000000' }]; }, /paint 0/],
  ['an opening', (header) => { header.board.openings = [[0, 0, 'above']]; }, /an opening/],
  ['a paint', (header) => { header.paints[0].fill = 'red'; }, /paint 0/],
  ['the level', (header) => { delete header.level; }, /no level/],
  ['distances', (header) => { header.distances = 1; }, /whether there are distances/],
  ['lists', (header) => { header.actions = {}; }, /no list of shapes or of actions/],
];
for (const [what, change, fault] of headFaults) {
  test(`a head with a fault in ${what} is refused`, () => refuses(damaged(({ header }) => change(header)), fault));
}

const indexFaults = [
  ['a target', (content) => { content.targets[0] = 27; }, (game, start) => game.moves(start), /leads to state 27, and there are 27/],
  ['an action', (content) => { content.move_actions[0] = 99; }, (game, start) => game.moves(start), /has action 99/],
  ['a shape', (content) => { content.state_shapes[0] = 99; }, (game, start) => game.picture(start), /has shape 99/],
  ['a paint', (content) => { content.header.shapes[0][4] = 9; }, (game, start) => game.picture(start), /has paint 9/],
  ['the list of shapes', (content) => { content.first_shape[1] = 1e6; }, (game, start) => game.picture(start), /shapes of state 0 stand nowhere/],
  ['the list of moves', (content) => { content.first_move[1] = 1e6; }, (game, start) => game.moves(start), /moves of state 0 stand nowhere/],
  ['a gesture', (content) => { content.header.actions[0].gesture = { wink: 1 }; }, (game, start) => game.moves(start), /neither a swipe nor a press/],
  ['a distance', (content) => { content.distances[0] = 3; }, (game, start) => game.hint(start), /no move of state 0 fits its distance/],
];
for (const [what, change, use, fault] of indexFaults) {
  test(`a fault in ${what} is found at its first use`, async () => {
    const game = await MapGame.read(damaged(change), FILE);
    const start = await game.start();
    await assert.rejects(use(game, start), (error) => {
      assert.match(error.message, new RegExp(`^${FILE}: .*write the map anew$`));
      assert.match(error.message, fault);
      return true;
    });
  });
}

/* Files of a server */

let server;
let address;
before(async () => {
  const file = Buffer.from(await mapFile('tower'));
  server = http.createServer((request, response) => {
    response.writeHead(request.url === '/tower.plymap' ? 200 : 404);
    response.end(request.url === '/tower.plymap' ? file : 'not found');
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  address = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

test('a file is loaded from a server; one that is not there is named', async () => {
  const game = await MapGame.load(`${address}/tower.plymap`);
  assert.equal(game.level, 'tower');
  await assert.rejects(MapGame.load(`${address}/other.plymap`), /other\.plymap: the server answers 404/);
  await assert.rejects(MapGame.load('http://127.0.0.1:9/tower.plymap'), /tower\.plymap: the file cannot be reached/);
});

test('a map of another level than the one that is asked for is refused', async () => {
  const files = { 'tower.plymap': await mapFile('tower'), 'pegs.plymap': await mapFile('pegs') };
  const fetch = async (name) => new Response(files[name]);
  const levels = [{ id: 'tower', map: 'tower.plymap', hints: null }, { id: 'jugs', map: 'tower.plymap', hints: 'pegs.plymap' }];
  const load = (id, hints = false) => loadGame({ levels, server: false }, id, hints, { base: '.', fetch });
  assert.equal((await load('tower')).level, 'tower');
  await assert.rejects(load('jugs'), /tower\.plymap has level tower in place of level jugs; .*write them anew/);
  await assert.rejects(load('jugs', true), /pegs\.plymap has level pegs in place of level jugs/);
  const board = { width: 1, height: 1, grid: true, openings: [], goal: null };
  const start = { state: 'a', solved: false, ended: true, paints: [], shapes: [], moves: [] };
  const server = async () => Response.json({ level: 'tower', unit: 'moves', aim: {}, hints: false, board, start });
  await assert.rejects(loadGame({ levels: [], server: true }, 'jugs', false, { base: '.', fetch: server }), /The server has level tower in place of level jugs/);
});
