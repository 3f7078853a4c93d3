// The page of a sitting: a person plays the levels of a study one after the other, and all that they do is recorded.

/** @import { Game, Outcome, Study } from './types.js' */

import { Board } from './board.js';
import { ENDS, isName, NAME, pastOf, readLink, readStudy } from './course.js';
import { controlsOf, kindOf } from './gestures.js';
import { MapGame } from './map_game.js';
import { make } from './panel.js';
import { Recorder } from './recorder.js';
import { ServerGame } from './server_game.js';
import { SITTING_TEXTS } from './texts.js';
import { Words } from './words.js';

/** @typedef {Study['levels'][number]} Level */

class Sitting {
  #link = readLink(location.search);
  /** @type {Words} */ #words = wordsOf(navigator.language.slice(0, 2));
  /** @type {Study | null} */ #study = null;
  /** @type {Recorder | null} */ #recorder = null;
  /** @type {Board | null} */ #board = null;
  /** Whether the player was told that steps wait. */
  #isToldLate = false;

  #title = make('h1');
  #who = make('p', { class: 'sitting-who' });
  #head = make('header', { class: 'sitting-head', hidden: '' }, this.#title, this.#who);
  #how = make('p', { class: 'sitting-how', hidden: '' });
  #level = make('div');
  #after = make('div', { class: 'sitting-say' });
  #notice = make('p', { class: 'sitting-notice' });
  /** Read aloud, not shown. */
  #speech = make('p', { class: 'play-hidden', role: 'status' });
  /** What takes height from the board. */
  #around = [this.#head, this.#how, this.#after, this.#notice];

  /** @param {HTMLElement} place that is filled */
  constructor(place) {
    place.replaceChildren(this.#head, this.#how, this.#level, this.#after, this.#notice, this.#speech);
    const sizes = new ResizeObserver(() => this.#fit());
    for (const part of this.#around) sizes.observe(part);
    window.addEventListener('beforeunload', (event) => {
      if (this.#recorder?.nWaiting && !this.#recorder.fault) event.preventDefault();
    });
    window.addEventListener('pagehide', () => this.#recorder?.leave());
  }

  /** Loads the study and goes on where the sitting is. */
  async open() {
    await this.#try('not_loaded', async () => {
      this.#study = await loadStudy();
      const { title, language } = this.#study;
      this.#words = wordsOf(language);
      document.documentElement.lang = this.#words.language;
      document.title = title;
      this.#title.textContent = title;
      this.#head.hidden = false;
      if (await this.#enter(this.#study)) await this.#next();
    });
  }

  /* The course of a sitting */

  /**
   * @param {Study} study
   * @returns {Promise<boolean>} whether the link says who plays what
   */
  async #enter({ name, levels }) {
    const { participant, session, level } = this.#link;
    if (!isName(session)) this.#trouble('wrong_link', [this.#words.say('wrong_session', { session })], []);
    else if (level !== null && !levels.some(({ id }) => id === level)) this.#trouble('wrong_link', [this.#words.say('wrong_level', { level })], []);
    else if (participant === null || !isName(participant)) this.#ask(participant);
    else {
      this.#who.textContent = this.#words.say(session === '1' ? 'who' : 'who_session', { participant, session });
      this.#recorder = await Recorder.open({ study: name, participant, session }, { onChange: () => this.#look() });
      return true;
    }
    return false;
  }

  /** The first level that is not over, or the end. */
  async #next() {
    if (!this.#study || !this.#recorder) return;
    const { events } = this.#recorder;
    const levels = this.#study.levels.filter(({ id }) => this.#link.level === null || id === this.#link.level);
    const level = levels.find(({ id }) => !pastOf(events, id).isOver);
    if (level) await this.#play(this.#study, level);
    else await this.#thank(this.#recorder);
  }

  /**
   * @param {Study} study
   * @param {Level} level
   */
  async #play(study, level) {
    const { id } = level;
    await this.#try('level_not_loaded', async () => {
      const game = await loadGame(level);
      const past = pastOf(this.#recorder?.events ?? [], id);
      if (game instanceof ServerGame && past.start !== undefined) await game.startAt(past.start);
      const start = await game.start();
      const kind = kindOf(controlsOf(await game.picture(start), await game.moves(start)));
      // Recording may have stopped meanwhile, and the page says so.
      if (this.#recorder?.fault) return;
      this.#how.textContent = this.#words.say(`how_${kind}`);
      this.#how.hidden = false;
      const { steps, nBefore } = past;
      const board = this.#boardOf(study, id, game, nBefore);
      if (!steps.length) {
        await board.begin();
        return;
      }
      await board.resume(steps).catch((error) => this.#offer(study, level, game, error));
    });
  }

  /**
   * A level that does not fit its steps can be begun again.
   *
   * @param {Study} study
   * @param {Level} level
   * @param {Game} game
   * @param {unknown} error
   */
  #offer(study, level, game, error) {
    const begin = async () => {
      this.#clear();
      const { nAttempts } = pastOf(this.#recorder?.events ?? [], level.id);
      await this.#try('level_not_loaded', async () => {
        this.#how.hidden = false;
        await this.#boardOf(study, level.id, game, nAttempts).begin();
        this.#board?.focus();
      });
    };
    this.#trouble('level_not_resumed', [reasonOf(error)], [['try_again', () => this.#play(study, level)], ['start_level_again', begin]]);
  }

  /**
   * @param {Study} study
   * @param {string} level
   * @param {Game} game
   * @param {number} nBefore attempts before those of the board
   */
  #boardOf({ hints, levels }, level, game, nBefore) {
    const board = new Board(this.#level, game, {
      language: this.#words.language,
      hints,
      progress: levels.length > 1 ? { level: levels.findIndex(({ id }) => id === level) + 1, of: levels.length } : null,
      onEvent: (event) => {
        const drawn = game instanceof ServerGame ? game.drawnStart : undefined;
        const step = { ...event, level, attempt: nBefore + event.attempt };
        this.#recorder?.record(event.event === 'start' && drawn !== undefined ? { ...step, state_after: drawn } : step);
        // Of a start that chance drew nobody could tell where the next attempt begins.
        if (event.event === 'reset' && drawn !== undefined) {
          this.#recorder?.record({ ...step, event: 'start', attempt: step.attempt + 1, state_after: drawn });
        }
      },
    });
    this.#board = board;
    board.finished.then(({ outcome }) => this.#end(level, outcome));
    return board;
  }

