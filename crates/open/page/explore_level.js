// A level: its board, who solved it how, how people began, where they were caught, and its maps.

/** @import { LevelAnswer } from './types.js' */
/** @import { Part } from './explore.js' */

import { facts, make, section } from './dom.js';
import { number, percent } from './format.js';
import { bars } from './charts.js';
import { figureName, figureOf } from './explore_figures.js';
import { mapSection } from './explore_map.js';
import { filtersOf, rowsLine, tableLinks, withParameter, withoutParameter } from './filters.js';
import { still } from './replay.js';
import { trialTable } from './explore_trials.js';

/** Figures of a level: its map, the moves of people on it, and where they were caught. */
const FIGURES = ['state-graph', 'traffic', 'traps'];

/** @type {Part} */
export async function showLevel({ api, context, whole }) {
  const { words, route, signal } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  const level = route.query.get('level') ?? '';
  const filters = withoutParameter(filtersOf(route.query), 'level');
  const named = withParameter(filters, 'name', level);
  /** @type {LevelAnswer} */
  const answer = await api.get(`api/explore/level?${named}`, signal);
  const solved = answer.trials.filter((trial) => trial.solved).length;
  const told = facts([
    [t('head_optimal'), answer.optimal === null ? '–' : words.pluralize(answer.unit, answer.optimal)],
    [t('states'), number(words, answer.n_states)],
    [t('n_shortest'), number(words, answer.n_shortest)],
    [t('trials'), number(words, answer.trials.length)],
    [t('solved_share'), answer.trials.length ? percent(words, solved / answer.trials.length) : '–'],
    [t('attempts'), number(words, answer.n_attempts)],
  ]);
  const title = words.translate('level_title', { level });
  /** @type {Node[]} */
  const body = [rowsLine(words, answer.n_rows, whole.n_rows), make('div', { class: 'level-head' }, still(words, answer.board, answer.start, title), told)];
  if (answer.first_moves.length) body.push(firstMoves(answer, words));
  if (answer.traps.length) body.push(traps(answer, words));
  body.push(mapSection(api, context, named, answer));
  const query = withParameter(filters, 'level', level);
  const figures = section(t('level_figures'));
  const without = (/** @type {HTMLElement} */ place) => (figures.children.length > 2 ? place : figures).remove();
  figures.append(...FIGURES.map((kind) => figureOf(api, context, withParameter(query, 'kind', kind), figureName(words, kind), without)));
  body.push(figures);
  body.push(section(t('who_solved'), trialTable(context, words.pluralize('trials', answer.trials.length), answer.trials, 'level'), tableLinks(words, 'trials', query)));
  return { title, body };
}

/**
 * @param {LevelAnswer} answer
 * @param {import('../play/i18n.js').Translator} words
 */
function firstMoves({ first_moves }, words) {
  const items = first_moves.map(({ action, n, share, regret }) => {
    const cost = regret ? ` · ${words.translate('cost_n', { n: number(words, regret) })}` : '';
    return { label: action, share, text: `${percent(words, share)} (${number(words, n)})${cost}` };
  });
  return section(words.translate('first_moves'), make('p', { class: 'quiet' }, words.translate('first_moves_help')), bars(items));
}

/**
 * @param {LevelAnswer} answer
 * @param {import('../play/i18n.js').Translator} words
 */
function traps({ board, traps: found }, words) {
  const cards = found.map(({ position, n_visits, n_errors, n_participants, value }) => {
    const what = words.translate('trap', { moves: words.pluralize('moves', n_visits), away: words.pluralize('led_away', n_errors), people: words.pluralize('participants', n_participants) });
    const distance = value === null ? '' : words.translate('distance_n', { n: number(words, value) });
    return make('li', { class: 'card' }, make('h3', {}, what), still(words, board, position, what), make('p', { class: 'quiet' }, distance));
  });
  return section(words.translate('traps'), make('p', { class: 'quiet' }, words.translate('traps_help')), make('ul', { class: 'cards boards' }, ...cards));
}
