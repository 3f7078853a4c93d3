// Small levels for the tests, with rules of their own, and a writer of map files. Runs in node and in a browser.

import { crc32 } from '../src/checksum.js';

/** Paints as plymap writes them. */
const paint = (form, style, fill, inset, below = false, ink = '#000000') => ({ form, style, fill, ink, inset, below, named: style !== 'plain' });
export const PIECE = paint('block', 'piece', '#77aadd', 0.08);
export const HERO = paint('block', 'piece', '#cc3311', 0.08, false, '#ffffff');
export const PEBBLE = paint('disc', 'piece', '#44bb99', 0.08);
export const PLATE = paint('disc', 'target', '#44bb99', 0.07, true);
export const GOAL = paint('block', 'target', '#eedd88', 0.07, true);
export const FRAME = paint('block', 'plain', '#bbbbbb', 0, true);
export const WALL = paint('block', 'plain', '#777777', 0.02, false, '#ffffff');
export const LAMP_ON = paint('block', 'plain', '#ffdd44', 0.04);
export const LAMP_OFF = paint('block', 'plain', '#4c4c4c', 0.04, false, '#ffffff');
const COLOURS = ['#77aadd', '#eedd88', '#44bb99', '#ffaabb', '#bbcc33', '#99ddff', '#aaaa00'];
const pieceOf = (number) => ({ ...PIECE, fill: COLOURS[number % COLOURS.length] });

export const shape = (row, column, rows, columns, look, label = '') => ({ row, column, rows, columns, paint: look, label });

/* Levels: `start`, `goal(state)`, `moves(state)` and `picture(state)`, with states that JSON can write */

/** Blocks that slide along themselves in a frame of 6 x 6 cells; R has to reach the right side. */
const slide = {
  board: { width: 6, height: 6, grid: true, openings: [[2, 5, 'right']], goal: null },
  aim: { en: 'Get R out.', de: 'R hinausbringen.', fr: 'Faites sortir R.' },
  blocks: [
    { name: 'R', row: 2, column: 0, length: 2, across: true },
    { name: 'A', row: 0, column: 2, length: 3, across: false },
    { name: 'B', row: 3, column: 4, length: 2, across: false },
    { name: 'C', row: 4, column: 0, length: 3, across: true },
    { name: 'D', row: 0, column: 5, length: 2, across: false },
  ],
  get start() { return this.blocks.map(({ row, column, across }) => (across ? column : row)); },
  goal: ([place]) => place === 4,
  cells(state, index) {
    const { row, column, length, across } = this.blocks[index];
    return Array.from({ length }, (_, at) => (across ? row * 6 + state[index] + at : (state[index] + at) * 6 + column));
  },
  moves(state) {
    const moves = [];
    for (const [index, { name, length }] of this.blocks.entries()) {
      const others = new Set(this.blocks.flatMap((_, other) => (other === index ? [] : this.cells(state, other))));
      for (const step of [-1, 1]) {
        for (let way = step; ; way += step) {
          const after = state.with(index, state[index] + way);
          if (after[index] < 0 || after[index] + length > 6 || this.cells(after, index).some((cell) => others.has(cell))) break;
          moves.push({ notation: `${name}${way > 0 ? '+' : ''}${way}`, state: after });
        }
      }
    }
    return moves;
  },
  picture(state) {
    return this.blocks.map(({ name, row, column, length, across }, index) => (across
      ? shape(row, state[index], 1, length, index ? pieceOf(index) : HERO, name)
      : shape(state[index], column, length, 1, pieceOf(index), name)));
  },
};

