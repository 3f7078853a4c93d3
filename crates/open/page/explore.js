// What participants did: by participant, level, trial and group. The address says what is looked at; filters hold in all parts.

/** @import { Context, Overview, View } from './types.js' */
/** @import { Api } from './api.js' */

import { Refusal } from './api.js';
import { refusalBox } from './check.js';
import { link, make, section, table } from './dom.js';
import { NONE, duration, number, percent } from './format.js';
import { bars } from './charts.js';
import { FILTERS, filterBar, filtersOf, rowsLine, tableLinks, withFilters } from './filters.js';
import { figureLink, showFigures } from './explore_figures.js';
import { showGroups } from './explore_groups.js';
import { showLevel } from './explore_level.js';
import { showParticipant } from './explore_participant.js';
import { showTrial } from './explore_trial.js';
import { showTrials } from './explore_trials.js';

/** What a part of the exploration gets; `whole` is without filters. @typedef {{ api: Api, context: Context, overview: Overview, whole: Overview }} Explored */
/** @typedef {(explored: Explored) => Promise<{ title: string, body: (Node | string)[] }>} Part */

/** @type {Record<string, Part>} */
const PARTS = {
  '': showOverview,
  trials: showTrials,
  trial: showTrial,
  participant: showParticipant,
  level: showLevel,
  groups: showGroups,
  figures: showFigures,
};
const TABS = ['', 'trials', 'groups', 'figures'];

/**
 * @param {Api} api
 * @returns {View}
 */
export const showExplore = (api) => async (context) => {
  const { words, route, signal } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  const filters = filtersOf(route.query).toString();
  /** @type {Overview} */
  let whole;
  let overview;
  let shown;
  try {
    whole = await api.get('api/explore', signal);
    overview = filters ? /** @type {Overview} */ (await api.get(`api/explore?${filters}`, signal)) : whole;
    shown = await (PARTS[route.part] ?? showOverview)({ api, context, overview, whole });
  } catch (error) {
    if (!(error instanceof Refusal) || ![400, 404, 409, 422].includes(error.status)) throw error;
    if (error.status <= 404) return { title: t('explore_title'), body: [make('p', { class: 'error', role: 'alert' }, error.message), make('p', {}, link(context.to('explore'), t('without_filters')))] };
    return { title: t('view_explore'), body: [refusalBox(error, context)] };
  }
  const tabs = make('nav', { class: 'tabs', 'aria-label': t('view_explore') }, ...TABS.map((tab) => {
    const one = link(context.to(tab ? `explore/${tab}` : 'explore', filtersOf(route.query)), t(`tab_${tab || 'overview'}`));
    if (tab === route.part) one.setAttribute('aria-current', 'page');
    return one;
  }));
  return { title: shown.title, body: [tabs, filterBar(context, whole, hiddenFilters(route.part)), ...shown.body] };
};

/** What the address names by itself is no filter. @param {string} part */
function hiddenFilters(part) {
  if (part === 'trial') return FILTERS;
  if (part === 'participant') return ['participant'];
  return part === 'level' ? ['level'] : [];
}

/** @type {Part} */
async function showOverview({ context, overview, whole }) {
  const { words, route, to } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  const at = (/** @type {string} */ part, /** @type {Record<string, string>} */ more) => to(`explore/${part}`, withFilters(route.query, more));
  const sample = overview.sample ? [make('p', { class: 'quiet' }, overview.sample)] : [];
  const levels = section(t('levels'), table(words.pluralize('levels', overview.levels.length), [
    { title: t('head_level'), isName: true, cell: (/** @type {Overview['levels'][number]} */ { level }) => link(at('level', { level }), level) },
    { title: t('head_optimal'), isNumber: true, cell: ({ optimal }) => number(words, optimal) },
    { title: t('states'), isNumber: true, cell: ({ n_states }) => number(words, n_states) },
    { title: t('trials'), isNumber: true, cell: ({ n_trials }) => number(words, n_trials) },
    { title: t('solved_share'), isNumber: true, cell: ({ n_trials, n_solved }) => (n_trials ? percent(words, n_solved / n_trials) : NONE) },
  ], overview.levels), tableLinks(words, 'level_play', filtersOf(route.query)));
  const solved = section(t('solved_by_level'), bars(overview.levels.filter(({ n_trials }) => n_trials).map(({ level, n_trials, n_solved }) => ({
    label: level, share: n_solved / n_trials, text: `${percent(words, n_solved / n_trials)} (${n_solved}/${n_trials})`, href: at('level', { level }),
  }))), figureLink(context, withFilters(route.query, { kind: 'quality' })));
  const people = section(t('participants'), table(words.pluralize('participants', overview.participants.length), [
    { title: t('head_participant'), isName: true, cell: (/** @type {Overview['participants'][number]} */ { participant }) => link(at('participant', { participant }), participant) },
    { title: t('head_condition'), cell: ({ conditions }) => conditions.join(', ') || NONE },
    { title: t('trials'), isNumber: true, cell: ({ n_trials }) => number(words, n_trials) },
    { title: t('solved_share'), isNumber: true, cell: ({ n_trials, n_solved }) => (n_trials ? percent(words, n_solved / n_trials) : NONE) },
    { title: t('time'), isNumber: true, cell: ({ time_s }) => duration(words, time_s) },
    { title: t('optimal_share'), isNumber: true, cell: ({ share_optimal }) => percent(words, share_optimal) },
  ], overview.participants), make('p', { class: 'quiet' }, t(overview.only_solved ? 'means_of_solved' : 'means_of_trials')), tableLinks(words, 'participants', filtersOf(route.query)));
  return { title: t('explore_title'), body: [rowsLine(words, overview.n_rows, whole.n_rows), ...sample, make('div', { class: 'columns' }, levels, solved), people] };
}
