// Figures and tables of what the filters leave.

/** @import { Overview } from './types.js' */
/** @import { Part } from './explore.js' */
/** @import { Translator } from '../play/i18n.js' */

import { field, make, menu, section, table } from './dom.js';
import { number, prettyName } from './format.js';
import { figureLinks, filtersOf, rowsLine, tableLinks, withParameter } from './filters.js';

/** @type {Part} */
export async function showFigures({ context, overview, whole }) {
  const { words, route, to, go } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  const filters = filtersOf(route.query);
  const kind = route.query.get('kind') ?? overview.figures[0] ?? '';
  /** @type {Node[]} */
  const body = [rowsLine(words, overview.n_rows, whole.n_rows)];
  if (kind) {
    const query = withParameter(filters, 'kind', kind);
    const title = prettyName(kind);
    const chosen = menu('figure kind', t('figure'), overview.figures.map((one) => [one, prettyName(one)]), kind, (next) => go(to('explore/figures', withParameter(filters, 'kind', next))));
    body.push(section(t('figure'), make('div', { class: 'tools end' }, field(t('figure'), chosen)), figureOf(words, query, title)));
  }
  body.push(section(t('tables'), table(t('tables_caption'), [
    { title: t('table'), isName: true, cell: (/** @type {Overview['tables'][number]} */ { name }) => prettyName(name) },
    { title: t('rows'), isNumber: true, cell: ({ n_rows }) => number(words, n_rows) },
    { title: t('files'), cell: ({ name, n_rows }) => tableLinks(words, name, filters, n_rows) },
  ], overview.tables)));
  return { title: t('tab_figures'), body };
}

/**
 * A figure of the server with its files; where there is none, the reason.
 *
 * @param {Translator} words
 * @param {URLSearchParams} query
 * @param {string} title
 */
export function figureOf(words, query, title) {
  const wait = make('p', { class: 'quiet', role: 'status' }, words.translate('drawing'));
  const picture = make('img', { alt: title, class: 'figure' });
  const figure = make('figure', { class: 'room' }, make('figcaption', {}, title), wait, drawingOf(query, picture));
  picture.addEventListener('load', () => {
    wait.remove();
    figure.append(figureLinks(words, query));
  });
  picture.addEventListener('error', () => explain(picture, wait, words.translate('no_figure')));
  return figure;
}

/**
 * A picture of the server, drawn for the width of the window so that its text can be read.
 *
 * @param {URLSearchParams} query
 * @param {HTMLImageElement} picture
 */
export function drawingOf(query, picture) {
  const address = (/** @type {string} */ screen) => `api/figure?${withParameter(query, 'screen', screen)}`;
  picture.src = address('wide');
  return make('picture', {}, make('source', { media: '(max-width: 50rem)', srcset: address('narrow') }), picture);
}

/**
 * Says why there is no figure, as the server does.
 *
 * @param {HTMLImageElement} picture
 * @param {HTMLElement} place
 * @param {string} otherwise
 */
async function explain(picture, place, otherwise) {
  picture.closest('figure')?.classList.remove('room');
  picture.parentElement?.remove();
  const answer = await fetch(picture.currentSrc || picture.src).then((response) => response.json()).catch(() => null);
  place.textContent = typeof answer?.error === 'string' ? answer.error : otherwise;
}
