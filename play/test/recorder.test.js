import assert from 'node:assert/strict';
import { test } from 'node:test';

import { actions, FAULTS, KEY, numbers, place } from './recording.js';
import { lineTo, seeded, FakeStorage } from './session_server.js';

test('a step is sent at once, and steps of one turn together', async () => {
  const { server, time, events, load } = place();
  const recorder = await load();
  recorder.step('a');
  recorder.step('', 'solved');
  assert.equal(recorder.nWaiting, 2);
  await time.pass(0);
  assert.equal(recorder.nWaiting, 0);
  assert.deepEqual(events(), [
    { seq: 0, level: 'one', attempt: 1, event: 'move', action: 'a', time_ms: 0, onset_s: 0 },
    { seq: 1, level: 'one', attempt: 1, event: 'solved', action: '', time_ms: 0, onset_s: 0 },
  ]);
  assert.equal(server.requests.length, 2, 'one for the session and one for both events');
  assert.equal(time.nTimers, 0);
});

/* A line that fails */

for (const kind of FAULTS) {
  test(`each event once and in order, where every third request is ${kind}`, async () => {
    const { time, events, load } = place({ fault: (n) => (n % 3 === 2 ? kind : null) });
    const recorder = await load();
    for (const number of numbers(60)) {
      recorder.step(number);
      await time.pass(400);
    }
    await time.pass(60_000);
    assert.equal(recorder.nWaiting, 0);
    assert.equal(actions(events()), numbers(60).join(' '));
    assert.deepEqual(events(), recorder.events);
    assert.equal(time.nTimers, 0);
  });
}

test('each event once and in order over a line that fails at random, with pages loaded again in the middle', async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = seeded(seed);
    let isOpening = true;
    // What is loaded is loaded: a page whose session does not come asks its player to try again.
    const fault = () => (!isOpening && random() < 0.6 ? FAULTS[Math.floor(random() * FAULTS.length)] : null);
    const { time, events, load } = place({ fault });
    let page = 0;
    let recorder = await load();
    for (const number of numbers(80)) {
      isOpening = false;
      recorder.step(number);
      await time.pass(random() * 3000);
      if (random() > 0.08) continue;
      if (random() < 0.5) recorder.leave();
      isOpening = true;
      page += 1;
      recorder.die();
      recorder = await load();
    }
    isOpening = false;
    await time.pass(300_000);
    assert.ok(page > 0, `seed ${seed} loads no page again`);
    assert.equal(recorder.nWaiting, 0, `seed ${seed}`);
    assert.equal(actions(events()), numbers(80).join(' '), `seed ${seed}`);
    assert.deepEqual(events().map(({ seq }) => seq), events().map((_, index) => index));
    const onsets = events().map(({ onset_s: onset }) => onset);
    assert.deepEqual(onsets, [...onsets].sort((one, other) => one - other), `seed ${seed}: onsets go back`);
  }
});

test('tries again after 0.5, 1, 2, 4, 8, 15 and 15 seconds', async () => {
  const { server, time, load } = place();
  const at = [];
  const fetch = lineTo(server, time, (n) => (n === 0 ? null : (at.push(time.at), 'before')));
  const recorder = await load({ fetch });
  recorder.step('a');
  await time.pass(50_000);
  assert.deepEqual(at, [0, 500, 1500, 3500, 7500, 15_500, 30_500, 45_500]);
  assert.equal(recorder.nWaiting, 1);
});

test('a request without an answer is lost after 10 seconds', async () => {
  const { time, server, load } = place({ fault: (n) => (n === 1 ? 'lost' : null) });
  const recorder = await load();
  recorder.step('a');
  await time.pass(10_400);
  assert.equal(server.requests.length, 1);
  await time.pass(100);
  assert.equal(recorder.nWaiting, 0);
  await time.pass(10_000);
  assert.equal(server.requests.length, 3, 'the session, the second try, and the first one, late');
});