  /**
   * @param {string} level
   * @param {Outcome} outcome
   */
  #end(level, outcome) {
    const recorder = this.#recorder;
    if (!recorder || recorder.fault) return;
    if (!pastOf(recorder.events, level).isOver) this.#recordEnd(recorder, level, outcome);
    const isLast = this.#link.level !== null || !this.#study?.levels.some(({ id }) => !pastOf(recorder.events, id).isOver);
    if (isLast) {
      void this.#thank(recorder);
      return;
    }
    const next = this.#button('next', async () => {
      this.#clear();
      await this.#next();
      this.#board?.focus();
      scrollTo(0, 0);
    });
    this.#after.replaceChildren(next);
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'nearest' });
  }

  /**
   * An end that the board has no event for, or a solution that was lost between a move and the page's going away: it
   * has the time of its move.
   *
   * @param {Recorder} recorder
   * @param {string} level
   * @param {Outcome} outcome
   */
  #recordEnd(recorder, level, outcome) {
    const last = recorder.events.findLast((one) => one.level === level);
    const end = { level, attempt: last?.attempt ?? 1, event: ENDS[outcome], action: '' };
    if (outcome === 'solved' && last) recorder.record({ ...end, time_ms: last.time_ms }, last.onset_s);
    else recorder.record({ ...end, time_ms: performance.now() });
  }

  /** @param {Recorder} recorder */
  async #thank(recorder) {
    const saving = make('p', { role: 'status' }, this.#words.say('saving'));
    if (recorder.nWaiting) this.#after.replaceChildren(saving);
    // Where recording stops the page has said so.
    if (!await recorder.flush().then(() => true, () => false)) return;
    const thanks = make('h2', { tabindex: '-1' }, this.#words.say('thanks'));
    this.#after.replaceChildren(thanks, make('p', {}, this.#words.say('thanks_saved')));
    thanks.focus({ preventScroll: true });
    this.#after.scrollIntoView({ block: 'nearest' });
  }

  /* What else is to be seen */

  /** Something about the recording has changed. */
  #look() {
    const recorder = this.#recorder;
    if (!recorder) return;
    const { fault, isLate, nWaiting } = recorder;
    const text = isLate ? this.#words.say('not_saved', { n: this.#words.counted('steps', nWaiting) }) : '';
    if (this.#notice.textContent !== text) this.#notice.textContent = text;
    // Said once, and not again with each step that is added.
    if (isLate !== this.#isToldLate && !fault) this.#speech.textContent = isLate ? text : this.#words.say('saved_again');
    this.#isToldLate = isLate;
    if (fault) this.#stop(recorder);
  }

  /** @param {Recorder} recorder */
  #stop({ fault, nWaiting }) {
    const reload = /** @type {[string, () => void]} */ (['load_again', () => location.reload()]);
    if (!fault?.isConflict) {
      this.#trouble('stopped', [this.#words.say('stopped_remedy'), fault?.reason ?? ''], [reload]);
      return;
    }
    const lost = nWaiting ? [this.#words.say('conflict_lost', { n: this.#words.counted('steps', nWaiting) })] : [];
    this.#trouble('conflict', [this.#words.say('conflict_remedy'), ...lost], [reload]);
  }

  /**
   * The form that asks who plays.
   *
   * @param {string | null} wrong what the link says instead of a participant
   */
  #ask(wrong) {
    const input = make('input', { id: 'participant', name: 'participant', required: '', pattern: NAME, maxlength: '64', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', value: wrong ?? '', 'aria-describedby': 'participant-rule' });
    input.addEventListener('change', () => { input.value = input.value.trim(); });
    const rule = this.#words.say('ask_rule');
    input.title = rule;
    const form = make('form', { class: 'sitting-form', method: 'get', action: location.pathname },
      make('label', { for: 'participant' }, this.#words.say('ask_participant')), input, make('p', { class: 'sitting-reason', id: 'participant-rule' }, rule));
    if (wrong !== null) form.prepend(make('p', { class: 'sitting-wrong', role: 'alert' }, this.#words.say('ask_wrong', { participant: wrong })));
    for (const [name, value] of new URLSearchParams(location.search)) {
      if (name !== 'participant') form.append(make('input', { type: 'hidden', name, value }));
    }
    form.append(make('button', { class: 'sitting-button', type: 'submit' }, this.#words.say('ask_go')));
    this.#clear();
    this.#after.replaceChildren(form);
    input.focus();
  }

  /**
   * Does something that may fail because of a server or a line, and offers to do it again.
   *
   * @param {string} title of the trouble
   * @param {() => Promise<void>} action
   */
  async #try(title, action) {
    this.#clear();
    this.#after.replaceChildren(make('p', { role: 'status' }, this.#words.say('loading')));
    const [loading] = this.#after.childNodes;
    try {
      await action();
    } catch (error) {
      if (!this.#recorder?.fault) this.#trouble(title, [reasonOf(error)], [['try_again', () => this.#try(title, action)]]);
    }
    loading?.remove();
  }

  /**
   * Instead of a board: what went wrong, why, and what can be done.
   *
   * @param {string} title
   * @param {string[]} reasons
   * @param {[text: string, action: () => void][]} remedies
   */
  #trouble(title, reasons, remedies) {
    this.#clear();
    const buttons = remedies.map(([text, action]) => this.#button(text, action));
    for (const other of buttons.slice(1)) other.classList.add('sitting-other');
    this.#after.replaceChildren(make('div', { class: 'sitting-say sitting-trouble', role: 'alert' },
      make('h2', {}, this.#words.say(title)),
      ...reasons.map((reason, index) => make('p', index ? { class: 'sitting-reason' } : {}, reason)),
      make('div', { class: 'sitting-buttons' }, ...buttons)));
    buttons[0]?.focus();
  }

  #clear() {
    this.#board?.destroy();
    this.#board = null;
    this.#how.hidden = true;
    this.#after.replaceChildren();
  }

  /**
   * @param {string} text
   * @param {() => void} action
   */
  #button(text, action) {
    const button = make('button', { type: 'button', class: 'sitting-button' }, this.#words.say(text));
    button.addEventListener('click', action);
    return button;
  }

  /** Tells the board how much of the window the page takes. */
  #fit() {
    const heights = this.#around.map(({ offsetHeight }) => offsetHeight).filter((height) => height > 0);
    const gaps = 2 * AROUND + heights.length * BETWEEN;
    this.#level.style.setProperty('--play-around', `${heights.reduce((sum, height) => sum + height, gaps)}px`);
  }
}

/** Padding of the page and space between its parts, in pixels; more than the style sheet says by a little. */
const AROUND = 10;
const BETWEEN = 9;

/** @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {string} language */
const wordsOf = (language) => new Words(language in SITTING_TEXTS ? language : 'en', {}, false, SITTING_TEXTS);

async function loadStudy() {
  const response = await fetch('/api/study').catch((cause) => {
    throw new Error('The server cannot be reached; see whether it runs, and try again', { cause });
  });
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Error(answer?.error ?? `The server answers ${response.status}`);
  return readStudy(answer);
}

/**
 * @param {Level} level
 * @returns {Promise<Game>}
 */
function loadGame({ id, map }) {
  return map ? MapGame.load(`/api/levels/${encodeURIComponent(id)}/map`) : ServerGame.load('', id);
}

const place = document.querySelector('#sitting');
if (place instanceof HTMLElement) await new Sitting(place).open();
