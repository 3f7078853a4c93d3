// Figures and tables of what the filters leave.

/** @import { Context, DrawnFigure, Overview } from './types.js' */
/** @import { Api } from './api.js' */
/** @import { Part } from './explore.js' */
/** @import { Translator } from '../play/i18n.js' */

import { Refusal, Unreachable } from './api.js';
import { field, link, make, menu, section, table } from './dom.js';
import { number } from './format.js';
import { figureLinks, filtersOf, rowsLine, tableLinks, withParameter } from './filters.js';

/** @type {Part} */
export async function showFigures({ api, context, overview, whole }) {
  const { words, route, to, go } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  const filters = filtersOf(route.query);
  const kind = route.query.get('kind') ?? overview.figures[0] ?? '';
  /** @type {Node[]} */
  const body = [rowsLine(words, overview.n_rows, whole.n_rows)];
  if (kind) {
    const query = withParameter(filters, 'kind', kind);
    const chosen = menu('figure kind', t('figure'), overview.figures.map((one) => [one, figureName(words, one)]), kind, (next) => go(to('explore/figures', withParameter(filters, 'kind', next))));
    body.push(section(t('figure'), make('div', { class: 'tools end' }, field(t('figure'), chosen)), figureOf(api, context, query, figureName(words, kind))));
  }
  body.push(section(t('tables'), table(t('tables_caption'), [
    { title: t('table'), isName: true, cell: (/** @type {Overview['tables'][number]} */ { name }) => t(`table_${name}`) },
    { title: t('rows'), isNumber: true, cell: ({ n_rows }) => number(words, n_rows) },
    { title: t('files'), cell: ({ name, n_rows }) => tableLinks(words, name, filters, n_rows) },
  ], overview.tables)));
  return { title: t('tab_figures'), body };
}

/** @param {Translator} words @param {string} kind */
export const figureName = (words, kind) => words.translate(`figure_${kind.replaceAll('-', '_')}`);

/**
 * A way to the figures of a kind.
 *
 * @param {Context} context
 * @param {URLSearchParams} query the filters and the kind
 */
export function figureLink({ words, to }, query) {
  const text = words.translate('labelled', { label: words.translate('figure'), value: figureName(words, query.get('kind') ?? '') });
  return make('p', {}, link(to('explore/figures', query), text));
}

/**
 * The figures of a kind with all their pages and files; where there is none, the reason.
 *
 * @param {Api} api
 * @param {Context} context
 * @param {URLSearchParams} query
 * @param {string} title
 * @param {(place: HTMLElement) => void} [onNone] is called where there is no such figure
 */
export function figureOf(api, { words, signal }, query, title, onNone) {
  const wait = make('p', { class: 'quiet', role: 'status' }, words.translate('drawing'));
  const place = make('div', { class: 'stack room' }, wait);
  api.get(`api/figures?${query}`, signal).then((figures) => fill(place, words, figures, query, title)).catch((error) => {
    if (signal.aborted || error instanceof Unreachable) return;
    if (onNone && error instanceof Refusal && error.answer.message?.key === 'no_figure') return onNone(place);
    place.classList.remove('room');
    wait.textContent = error instanceof Error && error.message ? error.message : words.translate('no_figure');
  });
  return place;
}

/**
 * @param {HTMLElement} place
 * @param {Translator} words
 * @param {DrawnFigure[]} figures
 * @param {URLSearchParams} query
 * @param {string} title
 */
function fill(place, words, figures, query, title) {
  place.classList.remove('room');
  place.replaceChildren(...figures.map((one) => {
    const of = withParameter(query, 'figure', one.name);
    // One alone is called as its kind; several are told apart by their titles, in the language of figures.
    const caption = figures.length > 1 ? make('figcaption', { lang: '' }, one.title) : make('figcaption', {}, title);
    const n = Math.max(one.n_wide, one.n_narrow);
    const drawings = Array.from({ length: n }, (_, index) => pageOf(of, one, index, n > 1 ? `${caption.textContent} (${index + 1}/${n})` : caption.textContent ?? ''));
    const files = Array.from({ length: one.n_pages }, (_, index) => figureLinks(words, withParameter(of, 'page', String(index + 1)), one.n_pages > 1 ? `${index + 1}/${one.n_pages}` : ''));
    return make('figure', {}, caption, ...drawings, ...files);
  }));
}

/**
 * A page of a figure as windows show it, which is another where one of them has fewer.
 *
 * @param {URLSearchParams} query
 * @param {DrawnFigure} figure
 * @param {number} index
 * @param {string} alt
 */
function pageOf(query, { n_wide, n_narrow }, index, alt) {
  const picture = make('img', { alt, class: 'figure', loading: 'lazy' });
  const drawing = drawingOf(withParameter(query, 'page', String(index + 1)), picture, index < n_wide, index < n_narrow);
  if (index >= n_wide) drawing.classList.add('only-narrow');
  if (index >= n_narrow) drawing.classList.add('only-wide');
  return drawing;
}

/**
 * A picture of the server, drawn for the width of the window so that its text can be read.
 *
 * @param {URLSearchParams} query
 * @param {HTMLImageElement} picture
 * @param {boolean} isWide whether there is one for a wide window
 * @param {boolean} isNarrow
 */
export function drawingOf(query, picture, isWide = true, isNarrow = true) {
  // Of the same address a browser shows the picture again that the page had before the study or a file was changed.
  const asked = withParameter(query, 'asked', String(Date.now()));
  const address = (/** @type {string} */ screen) => `api/figure?${withParameter(asked, 'screen', screen)}`;
  picture.src = address(isWide ? 'wide' : 'narrow');
  return make('picture', {}, ...(isNarrow ? [make('source', { media: '(max-width: 50rem)', srcset: address('narrow') })] : []), picture);
}
