// Two groups or conditions beside each other by one measure: a picture, a test, and the numbers of it.

/** @import { Context, Group, GroupsAnswer, Overview } from './types.js' */
/** @import { Api } from './api.js' */
/** @import { Part } from './explore.js' */

import { Refusal } from './api.js';
import { facts, field, make, menu, section, table } from './dom.js';
import { NONE, measure, number, pValue, percent, range, settled, unitOf, withMark } from './format.js';
import { figureOf } from './explore_figures.js';
import { filtersOf, groupLinks, rowsLine, withoutParameter } from './filters.js';

/** @type {Part} */
export async function showGroups({ api, context, overview, whole }) {
  const { words, route, signal } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  const unknown = /** @type {string[]} */ ([]);
  // What an address names and the study does not have is told, and what would stand there without it is looked at.
  const named = (/** @type {string} */ key, /** @type {string[]} */ names, place = 0) => {
    const name = route.query.get(key);
    if (name === null || names.includes(name)) return name ?? names[place] ?? '';
    unknown.push(name);
    return names[place] ?? '';
  };
  const by = named('by', overview.factors.map(({ key }) => key));
  const values = overview.factors.find(({ key }) => key === by)?.values ?? [];
  const chosen = { by, a: named('a', values), b: named('b', values, 1), measure: named('measure', overview.measures.map(({ key }) => key)) };
  const title = t('groups_title');
  const told = unknown.map((name) => make('p', { class: 'warning', role: 'status' }, words.translate('groups_unknown', { name })));
  const form = make('div', { class: 'stack' }, ...told, chooser(context, overview, values, chosen));
  if (!chosen.a || !chosen.b) return { title, body: [form, make('p', {}, t('groups_none'))] };
  if (chosen.a === chosen.b) return { title, body: [form, make('p', { role: 'status' }, t('groups_two_needed'))] };
  const query = new URLSearchParams([...Object.entries(chosen), ...filtersOf(route.query)]);
  /** @type {GroupsAnswer} */
  let answer;
  try {
    answer = await api.get(`api/explore/groups?${query}`, signal);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    return { title, body: [form, make('p', { class: 'warning', role: 'status' }, error.message)] };
  }
  if (!answer.a.n || !answer.b.n) return { title, body: [form, make('p', { role: 'status' }, t('groups_empty'))] };
  const unit = unitOf(chosen.measure, overview.measures.find(({ key }) => key === chosen.measure)?.unit ?? '');
  const trials = words.pluralize(answer.only_solved ? 'solved_trials' : 'trials', answer.n_rows);
  const about = words.translate(`${answer.is_ratio ? 'geometric' : 'values'}_of_${answer.unit_of_analysis === 'level' ? 'levels' : 'people'}`, { trials });
  return { title, body: [form, rowsLine(words, overview.n_rows, whole.n_rows), make('p', { class: 'quiet' }, about), ...results(answer, api, context, chosen, unit)] };
}

/**
 * @param {GroupsAnswer} answer
 * @param {Api} api
 * @param {Context} context
 * @param {Record<'by' | 'a' | 'b' | 'measure', string>} chosen
 * @param {string} unit
 */
function results(answer, api, context, chosen, unit) {
  const { words, route } = context;
  const filters = filtersOf(route.query);
  const t = (/** @type {string} */ name) => words.translate(name);
  const label = t(`measure_${chosen.measure}`);
  const show = (/** @type {number | null} */ value) => measure(words, value, unit);
  const numbers = table(`${label} · ${t(answer.is_paired ? 'paired' : 'unpaired')}`, [
    { title: t('group'), isName: true, cell: (/** @type {Group} */ group) => valueName(words, chosen.by, group.label) },
    { title: 'n', isNumber: true, cell: ({ n }) => number(words, n) },
    { title: t('trials'), isNumber: true, cell: ({ n_trials }) => number(words, n_trials) },
    { title: t('median'), isNumber: true, cell: ({ median }) => show(median) },
    { title: t('middle_half'), isNumber: true, cell: ({ p25, p75 }) => range(show, p25, p75) },
    { title: t(answer.is_ratio ? 'geometric_mean' : 'mean'), isNumber: true, cell: ({ mean }) => show(mean) },
  ], [answer.a, answer.b]);
  const effect = (/** @type {number | null} */ value) => (value === null ? NONE : answer.is_ratio ? `× ${number(words, value)}` : difference(words, value, unit));
  const test = facts([
    [t('test'), t(answer.test === null ? 'test_of_pilot' : `test_${answer.test.replace('-', '_')}`)],
    [t(answer.is_ratio ? 'ratio_b_a' : 'difference_b_a'), effect(answer.estimate)],
    [words.translate('interval', { level: percent(words, answer.confidence) }), range(effect, answer.lower, answer.upper)],
    ...(answer.test === null ? [] : [/** @type {[string, string]} */ (['p', pValue(words, answer.p)])]),
  ]);
  const notes = [withMark(words, answer.statistics), answer.reason, answer.n_left_out ? words.pluralize('left_out', answer.n_left_out) : null].filter((one) => one !== null && one !== '');
  const names = [answer.a.label, answer.b.label].map((name) => valueName(words, chosen.by, name));
  return [
    ...sentence(answer, words, { label, names, unit }),
    figureOf(api, context, figureQuery(chosen, filters), words.translate('labelled', { label, value: names.join(' · ') })),
    section(t('numbers'), test, numbers, groupLinks(words, new URLSearchParams([...Object.entries(chosen), ...filters])), make('ul', { class: 'notes' }, ...notes.map((note) => make('li', {}, String(note))))),
  ];
}

