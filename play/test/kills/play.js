// One scripted play in which tab, browser, server and network are killed at drawn instants.

import assert from 'node:assert/strict';

import { Browser, DATABASE } from './browser.js';
import { Person } from './person.js';
import { Screen } from './screen.js';
import { Chance, Line, World } from './world.js';

const HOUR = 3_600_000;
const KILLS = ['tab', 'tab', 'tab', 'browser', 'browser', 'server', 'server', 'network', 'network'];
/** What the browser may not have written yet when it is killed, in milliseconds. */
const UNWRITTEN = 66_000;
/** So long a page may take until it is where it was, in milliseconds. */
const AGAIN = 1000;
/** Whoever has done so much goes. */
const MOST_ACTS = 160;

export class Play {
  /** How often each was killed, how many events a killed browser lost, and how long pages took to go on. */
  counts = { tab: 0, browser: 0, server: 0, network: 0, hours: 0, lost: 0, resumed: 0, slowest: 0 };

  #world = new World();
  #chance;
  #server;
  #line;
  #browser;
  #person;
  #link;
  #hasDatabase;
  #isFull;
  #tab = null;
  #screen = null;
  #nInstants = 0;
  #nextKill;
  #nKills;
  #isKilling = false;
  /** Whether the line has just come back, and is good until what waited is sent. */
  #isWaking = false;
  /** How many kills of the server are on their way, by the clock of the system. */
  #nPending = 0;
  /** When something was last in the way of line or server. */
  #disturbed = 0;
  #nDisturbances = 0;
  #killed = { what: null, at: 0, nConfirmed: 0, isKept: true, isFresh: false };
  /** Whether the clock of the session may have lost time. */
  #isClockLost = false;

  /**
   * @param {number} seed
   * @param {import('./world.js').Plymap} server
   * @param {{ participant: string, nKills: number }} what
   */
  constructor(seed, server, { participant, nKills }) {
    const chance = new Chance(seed);
    this.#chance = chance;
    this.#server = server;
    this.#line = new Line(this.#world, server, chance);
    this.#hasDatabase = !chance.is(0.2);
    this.#isFull = chance.is(0.1);
    this.#browser = new Browser(this.#world, this.#line, chance, { hasDatabase: this.#hasDatabase, room: this.#isFull ? 1500 : Infinity });
    this.#browser.onInstant = () => this.#instant();
    this.#line.onHeard = () => this.#instant();
    this.#person = new Person(chance, chance.is(0.05), () => this.#world.at);
    // A browser that may lose the secret of its page gets it by the link again.
    this.#link = `?participant=${participant}${this.#hasDatabase ? '' : '&token=secret-of-the-link'}`;
    this.#nKills = nKills;
    this.#nextKill = 1 + chance.below(30);
  }

  /** @returns {Promise<object[]>} what was seen done */
  async run() {
    let nActs = 0;
    let nTurns = 0;
    while (!['thanks', 'declined'].includes(this.#screen?.shown.kind) || !this.#isThere) {
      assert.ok((nTurns += 1) < 50 * MOST_ACTS, `the play comes to no end: ${JSON.stringify(this.#screen?.shown)}`);
      if (!this.#isThere) await this.#load();
      else if (nActs < MOST_ACTS || this.#nKills > 0) {
        nActs += 1;
        await this.#act();
      } else break;
    }
    await this.#end();
    return this.#person.seen;
  }

  get isClockLost() {
    return this.#isClockLost;
  }

  get #isThere() {
    return this.#tab?.isAlive === true;
  }

  /* Kills */

  #instant() {
    this.#nInstants += 1;
    if (this.#isKilling || this.#nKills <= 0 || this.#nInstants < this.#nextKill) return;
    this.#nextKill = this.#nInstants + 1 + this.#chance.below(this.#chance.is(0.3) ? 8 : 60);
    this.#nKills -= 1;
    this.#isKilling = true;
    this.#kill(this.#chance.of(KILLS));
    this.#isKilling = false;
  }

  #kill(what) {
    this.counts[what] += 1;
    if (what === 'network') this.#cut();
    else if (what === 'server') this.#stop();
    // Some tabs are closed in peace: not in the middle of what they do.
    else if (what === 'tab' && this.#chance.is(0.3)) this.#world.timers.set(() => this.#leave(), 0);
    else if (this.#isThere) this.#close(what);
  }

  #cut() {
    const chance = this.#chance;
    const isHour = chance.is(0.15);
    if (isHour) this.counts.hours += 1;
    this.#disturb();
    this.#line.isUp = false;
    this.#world.timers.set(() => {
      this.#line.isUp = true;
      this.#disturb();
      if (chance.is(0.6) && this.#isThere) this.#wake();
    }, isHour ? HOUR : chance.between(200, chance.is(0.7) ? 20_000 : 300_000));
  }

