// What stands around the board: counters above, what there is to say, and buttons below.

/** @import { Direction, Move } from './types.js' */
/** @import { Translator } from './i18n.js' */

/** @type {Direction[]} */
const DIRECTIONS = ['left', 'up', 'down', 'right'];
const ARROWS = { left: '←', up: '↑', down: '↓', right: '→' };

/**
 * What the buttons ask for.
 * @typedef {object} Requests
 * @property {() => void} undo
 * @property {() => void} reset
 * @property {() => void} hint
 * @property {() => void} giveUp
 * @property {(direction: Direction) => void} swipe
 * @property {(move: Move) => void} move
 */

/**
 * Which of them there are.
 * @typedef {{ undo: boolean, reset: boolean, hint: boolean, giveUp: boolean }} Wanted
 */

export class Panel {
  /** The aim of the level, above everything. */
  aim = make('p', { class: 'play-aim' });
  head = make('div', { class: 'play-head' });
  status = make('p', { class: 'play-status', role: 'status' });
  /** Read aloud, not shown. */
  speech = make('p', { class: 'play-hidden', 'aria-live': 'polite' });
  foot = make('div', { class: 'play-foot' });
  others = make('div', { class: 'play-others', role: 'group', hidden: '' });

  /** @type {Translator} */ #words;
  /** @type {Requests} */ #requests;
  /** @type {Map<string, HTMLElement>} */ #figures = new Map();
  /** @type {Map<string, HTMLButtonElement>} */ #buttons = new Map();
  #tools = make('div', { class: 'play-tools', role: 'group' });
  #question = make('div', { class: 'play-tools', role: 'group', hidden: '' });
  #arrows = make('div', { class: 'play-tools', role: 'group', hidden: '' });
  #list = make('div', { class: 'play-tools' });
  #listTitle = make('p');

  /**
   * @param {Translator} words
   * @param {Requests} requests
   * @param {Wanted} wanted
   */
  constructor(words, requests, wanted) {
    numberOfBoards += 1;
    this.#words = words;
    this.#requests = requests;
    this.#tools.setAttribute('aria-label', words.translate('controls'));
    this.#arrows.setAttribute('aria-label', words.translate('directions'));
    if (wanted.undo) this.#add('undo', requests.undo);
    if (wanted.reset) this.#add('reset', requests.reset);
    if (wanted.hint) this.#add('hint', requests.hint);
    if (wanted.giveUp) this.#addGiveUp();
    this.#arrows.append(...DIRECTIONS.map((direction) => {
      const arrow = button(ARROWS[direction], () => requests.swipe(direction));
      arrow.setAttribute('aria-label', words.translate(direction));
      return arrow;
    }));
    this.#listTitle.id = `play-moves-${numberOfBoards}`;
    this.others.setAttribute('aria-labelledby', this.#listTitle.id);
    this.others.append(this.#listTitle, this.#list);
    this.foot.append(this.#arrows, this.#tools, this.#question);
    this.#tools.hidden = this.#buttons.size === 0;
  }

  /** @param {string} text on the left above the board */
  title(text) {
    this.head.prepend(make('span', {}, text));
  }

  /**
   * A number above the board; nothing takes it away.
   *
   * @param {string} name of the text
   * @param {string} value
   */
  showCounter(name, value) {
    const shown = this.#figures.get(name) ?? make('b');
    if (!this.#figures.has(name)) {
      this.#figures.set(name, shown);
      this.head.append(make('span', {}, `${this.#words.translate(name)} `, shown));
    }
    if (shown.textContent !== value) shown.textContent = value;
  }

  /**
   * Says something to those who cannot see it.
   *
   * @param {string} text
   */
  announce(text) {
    // The same text twice would not be read again.
    this.speech.textContent = this.speech.textContent === text ? `${text}\u00a0` : text;
  }

  /**
   * What can be done now.
   *
   * @param {{ undo: boolean, reset: boolean, hint: boolean, swipes: boolean }} now
   */
  show({ undo, reset, hint, swipes }) {
    this.#enable('undo', undo);
    this.#enable('reset', reset);
    this.#enable('hint', hint);
    this.#arrows.hidden = !swipes;
  }

  /**
   * Buttons for moves that nothing on the board makes.
   *
   * @param {Move[]} moves
   * @param {Move[]} all moves of the position
   * @param {Move | null} hinted
   */
  list(moves, all, hinted) {
    const focused = this.#list.contains(document.activeElement) ? document.activeElement?.textContent : null;
    this.#list.replaceChildren(...moves.map((move) => {
      const one = button(move.notation, () => this.#requests.move(move));
      one.classList.toggle('play-hinted', move === hinted);
      return one;
    }));
    this.#listTitle.textContent = this.#words.translate(moves.length === all.length ? 'moves' : 'other_moves');
    this.others.hidden = moves.length === 0;
    if (focused === null) return;
    // Whoever makes moves by these buttons goes on from the same one, or from the first.
    const buttons = /** @type {HTMLElement[]} */ ([...this.#list.children]);
    (buttons.find((one) => one.textContent === focused) ?? buttons[0])?.focus();
  }

  /** The level is over. */
  close() {
    this.#arrows.hidden = true;
    this.#tools.hidden = true;
    this.#question.hidden = true;
    this.others.hidden = true;
  }

  /**
   * @param {string} name
   * @param {() => void} action
   */
  #add(name, action) {
    const one = button(this.#words.translate(name), () => { if (one.getAttribute('aria-disabled') !== 'true') action(); });
    one.dataset.tool = name;
    this.#buttons.set(name, one);
    this.#tools.append(one);
  }

  #addGiveUp() {
    const ask = (/** @type {boolean} */ isOpen) => {
      this.#tools.hidden = isOpen;
      this.#question.hidden = !isOpen;
      (isOpen ? no : this.#buttons.get('give_up'))?.focus();
    };
    const question = make('p', { id: `play-question-${numberOfBoards}` }, this.#words.translate('give_up_question'));
    const no = button(this.#words.translate('give_up_no'), () => ask(false));
    const yes = button(this.#words.translate('give_up_yes'), this.#requests.giveUp);
    yes.dataset.tool = 'give_up_yes';
    this.#question.setAttribute('aria-labelledby', question.id);
    this.#question.append(question, no, yes);
    this.#question.addEventListener('keydown', (event) => { if (event.key === 'Escape') ask(false); });
    this.#add('give_up', () => ask(true));
  }

  /**
   * A button that can do nothing keeps the focus, unlike one that is disabled.
   *
   * @param {string} name
   * @param {boolean} isEnabled
   */
  #enable(name, isEnabled) {
    this.#buttons.get(name)?.setAttribute('aria-disabled', String(!isEnabled));
  }
}

/** Tells the ids of several boards in a page apart. */
let numberOfBoards = 0;

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} attributes
 * @param {(string | Node)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * @param {string} text
 * @param {() => void} action
 */
function button(text, action) {
  const one = make('button', { type: 'button' }, text);
  one.addEventListener('click', action);
  return one;
}