test('one request at a time, of 500 events at most', async () => {
  const { server, time, load, events } = place({ fault: (n) => (n === 1 ? 'late' : null) });
  const recorder = await load();
  for (const number of numbers(1201)) recorder.step(number);
  await time.pass(1999);
  assert.equal(server.requests.length, 2);
  await time.pass(1);
  assert.deepEqual(server.requests.slice(1).map(({ body }) => body.events.length), [500, 500, 201]);
  assert.equal(events().length, 1201);
});

test('late is what has waited for 5 seconds', async () => {
  let isDead = false;
  const setting = place({ fault: () => (isDead ? 'before' : null) });
  const { time, load } = setting;
  const recorder = await load();
  isDead = true;
  recorder.step('a');
  await time.pass(4999);
  recorder.step('b');
  assert.equal(recorder.isLate, false);
  const before = setting.changes;
  await time.pass(1);
  assert.equal(recorder.isLate, true);
  assert.ok(setting.changes > before, 'the page is told');
  isDead = false;
  await time.pass(15_000);
  assert.deepEqual([recorder.isLate, recorder.nWaiting, time.nTimers], [false, 0, 0]);
});

test('steps that follow each other faster than answers come are not late', async () => {
  const { time, load, server } = place({ fault: (n) => (n > 0 ? 'late' : null) });
  const recorder = await load();
  for (const number of numbers(60)) {
    recorder.step(number);
    await time.pass(250);
    assert.equal(recorder.isLate, false, `step ${number}`);
  }
  assert.ok(server.requests.length < 12);
});

/* What the server says */

test('a server that lost events gets them again', async () => {
  const { time, events, load } = place();
  const recorder = await load();
  for (const number of numbers(5)) recorder.step(number);
  await time.pass(0);
  events().length = 2;
  recorder.step('5');
  await time.pass(0);
  assert.equal(actions(events()), '0 1 2 3 4 5');
  assert.equal(recorder.nWaiting, 0);
});

test('a server that answers without getting on is not asked without end', async () => {
  for (const answer of [[200, { n_events: 0 }], [409, { error: 'beyond', n_events: 0 }]]) {
    const { server, time, load } = place();
    const recorder = await load();
    server.handle = () => { server.requests.push({}); return answer; };
    recorder.step('a');
    await time.pass(3600);
    assert.equal(server.requests.length, 5, 'the session, and after 0, 0.5, 1.5 and 3.5 seconds the event');
    assert.equal(recorder.nWaiting, 1);
  }
});

test('of two pages of a session the second to record stops, and its steps are not mixed into the other ones', async () => {
  const { server, time, store, events, load } = place();
  const first = await load();
  first.step('a');
  await time.pass(10);
  const second = await load();
  first.step('b');
  await time.pass(10);
  second.step('c');
  await time.pass(10);
  assert.deepEqual([second.fault.kind, second.nWaiting, first.fault], ['conflict', 1, null]);
  second.step('d');
  second.leave();
  await time.pass(60_000);
  assert.equal(actions(events()), 'a b');
  const n = server.requests.length;
  // Loaded again, it goes on where the other page is; what it had alone is set aside.
  const third = await load();
  assert.equal(actions(third.events), 'a b');
  assert.equal(actions(JSON.parse(store.getItem(`${KEY}/aside`)).events), 'c');
  third.step('e');
  await time.pass(10);
  assert.equal(actions(events()), 'a b e');
  assert.equal(server.requests.length, n + 2);
  first.step('f');
  await time.pass(10);
  assert.equal(first.fault.kind, 'conflict');
});

test('a page learns of another one that has more from the number of events', async () => {
  const { server, time, load } = place();
  const recorder = await load();
  server.handle = () => [200, { n_events: 7 }];
  recorder.step('a');
  await time.pass(0);
  assert.equal(recorder.fault.kind, 'conflict');
});

