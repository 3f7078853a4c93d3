// What one takes away: figures, tables, codebook, methods, the study, and a folder of all for a repository.

/** @import { TakeAnswer, View } from './types.js' */
/** @import { Api } from './api.js' */

import { Refusal } from './api.js';
import { link, make, section } from './dom.js';
import { size } from './format.js';

/** More files of an item are folded away. */
const SHOWN = 5;
/** What is looked for most stands first. */
const ORDER = ['report', 'figures', 'tables', 'tables-excel', 'tables-word', 'codebook', 'methods', 'study', 'script', 'manifest', 'more'];

/**
 * @param {Api} api
 * @returns {View}
 */
export const showTake = (api) => async ({ words, signal, to }) => {
  const t = (/** @type {string} */ name) => words.translate(name);
  /** @type {TakeAnswer} */
  let answer;
  try {
    answer = await api.get('api/take', signal);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 409) throw error;
    return { title: t('take_title'), body: [make('p', {}, error.message), make('p', {}, link(to('run'), t('go_on_run'), { class: 'button primary' }))] };
  }
  const file = (/** @type {TakeAnswer['items'][number]['files'][number]} */ { name, address, n_bytes }) => make('li', {}, link(address, name, { download: '' }), ' ', make('span', { class: 'quiet' }, size(words, n_bytes)));
  const items = answer.items.sort((one, other) => ORDER.indexOf(one.key) - ORDER.indexOf(other.key)).map(({ key, files }) => {
    const name = `take_${key.replace(/-/g, '_')}`;
    const card = make('li', { class: 'card' }, make('h2', {}, t(name)), make('p', {}, t(`${name}_text`)), make('ul', { class: 'downloads' }, ...files.slice(0, SHOWN).map(file)));
    if (files.length > SHOWN) card.append(make('details', {}, make('summary', {}, words.pluralize('more_files', files.length - SHOWN)), make('ul', { class: 'downloads' }, ...files.slice(SHOWN).map(file))));
    return card;
  });
  const warnings = answer.has_results ? [...(answer.is_current ? [] : ['take_outdated']), ...(answer.is_preview ? ['is_preview'] : [])] : ['run_none'];
  return {
    title: t('take_title'),
    body: [
      ...(answer.has_results && answer.is_current ? [make('p', { class: 'lead' }, t('take_lead'))] : []),
      ...warnings.map((name) => make('p', { class: 'warning' }, t(name), ' ', link(to('run'), t('go_on_run')))),
      make('p', {}, link('take.zip', t('take_zip'), { class: 'button primary', download: '' })),
      ...listed(t('take_with_ids'), answer.with_ids),
      ...listed(t('take_outside'), answer.outside),
      make('ul', { class: 'cards' }, ...items),
      section(t('go_on_terminal'), make('p', {}, t('go_on_terminal_text')), make('pre', { tabindex: '0' }, answer.command)),
    ],
  };
};

/**
 * A warning about files; nothing without any.
 *
 * @param {string} text
 * @param {string[]} names
 */
function listed(text, names) {
  return names.length ? [make('div', { class: 'warning' }, make('p', {}, text), make('ul', {}, ...names.map((name) => make('li', {}, name))))] : [];
}
