// How the study reads the logs: the first rows with a menu over each column, and the share of rows that replay.

/** @import { ColumnEntry, Context, Edit, Frame, LogColumn, LogRow, Reading, UnusedRow, View } from './types.js' */
/** @import { Api } from './api.js' */

import { Refusal } from './api.js';
import { ENGLISH, faultList, field, link, make, menu, placeOf, scrolling, section, table, waysBack } from './dom.js';
import { duration, percent, withSession } from './format.js';
import { entryWith, eventsOf, questionsOf, stepsOf } from './read_answers.js';
import { Replay } from './replay.js';

/** So many rows are shown at first, and so many more at a time. */
const ROWS = 12;
/** A menu of a column: its choices begin with what they are. */
const [ROLE, PART] = ['role:', 'part:'];
/** Which files are shown, where they differ in their columns. */
const TABLE = 'table';
/** Signs of what becomes of a row, for eyes that do not read the word. @type {Record<string, string>} */
const SIGNS = { move: '✓', kept: '·', rejected: '✕', excluded: '✕', 'left-out': '–', unread: '✕' };

/**
 * @param {Api} api
 * @returns {View}
 */
export const showReading = (api) => async (context) => {
  const { words, route, signal } = context;
  const title = words.translate('read_title');
  const n = Number(route.query.get('rows')) || ROWS;
  /** @type {Reading} */
  let reading;
  try {
    reading = await api.get(`api/reading?first=0&n=${n}&table=${Number(route.query.get(TABLE)) || 0}`, signal);
  } catch (error) {
    if (!(error instanceof Refusal) || ![409, 422].includes(error.status)) throw error;
    const faults = error.faults.length ? faultList(error.faults) : '';
    return { title, body: [make('div', { class: 'error' }, make('p', {}, words.translate('unreadable', { reason: error.message })), faults), waysBack(context)] };
  }
  const error = reading.error ? [make('div', { class: 'error', role: 'alert' }, make('p', {}, words.translate('unreadable', { reason: reading.error })))] : [];
  const body = [shareOf(reading, context), accountOf(reading, context), ...error, questionsOf(api, reading, context), menusOf(api, reading, context, n), eventsOf(reading, context), stepsOf(reading, context)];
  if (reading.attempts.length) body.push(attemptsOf(reading, context));
  if (reading.unused.length) body.push(unusedOf(reading, context));
  if (reading.diagnostics.length) body.push(diagnosticsOf(reading, context));
  if (reading.notes.some(isReason)) body.push(notesOf(reading, context));
  body.push(make('p', { class: 'tools' }, link(context.to('check'), words.translate('go_on_check'), { class: 'button primary' })));
  return { title, body };
};

/**
 * @param {Reading} reading
 * @param {Context} context
 */
function shareOf(reading, { words }) {
  const share = percent(words, reading.share);
  const rows = words.translate('share_rows', { n: words.number(reading.n_moves), of: words.number(reading.n_moves + reading.n_unused) });
  const meter = make('progress', { max: '1', value: String(reading.share), 'aria-hidden': 'true', class: reading.share >= 0.9 ? 'share' : 'share is-low' });
  const facts = [
    words.pluralize('participants', reading.n_participants), words.pluralize('levels', reading.n_levels), words.pluralize('attempts', reading.n_attempts),
    words.pluralize('solved', reading.n_solved), duration(words, reading.seconds),
  ].join(' · ');
  return make('div', { class: 'share-box', role: 'status' }, make('p', { class: 'big', 'data-share': String(reading.share) }, share), make('div', {}, make('p', {}, rows), meter, make('p', { class: 'quiet' }, facts)));
}

/**
 * How the number of rows comes about: from those of the files to moves and all others, whose sum is seen.
 *
 * @param {Reading} reading
 * @param {Context} context
 */