test('a server that is asked too often is asked again later', async () => {
  const { server, time, load, events } = place();
  const recorder = await load();
  const { handle } = server;
  server.handle = () => [429, { error: 'too many requests' }];
  recorder.step('a');
  await time.pass(2000);
  assert.deepEqual([recorder.fault, recorder.nWaiting], [null, 1]);
  server.handle = handle;
  await time.pass(20_000);
  assert.deepEqual([recorder.nWaiting, actions(events())], [0, 'a']);
});

test('any other refusal is told, and nothing is sent any more', async () => {
  for (const [status, kind] of [[400, 'refused'], [401, 'link'], [403, 'link'], [404, 'refused']]) {
    const [answer, reason] = [[status, { error: 'the study is closed' }], 'the study is closed'];
    const { server, time, load } = place();
    const recorder = await load();
    server.handle = () => { server.requests.push({}); return answer; };
    recorder.step('a');
    const flushed = assert.rejects(recorder.flush(), new RegExp(reason));
    await time.pass(60_000);
    await flushed;
    assert.deepEqual(recorder.fault, { reason, kind, nLost: 1 });
    assert.equal(server.requests.length, 2);
    await assert.rejects(recorder.flush(), new RegExp(reason));
    assert.equal(time.nTimers, 0);
  }
});

test('flush is kept when all of its events are confirmed, and does not wait for the next try', async () => {
  let isDead = false;
  const { time, load } = place({ fault: () => (isDead ? 'before' : null) });
  const recorder = await load();
  await recorder.flush();
  isDead = true;
  recorder.step('a');
  await time.pass(20_000);
  isDead = false;
  let isFlushed = false;
  const flushed = recorder.flush().then(() => { isFlushed = true; });
  recorder.step('b');
  assert.equal(isFlushed, false);
  await time.pass(0);
  assert.equal(isFlushed, true);
  await flushed;
  assert.equal(recorder.nWaiting, 0);
});

test('a session that cannot be had is an error', async () => {
  const wrong = [
    [() => 'before', null, /cannot be reached; see whether it runs/],
    [() => 'nonsense', null, /cannot be understood/],
    [() => 'broken', null, /the disk is full/],
    [() => null, [404, { error: 'no such participant' }], /no such participant/],
    [() => null, [200, { n_events: 1, events: [] }], /not all there/],
    [() => null, [200, { n_events: 1, events: [{ seq: 0 }] }], /event 0 is not/],
  ];
  for (const [fault, answer, message] of wrong) {
    const { server, load } = place({ fault });
    if (answer) server.handle = () => answer;
    await assert.rejects(load(), message);
  }
});

/* Pages that go */

test('a page that goes sends what waits by a request that outlives it, as much as browsers allow', async () => {
  const { server, time, events, load } = place();
  const sent = [];
  const line = lineTo(server, time);
  const fetch = (path, request = {}) => {
    if (path.endsWith('/lease')) return line(path, request);
    if (!request.keepalive) return Promise.reject(new TypeError('the line is dead'));
    sent.push(request.body);
    return line(path, request);
  };
  const recorder = await load({ fetch });
  recorder.leave();
  assert.equal(sent.length, 0, 'nothing waits');
  for (const number of numbers(30)) recorder.step(number);
  recorder.leave();
  await time.pass(0);
  assert.equal(actions(events()), numbers(30).join(' '));
  for (const number of numbers(600, 30)) recorder.step(`${number} ${'é'.repeat(100)}`);
  recorder.leave();
  assert.ok(sent[1].length > 10_000);
  assert.ok(Buffer.byteLength(sent[1]) <= 60_000);
});

test('what a page could not send is sent by the next one', async () => {
  let isDead = false;
  const { time, events, load } = place({ fault: () => (isDead ? 'before' : null) });
  const first = await load();
  first.step('a');
  await time.pass(0);
  isDead = true;
  first.step('b');
  first.step('c');
  await time.pass(600);
  first.die();
  isDead = false;
  const second = await load();
  assert.deepEqual([actions(second.events), second.nWaiting], ['a b c', 2]);
  second.step('d');
  await time.pass(0);
  assert.equal(actions(events()), 'a b c d');
});

