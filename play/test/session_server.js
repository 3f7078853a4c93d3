// A server of sessions in memory, reached over a line that may fail, and a time that only goes on when it is told to.

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A clock with timers. `wall` is that of the system, and `now` that of a page that was loaded at `loaded`. */
export class Time {
  at = 0;
  #timers = new Map();
  #n = 0;

  timers = {
    set: (call, ms) => {
      this.#timers.set((this.#n += 1), { call, at: this.at + ms });
      return this.#n;
    },
    clear: (timer) => this.#timers.delete(timer),
  };

  get nTimers() { return this.#timers.size; }

  /** Lets so many milliseconds pass, and all happen that is due in them. */
  async pass(ms) {
    const end = this.at + ms;
    await settled();
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at)[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.at = Math.max(this.at, due[1].at);
      due[1].call();
      await settled();
    }
    this.at = end;
  }
}

/** Until all promises that can be kept are. */
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export class SessionServer {
  /** By `participant/session`. */
  sessions = new Map();
  /** By the same names, what the page that opened a session last has. */
  leases = new Map();
  #nLeases = 0;
  /** All requests that came in, in their order. */
  requests = [];

  /** @returns {[status: number, answer: object]} */
  handle(path, body) {
    this.requests.push({ path, body });
    if (path !== '/api/events') {
      const isLease = path.endsWith('/lease');
      const name = path.slice('/api/sessions/'.length).replace(/\/lease$/, '');
      const events = this.of(name);
      if (body) this.leases.set(name, (this.#nLeases += 1));
      if (body && !isLease && !events.length) events.push({ seq: 0, level: '', attempt: 1, event: 'assign', action: '', value: String([...this.sessions.keys()].indexOf(name)), time_ms: body.time_ms, onset_s: body.onset_s });
      return [200, { n_events: events.length, events, ...(body ? { lease: this.leases.get(name) } : {}) }];
    }
    const { participant, session, lease, events } = body;
    const name = `${participant}/${session}`;
    const kept = this.of(name);
    if (kept.length && lease !== this.leases.get(name)) return [409, { error: 'another page has opened this session since', n_events: kept.length, overtaken: true }];
    if (events.length > 500) return [413, { error: 'at most 500 events a request' }];
    if (events[0].seq > kept.length) return [409, { error: `event ${events[0].seq} is beyond ${kept.length}`, n_events: kept.length }];
    const other = events.find((event) => kept[event.seq] && !same(kept[event.seq], event));
    if (other) return [409, { error: `event ${other.seq} differs from the one on disk`, n_events: kept.length, conflict: true }];
    kept.push(...events.slice(kept.length - events[0].seq));
    return [200, { n_events: kept.length }];
  }

  of(name) {
    if (!this.sessions.has(name)) this.sessions.set(name, []);
    return this.sessions.get(name);
  }
}

/**
 * A `fetch` to that server. `fault(n)` says what happens to request n, from 0: nothing, `before` or `after` (no answer,
 * and the server did not or did hear of it), `double` (it hears it twice), `late` (the answer takes 2 s), `lost` (it is
 * heard and answered after 12 s), `broken` (status 500) or `nonsense` (a page of somebody else).
 */
export function lineTo(server, time, fault = () => null) {
  let n = -1;
  return (path, { body, signal } = {}) => new Promise((resolve, reject) => {
    const kind = fault((n += 1));
    const handled = () => server.handle(path.replace(/^\./, ''), body && JSON.parse(body));
    const reply = ([status, answer]) => resolve(new Response(JSON.stringify(answer), { status }));
    signal?.addEventListener('abort', () => reject(signal.reason));
    if (kind === 'before') reject(new TypeError('the line is dead'));
    else if (kind === 'after') reject((handled(), new TypeError('the line is dead')));
    else if (kind === 'double') reply((handled(), handled()));
    else if (kind === 'late') ((answer) => time.timers.set(() => reply(answer), 2000))(handled());
    else if (kind === 'lost') time.timers.set(() => reply(handled()), 12_000);
    else if (kind === 'broken') reply([500, { error: 'the disk is full' }]);
    else if (kind === 'nonsense') resolve(new Response('<html>Log in to the network</html>'));
    else reply(handled());
  });
}

/** The storage of a browser. */
export class FakeStorage {
  items = new Map();
  get length() { return this.items.size; }
  key(index) { return [...this.items.keys()][index] ?? null; }
  getItem(key) { return this.items.get(key) ?? null; }
  setItem(key, text) { this.items.set(key, text); }
  removeItem(key) { this.items.delete(key); }
}
