// What stands around a page that is killed again and again: a clock that jumps, a line that fails, and the real server.

import { spawn } from 'node:child_process';

import { seeded } from '../session_server.js';

/** Numbers drawn from a seed. */
export class Chance {
  /** @param {number} seed */
  constructor(seed) {
    this.number = seeded(seed);
  }

  is(probability) { return this.number() < probability; }
  between(least, most) { return least + this.number() * (most - least); }
  below(n) { return Math.floor(this.number() * n); }
  of(list) { return list[this.below(list.length)]; }
}

/** More timers than a page has in an hour in which it ticks once a second and tries to reach its server. */
const MOST_TIMERS = 50_000;

/** A clock that goes on from one timer to the next, once nothing real is on its way any more. */
export class World {
  /** Milliseconds since the world began. */
  at = 0;
  #timers = new Map();
  #nTimers = 0;
  #real = new Set();

  timers = {
    set: (call, ms) => {
      // As a clock that goes on by itself: a rest that is too short to be added to the time comes to its end too.
      this.#timers.set((this.#nTimers += 1), { call, at: this.at + Math.max(ms > 0 ? 1e-3 : 0, ms) });
      return this.#nTimers;
    },
    clear: (timer) => this.#timers.delete(timer),
  };

  /** Time stands still until this is done. */
  real(promise) {
    const done = promise.catch(() => {}).finally(() => this.#real.delete(done));
    this.#real.add(done);
    return promise;
  }

  /** Lets time pass until something is so, or for so many milliseconds. @returns {Promise<boolean>} whether it is so */
  async until(isSo, ms) {
    const end = this.at + ms;
    for (let n = 0; ; n += 1) {
      if (n > MOST_TIMERS) throw new Error(`${n} timers within ${ms} ms: something does not rest`);
      await this.#settled();
      if (isSo()) return true;
      let next = null;
      for (const [name, timer] of this.#timers) if (timer.at <= end && (!next || timer.at < next[1].at)) next = [name, timer];
      if (!next) break;
      this.#timers.delete(next[0]);
      this.at = Math.max(this.at, next[1].at);
      next[1].call();
    }
    this.at = end;
    return false;
  }

  async pass(ms) {
    await this.until(() => false, ms);
  }

  async #settled() {
    do {
      await Promise.all(this.#real);
      await new Promise((resolve) => { setImmediate(resolve); });
    } while (this.#real.size);
  }
}

/** `plymap serve`, which is killed and started again at the same port. */
export class Plymap {
  isUp = false;
  base = '';
  /** How often it was killed. */
  nKilled = 0;
  #program;
  #folder;
  #port = '0';
  #process = null;

  constructor(program, folder) {
    this.#program = program;
    this.#folder = folder;
  }

  /** Until it listens. */
  async start() {
    const server = spawn(this.#program, ['serve', this.#folder, '--port', this.#port, '--rate', '1000000', '--threads', '1'], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process = server;
    let said = '';
    await new Promise((resolve, reject) => {
      server.stderr.on('data', (bytes) => {
        said += bytes;
        if (said.includes('Ctrl-C ends')) resolve();
      });
      server.on('exit', () => reject(new Error(`the server has ended: ${said}`)));
    });
    [, this.base, this.#port] = /(http:\/\/[\d.]+:(\d+))/.exec(said);
    this.isUp = true;
  }

  kill() {
    if (!this.isUp) return Promise.resolve();
    this.isUp = false;
    this.nKilled += 1;
    const { promise, resolve } = Promise.withResolvers?.() ?? withResolvers();
    this.#process.removeAllListeners('exit');
    this.#process.on('exit', resolve);
    this.#process.kill('SIGKILL');
    return promise;
  }
}

function withResolvers() {
  let resolve;
  const promise = new Promise((keep) => { resolve = keep; });
  return { promise, resolve };
}

/** What may happen to a request; see `Line`. */
const FAULTS = ['before', 'after', 'double', 'late', 'lost', 'broken', 'nonsense'];

/**
 * The line from browsers to the server. `fault` of a request: no answer, and the server did not or did hear of it; heard
 * twice; answered after 2 s; heard after 12 s; answered by somebody else.
 */
export class Line {
  isUp = true;
  /** How likely a request goes wrong. */
  faults = 0;
  /** Called when a request has been heard. */
  onHeard = () => {};
  /** Called once, when the next request is on its way to the server. @type {(() => void) | null} */
  assassin = null;
  #world;
  #server;
  #chance;

  constructor(world, server, chance) {
    this.#world = world;
    this.#server = server;
    this.#chance = chance;
  }

  /**
   * A request on its way.
   *
   * @param {string} url
   * @param {RequestInit} request
   * @param {() => boolean} isSent asked when it leaves the browser; what has left it may arrive when it is long gone
   * @returns {Promise<object>} what is used of a response
   */
  async ask(url, request, isSent) {
    await this.#wait(this.#chance.between(2, 40));
    if (!isSent()) throw new TypeError('the browser is gone');
    const kind = this.#chance.is(this.faults) ? this.#chance.of(FAULTS) : null;
    if (!this.isUp) {
      // A line that is cut either says so or says nothing.
      if (this.#chance.is(0.5)) await this.#wait(600_000);
      throw new TypeError('there is no line');
    }
    if (kind === 'before') throw new TypeError('the line was cut');
    if (kind === 'broken') return reply(502, Buffer.from('Bad Gateway'));
    if (kind === 'nonsense') return reply(200, Buffer.from('<html>Log in to the network</html>'), 'text/html');
    if (kind === 'lost') await this.#wait(12_000);
    const response = await this.#hear(url, request);
    if (kind === 'double') await this.#hear(url, request);
    this.onHeard();
    if (kind === 'after') throw new TypeError('the line was cut');
    await this.#wait(kind === 'late' ? 2000 : this.#chance.between(2, 40));
    if (!this.isUp) throw new TypeError('the line was cut');
    return response;
  }

  #wait(ms) {
    return new Promise((resolve) => { this.#world.timers.set(resolve, ms); });
  }

  async #hear(url, { method, headers, body }) {
    if (!this.#server.isUp) throw new TypeError('nobody listens');
    this.assassin?.();
    this.assassin = null;
    return this.#world.real((async () => {
      const response = await fetch(url, { method, headers, body });
      return reply(response.status, Buffer.from(await response.arrayBuffer()));
    })());
  }
}

/** What is used of a response: its promises need nothing but turns. */
function reply(status, bytes, kind = '') {
  return {
    status,
    headers: new Headers({ 'Content-Type': kind }),
    ok: status >= 200 && status < 300,
    json: async () => JSON.parse(bytes.toString()),
    arrayBuffer: async () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
  };
}
