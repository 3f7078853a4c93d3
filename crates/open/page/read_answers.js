// What only somebody who knows the experiment can say: the questions of a proposal, what events mean, and which steps are taken.

/** @import { ColumnEntry, Context, Edit, LogColumn, Reading } from './types.js' */
/** @import { Api } from './api.js' */

import { ENGLISH, button, field, make, menu, section, table } from './dom.js';

/**
 * The questions of a proposal, each with what answers it.
 *
 * @param {Api} api
 * @param {Reading} reading
 * @param {Context} context
 */
export function questionsOf(api, reading, context) {
  const { words } = context;
  const questions = reading.notes.filter(({ certainty }) => certainty === 'ask');
  if (!questions.length) return '';
  const list = questions.map(({ entry, reason }) => {
    const right = button(words.translate('right_so'), () => context.act((seen) => api.post('api/edit', { edits: [], confirmed: entry, seen })), { 'data-key': `right ${entry}`, 'aria-label': `${entry}: ${words.translate('right_so')}` });
    return make('li', { 'data-question': entry }, make('p', {}, make('code', {}, entry), ' ', make('span', ENGLISH, reason)), make('p', { class: 'tools end' }, ...answersTo(entry, reading, context), right));
  });
  return section(words.translate('questions'), make('p', { class: 'quiet' }, words.translate('questions_help')), make('ul', { class: 'findings' }, ...list));
}

/**
 * Controls that give the entry of a question another value.
 *
 * @param {string} entry
 * @param {Reading} reading
 * @param {Context} context
 * @returns {(Node | string)[]}
 */
function answersTo(entry, reading, context) {
  const { words, project, edit } = context;
  const [section_ = '', key = '', ...rest] = entry.split('.');
  const label = words.translate('answer_to', { entry });
  const choose = (/** @type {[string, string][]} */ options, /** @type {string} */ value, /** @type {string[]} */ path) => [
    menu(`answer ${entry}`, label, options, value, (chosen) => edit([{ path, value: chosen }])),
  ];
  const same = (/** @type {string} */ name) => /** @type {[string, string]} */ ([name, name]);
  if (section_ === 'columns') return [columnMenu(entry, key, reading, context), ...unitMenus(entry, key, reading, context)];
  if (entry.startsWith('log.events.')) {
    const value = rest.join('.');
    return [eventMenu(`answer ${entry}`, value, reading.events.find((one) => one.value === value)?.meaning ?? '', reading, context)];
  }
  if (entry === 'levels.game') return choose(project.games.map(same), project.game ?? '', ['levels', 'game']);
  if (entry === 'log.table') return choose(reading.table_names.map(same), reading.spec.table ?? '', ['log', 'table']);
  // Where no column names people, the paths of the files do.
  if (entry === 'log.path') return [columnMenu(entry, 'participant', reading, context, [{ path: ['log', 'path'], value: null }])];
  return reading.spec.steps.flatMap(({ name }, place) => (section_ === 'log' && name === key ? withoutStep(reading, place, context) : []));
}

/**
 * A menu of all columns for one meaning.
 *
 * @param {string} entry
 * @param {string} role
 * @param {Reading} reading
 * @param {Context} context
 * @param {Edit[]} more what else a choice changes
 */
function columnMenu(entry, role, reading, { words, edit }, more = []) {
  const known = reading.spec.entries[role];
  const column = known === undefined ? ownNames(reading, role)[0] ?? '' : columnOf(known) ?? '';
  const as = column ? words.translate('no_column') : reading.spec.columns[role] ?? words.translate('no_column');
  /** @type {[string, string][]} */
  const options = [['', as], ...reading.all_columns.map((name) => /** @type {[string, string]} */ ([name, name]))];
  const choose = (/** @type {string} */ name) => edit([{ path: ['columns', role], value: name ? entryWith(reading, role, name) : null }, ...more]);
  return field(words.translate('column_for', { role: words.translate(`role_${role}`) }), menu(`answer ${entry}`, '', options, column, choose));
}

/**
 * @param {string} entry
 * @param {string} role
 * @param {Reading} reading
 * @param {Context} context
 */
function unitMenus(entry, role, reading, { words, edit }) {
  const units = reading.roles.find(({ key }) => key === role)?.units ?? [];
  const known = reading.spec.entries[role];
  const column = known === undefined ? ownNames(reading, role)[0] : columnOf(known);
  if (!units.length || !column) return [];
  const unit = typeof known === 'object' && !Array.isArray(known) ? known.unit : undefined;
  const choose = (/** @type {string} */ chosen) => edit([{ path: ['columns', role], value: { ...(typeof known === 'object' ? known : {}), column, unit: chosen } }]);
  return [field(words.translate('unit_of', { column }), menu(`answer unit ${entry}`, '', units.map((one) => [one, one]), unit ?? units[0] ?? '', choose))];
}

