// A trial: its attempts as they were played, beside the way of the distance, with what each move cost.

/** @import { Context, Standing, TrialAnswer, TrialAttempt, TrialMove } from './types.js' */
/** @import { Part } from './explore.js' */

import { button, facts, link, make, section, table } from './dom.js';
import { NONE, duration, number, percent, yesNo } from './format.js';
import { WayChart, qualityWord, strip } from './charts.js';
import { figureLink } from './explore_figures.js';
import { Replay } from './replay.js';
import { figureLinks, rowsLine, tableLinks, withFilters, withParameter } from './filters.js';

/** @type {Part} */
export async function showTrial({ api, context, whole }) {
  const { words, route, signal, to } = context;
  const [participant, session, level] = ['participant', 'session', 'level'].map((key) => route.query.get(key) ?? '');
  const query = new URLSearchParams({ of: participant ?? '', session: session ?? '', at: level ?? '' });
  /** @type {TrialAnswer} */
  const answer = await api.get(`api/explore/trial?${query}`, signal);
  const { trial, attempts } = answer;
  const number_ = Number(route.query.get('attempt')) || attempts[0]?.attempt || 1;
  const attempt = attempts.find((one) => one.attempt === number_) ?? attempts[0];
  const ways = make('p', { class: 'tools' }, link(to('explore/participant', { participant: trial.participant }), words.translate('all_of', { what: trial.participant })), link(to('explore/level', { level: trial.level }), words.translate('all_of', { what: trial.level })));
  /** @type {Node[]} */
  const body = [ways, rowsLine(words, answer.n_rows, whole.n_rows), trialFacts(answer, context)];
  if (attempts.length > 1) {
    body.push(make('nav', { class: 'tabs', 'aria-label': words.translate('attempts') }, ...attempts.map((one) => {
      const tab = link(to('explore/trial', new URLSearchParams([...withFilters(route.query, { participant: trial.participant, session: session ?? '', level: trial.level }), ['attempt', String(one.attempt)]])), words.translate('attempt_n', { n: one.attempt }));
      if (one === attempt) tab.setAttribute('aria-current', 'page');
      return tab;
    })));
  }
  if (attempt) body.push(...attemptViews(answer, attempt, context));
  const these = new URLSearchParams({ participant: participant ?? '', level: level ?? '', ...(trial.trial === null ? {} : { trial: String(trial.trial) }) });
  // On the clock where all times are known, as the figure has it, and values are distances.
  const isTimed = answer.unit !== 'points' && attempt?.moves.every(({ rt_s }) => rt_s !== null);
  const curve = withParameter(these, 'kind', isTimed ? 'distance-over-time' : 'distance-along-attempts');
  body.push(figureLink(context, curve), figureLinks(words, curve));
  body.push(tableLinks(words, 'moves', these));
  return { title: `${trial.participant} · ${trial.level}`, body };
}

/**
 * @param {TrialAnswer} answer
 * @param {Context} context
 */
function trialFacts({ trial, others }, { words }) {
  const t = (/** @type {string} */ name) => words.translate(name);
  /**
   * @param {string} text
   * @param {number | null} value
   * @param {Standing | null} standing
   */
  const among = (text, value, standing) => {
    if (!standing) return text;
    const rank = standing.rank === null ? '' : words.translate('rank_of', { rank: standing.rank, n: standing.n });
    return make('span', { class: 'among' }, text, strip({ value, ...standing }, rank), make('span', { class: 'quiet' }, rank));
  };
  return make('div', {}, facts([
    [t('solved'), yesNo(words, trial.solved)],
    [t('head_condition'), trial.condition ?? NONE],
    [t('moves'), among(`${number(words, trial.n_moves)} (${words.translate('labelled', { label: t('optimal'), value: number(words, trial.optimal) })})`, trial.n_moves, others.n_moves)],
    [t('time'), among(duration(words, trial.time_s), trial.time_s, others.time_s)],
    [t('optimal_share'), among(percent(words, trial.share_optimal), trial.share_optimal, others.share_optimal)],
    [t('mean_regret'), among(number(words, trial.mean_regret), trial.mean_regret, others.mean_regret)],
  ]), make('p', { class: 'quiet' }, t('strip_help')));
}

