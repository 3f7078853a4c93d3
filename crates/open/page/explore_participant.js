// A participant: measures among those of others, all trials, and the moves that cost most.

/** @import { ParticipantAnswer } from './types.js' */
/** @import { Part } from './explore.js' */

import { link, make, section, table } from './dom.js';
import { measure, number, unitOf, range } from './format.js';
import { strip } from './charts.js';
import { figureOf } from './explore_figures.js';
import { still } from './replay.js';
import { filtersOf, rowsLine, tableLinks, withFilters, withParameter, withoutParameter } from './filters.js';
import { trialTable } from './explore_trials.js';

/** @typedef {ParticipantAnswer['measures'][number]} Measure */

/** @type {Part} */
export async function showParticipant({ api, context, whole }) {
  const { words, route, signal, to } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  const participant = route.query.get('participant') ?? '';
  const query = withParameter(filtersOf(route.query), 'participant', participant);
  const filters = withoutParameter(filtersOf(route.query), 'participant');
  /** @type {ParticipantAnswer} */
  const answer = await api.get(`api/explore/participant?${withParameter(filters, 'name', participant)}`, signal);
  const measures = section(t('among_others'), table(t('strip_help'), [
    { title: t('measure'), isName: true, cell: (/** @type {Measure} */ one) => make('span', {}, t(`measure_${one.key}`), make('span', { class: 'help' }, overOf(words, one, answer.trials.length))) },
    { title: participant, isNumber: true, cell: ({ key, value, unit }) => measure(words, value, unitOf(key, unit)) },
    { title: t('rank'), cell: (one) => rankOf(words, one) },
    { title: t('median'), isNumber: true, cell: ({ key, median, unit }) => measure(words, median, unitOf(key, unit)) },
    { title: t('middle_half'), isNumber: true, cell: ({ key, p25, p75, unit }) => range((value) => measure(words, value, unitOf(key, unit)), p25, p75) },
    { title: '', cell: (one) => strip(one, rankOf(words, one)) },
  ], answer.measures), make('p', { class: 'quiet' }, t('means_help')));
  const trials = section(t('trials'), trialTable(context, words.pluralize('trials', answer.trials.length), answer.trials, 'participant'), tableLinks(words, 'trials', query));
  const costly = answer.costly.map(({ session, level, attempt, row, action, regret, board, before, after }) => {
    const at = to('explore/trial', withParameter(withFilters(route.query, { participant, session, level }), 'attempt', String(attempt)));
    const text = words.translate('costly_move', { action, regret: number(words, regret) });
    const boards = board ? make('div', { class: 'pair' }, still(words, board, before, t('before')), still(words, board, after, t('after'))) : '';
    return make('li', { class: 'card' }, make('h3', {}, text), make('p', {}, link(at, words.translate('move_at', { level, attempt, move: row }))), boards);
  });
  const quality = section(t('quality_of_moves'), figureOf(api, context, withParameter(query, 'kind', 'quality'), words.translate('participant_title', { participant })));
  const body = [rowsLine(words, answer.n_rows, whole.n_rows), measures, trials, quality];
  if (costly.length) body.push(section(t('costly'), make('ul', { class: 'cards boards pairs' }, ...costly)));
  return { title: words.translate('participant_title', { participant }), body };
}

/**
 * @param {import('../play/i18n.js').Translator} words
 * @param {{ rank?: number | null, n?: number }} standing
 */
const rankOf = (words, { rank, n }) => (rank === null || rank === undefined ? '–' : words.translate('rank_of', { rank, n: n ?? 0 }));

/**
 * Over which trials a mean is.
 *
 * @param {import('../play/i18n.js').Translator} words
 * @param {Measure} measure
 * @param {number} of
 */
function overOf(words, { n_trials, n_solved, only_solved }, of) {
  // Of times of 0 there is no geometric mean.
  if (only_solved && n_trials < n_solved) return words.translate('over_some_solved', { n: n_trials, of: n_solved });
  return words.translate(only_solved ? 'over_solved' : 'over_trials', { n: words.number(n_trials), of: words.number(of) });
}
