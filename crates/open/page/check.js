// What the doctor says: how many rows can be used, what is odd in the data, and what can be done about each.

/** @import { Anomaly, CheckAnswer, Context, Diagnostic, Remedy, View } from './types.js' */
/** @import { Api } from './api.js' */

import { Refusal } from './api.js';
import { drawingOf } from './explore_figures.js';
import { ENGLISH, button, facts, faultList, link, make, placeOf, section, waysBack } from './dom.js';

const COUNTS = ['in_files', 'left_out_before', 'made_before', 'read', 'accepted', 'rejected', 'excluded', 'left_out', 'replayed'];
const TOTALS = ['n_participants', 'n_trials', 'n_solved', 'n_attempts', 'n_illegal'];

/**
 * @param {Api} api
 * @returns {View}
 */
export const showCheck = (api) => async (context) => {
  const { words, signal, to } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  const title = t('check_title');
  /** @type {CheckAnswer} */
  let found;
  try {
    found = await api.get('api/check', signal);
  } catch (error) {
    if (!(error instanceof Refusal) || ![409, 422].includes(error.status)) throw error;
    return { title, body: [refusalBox(error, context)] };
  }
  const numbers = (/** @type {string[]} */ keys, /** @type {Record<string, number>} */ of) => facts(keys.filter((key) => key in of).map((key) => [t(`count_${key}`), words.number(of[key] ?? 0)]));
  /** What steps and events change, where they do. @type {Record<string, number>} */
  const before = {};
  if (found.n_left_out_before) before.left_out_before = found.n_left_out_before;
  if (found.n_made_before) before.made_before = found.n_made_before;
  /** @type {Node[]} */
  const body = [numbers(TOTALS, found.totals), numbers(COUNTS, { in_files: found.n_in_files, ...before, ...found.counts })];
  if (context.project.faults.length) body.push(section(t('faults'), faultList(context.project.faults)));
  if (found.levels.length) body.push(section(t('levels'), make('ul', { class: 'findings', ...ENGLISH }, ...found.levels.map((one) => make('li', {}, one)))));
  body.push(anomaliesOf(found, context));
  if (found.diagnostics.length) body.push(section(t('diagnostics'), make('ul', { class: 'findings' }, ...found.diagnostics.map((one) => diagnosticOf(one, context)))));
  body.push(selectionsOf(found, context));
  body.push(make('p', { class: 'tools' }, link(to('run'), t('go_on_run'), { class: 'button primary' })));
  return { title, body };
};

/**
 * Says why there is nothing yet: what was played is being read, or cannot be.
 *
 * @param {Refusal} error
 * @param {Context} context
 */
export function refusalBox({ answer, faults, message }, context) {
  const { words } = context;
  if (answer.message?.key === 'being_read') return make('div', { class: 'waiting', role: 'status' }, make('p', {}, words.translate('play_reading')));
  return make('div', { class: 'error' }, make('p', {}, words.translate('unreadable', { reason: message })), faultList(faults), waysBack(context));
}

/**
 * @param {CheckAnswer} found
 * @param {Context} context
 */
function anomaliesOf({ anomalies }, context) {
  const { words } = context;
  const title = words.translate('anomalies');
  if (!anomalies.length) return section(title, make('p', { class: 'good' }, `✓ ${words.translate('no_anomalies')}`));
  return section(title, make('ul', { class: 'findings' }, ...anomalies.map((one) => anomalyOf(one, context))));
}

/**
 * @param {Anomaly} anomaly
 * @param {Context} context
 */
function anomalyOf({ code, message, advice, n_trials, n_participants, first, remedies }, context) {
  const { words } = context;
  const who = [words.pluralize('participants', n_participants), words.pluralize('trials', n_trials)].join(' · ');
  const item = make('li', {}, make('h3', ENGLISH, message), make('p', {}, make('strong', {}, who), ' ', make('span', { class: 'quiet' }, code)));
  if (first.length) item.append(make('details', {}, make('summary', {}, words.translate('where')), make('ul', {}, ...first.map((one) => make('li', {}, one)))));
  if (advice) item.append(make('p', ENGLISH, advice));
  item.append(remedyButtons(remedies, `${code} ${message}`, context));
  return item;
}

/**
 * @param {Diagnostic} diagnostic
 * @param {Context} context
 */
function diagnosticOf(diagnostic, context) {
  const { words } = context;
  const { code, n, consequence, rule, fix, remedies = [] } = diagnostic;
  const item = make('li', {}, make('h3', {}, words.translate('diagnostic_rows', { n: words.number(n), consequence: words.translate(`outcome_${consequence.replace('_', '-')}`), code })));
  const place = placeOf(diagnostic, words);
  if (place) item.append(make('p', { class: 'quiet' }, words.translate('first_at', { place })));
  if (rule) item.append(make('p', ENGLISH, rule));
  if (fix) item.append(make('p', { class: 'help', ...ENGLISH }, fix));
  item.append(remedyButtons(remedies, code, context));
  return item;
}

/**
 * @param {Remedy[]} remedies
 * @param {string} key
 * @param {Context} context
 */
function remedyButtons(remedies, key, context) {
  if (!remedies.length) return '';
  return make('p', { class: 'tools' }, ...remedies.map(({ key: name, edits }) => {
    const text = context.words.translate(`remedy_${name.replace(/-/g, '_')}`, { value: edits[0]?.path.at(-1) ?? '' });
    return button(text, () => context.edit(edits), { 'data-key': `${key} ${name}` });
  }));
}

/**
 * @param {CheckAnswer} found
 * @param {Context} context
 */
function selectionsOf({ selections }, context) {
  const { words } = context;
  const children = [];
  if (selections.length) {
    children.push(make('ul', { class: 'findings' }, ...selections.map(({ kind, of, condition, reason, n_rows, n_trials, n_participants, index }) => {
      const counts = [words.pluralize('rows', n_rows), words.pluralize('trials', n_trials), words.pluralize('participants', n_participants)].join(' · ');
      const remove = button(words.translate('remove'), () => context.edit([{ path: [kind, String(index)], value: null }]), { 'data-key': `selection ${kind} ${index}`, 'aria-label': `${words.translate('remove')}: ${condition}` });
      return make('li', { class: 'row' }, make('div', {}, make('strong', {}, words.translate(`selection_${kind}`)), ' ', make('code', {}, `${of}: ${condition}`), make('p', {}, reason), make('p', { class: 'quiet' }, words.translate('leaves_out', { counts }))), remove);
    })));
  } else children.push(make('p', {}, words.translate('no_selections')));
  const picture = make('img', { alt: words.translate('flow'), class: 'figure' });
  picture.addEventListener('error', () => picture.remove());
  children.push(make('figure', { class: 'room' }, make('figcaption', {}, words.translate('flow')), drawingOf(new URLSearchParams({ kind: 'participant-flow' }), picture)));
  return section(words.translate('selections'), ...children);
}