  /** The browser says that the line is there again. */
  #wake() {
    const tab = this.#tab;
    const [nBefore, n] = [this.#nDisturbances, tab.procedure.store?.events.length ?? 0];
    this.#line.faults = 0;
    this.#isWaking = true;
    tab.wake();
    this.#world.timers.set(() => {
      this.#isWaking = false;
      this.#line.faults = 0.15;
      const { store } = tab.procedure;
      if (!tab.isAlive || this.#nDisturbances > nBefore || !this.#line.isUp || !this.#server.isUp || !store) return;
      assert.ok(store.events.length - store.nWaiting >= n, `${store.nWaiting} events wait a second after the line is there again`);
    }, AGAIN);
  }

  #stop() {
    const chance = this.#chance;
    this.#disturb();
    const kill = () => {
      this.#disturb();
      void this.#world.real(this.#server.kill());
      this.#world.timers.set(() => {
        if (!this.#server.isUp) void this.#world.real(this.#server.start());
        this.#disturb();
      }, chance.between(0, chance.is(0.8) ? 3000 : 30_000));
    };
    if (chance.is(0.5)) kill();
    // In the middle of the next request.
    else {
      this.#line.assassin = () => {
        this.#nPending += 1;
        setTimeout(() => { this.#nPending -= 1; kill(); }, chance.between(0, 4));
      };
    }
  }

  #leave() {
    if (!this.#isThere) return;
    this.#isKilling = true;
    this.#tab.procedure.store?.leave();
    this.#isKilling = false;
    this.#close('tab');
  }

  #close(what) {
    const { store } = this.#tab.procedure;
    const nConfirmed = store ? store.events.length - store.nWaiting : 0;
    const before = this.#killed;
    // When the last event was there; a move of chance is, when the server has answered.
    const isFresh = before.isFresh || this.#world.at - this.#tab.noted.at < DATABASE + 1;
    // A page may be killed before anybody has seen what the kill before has left.
    this.#killed = before.what !== null && !store ? { ...before, what: before.what === 'browser' ? before.what : what }
      : { what: before.what === 'browser' ? before.what : what, at: before.what ? before.at : this.#world.at, nConfirmed: Math.max(nConfirmed, before.nConfirmed), isKept: before.isKept && (store?.isKept ?? true), isFresh };
    this.#tab.isAlive = false;
    if (what === 'browser') this.#browser.kill();
  }

  #disturb() {
    this.#disturbed = this.#world.at;
    this.#nDisturbances += 1;
  }

  /* What the person does */

  async #load() {
    const chance = this.#chance;
    const world = this.#world;
    await world.pass(chance.between(100, chance.is(0.1) ? 600_000 : 4000));
    await world.until(() => this.#line.isUp && this.#server.isUp, 2 * HOUR);
    this.#line.faults = 0;
    const at = world.at;
    this.#screen = new Screen();
    this.#tab = this.#browser.open(this.#screen, this.#link, this.#server.base);
    const isShown = () => !['loading', 'trouble'].includes(this.#screen.shown.kind);
    const isShownAgain = await world.until(() => !this.#isThere || isShown(), 2 * HOUR);
    if (!this.#isThere) return;
    assert.ok(isShownAgain, `the page does not go on: ${JSON.stringify(this.#screen.shown)}`);
    if (this.#disturbed < at) {
      this.counts.resumed += 1;
      this.counts.slowest = Math.max(this.counts.slowest, world.at - at);
    }
    if (!this.#isWaking) this.#line.faults = 0.15;
    this.#compareAfterKill();
    this.#checkClock();
  }

  #compareAfterKill() {
    const { events } = this.#tab.procedure.store;
    const { seen } = this.#person;
    const { what, at, nConfirmed, isKept, isFresh } = this.#killed;
    const isWritten = (since) => since < at - (this.#hasDatabase ? DATABASE : UNWRITTEN);
    // A page that nobody has seen may have gone on from where a browser lost something.
    const first = seen.findIndex(({ onset }, index) => events[index]?.onset_s !== onset);
    if (first >= 0) {
      const lost = this.#person.forget(first);
      assert.ok(first >= nConfirmed, `the server had confirmed ${nConfirmed} events, and but ${first} are what they were`);
      assert.ok(what === 'browser' || !isKept, `a ${what} that was killed lost ${JSON.stringify(lost)}`);
      if (isKept) assert.ok(!lost.some((one) => one.at !== null && isWritten(one.noted)), `lost ${JSON.stringify(lost)}, at ${at}`);
      this.counts.lost += lost.length;
    }
    if (what === 'browser' || !isKept) {
      if (isFresh || !this.#hasDatabase || !isKept) this.#isClockLost = true;
    }
    this.#person.compare(events, this.#screen.shown, 'unknown');
    this.#killed = { what: null, at: 0, nConfirmed: 0, isKept: true, isFresh: false };
  }

  #checkClock() {
    const { shown } = this.#screen;
    if (shown.kind !== 'level' || this.#isClockLost || shown.board.trial.outcome) return;
    const start = this.#tab.procedure.store.events.findLast(({ event, level }) => event === 'start' && level === shown.level);
    const lasted = this.#tab.procedure.store.onset - start.onset_s;
    assert.ok(Math.abs(shown.board.trial.seconds - lasted) < 0.01, `the level has lasted ${lasted} s, and its clock shows ${shown.board.trial.seconds}`);
    this.onClock?.(this.#world.at, this.#tab.procedure.store.onset);
  }

  async #act() {
    const chance = this.#chance;
    const world = this.#world;
    const isLong = chance.is(this.#line.isUp ? 0.01 : 0.1);
    await world.until(() => !this.#isThere, chance.between(150, isLong ? 900_000 : 3000));
    if (!this.#isThere) return;
    const { shown } = this.#screen;
    const { store } = this.#tab.procedure;
    // What came by itself meanwhile, such as the end of the time.
    this.#person.compare(store.events, null, 'failed');
    if (['loading', 'trouble'].includes(shown.kind) || (shown.kind === 'level' && shown.board.trial.outcome)) {
      await this.#endure(shown);
      return;
    }
    if (['thanks', 'declined'].includes(shown.kind)) return;
    let end = null;
    Promise.resolve(this.#person.act(shown, world.at)).then(() => { end = 'done'; }, () => { end = 'failed'; });
    await world.until(() => end !== null || !this.#isThere, HOUR);
    if (!this.#isThere) return;
    // A page that goes on to the next level is done with its own act before that level is there.
    this.#person.compare(store.events, this.#screen.shown.kind === 'level' ? this.#screen.shown : null, end === 'done' ? 'done' : 'failed');
  }

  /** Waits for what the page does by itself. */
  async #endure(shown) {
    if (shown.kind === 'trouble') assert.match(shown.title, /^(not_loaded|level_not_loaded)$/, JSON.stringify(shown));
    await this.#world.until(() => !this.#isThere || this.#screen.shown !== shown, HOUR);
  }

  /* The end */

  async #end() {
    this.#nKills = 0;
    const world = this.#world;
    // A tab that is to be closed in peace is, now.
    await world.pass(1);
    while (!this.#isThere) await this.#load();
    this.#line.assassin = null;
    while (this.#nPending) await new Promise((resolve) => { setTimeout(resolve, 1); });
    await world.until(() => this.#line.isUp && this.#server.isUp, 2 * HOUR);
    this.#line.faults = 0;
    const { store } = this.#tab.procedure;
    assert.ok(await world.until(() => store.nWaiting === 0, 60_000), `${store.nWaiting} events still wait`);
    assert.equal(store.fault, null);
    this.#person.compare(store.events, null, 'unknown');
  }
}
