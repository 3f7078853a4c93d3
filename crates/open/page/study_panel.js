// The study beside whatever is looked at: its text, which may be edited, with faults at their lines.

/** @import { Fault, Project } from './types.js' */
/** @import { Translator } from '../play/i18n.js' */

import { button, faultList, make } from './dom.js';

export class StudyPanel {
  /** @type {Translator | null} */ #words = null;
  /** The text as the server has it. */ #saved = '';
  /** The lines that the last change has made. @type {Set<number>} */ #changed = new Set();
  /** @type {Fault[]} */ #faults = [];
  /** Those of the text as the server has it. @type {Fault[]} */ #savedFaults = [];
  /** Whether the server has another text than that on which an edit here began. */ #isOutdated = false;
  /** The revision of the study that the server has. */ #revision = '';
  #isFirst = true;
  #title = make('h2', {}, 'study.toml');
  #path = make('p', { class: 'quiet path' });
  #state = make('p', { class: 'quiet', role: 'status' });
  #gutter = make('ol', { class: 'gutter', 'aria-hidden': 'true' });
  #text = make('textarea', { 'data-key': 'study', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', wrap: 'off', 'aria-describedby': 'study-faults' });
  #list = make('div', { id: 'study-faults' });
  #apply;
  #undo;
  #discard;
  #editor = make('div', { class: 'editor' }, this.#gutter, this.#text);
  element = make('section', { class: 'study' });

  /** `seen` is the revision that was shown, or told, beside the text. @param {{ apply: (text: string, seen: string) => unknown, undo: () => unknown }} requests */
  constructor(requests) {
    this.#apply = button('', () => requests.apply(this.#text.value, this.#revision), { class: 'primary' });
    this.#undo = button('', requests.undo);
    this.#discard = button('', () => this.#revert());
    const tools = make('div', { class: 'tools' }, this.#apply, this.#discard, this.#undo);
    this.element.append(make('div', { class: 'study-head' }, this.#title, this.#path, tools, this.#state), this.#list, this.#editor);
    this.#text.addEventListener('input', () => this.#onInput());
    this.#text.addEventListener('keydown', (event) => {
      if (!(event.ctrlKey || event.metaKey) || !['Enter', 's'].includes(event.key)) return;
      event.preventDefault();
      if (this.isDirty) requests.apply(this.#text.value, this.#revision);
    });
  }

  get isDirty() {
    return this.#text.value !== this.#saved;
  }

  /** @param {Translator} words */
  setWords(words) {
    this.#words = words;
    this.#apply.textContent = words.translate('study_apply');
    this.#undo.textContent = words.translate('study_undo');
    this.#discard.textContent = words.translate('study_discard');
    this.#text.setAttribute('aria-label', words.translate('study_text'));
    this.#update();
  }

  /** @param {Project} project */
  show(project) {
    const wasDirty = this.isDirty;
    // The browser gives line ends of one kind alone.
    const text = project.study.replace(/\r\n?/g, '\n');
    this.#revision = project.revision;
    if (text !== this.#saved) {
      if (!this.#isFirst) this.#changed = changedLines(this.#saved, text);
      if (wasDirty) this.#isOutdated = true;
      this.#saved = text;
      if (!wasDirty) this.#text.value = text;
    }
    this.#isFirst = false;
    this.#path.textContent = project.path;
    this.#undo.setAttribute('aria-disabled', String(!project.can_undo));
    this.#savedFaults = faultsOf(project);
    if (!this.isDirty) this.#faults = this.#savedFaults;
    this.element.classList.toggle('is-empty', !project.has_study && !text);
    this.#update();
    const [first] = this.#changed;
    if (first !== undefined && !wasDirty) this.#scrollTo(first);
  }

  /** The server has this text now. @param {string} text */
  applied(text) {
    this.#saved = text;
    this.#changed = new Set();
    this.#isOutdated = false;
  }

  /** @param {Fault[]} faults of what was edited, which was not taken */
  showFaults(faults) {
    this.#faults = faults;
    this.#update();
    const line = faults.find((one) => one.line)?.line;
    if (line) this.goTo(line);
  }

  /** Marks a line of the study and goes there. @param {number} line */
  goTo(line) {
    const lines = this.#text.value.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    this.#text.focus({ preventScroll: true });
    this.#text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    this.#scrollTo(line);
    if (getComputedStyle(this.element).position !== 'sticky') this.#gutter.children[line - 1]?.scrollIntoView({ block: 'center' });
  }

  /** @param {number} line */
  #scrollTo(line) {
    const item = this.#gutter.children[line - 1];
    if (item instanceof HTMLElement) this.#editor.scrollTop = item.offsetTop - this.#editor.clientHeight / 2;
  }

  #onInput() {
    this.#changed = new Set();
    this.#update();
  }

  #revert() {
    this.#text.value = this.#saved;
    this.#faults = this.#savedFaults;
    this.#isOutdated = false;
    this.#update();
    this.#text.focus({ preventScroll: true });
  }

  #update() {
    const words = this.#words;
    if (!words) return;
    const lines = this.#text.value.split('\n');
    const faulty = new Map(this.#faults.filter((one) => one.line).map((one) => [one.line, one.severity]));
    this.#gutter.replaceChildren(...lines.map((_, index) => {
      const severity = faulty.get(index + 1);
      const item = make('li', {}, String(index + 1));
      if (severity) item.className = severity;
      else if (this.#changed.has(index + 1)) item.className = 'changed';
      return item;
    }));
    this.#text.rows = Math.max(lines.length, 8);
    this.#apply.setAttribute('aria-disabled', String(!this.isDirty));
    this.#discard.setAttribute('aria-disabled', String(!this.isDirty));
    this.#list.replaceChildren(faultList(this.#faults, (line) => this.goTo(line)));
    this.#list.hidden = !this.#faults.length;
    const state = this.#isOutdated && this.isDirty ? 'study_outdated' : this.isDirty ? 'study_dirty' : this.#saved ? 'study_saved' : 'study_none';
    const text = words.translate(state);
    if (this.#state.textContent !== text) this.#state.textContent = text;
  }
}

/** Faults of the study, or what else is wrong with it. @param {Project} project @returns {Fault[]} */
function faultsOf({ error, faults }) {
  if (faults.length || !error) return faults;
  return [{ code: '', severity: 'error', message: error, label: null, help: null, file: null, line: null, column: null, source: null }];
}

/**
 * The lines of a text, from 1, that an earlier one did not have as often; none where that is most of them.
 *
 * @param {string} before
 * @param {string} after
 * @returns {Set<number>}
 */
export function changedLines(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  /** @type {Map<string, number>} */
  const known = new Map();
  for (const line of old) known.set(line, (known.get(line) ?? 0) + 1);
  /** @type {Set<number>} */
  const changed = new Set();
  now.forEach((line, index) => {
    const left = known.get(line) ?? 0;
    if (left) known.set(line, left - 1);
    else changed.add(index + 1);
  });
  // Of a new study all lines are new, which need not be said.
  return changed.size > now.length / 2 ? new Set() : changed;
}