/** Three disks on three pegs. */
const tower = {
  board: { width: 12, height: 3.7, grid: false, openings: [], goal: null },
  start: [0, 0, 0],
  goal: (pegs) => pegs.every((peg) => peg === 2),
  moves(pegs) {
    const top = (peg) => pegs.indexOf(peg);
    const moves = [];
    for (let from = 0; from < 3; from += 1) {
      for (let to = 0; to < 3; to += 1) {
        const disk = top(from);
        if (from === to || disk < 0 || (top(to) >= 0 && top(to) < disk)) continue;
        moves.push({ notation: `${from + 1}>${to + 1}`, state: pegs.map((peg, index) => (index === disk ? to : peg)) });
      }
    }
    return moves;
  },
  picture(pegs) {
    const shapes = [shape(3.5, 0, 0.2, 12, FRAME)];
    for (let peg = 0; peg < 3; peg += 1) {
      shapes.push(shape(0.2, peg * 4 + 1.94, 3.3, 0.12, FRAME));
      const disks = [2, 1, 0].filter((disk) => pegs[disk] === peg);
      disks.forEach((disk, level) => {
        const width = 1.6 + disk;
        shapes.push(shape(3.5 - (level + 1), peg * 4 + 2 - width / 2, 1, width, pieceOf(disk), String(disk + 1)));
      });
    }
    return shapes;
  },
};

/** Pebbles on the plates of a triangle, of which one is free: a pebble moves into the hole beside it. */
const triangle = {
  board: { width: 3, height: 2.732, grid: false, openings: [], goal: null },
  start: 'AB-CAB',
  goal: (pebbles) => pebbles === '-ABCAB',
  beside: [[1, 2], [0, 2, 3, 4], [0, 1, 4, 5], [1, 4], [1, 2, 3, 5], [2, 4]],
  moves(pebbles) {
    const hole = pebbles.indexOf('-');
    return this.beside[hole].map((plate) => {
      const after = [...pebbles];
      [after[hole], after[plate]] = [after[plate], '-'];
      return { notation: `${plate}`, state: after.join('') };
    });
  },
  picture(pebbles) {
    const shapes = [];
    [...pebbles].forEach((letter, plate) => {
      const row = plate === 0 ? 0 : plate < 3 ? 1 : 2;
      const place = plate - (row * (row + 1)) / 2;
      const [y, x] = [0.5 + row * 0.866, 1.5 + place - row / 2];
      const wanted = 'ABC'.indexOf('-ABCAB'[plate]);
      shapes.push(shape(y - 0.48, x - 0.48, 0.96, 0.96, wanted < 0 ? { ...FRAME, form: 'disc' } : { ...PLATE, fill: COLOURS[wanted] }));
      if (letter !== '-') shapes.push(shape(y - 0.34, x - 0.34, 0.68, 0.68, { ...PEBBLE, fill: COLOURS['ABC'.indexOf(letter)] }, letter));
    });
    return shapes;
  },
};

const STEPS = { up: [-1, 0], right: [0, 1], down: [1, 0], left: [0, -1] };

/** Two blocks that slide together as far as they can. */
const swipe = {
  board: { width: 4, height: 4, grid: true, openings: [], goal: null },
  walls: [[1, 1], [2, 3]],
  start: [[0, 0], [3, 3]],
  goal: ([a, b]) => a.join() === '0,3' && b.join() === '1,0',
  moves(blocks) {
    const free = ([row, column], others) => row >= 0 && column >= 0 && row < 4 && column < 4
      && ![...this.walls, ...others].some((other) => other[0] === row && other[1] === column);
    const moves = [];
    for (const [direction, [down, right]] of Object.entries(STEPS)) {
      const after = blocks.map((block) => [...block]);
      for (let round = 0; round < 8; round += 1) {
        after.forEach((block, index) => {
          const next = [block[0] + down, block[1] + right];
          if (free(next, [after[1 - index]])) [block[0], block[1]] = next;
        });
      }
      if (JSON.stringify(after) !== JSON.stringify(blocks)) moves.push({ notation: direction, gesture: { swipe: direction }, state: after });
    }
    return moves;
  },
  picture: (blocks) => [
    ...swipe.walls.map(([row, column]) => shape(row, column, 1, 1, WALL)),
    shape(0, 3, 1, 1, { ...GOAL, fill: COLOURS[0] }, 'a'), shape(1, 0, 1, 1, { ...GOAL, fill: COLOURS[3] }, 'b'),
    ...blocks.map(([row, column], index) => shape(row + 0.12, column + 0.12, 0.76, 0.76, pieceOf(index * 3), 'AB'[index])),
  ],
};

