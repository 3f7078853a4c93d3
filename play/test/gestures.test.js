import assert from 'node:assert/strict';
import { test } from 'node:test';

import { controlsOf, handleOf, held, kindOf, landing, lineOf, matchShapes, movedShapes, nearestTowards, pieceAt, swipeOf, targetAt } from '../src/gestures.js';
import { FRAME, GOAL, HERO, LAMP_OFF, LAMP_ON, LEVELS, PEBBLE, PIECE, WALL, explored, shape } from './levels.js';

/** Moves of a level as the board gets them. */
const movesOf = (level, state) => level.moves(state).map(({ state: after, ...move }) => ({ cost: 1, gesture: null, ...move, after: level.picture(after) }));
const controls = (name, state = LEVELS[name].start) => controlsOf(LEVELS[name].picture(state), movesOf(LEVELS[name], state));
const move = (notation, after, gesture = null) => ({ notation, cost: 1, gesture, after });

const rounded = (number) => Math.round(number * 1e6) / 1e6;

/** What can be dragged: the place of the piece, and its moves with the ways that they take it. */
const drags = (before, { pieces }) => pieces.map(({ shape: index, targets }) => [
  before[index].label || `${before[index].row},${before[index].column}`,
  targets.map((target) => [target.move.notation, rounded(target.down), rounded(target.right)]),
]);
const dragsIn = (name, state = LEVELS[name].start) => drags(LEVELS[name].picture(state), controls(name, state));

/** Pictures as rows of letters: each is a piece, `#` a wall. */
const picture = (...rows) => rows.flatMap((line, row) => [...line].flatMap((mark, column) => {
  if (mark === '.') return [];
  if (mark === '#') return [shape(row, column, 1, 1, WALL)];
  return [mark === 'o' ? shape(row, column, 1, 1, PEBBLE) : shape(row, column, 1, 1, PIECE, mark)];
}));

/* Every level */

for (const name of Object.keys(LEVELS)) {
  test(`in every position of ${name} every move can be made in exactly one way of its kind`, () => {
    const { states } = explored(LEVELS[name]);
    for (const state of states) {
      const moves = movesOf(LEVELS[name], state);
      const found = controlsOf(LEVELS[name].picture(state), moves);
      const onBoard = new Set([...Object.values(found.swipes), ...found.presses.map((one) => one.move), ...found.pieces.flatMap(({ targets }) => targets.map((one) => one.move))]);
      for (const one of moves) assert.notEqual(onBoard.has(one), found.others.includes(one), `${one.notation} in ${JSON.stringify(state)}`);
      for (const { shape: from, targets } of found.pieces) {
        const before = LEVELS[name].picture(state)[from];
        for (const { row, column, down, right, move: made, after } of targets) {
          assert.deepEqual([made.after[after].row, made.after[after].column], [row, column]);
          assert.ok(Math.abs(before.row + down - row) < 1e-9 && Math.abs(before.column + right - column) < 1e-9);
        }
        const places = targets.map(({ row, column }) => `${row},${column}`);
        assert.equal(new Set(places).size, places.length, 'a place stands for one move');
      }
    }
  });
}

/* Slides along a line */

//   . . A . . D
//   . . A . . D
//   R R A . . .
//   . . . . B .
//   C C C . B .
//   . . . . . .
test('blocks are dragged by every length that they can slide', () => {
  assert.deepEqual(dragsIn('slide'), [
    ['A', [['A+1', 1, 0]]],
    ['B', [['B-1', -1, 0], ['B-2', -2, 0], ['B-3', -3, 0], ['B+1', 1, 0]]],
    ['C', [['C+1', 0, 1]]],
    ['D', [['D+1', 1, 0], ['D+2', 2, 0], ['D+3', 3, 0], ['D+4', 4, 0]]],
  ]);
  assert.deepEqual(controls('slide').others, []);
});

test('a block keeps to its line, not beyond the farthest target on either side', () => {
  const b = controls('slide').pieces[1];
  const heldAt = (row, column) => Object.values(held(b, { row, column })).map((one) => one + 0);
  assert.deepEqual(heldAt(-1.4, 2), [-1.4, 0]);
  assert.deepEqual(heldAt(-9, 0), [-3, 0]);
  assert.deepEqual(heldAt(9, 1), [1, 0]);
  const landed = (row) => landing(LEVELS.slide.picture(LEVELS.slide.start)[b.shape], b, { row, column: 0 }, true)?.move.notation;
  assert.deepEqual([-1.4, -1.6, 0.6, 0.4].map(landed), ['B-1', 'B-2', 'B+1', undefined]);
});

