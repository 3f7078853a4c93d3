// The pages of a session that are no levels: consent, instructions, breaks, questions, the end, and the form that asks
// who plays.

/** @import { Html, Item, Plan, QuestionsItem } from './types.js' */
/** @import { Translator } from './i18n.js' */

import { NAME } from './progress.js';
import { make } from './panel.js';
import { Field } from './questions.js';

/** How long a copied code is said to be copied, in milliseconds. */
const COPIED = 3000;

/**
 * A button of a page: the name of its text, what it does, and whether it is the way on.
 * @typedef {{ text: string, action: () => unknown, isOther?: boolean }} PageButton
 */

export class Pages {
  /** @type {Translator} */ #words;

  /** @param {Translator} words */
  constructor(words) {
    this.#words = words;
  }

  /**
   * @param {Html} html
   * @param {{ agree: () => unknown, refuse: () => unknown }} actions
   */
  consent(html, { agree, refuse }) {
    return this.#page(this.#words.translate('consent'), html, [{ text: 'refuse', action: refuse, isOther: true }, { text: 'agree', action: agree }]);
  }

  /**
   * @param {Extract<Item, { kind: 'page' }>} item
   * @param {{ back: (() => unknown) | null, next: () => unknown }} actions
   */
  instructions({ html, number, of }, { back, next }) {
    const name = of > 1 ? this.#words.translate('instructions_page', { page: number, of }) : this.#words.translate('instructions');
    return this.#page(name, html, [...(back ? [{ text: 'back', action: back, isOther: true }] : []), { text: 'continue', action: next }]);
  }

  /**
   * @param {Html | null} html
   * @param {() => unknown} next
   */
  break(html, next) {
    return this.#page(this.#words.translate('break'), html ?? make('p', {}, this.#words.translate('break_text')), [{ text: 'continue', action: next }]);
  }

