// The run of the study: progress, the report in the page, and what has changed since the last run.

/** @import { Context, Result, Task, View } from './types.js' */
/** @import { Api } from './api.js' */

import { stageOf } from './api.js';
import { button, facts, link, make, section, table } from './dom.js';
import { NONE, number } from './format.js';

/** What is told of a run. */
const SUMMARY = ['n_levels', 'n_states', 'n_participants', 'n_files'];

/**
 * @param {Api} api
 * @returns {View}
 */
export const showRun = (api) => async (context) => {
  const { words, signal, project } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  /** @type {Result} */
  const result = await api.get('api/result', signal);
  /** @type {Node[]} */
  const body = [beginSection(context, result)];
  if (result.failed.length) body.push(failedSection(result, context));
  if (result.has) {
    const report = make('iframe', { src: result.report, title: t('report'), class: 'report' });
    const open = reportLink(result.report, t('report_tab'));
    if (result.changes_error) body.push(make('p', { class: 'warning' }, result.changes_error));
    if (result.changes) body.push(changesSection(result.changes, context));
    body.push(section(t('report'), make('p', { class: 'tools' }, open, link(context.to('explore'), t('go_on_explore')), link(context.to('take'), t('go_on_take'))), report));
  } else if (project.faults.some(({ severity }) => severity === 'error')) {
    body.push(make('p', { class: 'warning' }, t('run_faults')));
  }
  return { title: t('run_title'), body };
};

/**
 * @param {Context} context
 * @param {Result} result
 */
function beginSection(context, result) {
  const { words } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  const run = button(t('run'), () => context.startTask('api/run', { fast: false }), { class: 'primary', 'data-key': 'run' });
  const fast = button(t('run_fast'), () => context.startTask('api/run', { fast: true }), { 'data-key': 'run-fast' });
  const stop = button(t('stop'), () => context.stop(), { 'data-key': 'run-stop' });
  const bar = make('progress', { 'aria-label': t('task_run') });
  const stage = make('p');
  const progress = make('div', { class: 'task wide' }, bar, stage, stop);
  // Its height is kept, so that the report stays where it is when a run begins and ends.
  const room = make('div', { class: 'run-progress' }, progress);
  context.onTask((/** @type {Task} */ task) => {
    const isRunning = task.state === 'running' && task.kind === 'run';
    progress.classList.toggle('is-idle', !isRunning);
    for (const one of [run, fast]) one.setAttribute('aria-disabled', String(task.state === 'running'));
    if (task.total) Object.assign(bar, { max: task.total, value: task.done });
    else bar.removeAttribute('value');
    stage.textContent = isRunning ? [stageOf(task, words), task.total ? `${task.done} / ${task.total}` : ''].filter(Boolean).join(' · ') : '';
  });
  const state = !result.has ? t('run_none') : t(result.is_current ? 'run_current' : 'run_outdated');
  const told = SUMMARY.filter((key) => typeof result.summary?.[key] === 'number');
  const summary = result.has && told.length ? [facts(told.map((key) => [t(`count_${key}`), number(words, Number(result.summary?.[key]))]))] : [];
  const status = make('p', { class: result.has && !result.is_current ? 'warning' : 'quiet' }, state);
  const warnings = [];
  if (result.interrupted) warnings.push(make('p', { class: 'warning', role: 'status' }, t(`interrupted_${result.interrupted}`)));
  if (result.is_preview) warnings.push(make('p', { class: 'warning' }, t('is_preview'), ...(result.whole ? [' ', t('preview_whole'), ' ', reportLink(result.whole, t('report_whole'))] : [])));
  return make('div', { class: 'stack' }, ...warnings, make('div', { class: 'tools' }, run, fast), make('p', { class: 'quiet' }, t('run_fast_help')), room, status, ...summary);
}

/**
 * @param {string} address
 * @param {string} text
 */
const reportLink = (address, text) => link(address, text, { target: '_blank', rel: 'noopener' });

/**
 * @param {Result} result
 * @param {Context} context
 */
function failedSection({ failed }, { words }) {
  const items = failed.map(({ kind, name, reason, remedy }) => make('li', { class: 'warning' }, make('strong', {}, `${kind} ${name}`), ` ${reason}`, ...(remedy ? [make('p', { class: 'help' }, remedy)] : [])));
  return section(words.translate('failed_parts'), make('ul', { class: 'faults' }, ...items));
}

/**
 * @param {NonNullable<Result['changes']>} changes
 * @param {Context} context
 */
function changesSection(changes, { words }) {
  const t = (/** @type {string} */ name) => words.translate(name);
  const caption = words.translate('changes_caption', { n: words.number(changes.rows.length), of: words.number(changes.n) });
  const rows = changes.rows.length ? [make('details', {}, make('summary', {}, caption), table(caption, [
    { title: t('table'), isName: true, cell: (/** @type {typeof changes.rows[number]} */ { table: of, what }) => of ?? what },
    { title: t('column'), cell: ({ name }) => name ?? NONE },
    { title: t('changed_cells'), isNumber: true, cell: ({ n_differ }) => number(words, n_differ) },
    { title: t('before'), isNumber: true, cell: ({ before }) => before ?? NONE },
    { title: t('after'), isNumber: true, cell: ({ after }) => after ?? NONE },
  ], changes.rows))] : [];
  return section(t('changes'), make('p', {}, changes.text || t('no_changes')), ...rows);
}