test('the places of a sliding block are told apart at its head', () => {
  const state = LEVELS.slide.start;
  const before = LEVELS.slide.picture(state);
  const [, , c, d] = controls('slide').pieces;
  assert.deepEqual(d.targets.map((target) => handleOf(before[d.shape], d, target)), [2, 3, 4, 5].map((row) => ({ row: row + 0.5, column: 5.5 })));
  assert.deepEqual(handleOf(before[c.shape], c, c.targets[0]), { row: 4.5, column: 3.5 });
  // A press on cell row 4 of the last column means that D reaches to it, though two other places cover the cell too.
  assert.equal(targetAt(before[d.shape], d, { row: 4.5, column: 5.5 }, 0).target.move.notation, 'D+3');
  assert.equal(targetAt(before[d.shape], d, { row: 4.5, column: 4.5 }, 0.2), null);
});

/* From peg to peg */

test('a disk goes from peg to peg, and lies on top there', () => {
  const before = LEVELS.tower.picture([0, 0, 0]);
  const { pieces } = controls('tower');
  assert.deepEqual(drags(before, { pieces }), [['1', [['1>2', 2, 4], ['1>3', 2, 8]]]]);
  const disk = pieces[0];
  assert.equal(lineOf(disk.targets), null);
  assert.deepEqual(held(disk, { row: -1, column: 3 }), { row: -1, column: 3 });
  const landed = (row, column) => landing(before[disk.shape], disk, { row, column }, false)?.move.notation;
  // Down on the second peg; high above it; half way to it; back over its own peg; between the second and the third.
  assert.deepEqual([[2, 4], [-0.8, 4.3], [0.6, 2], [-0.5, 0.2], [1, 6]].map(([row, column]) => landed(row, column)), ['1>2', '1>2', undefined, undefined, undefined]);
  assert.deepEqual(handleOf(before[disk.shape], disk, disk.targets[0]), { row: 3, column: 6 });
});

test('a piece that is let go where the rules do not allow it goes back, and not to the only place that it has', () => {
  // Disk 2 may go to the third peg alone, since disk 1 lies on the second: there it is let go.
  const before = LEVELS.tower.picture([1, 0, 0]);
  const disk = controls('tower', [1, 0, 0]).pieces.find(({ targets }) => targets.some((one) => one.move.notation === '1>3'));
  assert.deepEqual(disk.targets.map((one) => one.move.notation), ['1>3']);
  const landed = (column) => landing(before[disk.shape], disk, held(disk, { row: 0, column }), false)?.move.notation;
  assert.deepEqual([4, 7].map(landed), [undefined, '1>3']);
  // On a grid straight above is a cell of its own.
  const [player] = controls('pusher').pieces.slice(-1);
  const shapes = LEVELS.pusher.picture(LEVELS.pusher.start);
  assert.equal(landing(shapes[player.shape], player, { row: 0.6, column: 1 }, true), null);
  assert.equal(landing(shapes[player.shape], player, { row: 0.3, column: 1 }, true).move.notation, 'R');
});

/* Pusher and box */

test('a pusher and its box move together, and each of them can be dragged', () => {
  const [player, box] = [[1, 1], [1, 2]];
  const before = LEVELS.pusher.picture({ player, box });
  // Walls do not move; the goal lies below.
  assert.deepEqual(drags(before, controls('pusher')), [
    ['1,2', [['R', 0, 1]]],
    ['@', [['R', 0, 1], ['d', 1, 0]]],
  ]);
  assert.deepEqual(movedShapes(before, LEVELS.pusher.picture({ player: [1, 2], box: [1, 3] })).map(({ from }) => before[from].label), ['', '@']);
});