  /**
   * @param {QuestionsItem} item
   * @param {(answers: { name: string, value: string }[]) => unknown} next
   */
  questions({ questions }, next) {
    const fields = questions.map((question) => new Field(question, this.#words));
    const button = make('button', { class: 'session-button', type: 'submit' }, this.#words.translate('continue'));
    const form = make('form', { class: 'session-questions', novalidate: '' }, ...fields.map(({ element }) => element), make('div', { class: 'session-buttons session-ways' }, button));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const [missing] = fields.filter((field) => !field.check());
      if (missing) missing.focus();
      else next(fields.map(({ name, value }) => ({ name, value })));
    });
    return this.#section(this.#words.translate('questions'), form);
  }

  /** @param {(() => unknown) | null} finish what leads away, where that is not up to the player */
  declined(finish) {
    const buttons = finish ? [make('div', { class: 'session-buttons session-ways' }, this.#button({ text: 'finish', action: finish }))] : [];
    return this.#section('', make('h2', {}, this.#words.translate('declined')), make('p', {}, this.#words.translate('declined_close')), ...buttons);
  }

  /**
   * Where data cannot be sent, their player takes them.
   *
   * @param {{ file: string, data: string }} download
   * @param {(() => unknown) | null} again tries to send them once more
   */
  download({ file, data }, again) {
    const link = make('a', { class: 'session-button', download: file, href: URL.createObjectURL(new Blob([data], { type: 'application/x-ndjson' })) }, this.#words.translate('download'));
    const words = again ? [make('p', { class: 'session-wrong' }, this.#words.translate('not_sent')), make('p', {}, this.#words.translate('not_sent_remedy'))] : [make('p', {}, this.#words.translate('to_download'))];
    const others = again ? [this.#button({ text: 'try_again', isOther: true, action: again })] : [];
    return make('div', { class: 'session-download', role: 'alert' }, ...words, make('div', { class: 'session-buttons' }, link, ...others));
  }

  /**
   * The end: thanks, what the plan says, and the way to credit.
   *
   * @param {Pick<Plan, 'debriefing' | 'completion'>} plan
   * @param {string} state of the data, in words; empty where it is said elsewhere
   * @param {(() => void) | null} finish what leads on, instead of a link
   */
  end({ debriefing, completion: { code, link } }, state, finish) {
    const page = this.#section('', make('h2', { tabindex: '-1' }, this.#words.translate('thanks')));
    page.classList.toggle('session-brief', debriefing === null && code === null && link === null);
    if (state) page.append(make('p', {}, state));
    if (debriefing !== null) page.append(this.#text(debriefing));
    if (code !== null) page.append(this.#code(code));
    if (finish) page.append(make('div', { class: 'session-buttons session-ways' }, this.#button({ text: 'finish', action: finish })));
    else if (link !== null) page.append(make('div', { class: 'session-buttons session-ways' }, make('a', { class: 'session-button', href: link }, this.#words.translate('finish'))));
    return page;
  }

  /**
   * The form that asks who plays; it loads the page again, with the answer in its address.
   *
   * @param {string} parameter that is to hold the participant
   * @param {string | null} wrong what the link says instead of a participant
   */
  participantForm(parameter, wrong) {
    const rule = this.#words.translate('ask_rule');
    const input = make('input', { id: 'participant', name: parameter, required: '', pattern: NAME, maxlength: '64', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', value: wrong ?? '', title: rule, 'aria-describedby': 'participant-rule' });
    input.addEventListener('change', () => { input.value = input.value.trim(); });
    const form = make('form', { class: 'session-form', method: 'get', action: location.pathname },
      make('label', { for: 'participant' }, this.#words.translate('ask_participant')), input, make('p', { class: 'session-reason', id: 'participant-rule' }, rule));
    if (wrong !== null) form.prepend(make('p', { class: 'session-wrong', role: 'alert' }, this.#words.translate('ask_wrong', { participant: wrong })));
    for (const [name, value] of new URLSearchParams(location.search)) {
      if (name !== parameter) form.append(make('input', { type: 'hidden', name, value }));
    }
    form.append(make('button', { class: 'session-button', type: 'submit' }, this.#words.translate('ask_go')));
    return form;
  }

  /* Parts */

  /**
   * @param {string} name
   * @param {Html | Node} content
   * @param {PageButton[]} buttons
   */
  #page(name, content, buttons) {
    const text = typeof content === 'string' ? this.#text(content) : content;
    return this.#section(name, text, make('div', { class: 'session-buttons session-ways' }, ...buttons.map((button) => this.#button(button))));
  }

  /**
   * @param {string} name shown above; nothing is shown where it is empty
   * @param {Node[]} parts
   */
  #section(name, ...parts) {
    const section = make('section', { class: 'session-page', tabindex: '-1' });
    if (name) {
      section.setAttribute('aria-label', name);
      section.append(make('p', { class: 'session-where', 'aria-hidden': 'true' }, name));
    }
    section.append(...parts);
    return section;
  }

  /** @param {Html} html */
  #text(html) {
    const text = make('div', { class: 'session-text' });
    text.innerHTML = html;
    return text;
  }

  /** @param {PageButton} button */
  #button({ text, action, isOther = false }) {
    const button = make('button', { type: 'button', class: `session-button${isOther ? ' session-other' : ''}` }, this.#words.translate(text));
    button.addEventListener('click', action);
    return button;
  }

  /** @param {string} code */
  #code(code) {
    const shown = make('p', { class: 'session-code', id: 'completion-code' }, code);
    const copied = make('span', { class: 'session-reason', role: 'status' });
    const copy = this.#button({ text: 'copy', isOther: true, action: async () => {
      // Without a secure address there is no clipboard; then the code is marked, and can be copied by hand.
      const isCopied = await Promise.resolve(navigator.clipboard?.writeText(code).then(() => true)).catch(() => false);
      if (!isCopied) getSelection()?.selectAllChildren(shown);
      copied.textContent = isCopied ? this.#words.translate('copied') : '';
      setTimeout(() => { copied.textContent = ''; }, COPIED);
    } });
    copy.setAttribute('aria-describedby', shown.id);
    return make('div', { class: 'session-credit' }, make('p', {}, this.#words.translate('code')), shown, make('div', { class: 'session-buttons' }, copy, copied));
  }
}
