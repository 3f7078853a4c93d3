import assert from 'node:assert/strict';
import { test } from 'node:test';

import { mirrored } from '../src/indexed_db.js';
import { WrongLink } from '../src/recorder.js';
import { Unreachable } from '../src/requests.js';
import { actions, KEY, numbers, place } from './recording.js';
import { lineTo, FakeStorage } from './session_server.js';

/* Logs that are gone, lines that come back, links */

test('a server whose log is gone gets nothing twice, keeps nobody from playing, and is asked until it is well', async () => {
  const { server, time, store, events, load } = place();
  const recorder = await load();
  recorder.step('a');
  await time.pass(0);
  const { handle } = server;
  server.handle = () => [503, { error: 'the log was moved', log: 'gone' }];
  recorder.step('b');
  await time.pass(0);
  assert.deepEqual([recorder.isInterrupted, recorder.fault, recorder.nWaiting], [true, null, 1]);
  recorder.step('c');
  await time.pass(60_000);
  assert.deepEqual([recorder.isInterrupted, recorder.fault, recorder.nWaiting], [true, null, 2]);
  assert.equal(actions(JSON.parse(store.getItem(KEY)).events), 'b c');
  await assert.rejects(load(), (error) => error instanceof Unreachable && error.isInterrupted && error.message === 'the log was moved');
  server.handle = handle;
  await time.pass(15_000);
  assert.deepEqual([recorder.isInterrupted, recorder.nWaiting, actions(events())], [false, 0, 'a b c']);
});

test('no other 503 is told as a log that is gone', async () => {
  const { server, time, load } = place();
  const recorder = await load();
  server.handle = () => [503, { error: 'too many connections' }];
  recorder.step('a');
  await time.pass(1000);
  assert.deepEqual([recorder.isInterrupted, recorder.fault, recorder.nWaiting], [false, null, 1]);
});

test('a refusal without a reason, or of the moment, is not the server’s last word', async () => {
  for (const answer of [[403, null], [404, 'no'], [407, {}], [408, { error: 'it took too long' }]]) {
    const { server, time, events, load } = place();
    const recorder = await load();
    const { handle } = server;
    server.handle = () => answer;
    recorder.step('a');
    await time.pass(2000);
    assert.equal(recorder.fault, null, String(answer));
    server.handle = handle;
    await time.pass(15_000);
    assert.equal(actions(events()), 'a');
  }
});

test('an hour without a line: pauses stay short, and all is sent at once when it is back', async () => {
  const at = [];
  let isDead = false;
  const { server, time, events, load } = place();
  const line = lineTo(server, time);
  const fetch = (...request) => (isDead ? (at.push(time.at), Promise.reject(new TypeError('the line is dead'))) : line(...request));
  const recorder = await load({ fetch });
  isDead = true;
  for (const number of numbers(1800)) {
    recorder.step(number);
    await time.pass(2000);
  }
  assert.ok(at.length >= 240, `${at.length} tries in an hour`);
  assert.ok(at.every((one, index) => index < 6 || one - at[index - 1] === 15_000), 'a try every 15 seconds');
  isDead = false;
  recorder.wake();
  await time.pass(0);
  assert.deepEqual([recorder.nWaiting, recorder.isLate], [0, false]);
  assert.equal(actions(events()), numbers(1800).join(' '));
});

test('a request on a line that was cut in silence does not keep the next one when the line is back', async () => {
  let isDead = false;
  const { time, events, load } = place({ fault: () => (isDead ? 'lost' : null) });
  const recorder = await load();
  isDead = true;
  recorder.step('a');
  await time.pass(100);
  isDead = false;
  recorder.wake();
  await time.pass(0);
  assert.deepEqual([recorder.nWaiting, actions(events())], [0, 'a']);
});

