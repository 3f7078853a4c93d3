// The interactive map of a level in a frame, which is asked for when it is opened; the address says that it is open.

/** @import { Context } from './types.js' */

import { ENGLISH, link, make, section } from './dom.js';
import { withParameter, withoutParameter } from './filters.js';

/** What the address says of a map that is open. */
const [KEY, OPEN] = ['map', 'open'];

/**
 * @param {Context} context
 * @param {URLSearchParams} query the name of the level and the filters
 * @param {string} level
 */
export function mapSection(context, query, level) {
  const { words, route, to } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  const alone = link(`api/map?${query}`, t('map_tab'), { target: '_blank', rel: 'noopener' });
  const isOpen = route.query.get(KEY) === OPEN;
  const summary = make('summary', { 'data-key': 'level map' }, t('map_open'));
  const details = make('details', isOpen ? { open: '' } : {}, summary);
  details.addEventListener('toggle', () => {
    // It comes later, when another view may be shown.
    if (context.signal.aborted) return;
    const rest = withoutParameter(route.query, KEY);
    context.keep(to(`${route.view}/${route.part}`, details.open ? withParameter(rest, KEY, OPEN) : rest));
    if (details.open && details.childElementCount === 1) details.append(...mapIn(context, query, level));
  });
  return section(t('map'), make('p', { class: 'quiet' }, t('map_help')), make('p', { class: 'tools' }, alone), details);
}

/**
 * The frame of a map below what is said until it is there; where there is no map, the reason takes its place.
 *
 * @param {Context} context
 * @param {URLSearchParams} query
 * @param {string} level
 */
function mapIn({ words }, query, level) {
  const wait = make('p', { class: 'quiet', role: 'status' }, words.translate('drawing'));
  const address = `api/map?${withParameter(query, 'in', 'frame')}`;
  const frame = make('iframe', { src: address, title: words.translate('map_title', { level }), class: 'map' });
  frame.addEventListener('load', () => {
    const map = frame.contentDocument?.getElementById('state-map');
    if (map) {
      wait.remove();
      fit(frame, map.ownerDocument.body);
    } else {
      frame.remove();
      explain(address, wait, words.translate('no_map'));
    }
  });
  return [wait, frame];
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

/**
 * Says why there is no map, as the server does.
 *
 * @param {string} address
 * @param {HTMLElement} place
 * @param {string} otherwise
 */
async function explain(address, place, otherwise) {
  const answer = await fetch(address).then((response) => response.json()).catch(() => null);
  const isSaid = typeof answer?.error === 'string';
  if (isSaid) place.lang = ENGLISH.lang;
  place.textContent = isSaid ? answer.error : otherwise;
}