function accountOf({ account }, { words }) {
  if (!account.n_files) return '';
  const { n_files, n_in_files, steps, n_read, parts } = account;
  const line = (/** @type {number} */ n, /** @type {string} */ text, /** @type {string} */ sign = '') => ({ n: `${sign}${words.number(n)}`, text });
  const lines = [line(n_in_files, words.translate('account_files', { files: words.pluralize('files', n_files) }))];
  for (const { step, n_in, n_out } of steps) {
    const change = n_out - n_in;
    const text = step === 'events' ? words.translate('account_ignored') : words.translate(change < 0 ? 'account_left_out' : 'account_made', { step });
    lines.push(line(Math.abs(change), text, change < 0 ? '− ' : '+ '));
  }
  lines.push(line(n_read, words.translate('account_read'), '= '));
  const sum = parts.map(({ key, n }) => words.pluralize(`account_${key}`, n)).join(' + ');
  const list = make('ul', { class: 'account' }, ...lines.map(({ n, text }) => make('li', {}, make('span', { class: 'number' }, n), ' ', text)));
  return section(words.translate('account'), list, make('p', { 'data-sum': String(n_read) }, `${words.number(n_read)} = ${sum}`));
}

/**
 * @param {Api} api
 * @param {Reading} reading
 * @param {Context} context
 * @param {number} n
 */
function menusOf(api, reading, context, n) {
  const { words, route } = context;
  const said = partsOf(route.query);
  const pending = reading.columns.filter(({ name, part }) => said.has(name) && !part);
  const first = make('th', { scope: 'col', class: 'outcome' }, words.translate('row'));
  const head = make('tr', {}, first, ...reading.columns.map((column) => columnHead(api, reading, column, said, context)));
  const body = reading.rows.map((row) => rowOf(row, reading, context));
  const grid = make('table', { class: 'log' }, make('caption', {}, firstRows(reading, context)), make('thead', {}, head), make('tbody', {}, ...body));
  /** @type {Node[]} */
  const parts = [make('p', { class: 'quiet' }, words.translate('menus_help'))];
  if (pending.length) {
    const list = pending.map(({ name }) => `${name} = ${named(words, 'part', said.get(name) ?? '')}`).join(', ');
    parts.push(make('p', { class: 'warning', role: 'status' }, words.translate('parts_pending', { parts: list })));
  }
  const right = saidParts(reading, said);
  const wrong = Array.from(right.keys()).filter((name) => right.get(name) !== said.get(name));
  if (wrong.length) {
    const list = wrong.map((name) => `${name} = ${named(words, 'part', right.get(name) ?? '')}`).join(', ');
    parts.push(make('p', { class: 'warning', role: 'status' }, words.translate('parts_otherwise', { parts: list })));
  }
  if (reading.spec.preset) parts.push(make('p', { class: 'quiet' }, words.translate('preset', { preset: reading.spec.preset })));
  if (reading.tables.length > 1) parts.push(filesMenu(reading, context));
  const more = (reading.n_rows ?? Infinity) > reading.rows.length && reading.rows.length >= n
    ? [make('p', {}, link(context.to('read', withRows(route.query, n * 4)), words.translate('more_rows')))] : [];
  return section(words.translate('columns'), ...parts, scrolling(words.translate('columns'), grid), ...more);
}

/**
 * @param {Reading} reading
 * @param {Context} context
 */
function firstRows({ rows, n_rows }, { words }) {
  const n = words.number(rows.length);
  return n_rows === null ? words.translate('first_rows_of_files', { n }) : words.translate('first_rows', { n, of: words.number(n_rows) });
}

/**
 * A menu of the files by their columns, where these differ.
 *
 * @param {Reading} reading
 * @param {Context} context
 */