test('ten thousand events that no server had go through, in parts that the server takes, and outlive the page', async () => {
  let isDead = false;
  const { server, time, store, events, load } = place({ fault: () => (isDead ? 'before' : null) });
  const first = await load();
  isDead = true;
  let mostWritten = 0;
  const { setItem } = store;
  store.setItem = (key, text) => {
    mostWritten = Math.max(mostWritten, text.length);
    setItem.call(store, key, text);
  };
  for (const number of numbers(10_000)) first.step(`${number} ${'é'.repeat(400)}`);
  await time.pass(0);
  assert.ok(mostWritten < 200_000, `a step wrote ${mostWritten} characters`);
  first.die();
  isDead = false;
  server.requests.length = 0;
  const second = await load();
  assert.equal(second.events.length, 10_000);
  await time.pass(10);
  assert.deepEqual([second.nWaiting, events().length], [0, 10_000]);
  assert.deepEqual(events(), second.events);
  const sizes = server.requests.filter(({ body }) => body?.events).map(({ body }) => [body.events.length, Buffer.byteLength(JSON.stringify(body))]);
  assert.ok(sizes.every(([n, bytes]) => n <= 500 && bytes <= 2 ** 18), String(sizes));
  assert.deepEqual([...store.items.keys()], [KEY], 'what is confirmed does not stay in the storage');
});

test('one event that is larger than a request may be goes alone', async () => {
  const { server, time, load } = place();
  const recorder = await load();
  recorder.step('a');
  recorder.step('é'.repeat(200_000));
  recorder.step('b');
  await time.pass(0);
  assert.deepEqual(server.requests.slice(1).map(({ body }) => body.events.length), [1, 1, 1]);
});

test('where a server lost what it had, parts that had left the storage come back into it', async () => {
  let isDead = false;
  const { time, events, store, load } = place({ fault: () => (isDead ? 'before' : null) });
  const recorder = await load();
  for (const number of numbers(450)) recorder.step(number);
  await time.pass(0);
  assert.deepEqual([...store.items.keys()], [KEY]);
  events().length = 130;
  recorder.step('450');
  await time.pass(0);
  assert.equal(actions(events()), numbers(451).join(' '));
  for (const number of numbers(300, 451)) recorder.step(number);
  isDead = true;
  recorder.step('751');
  recorder.die();
  isDead = false;
  assert.equal(actions((await load()).events), numbers(752).join(' '));
});

test('a part that is missing is noticed, and the rest set aside', async () => {
  let isDead = false;
  const { store, time, load } = place({ fault: () => (isDead ? 'before' : null) });
  const first = await load();
  isDead = true;
  for (const number of numbers(450)) first.step(number);
  await time.pass(0);
  first.die();
  isDead = false;
  assert.deepEqual([...store.items.keys()].sort(), [KEY, `${KEY}/events/0`, `${KEY}/events/200`]);
  store.removeItem(`${KEY}/events/200`);
  const second = await load();
  assert.equal(second.events.length, 0);
  assert.match(store.getItem(`${KEY}/aside`), /"seq":199.*\n.*"seq":449/s);
});

test('a storage that is full is told, and all is sent and kept in memory', async () => {
  let isDead = false;
  const store = new FakeStorage();
  const { time, events, load } = place({ store, fault: () => (isDead ? 'before' : null) });
  const recorder = await load();
  const { setItem } = store;
  isDead = true;
  recorder.step('a');
  assert.equal(recorder.isKept, true);
  store.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
  for (const number of numbers(500)) recorder.step(number);
  assert.equal(recorder.isKept, false);
  await time.pass(6000);
  assert.deepEqual([recorder.isLate, recorder.nWaiting], [true, 501]);
  // Whoever loads the page again has what there was room for.
  assert.equal(JSON.parse(store.getItem(KEY)).events.length, 1);
  store.setItem = setItem;
  isDead = false;
  recorder.wake();
  await time.pass(0);
  assert.deepEqual([recorder.isKept, recorder.nWaiting, events().length], [true, 0, 501]);
});