test('what was kept for events that the server does not have any more is set aside', async () => {
  let isDead = false;
  const { time, store, events, load } = place({ fault: () => (isDead ? 'before' : null) });
  const first = await load();
  first.step('a');
  await time.pass(0);
  isDead = true;
  first.step('b');
  first.die();
  await time.pass(600);
  isDead = false;
  events().length = 0;
  const second = await load();
  assert.equal(second.events.length, 0);
  assert.equal(actions(JSON.parse(store.getItem(`${KEY}/aside`)).events), 'b');
  assert.deepEqual(JSON.parse(store.getItem(KEY)).events, []);
});

test('a storage that is damaged, full or forbidden does no harm', async () => {
  const damaged = new FakeStorage();
  damaged.setItem(KEY, '{"events": [');
  const { load } = place({ store: damaged });
  assert.equal((await load()).events.length, 0);
  assert.equal(damaged.getItem(`${KEY}/aside`), '{"events": [');
  const fail = () => { throw new Error('forbidden'); };
  for (const store of [null, { getItem: fail, setItem: fail }]) {
    const { time, events, load: loadHere } = place({ store });
    const recorder = await loadHere();
    recorder.step('a');
    await time.pass(0);
    assert.equal(actions(events()), 'a');
  }
});

/* The clock of the session */

test('the clock goes on by the time that no page was open', async () => {
  const { time, events, load } = place();
  const first = await load();
  await time.pass(1500.1234567);
  first.step('a');
  await time.pass(10_000);
  const second = await load();
  await time.pass(250);
  second.step('b');
  await time.pass(0);
  assert.deepEqual(events().map((event) => [event.time_ms, event.onset_s]), [[1500.1234567, 1.500123], [250, 11.750123]]);
});

test('a step told late has the time of its input, before and after the page is loaded again', async () => {
  const { time, events, load } = place();
  const first = await load();
  await time.pass(2000);
  first.record({ level: 'one', attempt: 1, event: 'move', action: 'a', time_ms: 1200 });
  await time.pass(1000);
  (await load()).step('b');
  await time.pass(0);
  assert.deepEqual(events().map(({ onset_s: onset }) => onset), [1.2, 3]);
});

test('where the time of the last event is unknown, the clock goes on right after it', async () => {
  const { time, events, load } = place();
  const first = await load();
  await time.pass(3000);
  first.step('a');
  await time.pass(70_000);
  // Another browser, and then the first one, whose own last event is not the last one any more.
  const other = await load({ storage: new FakeStorage() });
  await time.pass(500);
  other.step('b');
  await time.pass(1000);
  const again = await load();
  await time.pass(40);
  again.step('c');
  await time.pass(0);
  assert.deepEqual(events().map(({ onset_s: onset }) => onset), [3, 3.5, 3.54]);
});

test('the clock never goes back, even where that of the system does', async () => {
  const { time, events, load } = place();
  const first = await load();
  await time.pass(5000);
  first.step('a');
  first.record({ level: 'one', attempt: 1, event: 'move', action: 'b', time_ms: 4000 });
  await time.pass(100);
  const second = await load({ wall: () => 1e12 - 3_600_000 });
  second.step('c');
  await time.pass(0);
  assert.deepEqual(events().map(({ onset_s: onset }) => onset), [5, 5, 5]);
});

test('an onset may be told: a solution that got lost has the time of its move', async () => {
  const { time, events, load } = place();
  const recorder = await load();
  recorder.step('a');
  await time.pass(4000);
  recorder.record({ level: 'one', attempt: 1, event: 'solved', action: '', time_ms: 0 }, 0);
  await time.pass(0);
  assert.equal(events()[1].onset_s, 0);
});