function filesMenu({ tables, table: shown }, { words, route, go, to }) {
  const options = tables.map(({ files, n_files, n_columns }, index) => {
    const names = n_files > files.length ? [...files, words.pluralize('more_files', n_files - files.length)] : files;
    return /** @type {[string, string]} */ ([String(index), `${names.join(', ')} (${words.pluralize('columns', n_columns)})`]);
  });
  const choose = (/** @type {string} */ chosen) => {
    const next = new URLSearchParams(route.query);
    next.set(TABLE, chosen);
    go(to('read', next), true);
  };
  return field(words.translate('files_differ', { n: words.number(tables.length) }), menu('files', '', options, String(shown), choose));
}

/**
 * @param {URLSearchParams} query
 * @param {number} n
 */
function withRows(query, n) {
  const next = new URLSearchParams(query);
  next.set('rows', String(Math.min(n, 200)));
  return next;
}

/** Which part of a move each column was said to be, by columns. @param {URLSearchParams} query */
const partsOf = (query) => new Map(Array.from(query).filter(([key]) => key.startsWith(PART)).map(([key, part]) => [key.slice(PART.length), part]));

/**
 * The parts of a move as they were said; where replay found both ends of a move the other way round, as it found them.
 *
 * @param {Reading} reading
 * @param {Map<string, string>} said by columns
 */
function saidParts({ spec }, said) {
  const action = spec.columns.action ?? '';
  const place = (/** @type {string} */ name) => Math.max(action.indexOf(`{${name}}`), action.indexOf(`{\`${name}\`}`));
  const ends = Array.from(said).filter(([name, part]) => ['from', 'to'].includes(part) && place(name) >= 0);
  const [first, second, third] = ends.map(([name]) => name).sort((left, right) => place(left) - place(right));
  if (first === undefined || second === undefined || third !== undefined) return said;
  return new Map([...said, [first, 'from'], [second, 'to']]);
}

/**
 * @param {Api} api
 * @param {Reading} reading
 * @param {LogColumn} column
 * @param {Map<string, string>} said which part of a move each column was said to be
 * @param {Context} context
 */
function columnHead(api, reading, column, said, context) {
  const { words } = context;
  const part = saidParts(reading, said).get(column.name) ?? column.part ?? null;
  /** @type {[string, string][]} */
  const options = column.role && !column.leave_out ? [] : [['', words.translate(column.is_used && !column.role ? 'column_used' : 'leave_out')]];
  for (const { key } of reading.roles) options.push([ROLE + key, named(words, 'role', key)]);
  for (const key of reading.part_keys ?? []) options.push([PART + key, words.translate('part_of_move', { part: named(words, 'part', key) })]);
  const value = said.has(column.name) || !column.role ? (part ? PART + part : '') : ROLE + column.role;
  const choose = (/** @type {string} */ chosen) => changeColumn(api, reading, column, chosen, context);
  const select = menu(`column ${column.name}`, words.translate('meaning_of', { column: column.name }), options, value, choose);
  const head = make('th', { scope: 'col' }, make('span', { class: 'column-name' }, column.name), select);
  const units = reading.roles.find(({ key }) => key === column.role)?.units ?? [];
  const { role } = column;
  if (role && units.length) {
    const setUnit = (/** @type {string} */ unit) => context.edit([{ path: ['columns', role], value: changedEntry(reading.spec.entries[role], column.name, { unit }) }]);
    head.append(menu(`unit ${column.name}`, words.translate('unit_of', { column: column.name }), units.map((one) => [one, one]), column.unit ?? units[0] ?? '', setUnit));
  }
  const note = role ? reading.notes.find(({ entry }) => entry === role || entry === `columns.${role}`) : undefined;
  if (role && column.source !== 'study' && !column.leave_out) head.append(make('span', { class: 'help' }, words.translate(`stays_by_${column.source}`)));
  head.append(make('span', note ? { class: `badge is-${note.certainty}`, title: note.reason } : { class: 'badge' }, note ? words.translate(`certainty_${note.certainty}`) : ''));
  return head;
}