/**
 * The query of the figure of two groups alone.
 *
 * @param {Record<'by' | 'a' | 'b' | 'measure', string>} chosen
 * @param {URLSearchParams} filters
 */
function figureQuery({ by, a, b, measure: key }, filters) {
  const query = withoutParameter(filters, by);
  if (by !== 'solved') for (const value of [a, b]) query.append(by, value);
  // The first group is the one that the other is compared with, here and in the text.
  query.set('first', a);
  query.set('kind', 'raincloud');
  query.set('name', `raincloud-${key.replaceAll('_', '-')}-by-${by}`);
  return query;
}

/**
 * What the comparison says in words.
 *
 * @param {GroupsAnswer} answer
 * @param {Context['words']} words
 * @param {{ label: string, names: string[], unit: string }} of
 */
function sentence({ estimate, lower, upper, is_ratio, confidence }, words, { label, names, unit }) {
  if (estimate === null) return [];
  // Of so few values not even the direction is known.
  if (lower === null || upper === null) return [make('p', { class: 'lead', role: 'status' }, words.translate('groups_open', { measure: label, a: names[0] ?? '', b: names[1] ?? '' }))];
  const change = settled(is_ratio ? estimate - 1 : estimate);
  const show = (/** @type {number} */ value) => (is_ratio ? percent(words, Math.abs(value - 1)) : difference(words, Math.abs(value), unit));
  const signed = (/** @type {number} */ value) => `${(is_ratio ? value < 1 : value < 0) ? '−' : '+'}${show(value)}`;
  const key = change === 0 ? 'groups_same' : change < 0 ? 'groups_lower' : 'groups_higher';
  const [a = '', b = ''] = names;
  const text = words.translate(key, { measure: label, a, b, change: show(estimate) });
  const interval = ` (${words.translate('labelled', { label: words.translate('interval', { level: percent(words, confidence) }), value: `${signed(lower)} … ${signed(upper)}` })})`;
  return [make('p', { class: 'lead', role: 'status' }, `${text}${interval}.`)];
}

/**
 * A difference of two values; of shares in percentage points.
 *
 * @param {Context['words']} words
 * @param {number} value
 * @param {string} unit
 */
const difference = (words, value, unit) => (unit === 'share' ? words.translate('percentage_points', { n: number(words, Math.round(1000 * value) / 10) }) : measure(words, value, unit));

/**
 * @param {Context['words']} words
 * @param {string} by
 * @param {string} value
 */
function valueName(words, by, value) {
  if (by !== 'solved') return value;
  return words.translate(value === 'true' ? 'solved' : 'not_solved');
}

/**
 * @param {Context} context
 * @param {Overview} overview
 * @param {string[]} values
 * @param {Record<'by' | 'a' | 'b' | 'measure', string>} chosen
 */
function chooser({ words, route, to, go }, overview, values, chosen) {
  const t = (/** @type {string} */ name) => words.translate(name);
  const set = (/** @type {Record<string, string>} */ change) => {
    const next = 'by' in change ? { by: change.by, measure: chosen.measure } : { ...chosen, ...change };
    go(to('explore/groups', new URLSearchParams([...Object.entries(next).map(([key, value]) => [key, value ?? '']), ...filtersOf(route.query)])));
  };
  const named = (/** @type {string} */ value) => /** @type {[string, string]} */ ([value, valueName(words, chosen.by, value)]);
  return make('div', { class: 'tools end' },
    field(t('compare_by'), menu('groups by', '', overview.factors.map(({ key }) => [key, t(`role_${key}`)]), chosen.by, (by) => set({ by }))),
    field(t('group_a'), menu('groups a', '', values.map(named), chosen.a, (a) => set({ a }))),
    field(t('group_b'), menu('groups b', '', values.map(named), chosen.b, (b) => set({ b }))),
    field(t('measure'), menu('groups measure', '', overview.measures.map(({ key }) => [key, t(`measure_${key}`)]), chosen.measure, (one) => set({ measure: one }))));
}