/** A press switches a lamp and those beside it. */
const lamps = {
  board: { width: 3, height: 3, grid: true, openings: [], goal: null },
  start: '110100000',
  goal: (state) => !state.includes('1'),
  moves: (state) => Array.from(state, (_, cell) => {
    const [row, column] = [Math.floor(cell / 3), cell % 3];
    const isNear = (_lamp, other) => Math.abs(Math.floor(other / 3) - row) + Math.abs((other % 3) - column) <= 1;
    const after = Array.from(state, (lamp, other) => (isNear(lamp, other) ? String(1 - Number(lamp)) : lamp)).join('');
    return { notation: `${'abc'[column]}${row + 1}`, gesture: { press: [row, column] }, state: after };
  }),
  picture: (state) => Array.from(state, (lamp, cell) => shape(Math.floor(cell / 3), cell % 3, 1, 1, lamp === '1' ? LAMP_ON : LAMP_OFF)),
};

/** Jugs that hold 5 and 3, one of which has to hold 4: no picture but a text, no gesture. */
const jugs = {
  board: { width: 4, height: 1, grid: false, openings: [], goal: [0, 3, 1, 1, 0.3] },
  start: [0, 0],
  goal: ([large]) => large === 4,
  moves([large, small]) {
    const [in5, in3] = [Math.min(large, 3 - small), Math.min(small, 5 - large)];
    const all = { '+A': [5, small], '+B': [large, 3], '-A': [0, small], '-B': [large, 0], 'A>B': [large - in5, small + in5], 'B>A': [large + in3, small - in3] };
    return Object.entries(all).filter(([, state]) => state.join() !== `${large},${small}`).map(([notation, state]) => ({ notation, state }));
  },
  picture: (state) => [shape(0, 0, 1, 4, FRAME, `{${state.join(' ')}}`)],
};

/** A pusher and a box in a walled room, in steps. */
const pusher = {
  board: { width: 6, height: 4, grid: true, openings: [], goal: null },
  rows: ['xxxxxx', 'x    x', 'x    x', 'xxxxxx'],
  start: { player: [1, 1], box: [1, 2] },
  goal: ({ box }) => box.join() === '1,4',
  moves({ player, box }) {
    const moves = [];
    for (const [name, [down, right]] of Object.entries(STEPS)) {
      const next = [player[0] + down, player[1] + right];
      const pushed = next.join() === box.join() ? [box[0] + down, box[1] + right] : box;
      if ([next, pushed].some(([row, column]) => this.rows[row][column] === 'x')) continue;
      moves.push({ notation: pushed === box ? name[0] : name[0].toUpperCase(), state: { player: next, box: pushed } });
    }
    return moves;
  },
  picture({ player, box }) {
    const shapes = [];
    this.rows.forEach((line, row) => [...line].forEach((mark, column) => mark === 'x' && shapes.push(shape(row, column, 1, 1, WALL))));
    return [...shapes, shape(1, 4, 1, 1, GOAL), shape(...box, 1, 1, PIECE), shape(...player, 1, 1, HERO, '@')];
  },
};

/** Pegs that jump over each other, in one row, all alike. */
const pegs = {
  board: { width: 6, height: 1, grid: true, openings: [], goal: null },
  start: 'oo.oo.',
  goal: (row) => row.replaceAll('.', '').length === 1,
  moves(row) {
    const moves = [];
    for (let from = 0; from < row.length; from += 1) {
      for (const step of [-1, 1]) {
        const [over, to] = [from + step, from + 2 * step];
        if (row[from] !== 'o' || row[over] !== 'o' || row[to] !== '.') continue;
        const after = Object.assign([...row], { [from]: '.', [over]: '.', [to]: 'o' });
        moves.push({ notation: `${'abcdef'[from]}-${'abcdef'[to]}`, state: after.join('') });
      }
    }
    return moves;
  },
  picture: (row) => [...row].flatMap((mark, column) => (mark === 'o' ? [shape(0, column, 1, 1, PEBBLE)] : [])),
};

export const LEVELS = { slide, tower, triangle, swipe, lamps, jugs, pusher, pegs };

/* Map files */

