import assert from 'node:assert/strict';
import { test } from 'node:test';

import { latinSquareRow, seededRandom, hashOf, nSquareRows, shuffled } from '../src/randomization.js';

const letters = (n) => [...'abcdefghijklmnopqrstuvwxyz'.slice(0, n)];
const rowsOf = (n) => Array.from({ length: nSquareRows(n) }, (_, row) => latinSquareRow(letters(n), row).join(''));

/* Fixed values: data that were recorded with an order must have it in every later version. */

test('a hash is that of FNV-1a', () => {
  // Test vectors of its authors, 32 bits.
  assert.deepEqual(['', 'a', 'foobar'].map(hashOf), [0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
});

test('numbers are those of mulberry32', () => {
  const draw = seededRandom(1);
  assert.deepEqual(Array.from({ length: 8 }, () => draw(1000)), [627, 2, 527, 981, 968, 281, 612, 720]);
});

test('a seed gives the same order everywhere and for ever', () => {
  assert.deepEqual([1, 2, 3, 4_294_967_295].map((seed) => shuffled(letters(8), seed).join('')), ['cbghedaf', 'eahdgbcf', 'hebdgcaf', 'acgdfebh']);
});

test('each order is as likely', () => {
  const counts = new Map();
  for (let person = 0; person < 24_000; person += 1) {
    const order = shuffled(letters(4), hashOf(`study/P${person}/1`)).join('');
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  assert.equal(counts.size, 24);
  // The 0.999 quantile of chi-squared with 23 degrees of freedom is 49.7 (scipy.stats.chi2.ppf).
  const chi = [...counts.values()].reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
  assert.ok(chi < 49.7, `chi-squared ${chi}`);
});

test('what is shuffled is left as it was', () => {
  const list = letters(5);
  assert.deepEqual(shuffled(list, 7).sort(), list);
  assert.deepEqual(list, letters(5));
  assert.deepEqual([shuffled([], 1), shuffled(['a'], 1)], [[], ['a']]);
});

/* Latin squares */

test('the squares of 1 to 5 things', () => {
  assert.deepEqual(rowsOf(1), ['a']);
  assert.deepEqual(rowsOf(2), ['ab', 'ba']);
  assert.deepEqual(rowsOf(3), ['abc', 'bca', 'cab', 'cba', 'acb', 'bac']);
  assert.deepEqual(rowsOf(4), ['abdc', 'bcad', 'cdba', 'dacb']);
  assert.deepEqual(rowsOf(5), ['abecd', 'bcade', 'cdbea', 'decab', 'eadbc', 'dceba', 'edacb', 'aebdc', 'baced', 'cbdae']);
  assert.deepEqual(latinSquareRow([], 3), []);
});

test('in all rows each thing has each place, and follows each other one, equally often', () => {
  for (let n = 2; n <= 12; n += 1) {
    const rows = rowsOf(n);
    const places = new Map();
    const pairs = new Map();
    const add = (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const row of rows) {
      assert.equal(new Set(row).size, n, `${n}: ${row}`);
      [...row].forEach((one, place) => {
        add(places, `${one}${place}`);
        if (place > 0) add(pairs, row[place - 1] + one);
      });
    }
    const each = rows.length / n;
    assert.deepEqual([places.size, new Set(places.values())], [n * n, new Set([each])], `${n}: places`);
    assert.deepEqual([pairs.size, new Set(pairs.values())], [n * (n - 1), new Set([each])], `${n}: pairs`);
  }
});

test('after the last row comes the first one', () => {
  for (const n of [1, 2, 3, 4]) assert.deepEqual(latinSquareRow(letters(n), nSquareRows(n) + 1), latinSquareRow(letters(n), 1));
});
