// The page of a sitting: a person goes through what a plan has for them, and all that they do is recorded.

/** @import { EventKeeper, Fault, Game, Host, Item, LevelItem, Outcome, Plan, QuestionsItem, SittingStep, Study } from './types.js' */
/** @import { Remedy } from './stage.js' */

import { Board } from './board.js';
import { courseOf, ENDS, faultOf, isDeclined, isDone, isName, pastOf, readLink, readStudy } from './course.js';
import { controlsOf, kindOf } from './gestures.js';
import { hostOf, loadGame } from './hosts.js';
import { Pages } from './pages.js';
import { PRACTICE, seedOf } from './plan.js';
import { ServerGame } from './server_game.js';
import { Stage } from './stage.js';
import { SITTING_TEXTS, TEXTS } from './texts.js';
import { Words } from './words.js';

/**
 * All that is known when a sitting has been opened.
 * @typedef {{ host: Host, keeper: EventKeeper, plan: Plan, items: Item[] }} Course
 */

class Sitting {
  /** @type {string} */ #address;
  /** @type {Words} */ #words = wordsOf(navigator.language.slice(0, 2));
  #pages = new Pages(this.#words);
  /** @type {Stage} */ #stage;
  /** @type {Course | null} */ #course = null;
  /** Texts of the board instead of its own. @type {Record<string, string>} */ #boardTexts = {};
  /** @type {Study | null} */ #study = null;
  /** @type {Board | null} */ #board = null;
  /** The data on their way, when all but the end is done. @type {Promise<void> | null} */ #saving = null;
  /** Whether the player was told that steps wait. */
  #isToldLate = false;
  /** The clock, in milliseconds. */
  #now = () => performance.now();
  /** What plays instead of a person. @type {import('./robot.js').Robot | null} */ #robot = null;

  /** @param {HTMLElement} place that is filled */
  constructor(place) {
    this.#address = place.dataset.study ?? 'study.json';
    this.#stage = new Stage(place, this.#words);
    window.addEventListener('beforeunload', (event) => {
      const { nWaiting, fault } = this.#course?.keeper ?? {};
      if (nWaiting && !fault && !this.#robot) event.preventDefault();
    });
    window.addEventListener('pagehide', () => this.#course?.keeper.leave());
  }

  /** Loads the study and goes on where the sitting is. */
  async open() {
    await this.#try('not_loaded', async () => {
      const study = await loadStudy(this.#address);
      this.#study = study;
      this.#speak(study);
      if (await this.#enter(study)) await this.#next();
    });
  }

  /** @param {Study} study */
  #speak({ title, language, texts }) {
    const [ofBoard, ofPage] = [true, false].map((isOfBoard) => Object.fromEntries(Object.entries(texts).filter(([name]) => name in (TEXTS.en ?? {}) === isOfBoard)));
    this.#words = wordsOf(language, ofPage);
    this.#boardTexts = ofBoard ?? {};
    this.#pages = new Pages(this.#words);
    this.#stage.speak(this.#words);
    this.#stage.title = title;
  }

  /* Who plays what */

  /**
   * @param {Study} study
   * @returns {Promise<boolean>} whether the link says who plays what
   */
  async #enter(study) {
    const isSimulated = new URLSearchParams(location.search).get('simulate') === '1';
    if (isSimulated && !this.#robot) await this.#simulate();
    const host = await hostOf(study, isSimulated);
    const link = readLink(host.parameters, study);
    const participant = link.participant ?? host.participant;
    const { session } = link;
    const fault = faultOf(link);
    if (fault) return this.#wrong(fault);
    if (participant === null || !isName(participant)) {
      this.#ask(study, participant);
      return false;
    }
    this.#stage.who = this.#words.say(session === '1' ? 'who' : 'who_session', { participant, session });
    await this.#robot?.load(participant);
    const sitting = { study: study.name, participant, session };
    const opened = await host.open(sitting, { onChange: () => this.#look(), now: this.#now, number: link.number === null ? null : Number(link.number) });
    const { keeper } = opened;
    const course = courseOf(study, link, { events: keeper.events, number: opened.number, seed: seedOf(study.name, participant, session) });
    if ('text' in course) return this.#wrong(course);
    const { plan, items, number, isNew } = course;
    this.#course = { host, keeper, plan, items };
    if (isNew) this.#record({ level: '', attempt: 1, event: 'assign', action: plan.condition ?? '', value: String(number), time_ms: this.#now() });
    return true;
  }

  /** @param {{ text: string, words: Record<string, string> }} fault */
  #wrong({ text, words }) {
    this.#trouble('wrong_link', [this.#words.say(text, words)], []);
    return false;
  }

  /**
   * @param {Study} study
   * @param {string | null} wrong
   */
  #ask(study, wrong) {
    this.#clear();
    this.#stage.after.replaceChildren(this.#pages.who(study.participant[0] ?? 'participant', wrong));
    this.#stage.after.querySelector('input')?.focus();
    this.#robot?.fail('The link names no participant');
  }

  async #simulate() {
    // People never load what plays instead of them.
    const { Robot } = await import('./robot.js');
    const robot = new Robot();
    this.#robot = robot;
    this.#now = () => robot.now();
  }