/**
 * Board, curve and table of an attempt, which all show the same move.
 *
 * @param {TrialAnswer} answer
 * @param {TrialAttempt} attempt
 * @param {Context} context
 * @returns {Node[]}
 */
function attemptViews({ trial, board }, attempt, { words, signal }) {
  const t = (/** @type {string} */ name) => words.translate(name);
  const { start, moves } = attempt;
  const hasTimes = moves.some(({ rt_s }) => rt_s !== null);
  const firstLoss = moves.findIndex(({ regret }) => regret !== null && regret > 0);
  const noteOf = (/** @type {TrialMove} */ { value, quality }) => [value === null ? '' : words.translate('distance_n', { n: number(words, value) }), quality ? qualityWord(words, quality).textContent ?? '' : ''].filter(Boolean).join(' · ');
  const frames = [
    { position: start.position, action: null, time_s: 0, note: start.value === null ? '' : words.translate('distance_n', { n: number(words, start.value) }) },
    ...moves.map((move) => ({ position: move.position, action: move.action || move.event, time_s: move.time_s, note: noteOf(move) })),
  ];
  // A move whose time is missing stands where the one before it does.
  let seconds = 0;
  const points = [
    { x: 0, value: start.value, quality: null, label: t('start') },
    ...moves.map((move, index) => ({ x: hasTimes ? (seconds = move.time_s ?? seconds) : index + 1, value: move.value, quality: move.quality, label: `${index + 1}. ${move.action || move.event} · ${noteOf(move)}` })),
  ];
  const rows = movesTable(moves, firstLoss, words, (index) => replay.show(index));
  const marked = Array.from(rows.querySelectorAll('tbody tr'));
  const onFrame = (/** @type {number} */ index) => {
    chart.mark(index);
    marked.forEach((row, place) => row.classList.toggle('is-shown', place === index - 1));
  };
  const title = words.translate('curve_title', { participant: trial.participant, level: trial.level });
  const chart = new WayChart(words, points, { title, x: t(hasTimes ? 'seconds' : 'move_number'), y: t('distance'), onPick: (index) => { replay.pause(); replay.show(index); }, signal });
  const replay = new Replay(words, board, frames, { label: words.translate('attempt_n', { n: attempt.attempt }), onFrame, signal });
  const legend = make('p', { class: 'legend' }, ...Array.from(new Set(moves.map(({ quality }) => quality).filter(Boolean)), (quality) => qualityWord(words, quality)));
  const curve = make('div', {}, make('h2', {}, t('distance')), chart.element, legend);
  return [make('div', { class: 'trial' }, replay.element, curve), section(t('moves'), rows)];
}

/**
 * @param {TrialMove[]} moves
 * @param {number} firstLoss index of the first move that cost something
 * @param {Context['words']} words
 * @param {(index: number) => void} show
 */
function movesTable(moves, firstLoss, words, show) {
  const t = (/** @type {string} */ name) => words.translate(name);
  const numbered = moves.map((move, index) => ({ ...move, n: index + 1 }));
  return table(words.pluralize('moves', moves.length), [
    { title: t('move'), isName: true, cell: (/** @type {typeof numbered[number]} */ { n, action, event }) => button(`${n}. ${action || event}`, () => show(n), { class: 'plain', 'data-key': `move ${n}` }) },
    { title: t('time'), isNumber: true, cell: ({ time_s }) => duration(words, time_s) },
    { title: t('rt'), isNumber: true, cell: ({ rt_s }) => duration(words, rt_s) },
    { title: t('distance'), isNumber: true, cell: ({ value_before, value }) => `${number(words, value_before)} → ${number(words, value)}` },
    { title: t('regret'), isNumber: true, cell: ({ regret }) => number(words, regret) },
    { title: t('quality'), cell: ({ quality, n }) => make('span', {}, qualityWord(words, quality), ' ', n - 1 === firstLoss ? make('span', { class: 'badge is-ask' }, t('first_regret')) : '') },
    { title: t('optimal_of_legal'), isNumber: true, cell: ({ n_optimal, n_legal }) => `${number(words, n_optimal)} / ${number(words, n_legal)}` },
  ], numbered);
}
