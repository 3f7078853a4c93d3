// A game of chance: two tiles on a strip of six cells slide left or right, and then a stone falls into a free cell.

import { PIECE, WALL, shape } from './levels.js';

const CELLS = 6;

export class Strip {
  level = 'strip';
  unit = 'points';
  hints = false;
  aim = {};
  board = { width: CELLS, height: 1, grid: true, openings: [], goal: null };

  async start() { return this.position('a.b...'); }

  position(id) { return { id, solved: false, ended: !this.slides(id).length }; }

  slides(id) {
    const tiles = id.replaceAll('.', '');
    return ['left', 'right'].map((direction) => ({ direction, after: direction === 'left' ? tiles.padEnd(CELLS, '.') : tiles.padStart(CELLS, '.') }))
      .filter(({ after }) => after !== id);
  }

  async moves({ id }) {
    return this.slides(id).map(({ direction, after }) => ({ notation: direction, cost: 5, gesture: { swipe: direction }, after: this.shapes(after) }));
  }

  /** The log has the cell of the stone, as in `left+4`; with it, a move is repeated. */
  async play({ id }, { notation }) {
    const [, direction, told] = /^(left|right)(?:\+(\d))?$/.exec(notation);
    const { after } = this.slides(id).find((one) => one.direction === direction);
    const free = [...after].flatMap((mark, cell) => (mark === '.' ? [cell] : []));
    const cell = told === undefined ? free[Math.floor(Math.random() * free.length)] : Number(told);
    const stones = Object.assign([...after], { [cell]: 'x' }).join('');
    return { position: this.position(stones), notation: `${direction}+${cell}` };
  }

  async picture({ id }) { return this.shapes(id); }

  async hint() { return null; }

  shapes(id) {
    return [...id].flatMap((mark, cell) => (mark === '.' ? [] : [shape(0, cell, 1, 1, mark === 'x' ? WALL : PIECE, mark === 'x' ? '' : mark)]));
  }
}
