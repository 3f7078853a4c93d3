// Elements of all views: buttons, links, tables, menus and notices. Text comes into the page as text alone.

/** @import { Context, Diagnostic, Fault } from './types.js' */
/** @import { Translator } from '../play/i18n.js' */

import { make } from '../play/panel.js';

export { make };

/**
 * @param {string} text
 * @param {() => unknown} action
 * @param {Record<string, string>} attributes
 */
export function button(text, action, attributes = {}) {
  const one = make('button', { type: 'button', ...attributes }, text);
  one.addEventListener('click', () => { if (one.getAttribute('aria-disabled') !== 'true') action(); });
  return one;
}

/**
 * @param {string} href
 * @param {string} text
 * @param {Record<string, string>} attributes
 */
export const link = (href, text, attributes = {}) => make('a', { href, ...attributes }, text);

/** What the server says stays in its language, so that it is read aloud in it. */
export const ENGLISH = { lang: 'en' };

/** Words for readers alone. @param {string} text */
export const hidden = (text) => make('span', { class: 'hidden' }, text);

/**
 * A section with its heading.
 *
 * @param {string} title
 * @param {(Node | string)[]} children
 */
export function section(title, ...children) {
  return make('section', {}, make('h2', {}, title), ...children);
}

/**
 * @param {string} key that tells it apart when the view is shown again
 * @param {string} label
 * @param {[value: string, text: string][]} options
 * @param {string} value
 * @param {(value: string) => unknown} onChange
 */
export function menu(key, label, options, value, onChange) {
  const select = make('select', { 'data-key': key, 'aria-label': label }, ...options.map(([name, text]) => make('option', { value: name }, text)));
  select.value = value;
  select.addEventListener('change', () => onChange(select.value));
  return select;
}

/**
 * Asks before something is done, and resolves to whether it shall be; the escape key says no.
 *
 * @param {string} question
 * @param {Node[]} body
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
export function ask(question, body, yes, no) {
  const dialog = make('dialog', { 'aria-label': question });
  const end = (/** @type {string} */ answer) => button(answer, () => dialog.close(answer));
  dialog.append(make('h2', {}, question), ...body, make('p', { class: 'tools' }, end(no), end(yes)));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      done(dialog.returnValue === yes);
    });
  });
}

/**
 * A label above its control.
 *
 * @param {string} text
 * @param {HTMLElement} control
 */
export function field(text, control) {
  control.removeAttribute('aria-label');
  return make('label', { class: 'field' }, make('span', {}, text), control);
}

/**
 * A column of a table: its heading, what stands in it, and whether that is a number, the name of its row, or text of several lines.
 * @template Row
 * @typedef {{ title: string, cell: (row: Row) => Node | string, isNumber?: boolean, isName?: boolean, isText?: boolean }} Column
 */

/**
 * A table that scrolls within itself where the window is too narrow.
 *
 * @template Row
 * @param {string} caption
 * @param {Column<Row>[]} columns
 * @param {Row[]} rows
 */
export function table(caption, columns, rows) {
  const head = make('tr', {}, ...columns.map(({ title, isNumber }) => make('th', { scope: 'col', ...(isNumber ? { class: 'number' } : {}) }, title)));
  const body = rows.map((row) => make('tr', {}, ...columns.map(({ cell, isNumber, isName, isText }) => {
    const content = cell(row);
    if (isName) return make('th', { scope: 'row' }, content);
    return make('td', isNumber ? { class: 'number' } : isText ? { class: 'text' } : {}, content);
  })));
  return scrolling(caption, make('table', {}, make('caption', {}, caption), make('thead', {}, head), make('tbody', {}, ...body)));
}

/**
 * A region that scrolls by keys, too.
 *
 * @param {string} label
 * @param {Node} content
 */
export function scrolling(label, content) {
  return make('div', { class: 'scroll', role: 'region', tabindex: '0', 'aria-label': label }, content);
}

/**
 * What leads on where the files cannot be read: an undo, where there is one, and the files.
 *
 * @param {Context} context
 */
export function waysBack({ words, project, to, undo }) {
  const back = make('p', { class: 'tools' }, link(to('start'), words.translate('to_start'), { class: 'button' }));
  if (project.can_undo) back.prepend(button(words.translate('study_undo'), () => undo(), { class: 'primary', 'data-key': 'read-undo' }));
  return back;
}

/**
 * Label and value in pairs.
 *
 * @param {[label: string, value: Node | string][]} pairs
 */
export function facts(pairs) {
  return make('dl', { class: 'facts' }, ...pairs.map(([label, value]) => make('div', {}, make('dt', {}, label), make('dd', {}, value))));
}

/**
 * @param {Fault[]} faults
 * @param {(line: number) => void} [goTo] shows the line of the study
 */
export function faultList(faults, goTo) {
  return make('ul', { class: 'faults', ...ENGLISH }, ...faults.map((fault) => {
    const item = make('li', { class: fault.severity }, make('strong', {}, fault.message));
    const place = [fault.file, fault.line, fault.column].filter((part) => part !== null && part !== undefined && part !== '').join(':');
    const { line } = fault;
    if (place) item.append(' ', line && goTo ? button(place, () => goTo(line), { class: 'plain' }) : make('span', { class: 'quiet' }, place));
    if (fault.source) item.append(make('pre', {}, fault.source));
    if (fault.label) item.append(make('p', {}, fault.label));
    if (fault.help) item.append(make('p', { class: 'help' }, fault.help));
    return item;
  }));
}

/**
 * Where a diagnostic is, such as `moves.csv:12, column action: "A+9"`.
 *
 * @param {Diagnostic} diagnostic
 * @param {Translator} words
 */
export function placeOf({ file, row, column, value }, words) {
  const place = file ? `${file}${row ? `:${row}` : ''}` : '';
  const where = column ? words.translate('column_named', { column }) : '';
  const what = value ? `“${value}”` : '';
  return [place, where, what].filter(Boolean).join(', ');
}

const KEPT = '[data-key]';

/**
 * Replaces what stands in an element; the focus stays on what has the same key, and tables stay where they were scrolled to.
 *
 * @param {HTMLElement} place
 * @param {(Node | string)[]} children
 */
export function replace(place, ...children) {
  const active = document.activeElement instanceof HTMLElement && place.contains(document.activeElement) ? document.activeElement.closest(KEPT) : null;
  const key = active instanceof HTMLElement ? active.dataset.key : undefined;
  const scrolled = new Map(Array.from(place.querySelectorAll('.scroll'), (one) => [one.getAttribute('aria-label'), one.scrollLeft]));
  place.replaceChildren(...children);
  for (const one of place.querySelectorAll('.scroll')) one.scrollLeft = scrolled.get(one.getAttribute('aria-label')) ?? 0;
  if (key === undefined) return false;
  const again = Array.from(place.querySelectorAll(KEPT)).find((one) => one instanceof HTMLElement && one.dataset.key === key);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  return again !== undefined;
}
