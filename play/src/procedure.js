// The procedure of a session: a person goes through what a plan has for them, and all that they do is recorded. It knows
// no page; a view shows what comes and tells what is done.

/** @import { EventStore, RecordingError, Game, Backend, Item, LevelBoard, LevelItem, Outcome, PageActions, Plan, QuestionsItem, ErrorAction, SessionEnvironment, SessionEvent, SessionStep, SessionView, Study } from './types.js' */

import { scheduleOf, ENDS, linkErrorOf, isDeclined, isDone, isName, levelProgress, readLink } from './progress.js';
import { controlsOf, kindOf } from './gestures.js';
import { seedOf } from './plan.js';
import { WrongLink } from './recorder.js';
import { ServerGame } from './server_game.js';
import { SESSION_TEXTS, TEXTS } from './texts.js';
import { isTransient, Unreachable } from './requests.js';
import { Translator } from './i18n.js';

/** Milliseconds until what could not be loaded is tried again by itself; each further time takes twice as long. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

/**
 * All that is known when a session has been opened.
 * @typedef {{ backend: Backend, store: EventStore, plan: Plan, items: Item[] }} OpenSession
 */

export class Procedure {
  /** @type {SessionView} */ #view;
  /** @type {SessionEnvironment} */ #environment;
  /** @type {Translator} */ #words;
  /** @type {OpenSession | null} */ #session = null;
  /** @type {Study | null} */ #study = null;
  /** @type {LevelBoard | null} */ #board = null;
  /** The data on their way, when all but the end is done. @type {Promise<void> | null} */ #saving = null;
  /** What the player was last told of steps that wait; empty while all is well. */
  #told = '';
  /** What could not be loaded, and is to be tried again. @type {{ timer: unknown, action: () => void } | null} */ #again = null;

  /**
   * @param {SessionView} view
   * @param {SessionEnvironment} environment
   * @param {string} language in which the view speaks until the study says another one
   */
  constructor(view, environment, language) {
    this.#view = view;
    this.#environment = environment;
    this.#words = wordsOf(language);
    view.setLanguage(this.#words, null);
  }

  /** What keeps the events, once the session has been opened. @returns {EventStore | null} */
  get store() {
    return this.#session?.store ?? null;
  }

  /** Loads the study and goes on where the session is. */
  async open() {
    await this.#try('not_loaded', async () => {
      this.#study ??= await this.#environment.loadStudy();
      this.#words = wordsOf(this.#study.language, this.#study.texts);
      this.#view.setLanguage(this.#words, this.#study);
      if (this.#session || await this.#openSession(this.#study)) await this.#next();
    });
  }

  /** The line is there again, or the player looks at the page again: what failed is tried at once. */
  wake() {
    this.#session?.store.wake();
    this.#again?.action();
  }

  /* Who plays what */

  /**
   * @param {Study} study
   * @returns {Promise<boolean>} whether the link says who plays what
   */
  async #openSession(study) {
    const backend = await this.#environment.backendOf(study);
    const link = readLink(backend.parameters, study);
    const participant = link.participant ?? backend.participant;
    const { session, token } = link;
    const fault = linkErrorOf(link);
    if (fault) return this.#showLinkError(fault);
    if (participant === null || !isName(participant)) {
      this.#clear();
      this.#view.askParticipant(study.participant[0] ?? 'participant', participant);
      return false;
    }
    await this.#view.showParticipant(participant, session);
    const key = { study: study.name, participant, session };
    const opened = await backend.open(key, { onChange: () => this.#showRecordingState(), now: this.#environment.now, number: link.number === null ? null : Number(link.number), token });
    const { store } = opened;
    const scheduleNow = () => scheduleOf(study, link, { events: store.events, number: opened.number, seed: seedOf(study.name, participant, session) });
    let schedule = scheduleNow();
    if (!('text' in schedule) && schedule.isNew && backend.begin) {
      await backend.begin(link.condition);
      schedule = scheduleNow();
    }
    if ('text' in schedule) return this.#showLinkError(schedule);
    const { plan, items, number, isNew } = schedule;
    this.#session = { backend, store, plan, items };
    if (isNew) this.#record({ level: '', attempt: 1, event: 'assign', action: plan.condition ?? '', value: String(number), time_ms: this.#environment.now() });
    return true;
  }

  /** @param {{ text: string, words: Record<string, string> }} fault */
  #showLinkError({ text, words }) {
    this.#showError('wrong_link', [this.#words.translate(text, words)], []);
    return false;
  }

  /* The items of a session */