/** The column that an entry reads; nothing where it is a list, a value or made of several. @param {ColumnEntry} entry */
const columnOf = (entry) => (typeof entry === 'string' ? entry : Array.isArray(entry) ? undefined : entry.column);

/** The column that is called as a meaning, where there is one. @param {Reading} reading @param {string} role */
const ownNames = ({ roles, all_columns }, role) => roles.filter(({ key, name }) => key === role && all_columns.includes(name)).map(({ name }) => name);

/**
 * What a meaning is read from when it is read from this column: where it has others in files that are not shown, these stay.
 *
 * @param {Reading} reading
 * @param {string} role
 * @param {string} name
 * @returns {ColumnEntry}
 */
export function entryWith(reading, role, name) {
  const unit = likelyUnit(reading, role, name);
  const fresh = unit ? { column: name, unit } : name;
  const shown = new Set(reading.columns.map((column) => column.name));
  // What is called as a meaning is read as such.
  const known = reading.spec.entries[role] ?? ownNames(reading, role);
  const others = (Array.isArray(known) ? known : [known]).filter((one) => {
    const column = columnOf(one);
    return column !== undefined && column !== name && !shown.has(column) && reading.all_columns.includes(column);
  });
  return others.length ? [...others, fresh] : fresh;
}

/**
 * The unit in which a column is read for a meaning: what its numbers are like, or, where they are not shown, that of the column
 * before it; it can be chosen, so this only saves a step.
 *
 * @param {Reading} reading
 * @param {string} role
 * @param {string} name
 */
function likelyUnit(reading, role, name) {
  const units = reading.roles.find(({ key }) => key === role)?.units ?? [];
  const column = reading.columns.find((one) => one.name === name);
  if (column) return units.includes('ms') && looksLikeMilliseconds(column) ? 'ms' : null;
  const known = reading.spec.entries[role];
  return typeof known === 'object' && !Array.isArray(known) ? known.unit : null;
}

/** Whether the numbers of a column are more like milliseconds. @param {LogColumn} column */
function looksLikeMilliseconds({ name, examples }) {
  if (/(^|[^a-z])(ms|msec|millis)/i.test(name)) return true;
  const numbers = examples.map(Number).filter((one) => one > 0);
  return numbers.length > 0 && numbers.every((one) => Number.isInteger(one) && one >= 100);
}

/**
 * @param {string} key
 * @param {string} value
 * @param {string} meaning
 * @param {Reading} reading
 * @param {Context} context
 */
function eventMenu(key, value, meaning, reading, { words, edit }) {
  const name = (/** @type {string} */ event) => words.translate(`event_${event}`);
  /** @type {[string, string][]} */
  const options = reading.event_names.map((event) => [event, name(event)]);
  if (!meaning) options.unshift(['', words.translate('event_unknown')]);
  return menu(key, words.translate('meaning_of_event', { value }), options, meaning, (event) => { if (event) edit([{ path: ['log', 'events', value], value: event }]); });
}

/**
 * The values of the column of events, with a menu for each.
 *
 * @param {Reading} reading
 * @param {Context} context
 */
export function eventsOf(reading, context) {
  const { words } = context;
  if (!reading.events.length) return '';
  return section(words.translate('events'), table(words.translate('events_help'), [
    { title: words.translate('value'), isName: true, cell: (/** @type {Reading['events'][number]} */ { value }) => make('code', {}, value) },
    { title: words.translate('meaning'), cell: ({ value, meaning }) => eventMenu(`event ${value}`, value, meaning ?? '', reading, context) },
  ], reading.events));
}

/**
 * A button that takes a step out of the study; nothing where a preset has it.
 *
 * @param {Reading} reading
 * @param {number} place
 * @param {Context} context
 */
function withoutStep({ spec }, place, { words, edit }) {
  const { text = '' } = spec.steps[place] ?? {};
  if (!spec.has_own_steps) return [];
  const label = words.translate('leave_step_out', { n: place + 1 });
  return [button(label, () => edit([{ path: ['log', 'steps', String(place)], value: null }]), { 'data-key': `step ${place}`, 'aria-label': `${label}: ${text}` })];
}

/**
 * The steps that are taken before columns are read.
 *
 * @param {Reading} reading
 * @param {Context} context
 */
export function stepsOf(reading, context) {
  const { words } = context;
  const { steps } = reading.spec;
  if (!steps.length) return '';
  return section(words.translate('steps_of_study'), make('ol', { class: 'findings' }, ...steps.map(({ text }, place) => make('li', { class: 'row' }, make('code', {}, text), ...withoutStep(reading, place, context)))));
}