/**
 * What a meaning is read from with another setting of one column, or without that column; all else in it stays.
 *
 * @param {ColumnEntry | undefined} entry
 * @param {string} name
 * @param {{ unit: string } | null} change
 * @returns {ColumnEntry | null} null where nothing is left
 */
export function changedEntry(entry, name, change) {
  if (Array.isArray(entry)) {
    const others = entry.flatMap((one) => (isOf(one, name) ? changedEntry(one, name, change) ?? [] : [one]));
    return others.length > 1 ? others : others[0] ?? null;
  }
  if (!change) return null;
  return typeof entry === 'object' ? { ...entry, ...change } : { column: name, ...change };
}

/** Whether an entry reads this column. @param {ColumnEntry} entry @param {string} name */
const isOf = (entry, name) => (typeof entry === 'object' && !Array.isArray(entry) ? entry.column : entry) === name;

/**
 * The name of a role or part in words, or itself where it is new to this page.
 *
 * @param {Context['words']} words
 * @param {string} kind
 * @param {string} key
 */
function named(words, kind, key) {
  const text = words.translate(`${kind}_${key}`);
  return text === `${kind}_${key}` ? key : text;
}

/**
 * Changes the study so that a column means what was chosen.
 *
 * @param {Api} api
 * @param {Reading} reading
 * @param {LogColumn} column
 * @param {string} chosen
 * @param {Context} context
 */
async function changeColumn(api, reading, column, chosen, context) {
  const { route, act, go, to } = context;
  const parts = partsOf(route.query);
  parts.delete(column.name);
  const old = column.role;
  /** @type {Edit[]} */
  const edits = !old || column.source === 'name' && chosen ? []
    : column.source === 'study' && chosen ? [{ path: ['columns', old], value: changedEntry(reading.spec.entries[old], column.name, null) }]
      : Array.from(column.leave_out ?? []);
  // What events mean is said of the values of their column.
  if (old === 'event' && !chosen && column.leave_out) edits.push({ path: ['log', 'events'], value: null });
  if (chosen.startsWith(PART)) {
    parts.set(column.name, chosen.slice(PART.length));
    for (const other of reading.columns) if (other.part && !parts.has(other.name)) parts.set(other.name, other.part);
    // What it meant before stays until there are moves: a study that makes none cannot be read.
    const hasMoves = await makeMoves(api, Array.from(parts.keys()), act);
    if (hasMoves && old && old !== 'action') await context.edit(edits);
    go(to('read', withParts(route.query, parts)), true);
    return;
  }
  if (column.part) edits.push({ path: ['columns', 'action'], value: null });
  if (chosen) {
    const role = chosen.slice(ROLE.length);
    edits.push({ path: ['columns', role], value: entryWith(reading, role, column.name) });
  }
  if (partsOf(route.query).has(column.name)) go(to('read', withParts(route.query, parts)), true);
  if (edits.length) await context.edit(edits);
}

/**
 * Has moves made of these columns; nothing where they do not suffice, which is no error while the others are still to be chosen.
 *
 * @param {Api} api
 * @param {string[]} names
 * @param {Context['act']} act
 * @returns {Promise<boolean>} whether there are moves now
 */
async function makeMoves(api, names, act) {
  let isPossible = true;
  const isHeard = await act(async (seen) => {
    try {
      return await api.post('api/parts', { parts: Object.fromEntries(names.map((name) => [name, name])), seen });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 422) throw error;
      isPossible = false;
      return null;
    }
  });
  return isHeard && isPossible;
}

/**
 * @param {URLSearchParams} query
 * @param {Map<string, string>} parts by columns
 */
function withParts(query, parts) {
  const next = new URLSearchParams(Array.from(query).filter(([key]) => !key.startsWith(PART)));
  for (const [name, part] of parts) next.set(PART + name, part);
  return next;
}

/**
 * @param {LogRow} row
 * @param {Reading} reading
 * @param {Context} context
 */
