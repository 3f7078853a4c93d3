// Prints levels of `levels.js` as a server has them, for `session.py`: by name the head, all positions, where their
// moves lead, a shortest solution, and the map file in base64.
//
//     node test/levels_of_server.js slide tower

import { contentOf, explored, LEVELS, mapFile } from './levels.js';

function served(name) {
  const { header } = contentOf(name);
  const { states, moves, goals, distances } = explored(LEVELS[name]);
  const paints = [];
  const shapesOf = (state) => LEVELS[name].picture(states[state]).map(({ row, column, rows, columns, paint, label }) => {
    const key = JSON.stringify(paint);
    if (!paints.some((one) => JSON.stringify(one) === key)) paints.push(paint);
    return [row, column, rows, columns, paints.findIndex((one) => JSON.stringify(one) === key), label];
  });
  const positions = states.map((_, state) => ({
    state: String(state),
    solved: goals[state],
    ended: goals[state] || !moves[state].length,
    shapes: shapesOf(state),
    paints,
    moves: moves[state].map(({ target, ...move }) => ({ ...move, after: shapesOf(target) })),
  }));
  const targets = moves.map((list) => Object.fromEntries(list.map(({ notation, target }) => [notation, target])));
  const head = { level: name, unit: header.unit, aim: header.aim, hints: false, board: header.board };
  return { head, positions, targets, solution: solutionOf(moves, distances) };
}

function solutionOf(moves, distances) {
  const solution = [];
  for (let state = 0; distances[state] > 0;) {
    const { notation, target } = moves[state].find((one) => distances[one.target] === distances[state] - 1);
    solution.push(notation);
    state = target;
  }
  return solution;
}

const names = process.argv.slice(2);
const levels = await Promise.all(names.map(async (name) => [name, { ...served(name), map: Buffer.from(await mapFile(name)).toString('base64') }]));
console.log(JSON.stringify(Object.fromEntries(levels)));
