// An attempt that plays: a board, its controls, and the time as it was.

/** @import { BoardSize, Shape } from '../play/types.js' */
/** @import { Position } from './types.js' */
/** @import { Translator } from '../play/i18n.js' */

import { CELL, Drawing } from '../play/drawing.js';
import { readBoard, readPaints, readShape } from '../play/validation.js';
import { button, make } from './dom.js';
import { duration } from './format.js';

/** A position, what led to it, and when. @typedef {{ position: Position, action: string | null, time_s: number | null, note?: string }} Frame */

/** Seconds between moves whose times are not known. */
const STEP = 1;
/** No pause lasts longer, lest one waits before a board that stands still. */
const LONGEST = 5;


export class Replay {
  element = make('div', { class: 'replay' });
  #words;
  #frames;
  #drawing;
  #onFrame;
  #index = 0;
  #timer = 0;
  #slider = make('input', { type: 'range', min: '0', step: '1', value: '0' });
  #play;
  #speed;
  #line = make('p', { class: 'replay-line', 'aria-live': 'polite' });

  /**
   * @param {Translator} words
   * @param {BoardSize} board
   * @param {Frame[]} frames the start first
   * @param {{ label: string, onFrame?: (index: number) => void, signal: AbortSignal }} options
   */
  constructor(words, board, frames, { label, onFrame = () => {}, signal }) {
    this.#words = words;
    this.#frames = frames;
    this.#onFrame = onFrame;
    this.#drawing = drawingOf(words, board);
    const key = `replay-${label}`;
    const t = (/** @type {string} */ name) => words.translate(name);
    this.#slider.max = String(frames.length - 1);
    this.#slider.setAttribute('aria-label', t('move_shown'));
    this.#slider.setAttribute('data-key', `${key} slider`);
    this.#slider.addEventListener('input', () => { this.pause(); this.show(Number(this.#slider.value)); });
    this.#play = button('▶', () => (this.#timer ? this.pause() : this.play()), { class: 'icon', 'data-key': `${key} play` });
    const back = button('◀', () => { this.pause(); this.show(this.#index - 1); }, { class: 'icon', 'aria-label': t('move_back') });
    const on = button('▶|', () => { this.pause(); this.show(this.#index + 1); }, { class: 'icon', 'aria-label': t('move_on') });
    this.#speed = make('select', { 'aria-label': t('speed') }, ...['1', '2', '4', '10'].map((one) => make('option', { value: one }, `${one} ×`)));
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', label);
    this.element.append(placeOf(this.#drawing), make('div', { class: 'replay-tools' }, back, this.#play, on, this.#slider, this.#speed), this.#line);
    signal.addEventListener('abort', () => this.pause());
    this.#update();
  }

  get index() {
    return this.#index;
  }

  /** @param {number} index */
  show(index) {
    this.#index = Math.max(0, Math.min(index, this.#frames.length - 1));
    this.#update();
    this.#onFrame(this.#index);
  }

  play() {
    if (this.#index >= this.#frames.length - 1) this.show(0);
    // While it plays, each move would be read aloud.
    this.#line.setAttribute('aria-live', 'off');
    this.#next();
    this.#update();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#line.setAttribute('aria-live', 'polite');
    this.#label();
  }

  #next() {
    const then = this.#frames[this.#index + 1];
    if (!then) {
      this.pause();
      return;
    }
    const since = this.#frames.slice(0, this.#index + 1).reduce((last, { time_s }) => time_s ?? last, 0);
    const known = typeof then.time_s === 'number' ? then.time_s - since : STEP;
    const wait = Math.max(0, Math.min(known, LONGEST)) / Number(this.#speed.value);
    this.#timer = setTimeout(() => {
      this.show(this.#index + 1);
      this.#next();
    }, wait * 1000);
  }

  #label() {
    const isPlaying = this.#timer !== 0;
    this.#play.textContent = isPlaying ? '❚❚' : '▶';
    this.#play.setAttribute('aria-label', this.#words.translate(isPlaying ? 'pause' : 'play'));
  }

  #update() {
    const frame = this.#frames[this.#index];
    this.#label();
    if (!frame) return;
    this.#drawing.show(shapesOf(frame.position));
    this.#slider.value = String(this.#index);
    const n = this.#frames.length - 1;
    const parts = this.#index ? [this.#words.translate('move_of', { n: this.#words.number(this.#index), of: this.#words.number(n) }), frame.action ?? ''] : [this.#words.translate('at_start', { of: this.#words.pluralize('moves', n) })];
    if (frame.time_s !== null && this.#index) parts.push(duration(this.#words, frame.time_s));
    if (frame.position.solved) parts.push(this.#words.translate('solved'));
    if (frame.note) parts.push(frame.note);
    const text = parts.filter(Boolean).join(' · ');
    this.#line.textContent = text;
    this.#slider.setAttribute('aria-valuetext', text);
  }
}

/**
 * A board that stands still, with words for who cannot see it.
 *
 * @param {Translator} words
 * @param {BoardSize} board
 * @param {Position} position
 * @param {string} label
 */
export function still(words, board, position, label) {
  const drawing = drawingOf(words, board);
  drawing.show(shapesOf(position));
  drawing.svg.removeAttribute('aria-hidden');
  drawing.svg.setAttribute('role', 'img');
  drawing.svg.setAttribute('aria-label', `${label}: ${position.state}`);
  return placeOf(drawing);
}

/**
 * The place of a drawing, which is made as wide as its letters need.
 *
 * @param {Drawing} drawing
 */
function placeOf({ svg, ratio }) {
  const place = make('div', { class: ratio < 1 ? 'board is-high' : 'board' }, svg);
  place.style.setProperty('--cells', String(svg.viewBox.baseVal.width / CELL));
  return place;
}

/**
 * @param {Translator} words
 * @param {BoardSize} board
 */
const drawingOf = (words, board) => new Drawing(readBoard(board), { caption: words.translate('goal_caption'), letters: true });

/**
 * @param {Position} position
 * @returns {Shape[]}
 */
function shapesOf({ paints, shapes }) {
  const known = readPaints(paints);
  if (!Array.isArray(shapes)) throw new Error('A position has no list of shapes; see whether page and server are of one version');
  return shapes.map((shape) => readShape(shape, known));
}
