// What the page of a session shows whatever comes in it: the head, the place of boards and pages, notices and troubles.

/** @import { ErrorAction } from './types.js' */
/** @import { Translator } from './i18n.js' */

import { make } from './panel.js';

/** Padding of the page and space between its parts, in pixels; more than the style sheet says by a little. */
const AROUND = 10;
const BETWEEN = 9;

export class PageLayout {
  /** Where boards stand. */
  level = make('div');
  /** Where pages stand, and what there is to say below a board. */
  after = make('div', { class: 'session-say' });

  /** @type {Translator} */ #words;
  #title = make('h1');
  #who = make('p', { class: 'session-who' });
  #progress = make('progress', { class: 'session-progress', hidden: '' });
  #head = make('header', { class: 'session-head', hidden: '' }, this.#title, this.#who, this.#progress);
  #how = make('p', { class: 'session-how', hidden: '' });
  #notice = make('p', { class: 'session-notice' });
  /** Read aloud, not shown. */
  #speech = make('p', { class: 'play-hidden', role: 'status' });
  /** What takes height from the board. */
  #around = [this.#head, this.#how, this.after, this.#notice];

  /**
   * @param {HTMLElement} place that is filled
   * @param {Translator} words
   */
  constructor(place, words) {
    this.#words = words;
    place.replaceChildren(this.#head, this.#how, this.level, this.after, this.#notice, this.#speech);
    const sizes = new ResizeObserver(() => this.#fit());
    for (const part of this.#around) sizes.observe(part);
  }

  /** In which language the page speaks from now on. @param {Translator} words */
  setLanguage(words) {
    this.#words = words;
    document.documentElement.lang = words.language;
    this.#progress.setAttribute('aria-label', words.translate('session_progress'));
  }

  /** @param {string} title */
  set title(title) {
    document.title = title;
    this.#title.textContent = title;
    this.#head.hidden = false;
  }

  /** @param {string} text who plays */
  set who(text) {
    this.#who.textContent = text;
  }

  /**
   * How much of the session is done.
   *
   * @param {number} n
   * @param {number} of
   */
  showProgress(n, of) {
    this.#progress.max = of;
    this.#progress.value = n;
    this.#progress.hidden = false;
  }

  /**
   * How a level is played; nothing takes the line away.
   *
   * @param {string} text
   * @param {string} [mark] in front of it
   */
  showInstructions(text, mark) {
    this.#how.replaceChildren(...(mark ? [make('b', { class: 'session-mark' }, mark), ' '] : []), text);
    this.#how.hidden = !text;
  }

  /**
   * A line below everything.
   *
   * @param {string} text
   */
  showNotice(text) {
    if (this.#notice.textContent !== text) this.#notice.textContent = text;
  }

  /** @param {string} text is read aloud */
  announce(text) {
    this.#speech.textContent = text;
  }

  /** Takes away all but the head; a board has to be destroyed before. */
  clear() {
    this.showInstructions('');
    this.after.replaceChildren();
  }

  /**
   * A page, which gets the keys and is read from its start.
   *
   * @param {HTMLElement} page
   */
  show(page) {
    this.clear();
    this.after.replaceChildren(page);
    page.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  /**
   * Does something that takes a while; the words are there until it is done.
   *
   * @param {string} text
   * @param {() => Promise<void>} action
   */
  async whileWaiting(text, action) {
    const waiting = make('p', { role: 'status' }, this.#words.translate(text));
    this.after.replaceChildren(waiting);
    try {
      await action();
    } finally {
      waiting.remove();
    }
  }

  /**
   * Instead of a board: what went wrong, why, and what can be done.
   *
   * @param {string} title
   * @param {string[]} reasons
   * @param {ErrorAction[]} actions
   */
  showError(title, reasons, actions) {
    this.clear();
    const buttons = actions.map(([text, action]) => this.button(text, action));
    for (const other of buttons.slice(1)) other.classList.add('session-other');
    this.after.replaceChildren(make('div', { class: 'session-say session-trouble', role: 'alert' },
      make('h2', {}, this.#words.translate(title)),
      ...reasons.map((reason, index) => make('p', index ? { class: 'session-reason' } : {}, reason)),
      make('div', { class: 'session-buttons' }, ...buttons)));
    buttons[0]?.focus();
  }

  /**
   * @param {string} text
   * @param {() => unknown} action
   */
  button(text, action) {
    const button = make('button', { type: 'button', class: 'session-button' }, this.#words.translate(text));
    button.addEventListener('click', action);
    return button;
  }

  /** Tells the board how much of the window the page takes. */
  #fit() {
    const heights = this.#around.map(({ offsetHeight }) => offsetHeight).filter((height) => height > 0);
    const gaps = 2 * AROUND + heights.length * BETWEEN;
    this.level.style.setProperty('--play-around', `${heights.reduce((sum, height) => sum + height, gaps)}px`);
  }
}
