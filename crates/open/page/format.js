// Numbers, shares, times and sizes in the language of the page.

/** @import { Translator } from '../play/i18n.js' */

/** What stands where there is no value. */
export const NONE = '–';

/**
 * A number with three significant digits, or all of those before the point.
 *
 * @param {Translator} words
 * @param {number | null | undefined} value
 */
export function number(words, value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  const size = Math.abs(value);
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString(words.language, { maximumFractionDigits: digits }).replace('-', '−');
}

/** A value without what arithmetic leaves behind: logarithms and back make 1.9999999999999998 of 2. @param {number} value */
export const settled = (value) => Math.round(value * 1e9) / 1e9;

/**
 * @param {Translator} words
 * @param {number | null | undefined} share
 */
export function percent(words, share) {
  if (share === null || share === undefined || !Number.isFinite(share)) return NONE;
  // Not all is not 100 %, and not nothing is not 0 %.
  const one = settled(share);
  const shown = one < 1 && one > 0.999 ? 0.999 : one > 0 && one < 0.001 ? 0.001 : one;
  return shown.toLocaleString(words.language, { style: 'percent', maximumFractionDigits: 1 }).replace('-', '−');
}

/**
 * @param {Translator} words
 * @param {number | null | undefined} seconds
 */
export function duration(words, seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return NONE;
  if (seconds < 60) return `${number(words, seconds)} s`;
  const whole = Math.round(seconds);
  const rest = `${whole % 60} s`;
  return whole < 3600 ? `${Math.floor(whole / 60)} min ${rest}` : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/**
 * @param {Translator} words
 * @param {number} bytes
 */
export function size(words, bytes) {
  const [unit = 'B', by = 1] = /** @type {[string, number][]} */ ([['GB', 1e9], ['MB', 1e6], ['kB', 1e3]]).find(([, one]) => bytes >= one) ?? [];
  return `${number(words, bytes / by)} ${unit}`;
}

/**
 * @param {Translator} words
 * @param {number | null} p
 */
export function pValue(words, p) {
  if (p === null || !Number.isFinite(p)) return NONE;
  const least = 0.001;
  if (p < least) return `< ${least.toLocaleString(words.language)}`;
  return p.toLocaleString(words.language, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
}

/**
 * A line of statistics with the decimal mark of the language; a comma between numbers is a semicolon where it would be one.
 *
 * @param {Translator} words
 * @param {string} text in English, such as `W = 9.0, p < .001, r = .51 [.20, .74]`
 */
export function withMark(words, text) {
  const mark = (0.5).toLocaleString(words.language).charAt(1);
  if (mark === '.') return text;
  return text.replace(/(\[[^\]]*), /g, '$1; ').replace(/(^|[^\p{L}\d.])(\d*)\.(?=\d)/gu, `$1$2${mark}`);
}

/**
 * @param {Translator} words
 * @param {boolean | null | undefined} solved
 */
export const yesNo = (words, solved) => (solved === null || solved === undefined ? NONE : words.translate(solved ? 'yes' : 'no'));

/**
 * A number with its unit: shares as percent, seconds as times.
 *
 * @param {Translator} words
 * @param {number | null | undefined} value
 * @param {string | null} unit
 */
export function measure(words, value, unit) {
  if (unit === 's') return duration(words, value);
  if (unit === 'share') return percent(words, value);
  const text = number(words, value);
  return unit && text !== NONE ? `${text} ${unit}` : text;
}

/**
 * The two ends of a range of values; nothing where there is none.
 *
 * @param {(value: number | null) => string} show
 * @param {number | null | undefined} lower
 * @param {number | null | undefined} upper
 */
export const range = (show, lower, upper) => (lower === null || lower === undefined || upper === null || upper === undefined ? NONE : `${show(lower)} … ${show(upper)}`);

/** A name with its session, where that is not the first. @param {string} name @param {string} session */
export const withSession = (name, session) => (session && session !== '1' ? `${name} (${session})` : name);

/** Unit of a measure: shares have none of their own. @param {string} key @param {string} unit */
export const unitOf = (key, unit) => (key === 'solved' || key.startsWith('share_') ? 'share' : unit);

/** A name of games, figures or tables for eyes: `tower-of-london` becomes `Tower of London`. @param {string} name */
export function prettyName(name) {
  const words = name.replace(/[-_]/g, ' ').split(' ').map((word, index) => (index && SMALL.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)));
  return words.join(' ');
}

const SMALL = new Set(['of', 'the', 'on', 'by', 'and', 'in']);