test('a box that looks different on a goal is still the same box', () => {
  const before = [...picture('@$o')].map((one) => (one.paint === PEBBLE ? { ...one, paint: PIECE, label: 'o' } : one));
  const after = picture('.@*');
  assert.deepEqual(drags(before, controlsOf(before, [move('R', after)])), [['@', [['R', 0, 1]]], ['$', [['R', 0, 1]]]]);
  // From beyond, pushed off its goal, where the pusher comes to stand: both look different, and both are as near.
  const [goal, left] = [picture('@.*'), picture('.$+')];
  assert.deepEqual(drags(goal, controlsOf(goal, [move('L', left)])), [['@', [['L', 0, 2]]], ['*', [['L', 0, -1]]]]);
});

/* Jumps */

//   a b c d e f
//   o o . o o .
test('the peg that jumps is dragged, and not the one that it jumps over', () => {
  assert.deepEqual(dragsIn('pegs'), [
    ['0,0', [['a-c', 0, 2]]],
    ['0,3', [['d-f', 0, 2]]],
    ['0,4', [['e-c', 0, -2]]],
  ]);
});

test('a peg that is dragged is the one that moves, whichever looks nearest', () => {
  const [before, after] = [picture('oo.'), picture('..o')];
  assert.deepEqual(matchShapes(before, after), [0, -1]);
  assert.deepEqual(matchShapes(before, after, { from: 1, to: 0 }), [-1, 0]);
  assert.deepEqual(movedShapes(before, after, { from: 1, to: 0 }), [{ from: 1, to: 0 }]);
});

test('shapes that look alike stay where one was, though their places in the list change', () => {
  // The first peg leaves, so every other one has another index afterwards.
  const [before, after] = [picture('o.oo', 'o...'), picture('..oo', 'oo..')];
  assert.deepEqual(movedShapes(before, after), [{ from: 0, to: 3 }]);
});

test('of two alike that cross together each can be dragged to each place', () => {
  const [before, after] = [picture('ooo...'), picture('o...oo')];
  const { pieces, others } = controlsOf(before, [move('hh', after)]);
  assert.deepEqual(drags(before, { pieces }), [['0,1', [['hh', 0, 3], ['hh', 0, 4]]], ['0,2', [['hh', 0, 2], ['hh', 0, 3]]]]);
  assert.deepEqual(others, []);
});

/* One hole */

test('a pebble has the hole as its only target, though the order of shapes changes with it', () => {
  const before = LEVELS.triangle.picture(LEVELS.triangle.start);
  const { pieces, others } = controls('triangle');
  assert.deepEqual(pieces.map(({ targets }) => targets.map((one) => one.move.notation)), [['0'], ['1'], ['4'], ['5']]);
  assert.deepEqual(others, []);
  assert.deepEqual(pieces.map(({ shape: index }) => before[index].label), ['A', 'B', 'A', 'B']);
  for (const { targets } of pieces) assert.ok(lineOf(targets));
});

/* Gestures */

test('lamps are switched by a press, and none of them is taken for moved', () => {
  const { presses, pieces, others, swipes } = controls('lamps');
  assert.equal(presses.length, 9);
  assert.deepEqual(presses.map(({ row, column, move: { notation } }) => [row, column, notation])[5], [1, 2, 'c2']);
  assert.deepEqual([pieces, others, swipes], [[], [], {}]);
  for (const one of movesOf(LEVELS.lamps, LEVELS.lamps.start)) assert.deepEqual(movedShapes(LEVELS.lamps.picture(LEVELS.lamps.start), one.after), []);
});

test('a tile that a press moves can be dragged too, and need not be picked up', () => {
  const before = picture('AB', 'C.');
  const found = controlsOf(before, [move('B', picture('A.', 'CB'), { press: [0, 1] }), move('C', picture('AB', '.C'), { press: [1, 0] })]);
  assert.deepEqual(found.presses.map(({ row, column, move: { notation } }) => [row, column, notation]), [[0, 1, 'B'], [1, 0, 'C']]);
  assert.deepEqual(drags(before, found), [['B', [['B', 1, 0]]], ['C', [['C', 0, 1]]]]);
  assert.deepEqual([found.others, found.swipes, kindOf(found)], [[], {}, 'presses']);
  assert.equal(kindOf(controlsOf(before, [move('B', picture('A.', 'CB')), move('C', picture('AB', '.C'), { press: [1, 0] })])), 'pieces');
});

