// The hash of the address: `#explore/level?level=demo-01&condition=speed` is a view, a part of it, and what it looks at.

/** @import { Route } from './types.js' */

/**
 * @param {string} hash
 * @returns {Route}
 */
export function readHash(hash) {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const [view = '', part = ''] = path.split('/');
  return { view: view || 'start', part, query: new URLSearchParams(query) };
}

/**
 * @param {string} view such as `read` or `explore/level`
 * @param {Record<string, string | number | null | undefined> | URLSearchParams} query
 */
export function toHash(view, query = {}) {
  const parameters = query instanceof URLSearchParams ? query : new URLSearchParams();
  if (!(query instanceof URLSearchParams)) {
    for (const [key, value] of Object.entries(query)) if (value !== null && value !== undefined && value !== '') parameters.append(key, String(value));
  }
  const text = parameters.toString();
  return `#${view}${text ? `?${text}` : ''}`;
}
