// The page of a session: shows the procedure of a study in the browser.

/** @import { EventKeeper, Game, Host, Item, LevelBoard, LevelItem, PageWays, Plan, PlayEvent, Remedy, SessionView, Study, Timers } from './types.js' */

import { Board } from './board.js';
import { checked } from './checksum.js';
import { readStudy } from './course.js';
import { hostOf, loadGame } from './hosts.js';
import { Pages } from './pages.js';
import { PRACTICE } from './plan.js';
import { Procedure } from './procedure.js';
import { Stage } from './stage.js';
import { SESSION_TEXTS, TEXTS } from './texts.js';
import { answerOf, Asking, Damaged, refusal } from './unreachable.js';
import { Words } from './words.js';

/** @implements {SessionView} */
class Page {
  /** What plays instead of a person. @type {import('./robot.js').Robot | null} */ robot = null;

  #words = new Words('en', {}, false, SESSION_TEXTS);
  #pages = new Pages(this.#words);
  /** @type {Stage} */ #stage;
  /** Texts of the board instead of its own. @type {Record<string, string>} */ #boardTexts = {};

  /** @param {HTMLElement} place that is filled */
  constructor(place) {
    this.#stage = new Stage(place, this.#words);
  }

  /** The clock, in milliseconds. */
  now = () => (this.robot ? this.robot.now() : performance.now());

  /**
   * @param {Words} words
   * @param {Study | null} study
   */
  speak(words, study) {
    this.#words = words;
    this.#pages = new Pages(words);
    this.#stage.speak(words);
    if (!study) return;
    this.#boardTexts = Object.fromEntries(Object.entries(study.texts).filter(([name]) => name in (TEXTS.en ?? {})));
    this.#stage.title = study.title;
  }

  /**
   * @param {string} parameter
   * @param {string | null} wrong
   */
  ask(parameter, wrong) {
    this.#stage.after.replaceChildren(this.#pages.who(parameter, wrong));
    this.#stage.after.querySelector('input')?.focus();
    this.robot?.fail('The link names no participant');
  }

  /**
   * @param {string} participant
   * @param {string} session
   */
  async who(participant, session) {
    this.#stage.who = this.#words.say(session === '1' ? 'who' : 'who_session', { participant, session });
    await this.robot?.load(participant);
  }

  /**
   * @param {number} n
   * @param {number} of
   */
  progress(n, of) {
    this.#stage.progress(n, of);
  }

  /**
   * @param {Exclude<Item, { kind: 'level' | 'end' }>} item
   * @param {PageWays} ways
   */
  page(item, ways) {
    const page = this.#pageOf(item, ways);
    this.#stage.show(page);
    void this.robot?.page(page);
  }

