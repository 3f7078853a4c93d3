import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SESSION_TEXTS, TEXTS } from '../src/texts.js';
import { colourOf, Translator } from '../src/i18n.js';
import { FRAME, GOAL, HERO, LAMP_OFF, LAMP_ON, PEBBLE, PIECE, WALL, shape } from './levels.js';

const english = new Translator('en', {}, true);

test('all languages have the same texts with the same words in braces', () => {
  const words = (text) => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const all of [TEXTS, SESSION_TEXTS]) {
    assert.deepEqual(Object.keys(all), ['en', 'de', 'fr']);
    for (const [language, texts] of Object.entries(all)) {
      assert.deepEqual(Object.keys(texts), Object.keys(all.en), language);
      for (const [name, text] of Object.entries(texts)) assert.deepEqual(words(text), words(all.en[name]), `${language}, ${name}`);
    }
  }
});

test('no text of the page has the name of a text of the board: a study names them alike', () => {
  assert.deepEqual(Object.keys(SESSION_TEXTS.en).filter((name) => name in TEXTS.en), []);
});

test('one, many, and units that are new', () => {
  const french = new Translator('fr', {}, true);
  assert.deepEqual([0, 1, 2, 1234.56].map((n) => english.pluralize('moves', n)), ['0 moves', '1 move', '2 moves', '1,234.6 moves']);
  // In French nothing is singular.
  assert.deepEqual([0, 2].map((n) => french.pluralize('cells', n)), ['0 case', '2 cases']);
  assert.equal(english.pluralize('pours', 3), '3 pours');
});

test('places are cells on a grid, from 1, and middles elsewhere', () => {
  const long = shape(1, 2, 1, 3, PIECE, 'A');
  const disc = shape(0.16, 1.16, 0.68, 0.68, PEBBLE, 'A');
  assert.equal(english.placeOf(long), 'row 2, column 3');
  assert.equal(english.placeOf(disc), 'row 1, column 2');
  assert.equal(new Translator('en', {}, false).placeOf(shape(0.866, 0.5, 1, 1, PEBBLE)), 'row 1.9, column 1.5');
  assert.equal(new Translator('de', {}, false).placeOf(shape(0.866, 0.5, 1, 1, PEBBLE)), 'Zeile 1,9, Spalte 1,5');
});

test('pieces without a label have a colour and a form', () => {
  const names = [PEBBLE, PIECE, GOAL, LAMP_ON, LAMP_OFF, HERO].map((paint) => english.nameOf(shape(0, 0, 1, 1, paint)));
  assert.deepEqual(names, ['green disc', 'blue block', 'yellow goal', 'yellow block', 'grey block', 'red block']);
  assert.equal(new Translator('de', {}, true).nameOf(shape(0, 0, 1, 1, PEBBLE)), 'Scheibe (grün)');
});

test('colours by their names', () => {
  const named = { '#000000': 'black', '#ffffff': 'white', '#777777': 'grey', '#cc3311': 'red', '#ffaa55': 'orange', '#8b4513': 'brown', '#eedd88': 'yellow', '#44bb99': 'green', '#99ddff': 'blue', '#8833dd': 'purple', '#ffaabb': 'pink' };
  for (const [hex, name] of Object.entries(named)) assert.equal(colourOf(hex), name, hex);
});

test('a position in words: pieces, then goals, then walls, alike ones together', () => {
  const shapes = [shape(0, 0, 1, 1, WALL), shape(1, 1, 1, 1, GOAL, 'a'), shape(0, 1, 1, 1, PIECE), shape(2, 1, 1, 1, PIECE), shape(0, 0, 3, 3, FRAME)];
  assert.equal(english.description(shapes), 'blue block: row 1, column 2; row 3, column 2. goal a: row 2, column 2. grey block: row 1, column 1.');
  assert.equal(english.description([shape(0, 0, 1, 4, FRAME, '{0 0}')]), '{0 0}: row 1, column 1.');
  assert.equal(english.description([]), 'The board is empty.');
});

test('time', () => {
  assert.deepEqual([0, 59, 60, 3725].map((seconds) => english.time(seconds)), ['00:00', '00:59', '01:00', '62:05']);
});

test('texts that are unknown or missing are refused, and others are taken', () => {
  assert.equal(new Translator('en', { undo: 'Back' }, true).translate('undo'), 'Back');
  assert.throws(() => new Translator('en', { undoo: 'Back' }, true), /There is no text undoo/);
  assert.throws(() => new Translator('es', { undo: 'Deshacer' }, true), /In the language es these texts are missing: board, .*languages with all texts are en, de, fr/);
  assert.equal(new Translator('es', { ...TEXTS.en, undo: 'Deshacer' }, true).translate('undo'), 'Deshacer');
});
