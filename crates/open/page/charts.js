// Small charts: the way of the distance over time, bars, and where a value stands among others.
//
// They are drawn as wide as they are shown, so that their text has the same size in every window.

/** @import { Translator } from '../play/i18n.js' */

import { make } from './dom.js';
import { number } from './format.js';
import { draw } from './svg.js';

const [BLUE, VERMILION, ORANGE, GREY, INK] = ['#0072b2', '#d55e00', '#a96800', '#6b7680', '#1c2126'];

/** Qualities differ in shape as well as in colour. @type {Record<string, { colour: string, shape: string }>} */
const QUALITIES = {
  optimal: { colour: BLUE, shape: 'disc' },
  best: { colour: BLUE, shape: 'disc' },
  better: { colour: BLUE, shape: 'disc' },
  same: { colour: GREY, shape: 'ring' },
  slip: { colour: GREY, shape: 'ring' },
  mistake: { colour: ORANGE, shape: 'diamond' },
  worse: { colour: VERMILION, shape: 'triangle' },
  blunder: { colour: VERMILION, shape: 'triangle' },
  'dead-end': { colour: INK, shape: 'square' },
  illegal: { colour: INK, shape: 'cross' },
};
const OTHER = { colour: GREY, shape: 'ring' };

/**
 * The mark of a quality, in the middle of its place.
 *
 * @param {string | null} quality
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function qualityMark(quality, x, y, size = 5) {
  const { colour, shape } = QUALITIES[(quality ?? '').replace('_', '-')] ?? OTHER;
  const at = { transform: `translate(${x} ${y})` };
  if (shape === 'disc') return draw('circle', { ...at, r: size, fill: colour, stroke: '#fff', 'stroke-width': 1 });
  if (shape === 'ring') return draw('circle', { ...at, r: size - 1, fill: '#fff', stroke: colour, 'stroke-width': 2 });
  if (shape === 'cross') return draw('path', { ...at, d: `M${-size} ${-size}L${size} ${size}M${-size} ${size}L${size} ${-size}`, stroke: colour, 'stroke-width': 2.5 });
  const points = {
    diamond: `0 ${-size - 1} ${size + 1} 0 0 ${size + 1} ${-size - 1} 0`,
    triangle: `0 ${-size - 1} ${size + 1} ${size} ${-size - 1} ${size}`,
    square: `${-size} ${-size} ${size} ${-size} ${size} ${size} ${-size} ${size}`,
  }[shape] ?? '';
  return draw('polygon', { ...at, points, fill: colour, stroke: '#fff', 'stroke-width': 1 });
}

/**
 * The mark of a quality beside its word.
 *
 * @param {Translator} words
 * @param {string | null} quality
 */
