// All trials under the filters, and the table of trials that other parts show.

/** @import { Context, TrialRow } from './types.js' */
/** @import { Part } from './explore.js' */

import { link, table } from './dom.js';
import { NONE, duration, number, percent, withSession, yesNo } from './format.js';
import { filtersOf, rowsLine, tableLinks, withFilters } from './filters.js';

/** @type {Part} */
export async function showTrials({ api, context, whole }) {
  const { words, route, signal } = context;
  const filters = filtersOf(route.query);
  /** @type {{ n: number, n_rows: number, rows: TrialRow[] }} */
  const { n, n_rows, rows } = await api.get(`api/explore/trials?${filters}`, signal);
  const caption = words.translate('n_of_trials', { n: words.number(n), of: words.number(whole.n_trials) });
  return {
    title: words.translate('tab_trials'),
    body: [rowsLine(words, n_rows, whole.n_rows), trialTable(context, caption, rows), tableLinks(words, 'trials', filters, n)],
  };
}

/**
 * Trials with links to each.
 *
 * @param {Context} context
 * @param {string} caption
 * @param {TrialRow[]} rows
 * @param {string} without a column that is the same in all rows
 */
export function trialTable({ words, route, to }, caption, rows, without = '') {
  const t = (/** @type {string} */ name) => words.translate(name);
  const at = (/** @type {TrialRow} */ { participant, session, level }) => to('explore/trial', withFilters(route.query, { participant, session, level }));
  const name = (/** @type {TrialRow} */ row) => withSession([row.participant, row.level].filter((_, index) => (index ? 'level' : 'participant') !== without).join(' · '), row.session);
  return table(caption, [
    { title: t(without === 'participant' ? 'head_level' : without === 'level' ? 'head_participant' : 'trial'), isName: true, cell: (/** @type {TrialRow} */ row) => link(at(row), name(row)) },
    { title: t('head_condition'), cell: ({ condition }) => condition ?? NONE },
    { title: t('head_trial'), isNumber: true, cell: ({ trial }) => number(words, trial) },
    { title: t('solved'), cell: ({ solved }) => yesNo(words, solved) },
    { title: t('attempts'), isNumber: true, cell: ({ n_attempts }) => number(words, n_attempts) },
    { title: t('moves'), isNumber: true, cell: ({ n_moves }) => number(words, n_moves) },
    { title: t('head_optimal'), isNumber: true, cell: ({ optimal }) => number(words, optimal) },
    { title: t('time'), isNumber: true, cell: ({ time_s }) => duration(words, time_s) },
    { title: t('optimal_share'), isNumber: true, cell: ({ share_optimal }) => percent(words, share_optimal) },
    { title: t('mean_regret'), isNumber: true, cell: ({ mean_regret }) => number(words, mean_regret) },
  ], rows);
}