  /** What comes first of all that is not done. */
  async #next() {
    const { items, store } = this.#opened;
    if (isDeclined(store.events)) this.#decline();
    else await this.#show(nextItem(items, store.events));
  }

  /** @param {Item} item */
  async #show(item) {
    const { items } = this.#opened;
    const at = items.indexOf(item);
    // A study of nothing but levels tells its progress above the board.
    if (items.some(({ kind }) => kind !== 'level' && kind !== 'end')) this.#view.showProgress(at, items.length - 1);
    if (item.kind === 'level') await this.#play(item);
    else if (item.kind === 'end') await this.#end();
    else {
      this.#clear();
      this.#view.showPage(item, this.#actionsOf(item, at));
    }
  }

  /**
   * Where a page leads.
   *
   * @param {Exclude<Item, { kind: 'level' | 'end' }>} item
   * @param {number} at its place among all
   * @returns {PageActions}
   */
  #actionsOf(item, at) {
    const { items, store } = this.#opened;
    const [before, after] = item.kind === 'page' ? [items[at - 1], items[at + 1]] : [];
    return {
      // Whoever went back sees all pages again on the way.
      next: () => this.#leave(item, [], after?.kind === 'page' ? after : null),
      back: before?.kind === 'page' ? () => this.#show(before) : null,
      answer: (answers) => this.#leave(item, item.kind === 'questions' ? this.#stepsOf(item, answers) : []),
      refuse: () => {
        this.#record({ level: '', attempt: 1, event: 'decline', action: item.name, time_ms: this.#environment.now() });
        if (!store.fault) this.#decline();
      },
    };
  }

  /**
   * @param {Item} item
   * @param {SessionStep[]} steps that belong to leaving it
   * @param {Item | null} after what comes then, whether or not it is done
   */
  async #leave({ name }, steps, after = null) {
    this.#record([...steps, { level: '', attempt: 1, event: 'page', action: name, time_ms: this.#environment.now() }]);
    if (this.#opened.store.fault) return;
    if (after) await this.#show(after);
    else await this.#goOn();
  }

  /** What comes next, with the keys for it. */
  async #goOn() {
    this.#clear();
    await this.#next();
    this.#board?.focus();
    this.#view.scrollToTop();
  }

  /**
   * @param {QuestionsItem} item
   * @param {{ name: string, value: string }[]} answers
   * @returns {SessionStep[]}
   */
  #stepsOf({ level, block, trial }, answers) {
    const about = { level, attempt: 1, ...(block === null ? {} : { block }), ...(trial === null ? {} : { trial }) };
    const time = this.#environment.now();
    return answers.map(({ name, value }) => ({ ...about, event: 'answer', action: name, value, time_ms: time }));
  }

  /**
   * @param {SessionStep | SessionStep[]} steps
   * @param {number} [onset]
   */
  #record(steps, onset) {
    const { store, plan: { condition } } = this.#opened;
    store.record([steps].flat().map((step) => (condition === null ? step : { ...step, condition })), onset);
  }

  /* Levels */

  /** @param {LevelItem} item */
  async #play(item) {
    const { level } = item;
    const { store, plan } = this.#opened;
    await this.#try('level_not_loaded', async () => {
      const game = await this.#environment.loadGame(/** @type {Study} */ (this.#study), level, plan.hints);
      const { start: drawn, steps, nBefore } = levelProgress(store.events, level);
      if (game instanceof ServerGame && drawn !== undefined) await game.startAt(drawn);
      const start = await game.start();
      const kind = kindOf(controlsOf(await game.picture(start), await game.moves(start)));
      // Recording may have stopped meanwhile, and the page says so.
      if (store.fault) return;
      const board = this.#boardOf(item, { game, kind, nBefore });
      // The time that a page is away is part of that of the level.
      await (steps.length ? board.resume(steps, store.onset * 1000).catch((error) => this.#offer(item, { game, kind }, error)) : board.begin());
      if (this.#board === board) this.#view.boardReady(level, board, game);
    });
  }

  /**
   * A level that does not fit its steps can be begun again.
   *
   * @param {LevelItem} item
   * @param {{ game: Game, kind: string }} loaded
   * @param {unknown} error
   */
  #offer(item, loaded, error) {
    // Where only the line is in the way, the level fits.
    if (isTransient(error)) throw error;
    const begin = async () => {
      const { nAttempts } = levelProgress(this.#opened.store.events, item.level);
      await this.#try('level_not_loaded', async () => {
        await this.#boardOf(item, { ...loaded, nBefore: nAttempts }).begin();
        this.#board?.focus();
      });
    };
    this.#showError('level_not_resumed', [reasonOf(error)], [['try_again', () => this.#play(item)], ['start_level_again', begin]]);
  }

  /**
   * @param {LevelItem} item
   * @param {{ game: Game, kind: string, nBefore: number }} how `nBefore` attempts were made before those of the board
   */
  #boardOf(item, { game, kind, nBefore }) {
    const { level, block, trial } = item;
    const board = this.#view.showBoard(item, { game, kind, plan: this.#opened.plan }, (event) => {
      const drawn = game instanceof ServerGame ? game.drawnStart : undefined;
      const step = { ...event, level, attempt: nBefore + event.attempt, block, trial };
      const isStart = event.event === 'start' && drawn !== undefined;
      // Of a start that chance drew nobody could tell where the next attempt begins.
      const starts = event.event === 'reset' && drawn !== undefined ? [{ ...step, event: 'start', attempt: step.attempt + 1, state_after: drawn }] : [];
      this.#record([isStart ? { ...step, state_after: drawn } : step, ...starts]);
    });
    this.#board = board;
    board.finished.then(({ outcome }) => this.#over({ level, block, trial }, outcome));
    return board;
  }

  /**
   * @param {{ level: string, block: string, trial: number }} level
   * @param {Outcome} outcome
   */
  #over(level, outcome) {
    const { store, items, plan } = this.#opened;
    if (store.fault) return;
    if (!levelProgress(store.events, level.level).isOver) this.#recordEnd(level, outcome);
    const { kind } = nextItem(items, store.events);
    if (kind === 'end') {
      this.#reach();
      // What is recorded is sent now, whether or not the player goes on to the end.
      void this.#save().catch(() => {});
    }
    if (kind === 'end' && isBare(plan)) void this.#end();
    else this.#view.offerNext(kind === 'level' ? 'next' : 'continue', () => this.#goOn());
  }

  /**
   * An end that the board has no event for, or one that was lost between a move and the page's going away: it has the
   * time of its move.
   *
   * @param {{ level: string, block: string, trial: number }} level
   * @param {Outcome} outcome
   */
  #recordEnd(level, outcome) {
    const last = this.#opened.store.events.findLast((one) => one.level === level.level && one.event !== 'answer');
    const end = { ...level, attempt: last?.attempt ?? 1, ...ENDS[outcome] };
    if ((outcome === 'solved' || outcome === 'moves') && last) this.#record({ ...end, time_ms: last.time_ms }, last.onset_s);
    else this.#record({ ...end, time_ms: this.#environment.now() });
  }

  /* The end */

  /** Sends what is to be sent, once. */
  #save() {
    const { backend } = this.#opened;
    this.#saving ??= backend.save(() => {
      this.#view.showNotice(this.#words.translate('not_sent_yet'));
      this.#view.announce(this.#words.translate('not_sent_yet'));
    }).finally(() => this.#view.showNotice(this.#told));
    return this.#saving;
  }

  /** Records that nothing is left to be done, once. */
  #reach() {
    const { items, store } = this.#opened;
    const end = items.find(({ kind }) => kind === 'end');
    if (end && !isDone(end, store.events)) this.#record({ level: '', attempt: 1, event: 'page', action: end.name, time_ms: this.#environment.now() });
  }

  async #end() {
    const { backend, plan } = this.#opened;
    const { completion: { code, link }, debriefing } = plan;
    if (!isBare(plan)) this.#clear();
    this.#reach();
    const isSaved = await this.#saved();
    // Where recording stops the page has said so.
    if (isSaved === null) return;
    const { finish } = backend;
    if (finish && isSaved && debriefing === null && code === null) finish(link);
    else this.#view.showEnd(plan, backend, { isSaved, again: () => this.#sendAgain() });
  }

  /** @returns {Promise<boolean | null>} whether the data were saved; nothing where recording has stopped */
  async #saved() {
    const { backend, store } = this.#opened;
    if (!backend.canSave) return false;
    let isSaved = false;
    await this.#view.whileWaiting(backend.download ? 'sending' : 'saving', async () => {
      isSaved = await this.#save().then(() => true, (error) => {
        this.#view.reportError(error);
        return false;
      });
    });
    return store.fault ? null : isSaved;
  }

  async #sendAgain() {
    this.#saving = null;
    await this.#end();
  }

  /** Consent was refused: that is saved as all else, but keeps nobody. */
  #decline() {
    const { backend: { canSave, finish } } = this.#opened;
    const saving = canSave ? this.#save().catch(() => {}) : Promise.resolve();
    this.#clear();
    this.#view.showDeclined(finish && (() => saving.then(() => finish(null))));
  }

  /* What else is to be seen */

  /** Something about the recording has changed. */
  #showRecordingState() {
    const { store } = this.#session ?? {};
    if (!store) return;
    const { fault, isLate, isInterrupted } = store;
    const isWaiting = (isLate || isInterrupted) && !fault;
    const text = isWaiting ? this.#waitingText(store) : '';
    if (text || this.#told) this.#view.showNotice(text);
    // Said once, and not again with each step that is added.
    if (isWaiting !== Boolean(this.#told) && !fault) this.#view.announce(isWaiting ? text : this.#words.translate('saved_again'));
    this.#told = text;
    if (fault) this.#showRecordingError(fault);
  }

  /** @param {EventStore} store */
  #waitingText({ nWaiting, isKept, isInterrupted }) {
    const n = this.#words.pluralize('steps', nWaiting);
    const text = this.#words.translate(isInterrupted ? 'interrupted' : 'not_saved', { n });
    return isKept ? text : `${text} ${this.#words.translate('not_kept')}`;
  }

  /** @param {RecordingError} fault */
  #showRecordingError({ kind, nLost, reason }) {
    const reload = /** @type {ErrorAction} */ (['load_again', () => this.#view.reload()]);
    if (kind === 'link') {
      this.#showError('not_your_link', [this.#words.translate('not_your_link_remedy'), reason], [reload]);
      return;
    }
    if (kind === 'refused') {
      this.#showError('stopped', [this.#words.translate('stopped_remedy'), reason], [reload]);
      return;
    }
    const lost = nLost ? [this.#words.translate('conflict_lost', { n: this.#words.pluralize('steps', nLost) })] : [];
    this.#showError('conflict', [this.#words.translate('conflict_remedy'), ...lost], [reload]);
  }

  /**
   * Does something that may fail because of a server or a line, and does it again until it works or cannot.
   *
   * @param {string} title of the trouble
   * @param {() => Promise<void>} action
   * @param {number} pause before the next try
   */
  async #try(title, action, pause = FIRST_PAUSE) {
    this.#clear();
    await this.#view.whileWaiting('loading', async () => {
      try {
        await action();
      } catch (error) {
        if (!this.#session?.store.fault) this.#showRetry(title, error, (longer) => this.#try(title, action, longer), pause);
      }
    });
  }

  /**
   * @param {string} title
   * @param {unknown} error
   * @param {(pause: number) => void} again
   * @param {number} pause
   */
  #showRetry(title, error, again, pause) {
    const isLink = error instanceof WrongLink;
    const isInterrupted = error instanceof Unreachable && error.isInterrupted;
    const told = isInterrupted ? [this.#words.translate('interrupted_remedy')] : isLink ? [this.#words.translate('not_your_link_remedy')] : [];
    this.#showError(isInterrupted ? 'interrupted_title' : isLink ? 'not_your_link' : title, [...told, reasonOf(error)], [['try_again', () => again(FIRST_PAUSE)]]);
    if (!isTransient(error)) return;
    const { timers } = this.#environment;
    this.#again = {
      timer: timers.set(() => again(Math.min(2 * pause, LONGEST_PAUSE)), pause),
      action: () => again(FIRST_PAUSE),
    };
  }

  /**
   * @param {string} title
   * @param {string[]} reasons
   * @param {ErrorAction[]} actions
   */
  #showError(title, reasons, actions) {
    this.#clear();
    this.#view.showError(title, reasons, actions);
    this.#view.reportError(new Error([this.#words.translate(title), ...reasons].join(' ')));
  }

  #clear() {
    if (this.#again) this.#environment.timers.clear(this.#again.timer);
    this.#again = null;
    this.#board?.destroy();
    this.#board = null;
    this.#view.clear();
  }

  get #opened() {
    if (!this.#session) throw new Error('The session has not been opened');
    return this.#session;
  }
}

/**
 * Whether nothing comes at the end but thanks.
 *
 * @param {Plan} plan
 */
const isBare = ({ debriefing, completion: { code, link } }) => debriefing === null && code === null && link === null;

/** @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * @param {string} language
 * @param {Record<string, string>} texts instead of those of page and board
 */
function wordsOf(language, texts = {}) {
  const ofPage = Object.entries(texts).filter(([name]) => !(name in (TEXTS.en ?? {})));
  return new Translator(language in SESSION_TEXTS ? language : 'en', Object.fromEntries(ofPage), false, SESSION_TEXTS);
}

/**
 * What comes first of all that is not done, or the end.
 *
 * @param {Item[]} items
 * @param {readonly SessionEvent[]} events
 */
const nextItem = (items, events) => /** @type {Item} */ (items.find((item) => !isDone(item, events)) ?? items.at(-1));