  /* The course of a sitting */

  /** What comes first of all that is not done. */
  async #next() {
    const { items, keeper } = this.#opened;
    if (isDeclined(keeper.events)) this.#decline();
    else await this.#show(/** @type {Item} */ (items.find((item) => !isDone(item, keeper.events))));
  }

  /** @param {Item} item */
  async #show(item) {
    const { items } = this.#opened;
    const at = items.indexOf(item);
    // A study of nothing but levels tells its progress above the board.
    if (items.some(({ kind }) => kind !== 'level' && kind !== 'end')) this.#stage.progress(at, items.length - 1);
    if (item.kind === 'level') await this.#play(item);
    else if (item.kind === 'end') await this.#end();
    else {
      this.#clear();
      const page = this.#pageOf(item, at);
      this.#stage.show(page);
      void this.#robot?.page(page);
    }
  }

  /**
   * @param {Exclude<Item, { kind: 'level' | 'end' }>} item
   * @param {number} at its place among all
   */
  #pageOf(item, at) {
    const next = () => this.#leave(item);
    switch (item.kind) {
      case 'consent':
        return this.#pages.consent(item.html, { agree: next, refuse: () => {
          this.#record({ level: '', attempt: 1, event: 'decline', action: item.name, time_ms: this.#now() });
          if (!this.#opened.keeper.fault) this.#decline();
        } });
      case 'page': {
        const { items } = this.#opened;
        const [before, after] = [items[at - 1], items[at + 1]];
        return this.#pages.instructions(item, {
          back: before?.kind === 'page' ? () => this.#show(before) : null,
          // Whoever went back sees all pages again on the way.
          next: () => this.#leave(item, after?.kind === 'page' ? after : null),
        });
      }
      case 'break':
        return this.#pages.break(item.html, next);
      default:
        return this.#pages.questions(item, (answers) => {
          this.#answer(item, answers);
          return next();
        });
    }
  }

  /**
   * @param {Item} item
   * @param {Item | null} after what comes then, whether or not it is done
   */
  async #leave({ name }, after = null) {
    this.#record({ level: '', attempt: 1, event: 'page', action: name, time_ms: this.#now() });
    if (this.#opened.keeper.fault) return;
    if (after) await this.#show(after);
    else await this.#goOn();
  }

  /** What comes next, with the keys for it. */
  async #goOn() {
    this.#clear();
    await this.#next();
    this.#board?.focus();
    scrollTo(0, 0);
  }

  /**
   * @param {QuestionsItem} item
   * @param {{ name: string, value: string }[]} answers
   */
  #answer({ level, block, trial }, answers) {
    const about = { level, attempt: 1, ...(block === null ? {} : { block }), ...(trial === null ? {} : { trial }) };
    const time = this.#now();
    for (const { name, value } of answers) this.#record({ ...about, event: 'answer', action: name, value, time_ms: time });
  }

  /**
   * @param {SittingStep} step
   * @param {number} [onset]
   */
  #record(step, onset) {
    const { keeper, plan: { condition } } = this.#opened;
    keeper.record(condition === null ? step : { ...step, condition }, onset);
  }

  /* Levels */

  /** @param {LevelItem} item */
  async #play(item) {
    const { level } = item;
    const { keeper, plan } = this.#opened;
    await this.#try('level_not_loaded', async () => {
      const game = await loadGame(/** @type {Study} */ (this.#study), level, plan.hints);
      const { start: drawn, steps, nBefore } = pastOf(keeper.events, level);
      if (game instanceof ServerGame && drawn !== undefined) await game.startAt(drawn);
      const start = await game.start();
      const kind = kindOf(controlsOf(await game.picture(start), await game.moves(start)));
      // Recording may have stopped meanwhile, and the page says so.
      if (keeper.fault) return;
      const board = this.#boardOf(item, { game, kind, nBefore });
      // The time that a page is away is part of that of the level.
      await (steps.length ? board.resume(steps, keeper.onset * 1000).catch((error) => this.#offer(item, { game, kind }, error)) : board.begin());
      if (this.#board === board) void this.#robot?.level(level, { board, root: this.#stage.level, isGrid: game.board.grid });
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
    const begin = async () => {
      const { nAttempts } = pastOf(this.#opened.keeper.events, item.level);
      await this.#try('level_not_loaded', async () => {
        await this.#boardOf(item, { ...loaded, nBefore: nAttempts }).begin();
        this.#board?.focus();
      });
    };
    this.#trouble('level_not_resumed', [reasonOf(error)], [['try_again', () => this.#play(item)], ['start_level_again', begin]]);
  }

  /**
   * @param {LevelItem} item
   * @param {{ game: Game, kind: string, nBefore: number }} how `nBefore` attempts were made before those of the board
   */
  #boardOf({ level, block, trial, number, of }, { game, kind, nBefore }) {
    const { plan } = this.#opened;
    const { seconds, moves } = plan.limits;
    const isPractice = block === PRACTICE;
    const texts = isPractice ? { ...this.#boardTexts, progress: this.#words.say('practice_level') } : this.#boardTexts;
    this.#stage.how(this.#words.say(`how_${kind}`), isPractice ? this.#words.say('practice') : '');
    const board = new Board(this.#stage.level, game, {
      language: this.#words.language,
      texts,
      hints: plan.hints,
      canUndo: plan.undo,
      canReset: plan.reset,
      canGiveUp: plan.give_up,
      showClock: plan.clock,
      showMoves: plan.counter,
      limits: { ...(seconds === null ? {} : { seconds }), ...(moves === null ? {} : { moves }) },
      progress: of > 1 ? { level: number, of } : null,
      now: this.#now,
      onEvent: (event) => {
        const drawn = game instanceof ServerGame ? game.drawnStart : undefined;
        const step = { ...event, level, attempt: nBefore + event.attempt, block, trial };
        this.#record(event.event === 'start' && drawn !== undefined ? { ...step, state_after: drawn } : step);
        this.#robot?.heard(event);
        // Of a start that chance drew nobody could tell where the next attempt begins.
        if (event.event === 'reset' && drawn !== undefined) this.#record({ ...step, event: 'start', attempt: step.attempt + 1, state_after: drawn });
      },
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
    const { keeper, items, plan } = this.#opened;
    if (keeper.fault) return;
    if (!pastOf(keeper.events, level.level).isOver) this.#recordEnd(level, outcome);
    const following = items.find((item) => !isDone(item, keeper.events));
    // What is recorded is sent now, whether or not the player goes on to the end.
    if (following?.kind === 'end') void this.#save().catch(() => {});
    if (following?.kind === 'end' && isBare(plan)) void this.#end();
    else this.#offerNext(following?.kind === 'level' ? 'next' : 'continue');
  }

  /** @param {string} text */
  #offerNext(text) {
    const next = this.#stage.button(text, () => this.#goOn());
    this.#stage.after.replaceChildren(next);
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'nearest' });
    void this.#robot?.page(this.#stage.after);
  }

  /**
   * An end that the board has no event for, or one that was lost between a move and the page's going away: it has the
   * time of its move.
   *
   * @param {{ level: string, block: string, trial: number }} level
   * @param {Outcome} outcome
   */
  #recordEnd(level, outcome) {
    const last = this.#opened.keeper.events.findLast((one) => one.level === level.level && one.event !== 'answer');
    const end = { ...level, attempt: last?.attempt ?? 1, ...ENDS[outcome] };
    if ((outcome === 'solved' || outcome === 'moves') && last) this.#record({ ...end, time_ms: last.time_ms }, last.onset_s);
    else this.#record({ ...end, time_ms: this.#now() });
  }

  /* The end */

  /** Sends what is to be sent, once. */
  #save() {
    const { host } = this.#opened;
    this.#saving ??= host.save(() => {
      this.#stage.notice(this.#words.say('not_sent_yet'));
      this.#stage.say(this.#words.say('not_sent_yet'));
    }).finally(() => this.#stage.notice(''));
    return this.#saving;
  }

  async #end() {
    const { host, plan } = this.#opened;
    const { completion: { code, link }, debriefing } = plan;
    if (!isBare(plan)) this.#clear();
    const isSaved = await this.#saved();
    // Where recording stops the page has said so.
    if (isSaved === null) return;
    const { finish } = host;
    if (finish && isSaved && debriefing === null && code === null) finish(link);
    else this.#thank(isSaved);
  }

  /** @param {boolean} isSaved */
  #thank(isSaved) {
    const { host: { download, finish, canSave }, plan } = this.#opened;
    const { code, link } = plan.completion;
    const isClosed = code === null && link === null && !finish;
    const page = this.#pages.end(plan, isSaved ? this.#words.say(isClosed ? 'thanks_saved' : 'all_saved') : '', finish && (() => finish(link)));
    if (!isSaved && download) page.firstElementChild?.after(this.#pages.download(download, canSave ? () => this.#sendAgain() : null));
    this.#stage.after.replaceChildren(page);
    page.querySelector('h2')?.focus({ preventScroll: true });
    page.scrollIntoView({ block: 'nearest' });
  }

  /** @returns {Promise<boolean | null>} whether the data were saved; nothing where recording has stopped */
  async #saved() {
    const { host, keeper } = this.#opened;
    if (!host.canSave) return false;
    let isSaved = false;
    await this.#stage.wait(host.download ? 'sending' : 'saving', async () => {
      isSaved = await this.#save().then(() => true, (error) => {
        this.#robot?.fail(error);
        return false;
      });
    });
    return keeper.fault ? null : isSaved;
  }

  async #sendAgain() {
    this.#saving = null;
    await this.#end();
  }

  /** Consent was refused: that is saved as all else, but keeps nobody. */
  #decline() {
    const { host: { canSave, finish } } = this.#opened;
    const saving = canSave ? this.#save().catch(() => {}) : Promise.resolve();
    this.#clear();
    this.#stage.show(this.#pages.declined(finish && (() => saving.then(() => finish(null)))));
  }

  /* What else is to be seen */

  /** Something about the recording has changed. */
  #look() {
    const { keeper } = this.#course ?? {};
    if (!keeper) return;
    const { fault, isLate, nWaiting } = keeper;
    const text = isLate ? this.#words.say('not_saved', { n: this.#words.counted('steps', nWaiting) }) : '';
    if (isLate || this.#isToldLate) this.#stage.notice(text);
    // Said once, and not again with each step that is added.
    if (isLate !== this.#isToldLate && !fault) this.#stage.say(isLate ? text : this.#words.say('saved_again'));
    this.#isToldLate = isLate;
    if (fault) this.#stop(fault);
  }

  /** @param {Fault} fault */
  #stop({ isConflict, nLost, reason }) {
    const reload = /** @type {Remedy} */ (['load_again', () => location.reload()]);
    if (!isConflict) {
      this.#trouble('stopped', [this.#words.say('stopped_remedy'), reason], [reload]);
      return;
    }
    const lost = nLost ? [this.#words.say('conflict_lost', { n: this.#words.counted('steps', nLost) })] : [];
    this.#trouble('conflict', [this.#words.say('conflict_remedy'), ...lost], [reload]);
  }

  /**
   * Does something that may fail because of a server or a line, and offers to do it again.
   *
   * @param {string} title of the trouble
   * @param {() => Promise<void>} action
   */
  async #try(title, action) {
    this.#clear();
    await this.#stage.wait('loading', async () => {
      try {
        await action();
      } catch (error) {
        if (!this.#course?.keeper.fault) this.#trouble(title, [reasonOf(error)], [['try_again', () => this.#try(title, action)]]);
      }
    });
  }

  /**
   * @param {string} title
   * @param {string[]} reasons
   * @param {Remedy[]} remedies
   */
  #trouble(title, reasons, remedies) {
    this.#clear();
    this.#stage.trouble(title, reasons, remedies);
    this.#robot?.fail(new Error([this.#words.say(title), ...reasons].join(' ')));
  }

  #clear() {
    this.#board?.destroy();
    this.#board = null;
    this.#stage.clear();
  }

  get #opened() {
    if (!this.#course) throw new Error('The sitting has not been opened');
    return this.#course;
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
 * @param {Record<string, string>} texts instead of those of the page
 */
const wordsOf = (language, texts = {}) => new Words(language in SITTING_TEXTS ? language : 'en', texts, false, SITTING_TEXTS);

/** @param {string} address */
async function loadStudy(address) {
  const response = await fetch(address).catch((cause) => {
    throw new Error('The server cannot be reached; see whether it runs, and try again', { cause });
  });
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Error(answer?.error ?? `The server answers ${response.status}`);
  return readStudy(answer);
}

const place = document.querySelector('#sitting');
if (place instanceof HTMLElement) await new Sitting(place).open();
