import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ServerGame } from '../src/server_game.js';
import { PIECE, WALL } from './levels.js';

const BASE = 'http://server';
const paints = [PIECE, WALL];
const position = (state, moves = []) => ({
  state, solved: state === 'b', ended: moves.length === 0, paints,
  shapes: [[0, state === 'a' ? 0 : 1, 1, 1, 0, 'A']],
  moves: moves.map((notation) => ({ notation, cost: 1, gesture: { swipe: notation }, after: [[0, 1, 1, 1, 0, 'A']] })),
});
const level = { level: 'one two', unit: 'moves', aim: { en: 'Go right.' }, hints: true, board: { width: 2, height: 1, grid: true, openings: [], goal: null }, start: position('a', ['right']) };

/** A server that gives these answers by method and path, and notes what it is asked. */
function serverOf(answers) {
  const asked = [];
  const fetch = async (url, { method = 'GET', body } = {}) => {
    const path = url.slice(BASE.length);
    asked.push(body ? `${method} ${path} ${body}` : `${method} ${path}`);
    const answer = answers[`${method} ${path}`];
    if (answer === undefined) throw new TypeError('fetch failed');
    if (answer instanceof Response) return answer;
    return Response.json(answer, { status: answer.error ? 400 : 200 });
  };
  return { fetch, asked };
}

const LEVEL = 'GET /api/levels/one%20two';
const load = (answers = {}) => {
  const server = serverOf({ [LEVEL]: level, ...answers });
  return ServerGame.load(BASE, 'one two', server.fetch).then((game) => ({ game, ...server }));
};

test('a level with its start, moves and picture comes in one answer', async () => {
  const { game, asked } = await load();
  assert.deepEqual([game.level, game.unit, game.hints, game.board], ['one two', 'moves', true, level.board]);
  const start = await game.start();
  assert.deepEqual(start, { id: 'a', solved: false, ended: false });
  assert.deepEqual(await game.picture(start), [{ row: 0, column: 0, rows: 1, columns: 1, paint: PIECE, label: 'A' }]);
  const [move] = await game.moves(start);
  assert.deepEqual(move, { notation: 'right', cost: 1, gesture: { swipe: 'right' }, after: [{ row: 0, column: 1, rows: 1, columns: 1, paint: PIECE, label: 'A' }] });
  assert.deepEqual(asked, [LEVEL]);
});

test('a move is played by the server, which adds what chance did', async () => {
  const { game, asked } = await load({ 'POST /api/levels/one%20two/play': { notation: 'right+2@b1', position: position('b') } });
  const start = await game.start();
  const [move] = await game.moves(start);
  const played = await game.play(start, move);
  assert.deepEqual(played, { notation: 'right+2@b1', position: { id: 'b', solved: true, ended: true } });
  assert.deepEqual(await game.moves(played.position), []);
  assert.deepEqual(asked, [LEVEL, 'POST /api/levels/one%20two/play {"state":"a","action":"right"}']);
});

test('a position of long ago is asked for again', async () => {
  const many = Array.from({ length: 300 }, (_, index) => `s${index}`);
  const answers = Object.fromEntries(many.map((state) => [`GET /api/levels/one%20two/position?state=${state}`, position(state)]));
  const { game, asked } = await load({ ...answers, 'GET /api/levels/one%20two/position?state=a': position('a', ['right']) });
  for (const id of many) await game.picture({ id, solved: false, ended: true });
  assert.equal(asked.length, 301);
  await game.picture({ id: 's299', solved: false, ended: true });
  assert.equal(asked.length, 301);
  assert.equal((await game.moves(await game.start())).length, 1);
  assert.equal(asked.at(-1), 'GET /api/levels/one%20two/position?state=a');
});

test('states are written into addresses so that they can be read there', async () => {
  const { game } = await load({ 'GET /api/levels/one%20two/position?state=.%202%20%2F%204%20%26': position('b') });
  assert.equal((await game.picture({ id: '. 2 / 4 &', solved: false, ended: false })).length, 1);
});

const HINT = 'GET /api/levels/one%20two/hint?state=a';
const moves = [{ move: 'left', value_after: 5, is_optimal: false }, { move: 'right', value_after: 1, is_optimal: true }];
const hints = [
  ['by the interface', { value: 2, unit: 'moves', moves }, { notation: 'right', distance: 2 }],
  ['as the command line gives distances', { distance: 2, moves }, { notation: 'right', distance: 2 }],
  ['as the command line gives points', { points: 66.9, moves }, { notation: 'right', distance: 66.9 }],
  ['without a goal in reach', { value: null, moves: [] }, null],
  ['without an optimal move', { value: 3, moves: moves.slice(0, 1) }, null],
];
for (const [name, answer, wanted] of hints) {
  test(`a hint ${name}`, async () => {
    const { game } = await load({ [HINT]: answer });
    assert.deepEqual(await game.hint(await game.start()), wanted);
  });
}

test('errors have the text of the server', async () => {
  const { game } = await load({ [HINT]: { error: 'the level has too many states' } });
  await assert.rejects(game.hint(await game.start()), /^Error: the level has too many states$/);
});

test('without a text, an error has the status', async () => {
  const { game } = await load({ [HINT]: new Response('<h1>Bad gateway</h1>', { status: 502 }) });
  await assert.rejects(game.hint(await game.start()), /The server answers 502/);
});

test('a server that is gone is said to be gone', async () => {
  const { game } = await load();
  await assert.rejects(game.hint(await game.start()), /cannot be reached; see whether it runs/);
});

const faults = [
  ['no JSON object', new Response('[]'), /no JSON object/],
  ['a level without a board', { ...level, board: undefined }, /board is missing/],
  ['a start without moves', { ...level, start: { ...level.start, moves: undefined } }, /no list of moves/],
  ['a state that is a number', { ...level, start: { ...level.start, state: 3 } }, /a position is not/],
  ['a shape without a paint', { ...level, start: { ...level.start, shapes: [[0, 0, 1, 1, 7, '']] } }, /a shape has paint 7, and there are 2 paints/],
  ['a move without a picture', { ...level, start: { ...level.start, moves: [{ notation: 'x', cost: 1 }] } }, /a picture is no list/],
];
for (const [name, answer, fault] of faults) {
  test(`an answer with a fault is not understood: ${name}`, async () => {
    await assert.rejects(load({ [LEVEL]: answer }), (error) => {
      assert.match(error.message, /^The server cannot be understood \(.*\); see whether page and server are of one version$/);
      assert.match(error.message, fault);
      return true;
    });
  });
}