test('steps that are one for a player are in the storage together or not at all', async () => {
  const { store, time, load } = place({ fault: (n) => (n > 0 ? 'before' : null) });
  const recorder = await load();
  const written = [];
  const { setItem } = store;
  store.setItem = (key, text) => {
    written.push(JSON.parse(text).events.length);
    setItem.call(store, key, text);
  };
  recorder.record([{ level: '', attempt: 1, event: 'answer', action: 'a', time_ms: 0 }, { level: '', attempt: 1, event: 'page', action: 'b', time_ms: 0 }]);
  await time.pass(0);
  assert.deepEqual(written, [2]);
});

test('a long session is read page by page', async () => {
  const { server, time, events, load } = place();
  const first = await load();
  for (const number of numbers(1201)) first.step(number);
  await time.pass(0);
  const { handle } = server;
  server.handle = (path, body) => {
    const [status, answer] = handle.call(server, path.split('?')[0], body);
    const from = Number(new URL(path, 'http://any').searchParams.get('from') ?? 0);
    return [status, body?.events ? answer : { ...answer, events: answer.events.slice(from, from + 500) }];
  };
  server.requests.length = 0;
  const second = await load();
  assert.deepEqual(second.events, events());
  assert.equal(server.requests.length, 3);
  // Another page of the session may go on meanwhile; a server that stops in the middle is no session.
  server.handle = (path) => [200, { number: 0, n_events: 1201, events: path.includes('from=') ? [] : events().slice(0, 500) }];
  await assert.rejects(load({ storage: new FakeStorage() }), /not all there/);
  server.handle = () => [200, { number: 0, n_events: 1201, events: events().slice(0, 500) }];
  await assert.rejects(load({ storage: new FakeStorage() }), /events from 500 on were asked for, and others came/);
});

/* Pages that were killed, and what they had on the way */

test('what a killed page had on the way does not arrive after the next page has come', async () => {
  const { server, time, events, load } = place({ fault: (n) => (n === 2 ? 'lost' : null) });
  const first = await load();
  first.step('a');
  await time.pass(0);
  first.step('b');
  await time.pass(0);
  first.die();
  // The browser was killed before it had written the second step.
  const second = await load({ storage: new FakeStorage() });
  assert.equal(actions(second.events), 'a');
  await time.pass(12_000);
  assert.deepEqual([actions(events()), actions(server.requests.at(-1).body.events)], ['a', 'b']);
  second.step('c');
  await time.pass(0);
  assert.deepEqual([second.fault, second.nWaiting, actions(events())], [null, 0, 'a c']);
});

test('a page goes on where its server forgot who had opened the session, or a page that is gone opened it late', async () => {
  const { server, time, events, load } = place();
  const recorder = await load();
  recorder.step('a');
  await time.pass(0);
  server.leases.clear();
  recorder.step('b');
  await time.pass(0);
  server.handle('/api/sessions/P01/1/lease', {});
  recorder.step('c');
  await time.pass(0);
  assert.deepEqual([recorder.fault, recorder.nWaiting, actions(events())], [null, 0, 'a b c']);
  // A server that is never content is asked in pauses.
  server.handle = (path) => (path === '/api/events' ? [409, { error: 'another page', n_events: 3, overtaken: true }] : [200, { n_events: 3, events: [], lease: 1 }]);
  recorder.step('d');
  await time.pass(60_000);
  assert.deepEqual([recorder.fault, recorder.nWaiting], [null, 1]);
  assert.ok(server.requests.length < 30);
});

/** What requests show, over a line that notes it. */
function showing(setting) {
  const shown = [];
  const line = lineTo(setting.server, setting.time);
  return { shown, fetch: (path, request) => (shown.push(request?.headers?.Authorization ?? null), line(path, request)) };
}

test('the token of a link is shown in each request', async () => {
  const setting = place();
  const { shown, fetch } = showing(setting);
  const recorder = await setting.load({ fetch, token: 'secret' });
  recorder.step('a');
  await setting.time.pass(0);
  recorder.step('b');
  recorder.leave();
  assert.deepEqual([...new Set(shown)], ['Bearer secret']);
  assert.equal(shown.length, 3);
});

