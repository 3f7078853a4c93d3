// The board in words: pieces, places, counts and times in the language of the player.

/** @import { Point, Shape } from './types.js' */

import { middleOf } from './gestures.js';
import { TEXTS } from './texts.js';

/** What a shape without a name is called by its form. @type {Record<Shape['paint']['form'], string>} */
const THINGS = { block: 'block', disc: 'disc', label: 'block', image: 'piece' };

export class Translator {
  /** @type {string} */ language;
  /** Whether pieces are called by the letters that name them. */
  hasLetters = true;
  /** @type {Record<string, string>} */ #texts;
  /** @type {boolean} */ #isGrid;

  /**
   * @param {string} language
   * @param {Record<string, string>} overrides texts instead of those of the language; all of them for another language
   * @param {boolean} isGrid whether places are cells
   * @param {Record<string, Record<string, string>>} all texts by language
   * @throws {Error} where a text is missing or unknown
   */
  constructor(language, overrides, isGrid, all = TEXTS) {
    const names = Object.keys(/** @type {Record<string, string>} */ (all.en));
    const unknown = Object.keys(overrides).find((name) => !names.includes(name));
    if (unknown !== undefined) throw new Error(`There is no text ${unknown}; texts are ${names.join(', ')}`);
    const texts = { ...all[language], ...overrides };
    const missing = names.filter((name) => typeof texts[name] !== 'string');
    if (missing.length) throw new Error(`In the language ${language} these texts are missing: ${missing.join(', ')}; languages with all texts are ${Object.keys(all).join(', ')}`);
    this.language = language;
    this.#texts = texts;
    this.#isGrid = isGrid;
  }

  /**
   * A text, with what stands for the words in braces.
   *
   * @param {string} name
   * @param {Record<string, string | number>} words
   */
  translate(name, words = {}) {
    const text = this.#texts[name] ?? name;
    return text.replace(/\{(\w+)\}/g, (all, word) => (word in words ? String(words[word]) : all));
  }

  /**
   * So many of something, such as `3 moves`.
   *
   * @param {string} what `moves`, `cells`, `points`, `places`; `steps` of a session
   * @param {number} n
   */
  pluralize(what, n) {
    const form = new Intl.PluralRules(this.language).select(n) === 'one' ? 'one' : 'other';
    const text = `n_${what}_${form}`;
    // A unit that is new to this page keeps its own name.
    return text in this.#texts ? this.translate(text, { n: this.number(n) }) : `${this.number(n)} ${what}`;
  }

  /** @param {number} n */
  number(n) {
    return n.toLocaleString(this.language, { maximumFractionDigits: 1 });
  }

  /**
   * Minutes and seconds.
   *
   * @param {number} seconds
   */
  time(seconds) {
    const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
    return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
  }

  /** @param {Shape} shape */
  nameOf({ label, paint }) {
    if (label && (this.hasLetters || !paint.named)) return label;
    const thing = this.translate(paint.style === 'target' ? 'goal' : THINGS[paint.form]);
    return this.translate('coloured', { colour: this.translate(colourOf(paint.fill)), thing });
  }

  /**
   * Row and column from 1: of the first cell of a shape on a grid; elsewhere of its middle, to one decimal.
   *
   * @param {Shape} shape
   */
  placeOf(shape) {
    const { rows, columns } = shape;
    const first = { ...shape, rows: Math.min(1, rows), columns: Math.min(1, columns) };
    const middle = middleOf(this.#isGrid ? first : shape);
    return this.pointOf(this.#isGrid ? { row: Math.floor(middle.row) + 0.5, column: Math.floor(middle.column) + 0.5 } : middle);
  }

  /** @param {Point} point */
  pointOf({ row, column }) {
    return this.translate('place', { row: this.number(row + 0.5), column: this.number(column + 0.5) });
  }

  /**
   * The position: what is on the board and where, alike ones together, pieces before goals and walls. What lies below
   * has its say where it is a goal or has a text.
   *
   * @param {Shape[]} shapes
   */
  description(shapes) {
    /** @type {Map<string, string[]>} */
    const places = new Map();
    const order = ['piece', 'target', 'plain'];
    for (const shape of [...shapes].sort((one, other) => order.indexOf(one.paint.style) - order.indexOf(other.paint.style))) {
      if (shape.paint.below && shape.paint.style !== 'target' && !shape.label) continue;
      const goal = shape.paint.style === 'target' && shape.label && this.hasLetters ? `${this.translate('goal')} ${shape.label}` : this.nameOf(shape);
      places.set(goal, [...(places.get(goal) ?? []), this.placeOf(shape)]);
    }
    if (!places.size) return this.translate('nothing');
    return Array.from(places, ([name, list]) => `${name}: ${list.join('; ')}.`).join(' ');
  }
}

/**
 * The name of a colour, roughly: it only has to tell shapes apart that have no label.
 *
 * @param {string} hex
 */
export function colourOf(hex) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const lightness = (most + least) / 2;
  if (most - least < 0.1) return lightness < 0.2 ? 'black' : lightness > 0.9 ? 'white' : 'grey';
  const third = most === red ? (green - blue) / (most - least) : most === green ? 2 + (blue - red) / (most - least) : 4 + (red - green) / (most - least);
  const hue = (third * 60 + 360) % 360;
  if (hue < 15 || hue >= 330) return lightness > 0.75 ? 'pink' : 'red';
  if (hue < 42) return lightness < 0.4 ? 'brown' : 'orange';
  if (hue < 66) return 'yellow';
  if (hue < 170) return 'green';
  if (hue < 255) return 'blue';
  return hue < 300 ? 'purple' : 'pink';
}