test('lamps without a gesture are buttons: a lamp that goes on and one that goes out do not change places', () => {
  const lamp = (column, look) => shape(0, column, 1, 1, look);
  const before = [lamp(0, LAMP_ON), lamp(1, LAMP_OFF)];
  const switched = move('a1', [lamp(0, LAMP_OFF), lamp(1, LAMP_ON)]);
  assert.deepEqual(controlsOf(before, [switched]), { swipes: {}, presses: [], pieces: [], others: [switched] });
});

test('blocks are swiped in the directions that change something', () => {
  assert.deepEqual(Object.keys(controls('swipe').swipes).sort(), ['down', 'left', 'right']);
  const { swipes } = controlsOf([], [move('left', [], { swipe: 'left' })]);
  assert.deepEqual(Object.keys(swipes), ['left']);
  assert.equal(swipeOf(30, 4, 24), 'right');
  assert.equal(swipeOf(-30, 4, 24), 'left');
  assert.equal(swipeOf(3, 30, 24), 'down');
  assert.equal(swipeOf(3, -30, 24), 'up');
  assert.equal(swipeOf(10, 10, 24), null);
});

/* Buttons */

test('a pour, which moves no shape, is a button', () => {
  assert.deepEqual(controls('jugs').others.map(({ notation }) => notation), ['+A', '+B']);
});

test('an empty picture leaves buttons', () => {
  const moves = [move('a', []), move('b', [])];
  assert.deepEqual(controlsOf([], moves).others, moves);
});

test('moves that take the same piece to the same place are buttons, and other moves stay', () => {
  const [before, here, there] = [picture('A..'), picture('.A.'), picture('..A')];
  const moves = [move('walk', here), move('run', here), move('jump', there)];
  const found = controlsOf(before, moves);
  assert.deepEqual(found.others, moves.slice(0, 2));
  assert.deepEqual(drags(before, found), [['A', [['jump', 0, 2]]]]);
});

test('moves with one and the same gesture are buttons', () => {
  const moves = [move('a', [], { press: [0, 0] }), move('b', [], { press: [0, 0] }), move('c', [], { press: [0, 1] })];
  const { presses, others } = controlsOf([], moves);
  assert.deepEqual(presses.map((one) => one.move.notation), ['c']);
  assert.deepEqual(others, moves.slice(0, 2));
});

test('what lies below is never dragged', () => {
  const ground = (column) => [shape(0, column, 1, 1, GOAL), shape(1, 0, 1, 2, FRAME, String(column))];
  assert.deepEqual(controlsOf(ground(0), [move('x', ground(1))]).pieces, []);
});

test('two letters that change places both move', () => {
  const [before, after] = [picture('AB'), picture('BA')];
  assert.deepEqual(drags(before, controlsOf(before, [move('swap', after)])), [['A', [['swap', 0, 1]]], ['B', [['swap', 0, -1]]]]);
});

/* Hands and keys */

test('the topmost piece under the finger is meant, else the nearest within the margin', () => {
  const shapes = [shape(0, 0, 2, 2, PIECE, 'A'), shape(1, 1, 1, 1, HERO, 'B'), shape(5, 5, 1, 1, PIECE, 'C')];
  const pieces = shapes.map((_, index) => ({ shape: index, targets: [] }));
  const at = (row, column, margin) => shapes[pieceAt(shapes, pieces, { row, column }, margin)?.piece.shape]?.label;
  assert.equal(at(1.5, 1.5, 0), 'B');
  assert.equal(at(0.5, 0.5, 0), 'A');
  assert.equal(at(4.8, 5.5, 0), undefined);
  assert.equal(at(4.8, 5.5, 0.3), 'C');
});

test('arrows go to the nearest in their direction, straight ahead before aside', () => {
  const places = [[0, 0], [0, 2], [1, 1], [2, 0]].map(([row, column]) => ({ row, column }));
  const from = places[0];
  assert.deepEqual(nearestTowards(places, from, 'right'), { row: 0, column: 2 });
  assert.deepEqual(nearestTowards(places, from, 'down'), { row: 2, column: 0 });
  assert.equal(nearestTowards(places, from, 'up'), null);
  assert.equal(nearestTowards(places, from, 'left'), null);
});