function rowOf(row, reading, { words }) {
  const text = `${SIGNS[row.outcome] ?? ''} ${words.translate(`outcome_${row.outcome}`)}`;
  const about = make('th', { scope: 'row', class: `outcome is-${row.outcome}` }, make('span', { class: 'quiet', title: row.file }, String(row.line)), ' ', text);
  if (row.reason) about.append(make('span', { class: 'reason', ...ENGLISH }, row.reason));
  return make('tr', {}, about, ...reading.columns.map((column, index) => {
    const cell = row.cells[index];
    return make('td', column.role || column.part || column.is_used ? {} : { class: 'unused' }, cell ?? make('span', { class: 'quiet' }, '–'));
  }));
}

/**
 * @param {Reading} reading
 * @param {Context} context
 */
function attemptsOf(reading, { words, signal }) {
  const boards = reading.attempts.map(({ participant, session, level, attempt, board, frames }) => {
    const label = words.translate('attempt_of', { participant, level: withSession(level, session), attempt: words.number(attempt) });
    return make('li', {}, make('h3', {}, label), new Replay(words, board, timed(frames), { label, signal }).element);
  });
  return section(words.translate('first_attempts'), make('ul', { class: 'cards boards' }, ...boards));
}

/**
 * Frames with the time since the start instead of that since the move before.
 *
 * @param {Frame[]} frames
 */
function timed(frames) {
  let time = 0;
  return frames.map((frame) => {
    time += frame.time_s ?? 0;
    return { ...frame, time_s: frame.time_s === null ? null : time };
  });
}

/**
 * @param {Reading} reading
 * @param {Context} context
 */
function unusedOf(reading, { words }) {
  const t = (/** @type {string} */ name) => words.translate(name);
  const caption = words.translate('n_of_rows', { n: words.number(reading.unused.length), of: words.pluralize('rows', reading.n_left_over) });
  return section(t('unused'), table(caption, [
    { title: t('row'), isName: true, cell: (/** @type {UnusedRow} */ { file, row }) => `${file}:${row}` },
    { title: t('head_participant'), cell: ({ participant }) => participant ?? '–' },
    { title: t('head_level'), cell: ({ level }) => level ?? '–' },
    { title: t('value'), cell: ({ column, value }) => (column ? make('span', {}, make('span', { class: 'quiet' }, words.translate('labelled', { label: column, value: '' })), make('code', {}, value ?? '–')) : '–') },
    { title: t('reason'), isText: true, cell: ({ rule, fix }) => make('span', ENGLISH, rule ?? '', ...(fix ? [make('span', { class: 'help' }, fix)] : [])) },
  ], reading.unused));
}

/**
 * @param {Reading} reading
 * @param {Context} context
 */
function diagnosticsOf(reading, { words }) {
  const list = reading.diagnostics.map((one) => make('li', { class: one.consequence === 'rejected' ? 'error' : 'warning' },
    make('strong', {}, `${words.number(one.n)} × ${one.code}`), ` ${placeOf(one, words)}`, ...(one.rule ? [make('p', ENGLISH, one.rule)] : []), ...(one.fix ? [make('p', { class: 'help', ...ENGLISH }, one.fix)] : [])));
  return section(words.translate('diagnostics'), make('ul', { class: 'faults' }, ...list));
}

/** Questions stand by themselves. @param {Reading['notes'][number]} note */
const isReason = ({ certainty }) => certainty !== 'ask';

/**
 * @param {Reading} reading
 * @param {Context} context
 */
function notesOf(reading, { words }) {
  const list = reading.notes.filter(isReason).map(({ entry, certainty, reason }) => make('li', {},
    make('code', {}, entry), ' ', make('span', { class: `badge is-${certainty}` }, words.translate(`certainty_${certainty}`)), ' ', make('span', ENGLISH, reason)));
  return section(words.translate('notes'), make('ul', { class: 'notes' }, ...list));
}