/** All states of a level that can be reached from its start, with their moves and distances. */
export function explored(level) {
  const keys = new Map([[JSON.stringify(level.start), 0]]);
  const states = [level.start];
  const moves = [];
  for (let state = 0; state < states.length; state += 1) {
    moves.push(level.moves(states[state]).map((move) => {
      const key = JSON.stringify(move.state);
      if (!keys.has(key)) {
        keys.set(key, states.length);
        states.push(move.state);
      }
      return { notation: move.notation, cost: 1, gesture: move.gesture ?? null, target: keys.get(key) };
    }));
  }
  const goals = states.map((state) => level.goal(state));
  return { states, moves, goals, distances: distancesTo(goals, moves) };
}

function distancesTo(goals, moves) {
  const distances = goals.map((isGoal) => (isGoal ? 0 : 65_535));
  // Rounds until nothing changes are enough for levels as small as these.
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    moves.forEach((list, state) => list.forEach(({ target, cost }) => {
      if (distances[target] + cost >= distances[state]) return;
      distances[state] = distances[target] + cost;
      isChanged = true;
    }));
  }
  return distances;
}

/** What a map file of a level holds, as lists. */
export function contentOf(name, { withDistances = true } = {}) {
  const level = LEVELS[name];
  const { states, moves, goals, distances } = explored(level);
  const [paints, shapes, actions] = [numbered(), numbered(), numbered()];
  const content = { first_shape: [0], state_shapes: [], first_move: [0], targets: [], move_actions: [], goals: new Array(Math.ceil(states.length / 8)).fill(0) };
  states.forEach((state, index) => {
    for (const { row, column, rows, columns, paint: look, label } of level.picture(state)) {
      content.state_shapes.push(shapes.number([row, column, rows, columns, paints.number(look), label]));
    }
    content.first_shape.push(content.state_shapes.length);
    for (const { target, ...action } of moves[index]) {
      content.targets.push(target);
      content.move_actions.push(actions.number(action));
    }
    content.first_move.push(content.targets.length);
    if (goals[index]) content.goals[index >> 3] |= 1 << (index & 7);
  });
  const header = {
    level: name, unit: 'moves', aim: level.aim ?? {}, n_states: states.length, start: 0, distances: withDistances, board: level.board,
    paints: paints.list, shapes: shapes.list, actions: actions.list,
  };
  return { header, ...content, ...(withDistances ? { distances } : {}) };
}

function numbered() {
  const keys = new Map();
  const list = [];
  return {
    list,
    number(one) {
      const key = JSON.stringify(one);
      if (!keys.has(key)) keys.set(key, list.push(one) - 1);
      return keys.get(key);
    },
  };
}

/** The bytes of a map file, unpacked. */
export function encoded({ header, ...arrays }, magic = 'plymap2\n') {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const room = Math.ceil((12 + json.length) / 4) * 4 - 12;
  const [shapeBits, actionBits] = [header.shapes, header.actions].map((list) => (list.length <= 65_536 ? Uint16Array : Uint32Array));
  const types = { first_shape: Uint32Array, state_shapes: shapeBits, first_move: Uint32Array, targets: Uint32Array, move_actions: actionBits, goals: Uint8Array, distances: Uint16Array };
  const parts = Object.entries(types).filter(([name]) => arrays[name]).map(([name, Type]) => {
    const bytes = new Uint8Array(Type.from(arrays[name]).buffer);
    return [bytes, new Uint8Array(-bytes.length & 3)];
  }).flat();
  const head = new Uint8Array(12 + room).fill(0x20);
  head.set(new TextEncoder().encode(magic));
  new DataView(head.buffer).setUint32(8, room, true);
  head.set(json, 12);
  const whole = new Uint8Array(head.length + parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of [head, ...parts]) {
    whole.set(part, offset);
    offset += part.length;
  }
  return summed(whole);
}

/** Bytes with their checksum behind them. */
export function summed(bytes) {
  const whole = new Uint8Array(bytes.length + 4);
  whole.set(bytes);
  new DataView(whole.buffer).setUint32(bytes.length, crc32(bytes), true);
  return whole.buffer;
}

/** The same packed by gzip, as plymap writes it. */
export function packed(buffer) {
  const stream = new Blob([buffer]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

/** The map file of a level. */
export const mapFile = (name, options) => packed(encoded(contentOf(name, options)));
