// Orders that are the same everywhere and for ever: drawn from a seed, or rows of a balanced Latin square.

/**
 * A number from 0 to 2^32 - 1 for a text: FNV-1a (Fowler, Noll and Vo) of its UTF-8 bytes.
 *
 * @param {string} text
 */
export function hashOf(text) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/**
 * Whole numbers drawn from a seed, by the generator mulberry32 (Tommy Ettinger).
 *
 * @param {number} seed from 0 to 2^32 - 1
 * @returns {(n: number) => number} a number from 0 to n - 1, where n is at most 2^21
 */
export function seededRandom(seed) {
  let state = seed | 0;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    // Up to 2^21 the product is exact, so that other languages get the same number without fractions.
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) * n) / 2 ** 32);
  };
}

/**
 * A list in an order drawn from a seed, each order being as likely (Fisher and Yates, from the end).
 *
 * @template T
 * @param {readonly T[]} list
 * @param {number} seed
 * @returns {T[]}
 */
export function shuffled(list, seed) {
  const draw = seededRandom(seed);
  const order = [...list];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = draw(last + 1);
    [order[last], order[other]] = [/** @type {T} */ (order[other]), /** @type {T} */ (order[last])];
  }
  return order;
}

/**
 * How many rows the balanced Latin square of so many things has: in as many, where their number is even, each thing
 * follows each other one equally often; where it is odd, that takes twice as many.
 *
 * @param {number} n
 */
export const nSquareRows = (n) => (n % 2 && n > 1 ? 2 * n : Math.max(1, n));

/**
 * A list in the order of a row of the balanced Latin square of Williams (1949).
 *
 * The first row goes 0, 1, n - 1, 2, n - 2, … and each further one adds 1 modulo n; of an odd number of things, the
 * second half of the rows are those of the first half backwards.
 *
 * @template T
 * @param {readonly T[]} list
 * @param {number} row from 0; after the last row comes the first one
 * @returns {T[]}
 */
export function latinSquareRow(list, row) {
  const n = list.length;
  const place = row % nSquareRows(n);
  const first = Array.from(list, (_, at) => (at % 2 ? (at + 1) / 2 : (n - at / 2) % n));
  const order = first.map((one) => /** @type {T} */ (list[(one + place) % n]));
  return place < n ? order : order.reverse();
}
