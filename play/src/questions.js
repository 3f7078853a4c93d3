// One question of a page: its text, what is chosen or written, and whether it is answered.

/** @import { Question } from './types.js' */
/** @import { Translator } from './i18n.js' */

import { make } from './panel.js';

/** Answers may be so long, in characters. */
const LONGEST = 500;
const LONGEST_OF_LINES = 5000;
/** A row of more points is too narrow for words, and on a phone for fingers. */
const MOST_IN_ROW = 7;
/** Labels that are no longer than this fit into any row. */
const SHORT = 3;

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Input */

export class Field {
  /** @type {HTMLElement} */ element;

  /** @type {Question} */ #question;
  /** @type {Translator} */ #words;
  /** @type {Input[]} */ #inputs = [];
  /** @type {HTMLElement} */ #fault;
  /** Tells the parts of this question from those of others. @type {string} */ #id = `question-${(nFields += 1)}`;

  /**
   * @param {Question} question
   * @param {Translator} words
   */
  constructor(question, words) {
    this.#question = question;
    this.#words = words;
    this.#fault = make('p', { class: 'session-wrong', id: `${this.#id}-fault`, role: 'alert' });
    const text = make('div', { class: 'session-text', id: `${this.#id}-text` });
    text.innerHTML = question.text;
    const notes = this.#notes();
    const group = this.#group();
    group.setAttribute('aria-labelledby', text.id);
    group.setAttribute('aria-describedby', [...notes.map(({ id }) => id), this.#fault.id].join(' '));
    this.element = make('div', { class: 'session-question' }, text, ...notes, group, this.#fault);
    this.element.addEventListener('input', () => { if (this.#fault.textContent) this.check(); });
  }

  get name() {
    return this.#question.name;
  }

  /** The answer as text: what is chosen, the number of a point from 1, or what is written; empty without an answer. */
  get value() {
    if (this.#question.type === 'text') return this.#inputs[0]?.value.trim() ?? '';
    return this.#inputs.filter((input) => 'checked' in input && input.checked).map(({ value }) => value).join('; ');
  }

  /** Says so where an answer is missing. @returns {boolean} whether none is */
  check() {
    const isMissing = this.#question.required && this.value === '';
    this.#fault.textContent = isMissing ? this.#words.translate('unanswered') : '';
    for (const input of this.#inputs) input.setAttribute('aria-invalid', String(isMissing));
    return !isMissing;
  }

  focus() {
    this.#inputs[0]?.focus();
    this.element.scrollIntoView({ block: 'nearest' });
  }

  /** What else there is to know. */
  #notes() {
    const { multiple, required, type } = this.#question;
    const names = [...(type === 'choice' && multiple ? ['several'] : []), ...(required ? [] : ['optional'])];
    return names.map((name) => make('p', { class: 'session-reason', id: `${this.#id}-${name}` }, this.#words.translate(name)));
  }

  #group() {
    const { type } = this.#question;
    if (type === 'text') return this.#text();
    return type === 'likert' ? this.#likert() : this.#choice();
  }

  #text() {
    const { long, required } = this.#question;
    const input = long ? make('textarea', { rows: '4', maxlength: String(LONGEST_OF_LINES) }) : make('input', { type: 'text', maxlength: String(LONGEST), autocomplete: 'off' });
    input.setAttribute('aria-required', String(required));
    this.#inputs.push(input);
    return input;
  }

  #choice() {
    const { options, multiple } = this.#question;
    const choices = options.map((option) => make('label', { class: 'session-choice' }, this.#option(multiple ? 'checkbox' : 'radio', option), make('span', {}, option)));
    return this.#choices(multiple ? 'group' : 'radiogroup', 'session-choices', choices);
  }

  #likert() {
    const { options } = this.#question;
    const isEnds = options.slice(1, -1).every((label) => label === '');
    const isShort = options.every((label) => label.length <= SHORT);
    const isLong = options.length > MOST_IN_ROW;
    const points = options.map((label, index) => {
      const number = String(index + 1);
      const input = this.#option('radio', number);
      input.setAttribute('aria-label', [number, label].filter(Boolean).join(', '));
      return make('label', { class: 'session-point' }, input, make('b', {}, number), make('span', {}, label));
    });
    const scale = this.#choices('radiogroup', 'session-scale', points);
    scale.style.setProperty('--points', String(points.length));
    scale.classList.toggle('session-named', !options.includes(''));
    scale.classList.toggle('session-ends', isEnds);
    // As a list of lines: everywhere, or where the window is narrow.
    scale.classList.toggle('session-list', isLong && !isEnds && !isShort);
    scale.classList.toggle('session-narrow', isLong || (!isEnds && !isShort));
    // Below a row the labels of its ends have half of it each.
    if (isEnds) scale.append(make('div', { class: 'session-labels', 'aria-hidden': 'true' }, make('span', {}, options[0] ?? ''), make('span', {}, options.at(-1) ?? '')));
    return scale;
  }

  /**
   * @param {string} role
   * @param {string} name of its looks
   * @param {HTMLElement[]} choices
   */
  #choices(role, name, choices) {
    const group = make('div', { class: name, role }, ...choices);
    if (role === 'radiogroup') group.setAttribute('aria-required', String(this.#question.required));
    return group;
  }

  /**
   * @param {'radio' | 'checkbox'} type
   * @param {string} value
   */
  #option(type, value) {
    const input = make('input', { type, name: this.#id, value });
    this.#inputs.push(input);
    return input;
  }
}

let nFields = 0;