test('a page without a token draws one, and those that come after have it', async () => {
  const setting = place();
  const { server, time, store, load } = setting;
  const { shown, fetch } = showing(setting);
  const first = await load({ fetch });
  await first.begin(null);
  const kept = store.getItem(`${KEY}/token`);
  assert.match(kept, /^[0-9a-f]{32}$/);
  assert.deepEqual(server.requests.map(({ body }) => body?.time_ms !== undefined), [false, true]);
  assert.deepEqual(first.events.map(({ event, value }) => [event, value]), [['assign', '0']]);
  first.step('a');
  await time.pass(0);
  const second = await load({ fetch });
  assert.deepEqual([...new Set(shown)], [`Bearer ${kept}`]);
  assert.equal(second.events.length, 2);
});

test('a session that is not that of the link is told as such', async () => {
  for (const status of [401, 403]) {
    const { server, load } = place();
    server.handle = () => [status, { error: 'the token is missing' }];
    await assert.rejects(load(), (error) => error instanceof WrongLink && error.message === 'the token is missing');
  }
});

/* Browsers that are killed */

/** A database as `indexed_db.js` has it. */
class Copies {
  texts = new Map();
  async read(prefix) { return [...this.texts].filter(([key]) => key.startsWith(prefix)); }
  write(key, text) { if (text === null) this.texts.delete(key); else this.texts.set(key, text); }
}

test('what a storage has not written when its browser is killed comes back from the copy', async () => {
  let isDead = false;
  const [store, database] = [new FakeStorage(), new Copies()];
  const { time, events, load } = place({ store, fault: () => (isDead ? 'before' : null) });
  const first = await load({ database });
  first.step('a');
  await time.pass(0);
  isDead = true;
  first.step('b');
  const onDisk = new Map(store.items);
  for (const number of numbers(450)) first.step(number);
  first.die();
  isDead = false;
  for (const items of [onDisk, new Map()]) {
    store.items = new Map(items);
    const second = await load({ database });
    assert.equal(actions(second.events), ['a', 'b', ...numbers(450)].join(' '));
    assert.equal(second.onset, time.at / 1000);
    second.die();
  }
  store.items = new Map();
  const last = await load({ database });
  await time.pass(10);
  assert.deepEqual([last.nWaiting, events().length], [0, 452]);
});

test('a copy that is behind, or cannot be had, changes nothing', async () => {
  let isDead = false;
  const [store, database] = [new FakeStorage(), new Copies()];
  const { load } = place({ store, fault: () => (isDead ? 'before' : null) });
  const first = await load({ database });
  isDead = true;
  first.step('a');
  const behind = new Map(database.texts);
  first.step('b');
  first.die();
  database.texts = behind;
  isDead = false;
  assert.equal(actions((await load({ database })).events), 'a b');
  assert.equal(actions((await load({ database: { read: async () => { throw new Error('no'); }, write: () => {} } })).events), 'a b');
});

test('what a page that was killed left in the storage alone goes into the copy', async () => {
  const [store, database] = [new FakeStorage(), new Copies()];
  for (const [key, text] of [['own', 'new'], ['own/token', 'secret'], ['other', 'text']]) store.setItem(key, text);
  database.write('own', 'old');
  const mirror = await mirrored(store, database, 'own', () => false);
  await mirror.settled();
  assert.deepEqual([...database.texts], [['own', 'new'], ['own/token', 'secret']]);
  assert.equal(mirror.getItem('own'), 'new');
});

test('what a full storage has no room for comes back from the copy', async () => {
  let isDead = false;
  const [store, database] = [new FakeStorage(), new Copies()];
  const { time, events, load } = place({ store, fault: () => (isDead ? 'before' : null) });
  const first = await load({ database });
  isDead = true;
  store.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
  for (const number of numbers(300)) first.step(number);
  first.die();
  isDead = false;
  const second = await load({ database });
  assert.equal(second.events.length, 300);
  await time.pass(10);
  assert.equal(actions(events()), numbers(300).join(' '));
});
