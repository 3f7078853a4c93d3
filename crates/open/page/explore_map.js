// The interactive map of a level in a frame, which is asked for when it is opened; the address says that it is open.

/** @import { Context, LevelAnswer } from './types.js' */
/** @import { Api } from './api.js' */

import { Unreachable } from './api.js';
import { ENGLISH, button, link, make, section } from './dom.js';
import { withParameter, withoutParameter } from './filters.js';

/** What the address says of a map that is open. */
const [KEY, OPEN] = ['map', 'open'];

/**
 * @param {Api} api
 * @param {Context} context
 * @param {URLSearchParams} query the name of the level and the filters
 * @param {LevelAnswer} answer
 */
export function mapSection(api, context, query, { level, no_map }) {
  const { words, route, to } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  if (no_map) return section(t('map'), make('p', { class: 'quiet', ...ENGLISH }, no_map));
  const alone = link(`api/map?${query}`, t('map_tab'), { target: '_blank', rel: 'noopener' });
  const summary = make('summary', { 'data-key': 'level map' }, t('map_open'));
  const place = make('div');
  const details = make('details', route.query.get(KEY) === OPEN ? { open: '' } : {}, summary, place);
  details.addEventListener('toggle', () => {
    // It comes later, when another view may be shown.
    if (context.signal.aborted) return;
    const rest = withoutParameter(route.query, KEY);
    context.keep(to(`${route.view}/${route.part}`, details.open ? withParameter(rest, KEY, OPEN) : rest));
    if (details.open && !place.firstChild) show();
  });
  const show = () => showMap(api, context, query, level, place);
  return section(t('map'), make('p', { class: 'quiet' }, t('map_help')), make('p', { class: 'tools' }, alone), details);
}

/**
 * Shows a map in its place: the frame when it is drawn, and until then what is said of it.
 *
 * @param {Api} api
 * @param {Context} context
 * @param {URLSearchParams} query
 * @param {string} level
 * @param {HTMLElement} place
 */
async function showMap(api, context, query, level, place) {
  const { words, signal } = context;
  const said = make('p', { class: 'quiet', role: 'status' }, words.translate('map_drawing'));
  place.replaceChildren(said);
  const fail = (/** @type {string} */ reason) => {
    said.textContent = words.translate('failed', { reason });
    place.replaceChildren(said, button(words.translate('again'), () => showMap(api, context, query, level, place)));
  };
  try {
    // A level of many positions takes some seconds, as a task that can be stopped.
    while (!(await api.get(`api/map/state?${query}`, signal)).is_drawn);
  } catch (error) {
    if (!signal.aborted && !(error instanceof Unreachable)) fail(error instanceof Error ? error.message : String(error));
    return;
  }
  const address = `api/map?${withParameter(query, 'in', 'frame')}`;
  const frame = make('iframe', { src: address, title: words.translate('map_title', { level }), class: 'map' });
  frame.addEventListener('load', () => {
    const map = frame.contentDocument?.getElementById('state-map');
    if (!map) return fail(words.translate('map_failed'));
    said.remove();
    fit(frame, map.ownerDocument.body);
  });
  place.append(frame);
}

/**
 * Keeps a frame as high as what is in it, so that it does not scroll by itself.
 *
 * @param {HTMLIFrameElement} frame
 * @param {HTMLElement} content
 */
function fit(frame, content) {
  new ResizeObserver(() => { frame.style.height = `${Math.ceil(content.getBoundingClientRect().height)}px`; }).observe(content);
}
