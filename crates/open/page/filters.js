// Filters of what is explored: they stand in the address, and each may be there several times.

/** @import { Context, Overview } from './types.js' */
/** @import { Translator } from '../play/i18n.js' */

import { button, field, link, make, menu } from './dom.js';

export const FILTERS = ['condition', 'level', 'participant', 'solved', 'trial'];
/** Formats of a figure and of a table. */
const [FIGURE, TABLE] = [['svg', 'pdf', 'png', 'csv'], ['csv', 'xlsx', 'docx']];
/** Longer tables are none for Word. */
const MOST_IN_WORD = 1000;
/** Those that people know by the name of a program. @type {Record<string, string>} */
const PROGRAMS = { xlsx: 'Excel', docx: 'Word' };

/**
 * The filters of an address alone.
 *
 * @param {URLSearchParams} query
 */
export const filtersOf = (query) => new URLSearchParams(Array.from(query).filter(([key]) => FILTERS.includes(key)));

/**
 * The filters and what else is looked at, which stands before them.
 *
 * @param {URLSearchParams} query
 * @param {Record<string, string | number>} more
 */
export function withFilters(query, more) {
  const kept = Array.from(filtersOf(query)).filter(([key]) => !(key in more));
  return new URLSearchParams([...Object.entries(more).map(([key, value]) => [key, String(value)]), ...kept]);
}

/**
 * @param {Translator} words
 * @param {number} n
 * @param {number} of without filters
 */
export function rowsLine(words, n, of) {
  const text = of === n ? words.pluralize('rows', n) : words.translate('n_of_rows', { n: words.number(n), of: words.pluralize('rows', of) });
  return make('p', { class: 'quiet rows' }, text);
}

/**
 * Menus that add a filter, and those that there are, each with a button that takes it away.
 *
 * @param {Context} context
 * @param {Overview} overview
 * @param {string[]} without
 */
export function filterBar(context, overview, without) {
  const { words, route } = context;
  const wanted = FILTERS.filter((key) => !without.includes(key));
  if (!wanted.length) return '';
  const go = (/** @type {[string, string][]} */ entries) => {
    const path = route.part ? `${route.view}/${route.part}` : route.view;
    context.go(context.to(path, new URLSearchParams(entries)));
  };
  const entries = /** @type {[string, string][]} */ (Array.from(route.query));
  // Solved or not: both together are no filter.
  const others = (/** @type {string} */ key) => (key === 'solved' ? entries.filter(([name]) => name !== key) : entries);
  const menus = wanted.map((key) => {
    const options = valuesOf(key, overview, words).filter(([value]) => !entries.some(([name, other]) => name === key && other === value));
    const all = entries.some(([name]) => name === key) ? words.translate('filter_more') : words.translate('filter_all');
    const select = menu(`filter ${key}`, words.translate('filter_by', { what: words.translate(`role_${key}`) }), [['', all], ...options], '', (value) => { if (value) go([...others(key), [key, value]]); });
    return field(words.translate(`role_${key}`), select);
  });
  const active = entries.flatMap(([key, value], index) => {
    if (!wanted.includes(key)) return [];
    const text = words.translate('labelled', { label: words.translate(`role_${key}`), value: valuesOf(key, overview, words).find(([one]) => one === value)?.[1] ?? value });
    const remove = button(`${text} ✕`, () => go(entries.filter((_, other) => other !== index)), { class: 'chip', 'aria-label': words.translate('filter_remove', { filter: text }) });
    return [remove];
  });
  return make('div', { class: 'filters', role: 'group', 'aria-label': words.translate('filters') }, ...menus, make('div', { class: 'chips' }, ...active));
}

/**
 * @param {string} key
 * @param {Overview} overview
 * @param {Translator} words
 * @returns {[value: string, text: string][]}
 */
function valuesOf(key, { conditions, levels, participants, last_trial }, words) {
  const same = (/** @type {string} */ value) => /** @type {[string, string]} */ ([value, value]);
  if (key === 'condition') return conditions.map(same);
  if (key === 'level') return levels.map(({ level }) => same(level));
  if (key === 'participant') return participants.map(({ participant }) => same(participant));
  if (key === 'solved') return [['true', words.translate('yes')], ['false', words.translate('no')]];
  return Array.from({ length: last_trial }, (_, index) => same(String(index + 1)));
}

/**
 * The files of a page of a figure with these filters.
 *
 * @param {Translator} words
 * @param {URLSearchParams} query
 * @param {string} page its number, where there are several
 */
export function figureLinks(words, query, page = '') {
  return downloads(`${words.translate('figure')} ${page}`.trim(), FIGURE, (format) => `api/figure?${withParameter(query, 'format', format)}`);
}

/**
 * The files of a table with these filters.
 *
 * @param {Translator} words
 * @param {string} name
 * @param {URLSearchParams} query
 * @param {number} nRows
 */
export function tableLinks(words, name, query, nRows = 0) {
  const named = withParameter(query, 'name', name);
  return downloads(words.translate('table'), nRows > MOST_IN_WORD ? TABLE.filter((format) => format !== 'docx') : TABLE, (format) => `api/table?${withParameter(named, 'format', format)}`);
}

/**
 * The files of the table of two groups.
 *
 * @param {Translator} words
 * @param {URLSearchParams} query the groups, the measure and the filters
 */
export function groupLinks(words, query) {
  return downloads(words.translate('table'), TABLE, (format) => `api/table/groups?${withParameter(query, 'format', format)}`);
}

/**
 * @param {URLSearchParams} query
 * @param {string} key
 * @param {string} value
 */
export function withParameter(query, key, value) {
  const next = new URLSearchParams(query);
  next.set(key, value);
  return next;
}

/**
 * @param {URLSearchParams} query
 * @param {string} key
 */
export function withoutParameter(query, key) {
  const next = new URLSearchParams(query);
  next.delete(key);
  return next;
}

/**
 * @param {string} what
 * @param {string[]} formats
 * @param {(format: string) => string} addressOf
 */
function downloads(what, formats, addressOf) {
  const links = formats.map((format) => link(addressOf(format), PROGRAMS[format] ?? format.toUpperCase(), { download: '', 'aria-label': `${what}: ${format}` }));
  return make('p', { class: 'downloads' }, make('span', { class: 'quiet' }, what), ...links);
}
