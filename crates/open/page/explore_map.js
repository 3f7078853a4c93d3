// The interactive map of a level in a frame, which is asked for when it is opened; the address says that it is open.

/** @import { Context, LevelAnswer } from './types.js' */

import { ENGLISH, link, make, section } from './dom.js';
import { withParameter, withoutParameter } from './filters.js';

/** What the address says of a map that is open. */
const [KEY, OPEN] = ['map', 'open'];

/**
 * @param {Context} context
 * @param {URLSearchParams} query the name of the level and the filters
 * @param {LevelAnswer} answer
 */
export function mapSection(context, query, { level, no_map }) {
  const { words, route, to } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  if (no_map) return section(t('map'), make('p', { class: 'quiet', ...ENGLISH }, no_map));
  const alone = link(`api/map?${query}`, t('map_tab'), { target: '_blank', rel: 'noopener' });
  const summary = make('summary', { 'data-key': 'level map' }, t('map_open'));
  const details = make('details', route.query.get(KEY) === OPEN ? { open: '' } : {}, summary);
  details.addEventListener('toggle', () => {
    // It comes later, when another view may be shown.
    if (context.signal.aborted) return;
    const rest = withoutParameter(route.query, KEY);
    context.keep(to(`${route.view}/${route.part}`, details.open ? withParameter(rest, KEY, OPEN) : rest));
    if (details.open && !details.querySelector('iframe')) details.replaceChildren(summary, ...mapIn(context, query, level));
  });
  return section(t('map'), make('p', { class: 'quiet' }, t('map_help')), make('p', { class: 'tools' }, alone), details);
}

/**
 * The frame of a map, below what is said until it is there.
 *
 * @param {Context} context
 * @param {URLSearchParams} query
 * @param {string} level
 */
function mapIn({ words }, query, level) {
  const said = make('p', { class: 'quiet', role: 'status' }, words.translate('map_drawing'));
  const address = `api/map?${withParameter(query, 'in', 'frame')}`;
  const frame = make('iframe', { src: address, title: words.translate('map_title', { level }), class: 'map' });
  frame.addEventListener('load', () => {
    const map = frame.contentDocument?.getElementById('state-map');
    if (map) {
      said.remove();
      fit(frame, map.ownerDocument.body);
    } else {
      frame.remove();
      said.textContent = words.translate('map_failed');
    }
  });
  return [said, frame];
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