  /**
   * @param {Exclude<Item, { kind: 'level' | 'end' }>} item
   * @param {PageWays} ways
   */
  #pageOf(item, { next, back, answer, refuse }) {
    switch (item.kind) {
      case 'consent':
        return this.#pages.consent(item.html, { agree: next, refuse });
      case 'page':
        return this.#pages.instructions(item, { back, next });
      case 'break':
        return this.#pages.break(item.html, next);
      default:
        return this.#pages.questions(item, answer);
    }
  }

  /**
   * @param {LevelItem} item
   * @param {{ game: Game, kind: string, plan: Plan }} level
   * @param {(event: PlayEvent) => void} onEvent
   */
  board({ block, number, of }, { game, kind, plan }, onEvent) {
    const { seconds, moves } = plan.limits;
    const isPractice = block === PRACTICE;
    const texts = isPractice ? { ...this.#boardTexts, progress: this.#words.say('practice_level') } : this.#boardTexts;
    this.#stage.how(this.#words.say(`how_${kind}`), isPractice ? this.#words.say('practice') : '');
    return new Board(this.#stage.level, game, {
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
      now: this.now,
      onEvent: (event) => {
        onEvent(event);
        this.robot?.heard(event);
      },
    });
  }

  /**
   * @param {string} level
   * @param {LevelBoard} board
   * @param {Game} game
   */
  begun(level, board, game) {
    void this.robot?.level(level, { board: /** @type {Board} */ (board), root: this.#stage.level, isGrid: game.board.grid });
  }

  /**
   * @param {string} text
   * @param {() => unknown} go
   */
  offerNext(text, go) {
    const next = this.#stage.button(text, go);
    this.#stage.after.replaceChildren(next);
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'nearest' });
    void this.robot?.page(this.#stage.after);
  }

  /**
   * @param {Plan} plan
   * @param {Host} host
   * @param {{ isSaved: boolean, again: () => unknown }} end
   */
  thanks(plan, { download, finish, canSave }, { isSaved, again }) {
    const { code, link } = plan.completion;
    const isClosed = code === null && link === null && !finish;
    const page = this.#pages.end(plan, isSaved ? this.#words.say(isClosed ? 'thanks_saved' : 'all_saved') : '', finish && (() => finish(link)));
    if (!isSaved && download) page.firstElementChild?.after(this.#pages.download(download, canSave ? again : null));
    this.#stage.after.replaceChildren(page);
    page.querySelector('h2')?.focus({ preventScroll: true });
    page.scrollIntoView({ block: 'nearest' });
  }

  /** @param {(() => unknown) | null} finish */
  declined(finish) {
    this.#stage.show(this.#pages.declined(finish));
  }

  /**
   * @param {string} text
   * @param {() => Promise<void>} action
   */
  async wait(text, action) {
    await this.#stage.wait(text, action);
  }

  /**
   * @param {string} title
   * @param {string[]} reasons
   * @param {Remedy[]} remedies
   */
  trouble(title, reasons, remedies) {
    this.#stage.trouble(title, reasons, remedies);
  }

  /** @param {string} words */
  notice(words) {
    this.#stage.notice(words);
  }

  /** @param {string} words */
  say(words) {
    this.#stage.say(words);
  }

  clear() {
    this.#stage.clear();
  }

  toTop() {
    scrollTo(0, 0);
  }

  reload() {
    location.reload();
  }

  /** @param {unknown} error */
  failed(error) {
    this.robot?.fail(error);
  }
}

/** The study of a site. */
const FILE = 'study.json';

/**
 * The study in a file of which each byte is as plymap wrote it.
 *
 * @param {Response} response
 */
async function fileOfStudy(response) {
  const text = await response.text();
  if (!response.ok) return JSON.parse(text);
  try {
    return JSON.parse(checked(text));
  } catch (cause) {
    throw new Damaged(`The file ${FILE} was damaged or changed (${cause instanceof Error ? cause.message : cause}); put the site there again as plymap experiment wrote it`, { cause });
  }
}

/**
 * @param {string} address
 * @param {typeof fetch} fetch
 */
async function loadStudy(address, fetch) {
  const { response, answer } = await (address === FILE ? answerOf(fetch(address), fileOfStudy) : answerOf(fetch(address)));
  if (!response.ok) throw refusal(response.status, answer?.error ?? `The server answers ${response.status}`);
  return readStudy(answer);
}

/**
 * What plays instead of a person where the link asks for it; people never load it.
 *
 * @param {Page} page
 */
async function robotOf(page) {
  if (page.robot) return page.robot;
  const { Robot } = await import('./robot.js');
  return new Robot();
}

/** @param {HTMLElement} place */
async function open(place) {
  const page = new Page(place);
  const timers = /** @type {Timers} */ ({ set: (call, ms) => setTimeout(call, ms), clear: (timer) => clearTimeout(timer) });
  const asking = new Asking((...request) => globalThis.fetch(...request), { now: () => performance.now(), timers });
  const wake = () => {
    asking.hurry();
    procedure.wake();
  };
  const procedure = new Procedure(page, {
    now: () => page.now(),
    timers,
    loadStudy: () => loadStudy(place.dataset.study ?? FILE, asking.fetch),
    hostOf: async (study) => {
      const isSimulated = new URLSearchParams(location.search).get('simulate') === '1';
      if (isSimulated) page.robot = await robotOf(page);
      return hostOf(study, isSimulated, { fetch: asking.fetch });
    },
    loadGame: (study, level, hints) => loadGame(study, level, hints, { base: '.', fetch: asking.fetch }),
  }, navigator.language.slice(0, 2));
  addEventListener('beforeunload', (event) => {
    const { nWaiting, fault } = /** @type {Partial<EventKeeper>} */ (procedure.keeper ?? {});
    if (nWaiting && !fault && !page.robot) event.preventDefault();
  });
  addEventListener('pagehide', () => procedure.keeper?.leave());
  for (const name of ['online', 'pageshow']) addEventListener(name, wake);
  document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'visible') wake(); });
  await procedure.open();
}

const place = document.querySelector('#session');
if (place instanceof HTMLElement) await open(place);
