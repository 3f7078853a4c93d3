import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checked, crc32, signed } from '../src/checksum.js';
import { LocalStore } from '../src/local_store.js';
import { FakeStorage } from './session_server.js';

const SESSION = { study: 'towers', participant: 'P01', session: '2' };
const KEY = 'plymap/towers/P01/2';
const step = (action, time, more = {}) => ({ level: 'one', attempt: 1, event: 'move', action, time_ms: time, ...more });

/** A browser; `load` is a page that is loaded. */
function browser(storage = new FakeStorage()) {
  const setting = { storage, at: 0, changes: 0 };
  setting.load = () => {
    const loaded = setting.at;
    return LocalStore.open(SESSION, { storage, now: () => setting.at - loaded, wall: () => 1e12 + setting.at, onChange: () => { setting.changes += 1; } });
  };
  return setting;
}

test('a session goes on when its page is loaded again, on one clock', async () => {
  const setting = browser();
  const first = await setting.load();
  setting.at = 1500;
  first.record(step('a', 1500));
  setting.at = 10_000;
  const second = await setting.load();
  assert.deepEqual(second.events, [{ seq: 0, ...step('a', 1500), onset_s: 1.5 }]);
  setting.at = 12_000;
  second.record(step('b', 2000));
  assert.deepEqual(second.events.map(({ seq, time_ms: time, onset_s: onset }) => [seq, time, onset]), [[0, 1500, 1.5], [1, 2000, 12]]);
  assert.deepEqual([second.nWaiting, second.fault, setting.changes], [0, null, 2]);
});

test('data are lines as a server writes them', async () => {
  const store = await browser().load();
  store.record({ level: '', attempt: 1, event: 'assign', action: 'timed', value: '3', condition: 'timed', time_ms: 0 });
  store.record(step('left+2', 7.25, { trial: 1, block: 'b', condition: 'timed', state_after: 's' }));
  assert.equal(store.data, [
    '{"participant":"P01","session":"2","seq":0,"level":"","attempt":1,"event":"assign","action":"timed","value":"3","condition":"timed","time_ms":0,"onset_s":0,"crc32":"952f3dda"}\n',
    '{"participant":"P01","session":"2","seq":1,"level":"one","attempt":1,"event":"move","action":"left+2","state_after":"s","condition":"timed","block":"b","trial":1,"time_ms":7.25,"onset_s":0.00725,"crc32":"9487a588"}\n',
  ].join(''));
});

test('the checksum of a line is that of the standard', () => {
  // The check value of CRC-32/ISO-HDLC, and lines as crates/tables/src/checksum/json.rs signs them.
  assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
  assert.equal(signed('{"a":1}'), '{"a":1,"crc32":"a702fc6e"}\n');
  assert.equal(signed('{"a":"Zoë"}'), '{"a":"Zoë","crc32":"518c25bb"}\n');
});

test('each flipped bit of a text with a checksum is noticed', () => {
  const whole = new TextEncoder().encode(signed('{"name":"Zoë","levels":[1,2]}'));
  const decoder = new TextDecoder();
  assert.equal(checked(decoder.decode(whole)), decoder.decode(whole));
  for (let bit = 0; bit < 8 * (whole.length - 1); bit += 1) {
    const flipped = whole.slice();
    flipped[bit >> 3] ^= 1 << (bit & 7);
    assert.throws(() => checked(decoder.decode(flipped)), /crc32/, `bit ${bit}`);
  }
  assert.throws(() => checked('{"a":1}'), /crc32/);
});

test('what was sent is known after the page was loaded again, until there is more', async () => {
  const setting = browser();
  const store = await setting.load();
  store.record(step('a', 0));
  assert.equal(store.isSent, false);
  store.markSent();
  const again = await setting.load();
  assert.equal(again.isSent, true);
  again.record(step('b', 0));
  assert.equal(again.isSent, false);
});

test('of two pages of a session the second one to act stops', async () => {
  const setting = browser();
  const first = await setting.load();
  first.record(step('a', 0));
  const second = await setting.load();
  first.record(step('b', 0));
  second.record(step('c', 0));
  assert.deepEqual(second.fault, { reason: 'The session went on in another page', kind: 'conflict', nLost: 1 });
  second.record(step('d', 0));
  const third = await setting.load();
  assert.equal(third.events.map(({ action }) => action).join(''), 'ab');
});

test('without a storage everything waits, and is there all the same', async () => {
  for (const storage of [null, { getItem: () => null, setItem: () => { throw new Error('full'); } }]) {
    const store = await browser(storage).load();
    store.record(step('a', 0));
    store.record(step('b', 0));
    assert.deepEqual([store.nWaiting, store.events.length, store.fault], [2, 2, null]);
  }
});

test('what cannot be read is put aside', async () => {
  const storage = new FakeStorage();
  storage.setItem(KEY, 'nonsense');
  const store = await browser(storage).load();
  store.record(step('a', 0));
  assert.equal(storage.getItem(`${KEY}/aside`), 'nonsense');
  assert.equal((await browser(storage).load()).events.length, 1);
});