export function qualityWord(words, quality) {
  if (!quality) return make('span', {}, '–');
  const picture = draw('svg', { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, qualityMark(quality, 8, 8));
  const key = `quality_${quality.replace('-', '_')}`;
  const text = words.translate(key);
  return make('span', { class: 'quality' }, picture, text === key ? quality : text);
}

/** A point of the way: seconds or a number of a move, a distance, and how good the move was. @typedef {{ x: number, value: number | null, quality: string | null, label: string }} WayPoint */

const HEIGHT = 240;
const MARGIN = { left: 44, right: 14, top: 14, bottom: 40 };

/** The way of the distance over time, with a line at what the board shows. */
export class WayChart {
  element = make('div', { class: 'chart' });
  #points;
  #words;
  #labels;
  #onPick;
  #index = 0;
  #width = 0;
  #cursor = draw('line', { stroke: INK, 'stroke-width': 2, 'stroke-dasharray': '4 3' });

  /**
   * @param {Translator} words
   * @param {WayPoint[]} points the start first
   * @param {{ title: string, x: string, y: string, onPick: (index: number) => void, signal: AbortSignal }} options
   */
  constructor(words, points, { title, x, y, onPick, signal }) {
    this.#words = words;
    this.#points = points;
    this.#labels = { title, x, y };
    this.#onPick = onPick;
    const sizes = new ResizeObserver(() => this.#fit());
    sizes.observe(this.element);
    signal.addEventListener('abort', () => sizes.disconnect());
  }

  /** @param {number} index */
  mark(index) {
    this.#index = index;
    const point = this.#points[index];
    if (!point || !this.#width) return;
    const x = this.#x(point.x);
    for (const [key, value] of Object.entries({ x1: x, x2: x, y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom })) this.#cursor.setAttribute(key, String(value));
  }

  #fit() {
    const width = Math.floor(this.element.clientWidth);
    if (!width || width === this.#width) return;
    this.#width = width;
    this.#draw();
    this.mark(this.#index);
  }

  get #end() {
    return Math.max(...this.#points.map(({ x }) => x), 1);
  }

  get #top() {
    return Math.max(...this.#points.map(({ value }) => value ?? 0), 1);
  }

  /** @param {number} value */
  #x(value) {
    return MARGIN.left + (value / this.#end) * (this.#width - MARGIN.left - MARGIN.right);
  }

  /** @param {number} value */
  #y(value) {
    return HEIGHT - MARGIN.bottom - (value / this.#top) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  }

  #draw() {
    const svg = draw('svg', { viewBox: `0 0 ${this.#width} ${HEIGHT}`, width: this.#width, height: HEIGHT, role: 'img', 'aria-label': this.#labels.title });
    const bottom = HEIGHT - MARGIN.bottom;
    for (const tick of ticks(this.#top, 5)) {
      svg.append(draw('line', { x1: MARGIN.left, x2: this.#width - MARGIN.right, y1: this.#y(tick), y2: this.#y(tick), stroke: '#e1e5e9' }));
      svg.append(label(number(this.#words, tick), MARGIN.left - 6, this.#y(tick) + 4, 'end'));
    }
    for (const tick of ticks(this.#end, Math.max(2, Math.floor(this.#width / 90)))) svg.append(label(number(this.#words, tick), this.#x(tick), bottom + 16, 'middle'));
    svg.append(draw('line', { x1: MARGIN.left, x2: this.#width - MARGIN.right, y1: bottom, y2: bottom, stroke: GREY }));
    svg.append(label(this.#labels.x, this.#width - MARGIN.right, HEIGHT - 6, 'end'));
    const axis = label(this.#labels.y, 0, 0, 'middle');
    axis.setAttribute('transform', `translate(12 ${(MARGIN.top + bottom) / 2}) rotate(-90)`);
    svg.append(axis, draw('path', { d: this.#path(), fill: 'none', stroke: '#7c8791', 'stroke-width': 1.5 }), this.#cursor);
    this.#points.forEach((point, index) => {
      if (point.value === null) return;
      const mark = index ? qualityMark(point.quality, this.#x(point.x), this.#y(point.value)) : draw('circle', { cx: this.#x(point.x), cy: this.#y(point.value), r: 3, fill: INK });
      mark.append(draw('title', {}, point.label));
      svg.append(mark);
    });
    svg.addEventListener('pointerdown', (event) => this.#pick(event));
    this.element.replaceChildren(svg);
  }

  /** Steps: a position lasts until the next move. */
  #path() {
    let path = '';
    let isOpen = false;
    for (const { x, value } of this.#points) {
      if (value === null) isOpen = false;
      else {
        path += isOpen ? `H${this.#x(x)}V${this.#y(value)}` : `M${this.#x(x)} ${this.#y(value)}`;
        isOpen = true;
      }
    }
    return path;
  }

  /** @param {PointerEvent} event */
  #pick(event) {
    const x = event.clientX - this.element.getBoundingClientRect().left;
    const away = this.#points.map((point) => Math.abs(this.#x(point.x) - x));
    this.#onPick(away.indexOf(Math.min(...away)));
  }
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} anchor
 */
const label = (text, x, y, anchor) => draw('text', { x, y, 'text-anchor': anchor, 'font-size': 12, fill: '#4a545d' }, text);

/**
 * Round numbers from 0 to an end.
 *
 * @param {number} end
 * @param {number} most
 */
export function ticks(end, most) {
  const raw = end / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= raw) ?? raw;
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, index) => index * step);
}

/**
 * Bars with their labels and values in words: a list for readers.
 *
 * @param {{ label: string, share: number, text: string, href?: string }[]} items
 */
export function bars(items) {
  const most = Math.max(...items.map(({ share }) => share), 1e-9);
  return make('ul', { class: 'bars' }, ...items.map(({ label: name, share, text, href }) => {
    const bar = draw('svg', { width: '100%', height: 12, 'aria-hidden': 'true' }, draw('rect', { width: `${(100 * share) / most}%`, height: 12, rx: 2, fill: BLUE }));
    return make('li', {}, href ? make('a', { href, class: 'bar-label' }, name) : make('span', { class: 'bar-label' }, name), make('span', { class: 'bar' }, bar), make('span', { class: 'bar-text' }, text));
  }));
}

/**
 * Where a value stands among those of others: the middle half as a band, their median as a line, the value as a point.
 *
 * @param {{ value: number | null, p25?: number, median?: number, p75?: number }} standing
 * @param {string} text says the same in words
 */
export function strip({ value, p25, median, p75 }, text) {
  const known = [value, p25, median, p75].filter((one) => typeof one === 'number');
  const svg = draw('svg', { viewBox: '0 0 160 20', width: 160, height: 20, role: 'img', 'aria-label': text });
  if (!known.length) return svg;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const room = (most - least || Math.abs(most) || 1) * 0.15;
  const x = (/** @type {number} */ one) => 6 + ((one - least + room) / (most - least + 2 * room)) * 148;
  svg.append(draw('line', { x1: 6, x2: 154, y1: 10, y2: 10, stroke: '#c3cbd2' }));
  if (p25 !== undefined && p75 !== undefined) svg.append(draw('rect', { x: x(p25), y: 5, width: Math.max(1, x(p75) - x(p25)), height: 10, fill: '#c3cbd2' }));
  if (median !== undefined) svg.append(draw('line', { x1: x(median), x2: x(median), y1: 3, y2: 17, stroke: INK, 'stroke-width': 2 }));
  if (value !== null) svg.append(draw('circle', { cx: x(value), cy: 10, r: 5, fill: VERMILION, stroke: '#fff' }));
  return svg;
}
