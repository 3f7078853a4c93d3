// How long a large map takes: 100,000 states with 10 moves and 13 shapes each. Prints what it measures; nothing is tested.
//
//     node test/measure.js

import { controlsOf } from '../src/gestures.js';
import { MapGame } from '../src/map_game.js';
import { encoded, packed, PIECE, shape } from './levels.js';

const [N_STATES, N_MOVES, N_SHAPES, N_TRIED] = [100_000, 10, 13, 1000];

const list = (length, one) => Array.from({ length }, (_, index) => one(index));
const random = (below) => Math.floor(Math.random() * below);
const milliseconds = (time) => `${time.toFixed(time < 10 ? 2 : 0)} ms`;

async function timed(what, work) {
  const start = performance.now();
  const result = await work();
  console.log(`${what}: ${milliseconds(performance.now() - start)}`);
  return result;
}

// Pieces with letters, each in one of six columns of its own row: as many looks as a level with sliding blocks has.
const shapes = list(N_SHAPES * 6, (index) => Object.values(shape(Math.floor(index / 6), index % 6, 1, 1, 0, String.fromCharCode(65 + Math.floor(index / 6)))));
const actions = list(N_SHAPES * 10, (index) => ({ notation: `${String.fromCharCode(65 + Math.floor(index / 10))}${(index % 10) - 5}`, cost: 1, gesture: null }));
const content = {
  header: { level: 'large', unit: 'moves', aim: {}, n_states: N_STATES, start: 0, distances: true, board: { width: 6, height: N_SHAPES, grid: true, openings: [], goal: null }, paints: [PIECE], shapes, actions },
  first_shape: list(N_STATES + 1, (state) => state * N_SHAPES),
  state_shapes: list(N_STATES * N_SHAPES, (index) => (index % N_SHAPES) * 6 + random(6)),
  first_move: list(N_STATES + 1, (state) => state * N_MOVES),
  targets: list(N_STATES * N_MOVES, () => random(N_STATES)),
  move_actions: list(N_STATES * N_MOVES, (index) => (index * 7 + (index % N_MOVES)) % actions.length),
  goals: list(Math.ceil(N_STATES / 8), () => 0),
  distances: list(N_STATES, () => 65_535),
};
const plain = encoded(content);
const file = await packed(plain);
console.log(`${N_STATES} states: ${(file.byteLength / 1e6).toFixed(1)} MB packed, ${(plain.byteLength / 1e6).toFixed(1)} MB unpacked`);

const game = await timed('load, packed', () => MapGame.read(file));
await timed('load, unpacked', () => MapGame.read(plain));
const start = performance.now();
for (let index = 0; index < N_TRIED; index += 1) {
  const position = { id: random(N_STATES), solved: false, ended: false };
  controlsOf(await game.picture(position), await game.moves(position));
}
console.log(`a position with its picture, moves and controls: ${milliseconds((performance.now() - start) / N_TRIED)}`);
