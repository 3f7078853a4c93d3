// A browser as far as a page can tell: a storage that is written to disk now and then, a database that is written soon,
// and tabs, which are killed between two of their effects.

import { gunzipSync } from 'node:zlib';

import { ServerBackend, loadGame } from '../../src/backends.js';
import { readStudy } from '../../src/progress.js';
import { Procedure } from '../../src/procedure.js';
import { jsonOf, FetchWithTimeout, httpError } from '../../src/requests.js';

/** When Chromium 156 writes localStorage to its disk: after 5 s, and then once a minute at most (measured). */
const FIRST_WRITE = 5000;
const NEXT_WRITE = 60_000;
/** Within so many milliseconds what was given to a database is on the disk, without waiting for the medium. */
export const DATABASE = 20;

export class Browser {
  /** Called at each effect of a page: a storage that is written, a request, an answer, a timer. */
  onInstant = () => {};
  #world;
  #line;
  #chance;
  #onDisk = new Map();
  #storage = new Map();
  #database = new Map();
  #hasDatabase;
  #room;
  #began = 0;
  #isWriting = false;
  #epoch = 0;

  /**
   * @param {import('./world.js').World} world
   * @param {import('./world.js').Line} line
   * @param {import('./world.js').Chance} chance
   * @param {{ hasDatabase: boolean, room: number }} kind with so much room for characters in its storage
   */
  constructor(world, line, chance, { hasDatabase, room }) {
    this.#world = world;
    this.#line = line;
    this.#chance = chance;
    this.#hasDatabase = hasDatabase;
    this.#room = room;
  }

  /** All of it ends at once, and is started again. */
  kill() {
    this.#epoch += 1;
    this.#storage = new Map(this.#onDisk);
    this.#isWriting = false;
    this.#began = this.#world.at;
  }

  /**
   * A tab in which the page is loaded.
   *
   * @param {import('./screen.js').Screen} screen
   * @param {string} link parameters of it
   * @param {string} base address of the server
   */
  open(screen, link, base) {
    const tab = { isAlive: true, isDrawn: this.#chance.is(0.5), loaded: this.#world.at, procedure: null, noted: { n: 0, at: 0 } };
    const [epoch, world] = [this.#epoch, this.#world];
    const ifAlive = (call) => (...given) => (tab.isAlive ? call(...given) : undefined);
    const instant = () => { if (tab.isAlive) this.onInstant(); };
    const now = () => world.at - tab.loaded;
    const timers = {
      set: (call, ms) => world.timers.set(() => { instant(); if (tab.isAlive) call(); }, ms),
      clear: (timer) => world.timers.clear(timer),
    };
    const ask = (url, request = {}) => new Promise((resolve, reject) => {
      instant();
      if (!tab.isAlive) return;
      const { signal } = request;
      signal?.addEventListener('abort', ifAlive(() => reject(signal.reason)));
      // What a tab has asked for may go out without it, but not without the browser.
      this.#line.ask(url, request, () => this.#epoch === epoch && (tab.isAlive || this.#chance.is(0.5))).then((response) => {
        instant();
        if (tab.isAlive) resolve(response);
      }, (error) => {
        instant();
        if (tab.isAlive) reject(error);
      });
    });
    const asking = new FetchWithTimeout(ask, { now, timers });
    const unpacked = async (...request) => {
      const response = await asking.fetch(...request);
      return { ...response, arrayBuffer: async () => unzipped(await response.arrayBuffer()) };
    };
    const backend = new ServerBackend(new URLSearchParams(link), {
      base, timers, now, fetch: asking.fetch, wall: () => 1e12 + world.at, storage: this.#storageOf(tab, instant), database: this.#hasDatabase ? this.#databaseOf(tab, instant) : null,
    });
    tab.procedure = new Procedure(screen, {
      now,
      timers,
      loadStudy: async () => {
        const { response, answer } = await jsonOf(asking.fetch(`${base}/api/study`));
        if (!response.ok) throw httpError(response.status, 'no study');
        return readStudy(answer);
      },
      backendOf: async () => backend,
      loadGame: (study, level, hints) => loadGame(study, level, hints, { base, fetch: unpacked }),
    }, 'en');
    screen.setting = { now, timers, isAlive: () => tab.isAlive };
    tab.wake = () => {
      asking.abortStale();
      tab.procedure.wake();
    };
    void tab.procedure.open();
    return tab;
  }

  #storageOf(tab, instant) {
    const store = (change) => {
      instant();
      if (!tab.isAlive) return;
      change();
      this.#write();
      instant();
    };
    const keys = () => [...this.#storage.keys()];
    return {
      get length() { return keys().length; },
      key: (index) => keys()[index] ?? null,
      getItem: (key) => this.#storage.get(key) ?? null,
      setItem: (key, text) => store(() => {
        const n = /^\{"n_events":(\d+)/.exec(text)?.[1];
        if (n !== undefined && n !== tab.noted.n) tab.noted = { n, at: this.#world.at };
        const used = [...this.#storage].reduce((sum, [name, other]) => sum + name.length + (name === key ? 0 : other.length), 0);
        if (used + text.length > this.#room) throw new DOMException('full', 'QuotaExceededError');
        this.#storage.set(key, text);
      }),
      removeItem: (key) => store(() => this.#storage.delete(key)),
    };
  }

  #write() {
    if (this.#isWriting) return;
    this.#isWriting = true;
    const epoch = this.#epoch;
    const passed = this.#world.at - this.#began;
    this.#world.timers.set(() => {
      if (this.#epoch !== epoch) return;
      this.#isWriting = false;
      this.#onDisk = new Map(this.#storage);
    }, passed < NEXT_WRITE ? FIRST_WRITE : NEXT_WRITE - (passed % NEXT_WRITE));
  }

  #databaseOf(tab, instant) {
    const epoch = this.#epoch;
    return {
      read: async (prefix) => {
        await new Promise((resolve) => { this.#world.timers.set(resolve, this.#chance.between(1, 20)); });
        return [...this.#database].filter(([key]) => key.startsWith(prefix));
      },
      write: (key, text) => {
        instant();
        return new Promise((resolve) => {
          if (!tab.isAlive) return;
          this.#world.timers.set(() => {
            // A transaction whose tab is gone may not come to its end.
            if (this.#epoch !== epoch || (!tab.isAlive && tab.isDrawn)) return;
            if (text === null) this.#database.delete(key);
            else this.#database.set(key, text);
            resolve();
          }, DATABASE - 1);
        });
      },
    };
  }
}

function unzipped(buffer) {
  const bytes = gunzipSync(Buffer.from(buffer));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}
