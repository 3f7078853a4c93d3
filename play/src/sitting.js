// The page of `plymap serve`: a participant plays the levels of a study, one after the other, and every step is recorded.

/** @import { PlayEvent, RecordedEvent } from './types.js' */

import { Board } from './board.js';
import { MapGame } from './map_game.js';
import { make } from './panel.js';
import { Recorder } from './recorder.js';
import { ServerGame } from './server_game.js';
import { Words } from './words.js';

/** What ends a level. */
const ENDS = ['solved', 'give_up'];
/** So long nothing is said of steps that are not saved yet, in milliseconds. */
const PATIENCE = 5_000;

/** @typedef {{ id: string, map: boolean }} Level */

class Sitting {
  /** @type {Words} */ #words;
  /** @type {{ title: string, language: string, hints: boolean, levels: Level[] }} */ #study;
  /** @type {Recorder} */ #recorder;
  /** @type {HTMLElement} */ #place = make('div');
  /** @type {HTMLElement} */ #notice = make('div', { class: 'sitting-notice', role: 'status', hidden: '' });
  /** The clock of the sitting when the clock of the page is 0, in seconds. */
  #offset = 0;
  #lastOnset = 0;
  /** @type {string} */ #wallKey;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #unsaved;

  /**
   * @param {HTMLElement} root
   * @param {any} study what the server says of it
   * @param {string} participant
   * @param {string} session
   * @param {string | null} level the only one, where one is asked for
   */
  constructor(root, study, participant, session, level) {
    this.#study = { ...study, levels: study.levels.filter((/** @type {Level} */ one) => level === null || one.id === level) };
    this.#words = new Words(study.language, {}, false);
    this.#recorder = new Recorder(participant, session, () => this.#saved());
    this.#wallKey = `plymap clock ${JSON.stringify([participant, session])}`;
    root.replaceChildren(make('h1', {}, study.title), this.#notice, this.#place);
    addEventListener('pagehide', () => this.#recorder.leave());
    addEventListener('beforeunload', (event) => {
      if (this.#recorder.waiting.length && !this.#recorder.stopped) event.preventDefault();
    });
  }

  async play() {
    const done = await this.#recorder.begin();
    this.#setClock(done);
    const { levels } = this.#study;
    if (!levels.length) throw new Error('The study has no such level.');
    for (const [index, level] of levels.entries()) {
      const own = done.filter((event) => event.level === level.id);
      if (own.some(({ event }) => ENDS.includes(event))) continue;
      const isLast = index === levels.length - 1;
      await this.#playLevel(level, own, { level: index + 1, of: levels.length });
      if (!isLast) await this.#next();
    }
    this.#show(make('p', {}, this.#words.say('saving')));
    await this.#recorder.flush();
    if (!this.#recorder.stopped) this.#show(make('p', {}, this.#words.say('thanks')));
  }

  /**
   * @param {Level} level
   * @param {RecordedEvent[]} done what was done at it before the page was loaded
   * @param {{ level: number, of: number }} progress
   */
  async #playLevel(level, done, progress) {
    const game = level.map ? await MapGame.load(`/api/levels/${encodeURIComponent(level.id)}/map`) : await ServerGame.load('', level.id);
    const isDrawn = game instanceof ServerGame && game.isStartDrawn;
    const state = done.findLast((event) => event.state_after !== undefined)?.state_after;
    if (isDrawn && state !== undefined) await game.startAt(state);
    /** @param {PlayEvent} event */
    const record = async (event) => {
      const number = this.#record(level.id, event);
      if (!isDrawn || !(event.event === 'start' || event.event === 'reset')) return;
      // Nobody can tell from the level where such an attempt began.
      const start = String((await game.start()).id);
      if (event.event === 'start') number.state_after = start;
      else this.#record(level.id, { ...event, event: 'start', attempt: event.attempt + 1 }).state_after = start;
    };
    /** @type {Promise<void>} */
    let recorded = Promise.resolve();
    const onEvent = (/** @type {PlayEvent} */ event) => { recorded = recorded.then(() => record(event)).then(() => this.#flushNew()); };
    const place = make('div');
    this.#place.replaceChildren(place);
    const { language, hints } = this.#study;
    const board = new Board(place, game, { language, hints, progress, onEvent });
    const steps = done.filter(({ event }, index) => event !== 'start' || index === 0);
    await board.resume(steps);
    await board.finished;
    await recorded;
  }

  /** @type {RecordedEvent[]} */ #new = [];

  /**
   * @param {string} level
   * @param {PlayEvent} event
   */
  #record(level, { event, action, time_ms, attempt }) {
    this.#lastOnset = Math.max(this.#lastOnset, Math.round(1e6 * this.#offset + 1e3 * time_ms) / 1e6);
    const seq = this.#recorder.next + this.#new.length;
    /** @type {RecordedEvent} */
    const recorded = { seq, level, attempt, event, action, time_ms, onset_s: this.#lastOnset };
    this.#new.push(recorded);
    return recorded;
  }

  #flushNew() {
    for (const event of this.#new.splice(0)) this.#recorder.add(event);
    try {
      localStorage.setItem(this.#wallKey, JSON.stringify([this.#lastOnset, Date.now()]));
    } catch {
      // Then the clock goes on from the last step when the page is loaded again.
    }
    this.#unsaved ??= setTimeout(() => this.#saved(), PATIENCE);
  }

  /**
   * The clock of the sitting goes on by the time on the wall since the last step.
   *
   * @param {RecordedEvent[]} done
   */
  #setClock(done) {
    const last = done.at(-1);
    this.#lastOnset = last?.onset_s ?? 0;
    if (!last) return;
    /** @type {[number, number]} */
    const [onset, wall] = JSON.parse(localStorage.getItem(this.#wallKey) ?? '[-1,0]');
    const since = onset === this.#lastOnset ? Math.max(0, Date.now() - wall) / 1e3 : 0;
    this.#offset = this.#lastOnset + since - performance.now() / 1e3;
  }

  /** Says what is not saved, and that nothing is saved any more. */
  #saved() {
    const { waiting, stopped } = this.#recorder;
    if (!waiting.length) {
      clearTimeout(this.#unsaved);
      this.#unsaved = undefined;
      this.#notice.hidden = true;
      return;
    }
    const isLate = stopped || performance.now() - (waiting[0]?.time_ms ?? 0) > PATIENCE;
    if (!isLate) return;
    this.#notice.hidden = false;
    this.#notice.replaceChildren(make('p', {}, stopped ?? this.#words.say('unsaved', { n: waiting.length })));
    if (stopped) {
      const again = make('button', { type: 'button' }, this.#words.say('load_again'));
      again.addEventListener('click', () => location.reload());
      this.#notice.append(again);
    }
  }

  /** @param {HTMLElement[]} parts */
  #show(...parts) {
    this.#place.replaceChildren(make('div', { class: 'sitting-next', role: 'status' }, ...parts));
  }

  async #next() {
    const button = make('button', { type: 'button' }, this.#words.say('next_level'));
    const place = make('div', { class: 'sitting-next' }, button);
    this.#place.append(place);
    button.focus();
    await new Promise((done) => { button.addEventListener('click', done, { once: true }); });
  }
}

/**
 * Asks who plays.
 *
 * @param {HTMLElement} root
 * @param {any} study
 */
function askWho(root, study) {
  const words = new Words(study.language, {}, false);
  const input = make('input', { name: 'participant', required: '', maxlength: '64', pattern: '[\\p{L}\\p{N}_.\\-]+', autocomplete: 'off' });
  const form = make('form', { class: 'sitting-form', method: 'get', action: '/' },
    make('label', {}, words.say('who'), input), make('button', {}, words.say('begin')));
  root.replaceChildren(make('h1', {}, study.title), form);
  input.focus();
}

const root = /** @type {HTMLElement} */ (document.getElementById('sitting'));
try {
  const response = await fetch('/api/study');
  const study = await response.json();
  document.documentElement.lang = study.language;
  document.title = study.title;
  const parameters = new URLSearchParams(location.search);
  const participant = parameters.get('participant');
  if (participant) await new Sitting(root, study, participant, parameters.get('session') ?? '1', parameters.get('level')).play();
  else askWho(root, study);
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  root.append(make('p', { class: 'sitting-notice', role: 'alert' }, text));
}
