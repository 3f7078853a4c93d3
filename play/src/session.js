// The page of a session: shows the procedure of a study in the browser.

/** @import { EventStore, Game, Backend, Item, LevelBoard, LevelItem, PageActions, Plan, PlayEvent, ErrorAction, SessionView, Study, Timers } from './types.js' */

import { Board } from './board.js';
import { checked } from './checksum.js';
import { isTouchScreen } from './input.js';
import { readStudy } from './progress.js';
import { backendOf, loadGame } from './backends.js';
import { Pages } from './pages.js';
import { PRACTICE } from './plan.js';
import { Procedure } from './procedure.js';
import { PageLayout } from './page_layout.js';
import { SESSION_TEXTS, TEXTS } from './texts.js';
import { jsonOf, FetchWithTimeout, Damaged, httpError } from './requests.js';
import { Translator } from './i18n.js';

/** @implements {SessionView} */
class Page {
  /** What plays instead of a person. @type {import('./simulated_page.js').PageSimulator | null} */ simulator = null;

  #words = new Translator('en', {}, false, SESSION_TEXTS);
  #pages = new Pages(this.#words);
  /** @type {PageLayout} */ #layout;
  /** Texts of the board instead of its own. @type {Record<string, string>} */ #boardTexts = {};

  /** @param {HTMLElement} place that is filled */
  constructor(place) {
    this.#layout = new PageLayout(place, this.#words);
  }

  /** The clock, in milliseconds. */
  now = () => (this.simulator ? this.simulator.now() : performance.now());

  /**
   * @param {Translator} words
   * @param {Study | null} study
   */
  setLanguage(words, study) {
    this.#words = words;
    this.#pages = new Pages(words);
    this.#layout.setLanguage(words);
    if (!study) return;
    this.#boardTexts = Object.fromEntries(Object.entries(study.texts).filter(([name]) => name in (TEXTS.en ?? {})));
    this.#layout.title = study.title;
  }

  /**
   * @param {string} parameter
   * @param {string | null} wrong
   */
  askParticipant(parameter, wrong) {
    this.#layout.after.replaceChildren(this.#pages.participantForm(parameter, wrong));
    this.#layout.after.querySelector('input')?.focus();
    this.simulator?.fail('The link names no participant');
  }

  /**
   * @param {string} participant
   * @param {string} session
   */
  async showParticipant(participant, session) {
    this.#layout.who = this.#words.translate(session === '1' ? 'who' : 'who_session', { participant, session });
    await this.simulator?.load(participant);
  }

  /**
   * @param {number} n
   * @param {number} of
   */
  showProgress(n, of) {
    this.#layout.showProgress(n, of);
  }

  /**
   * @param {Exclude<Item, { kind: 'level' | 'end' }>} item
   * @param {PageActions} actions
   */
  showPage(item, actions) {
    const page = this.#pageOf(item, actions);
    this.#layout.show(page);
    void this.simulator?.page(page);
  }

  /**
   * @param {Exclude<Item, { kind: 'level' | 'end' }>} item
   * @param {PageActions} actions
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
  showBoard({ block, number, of }, { game, kind, plan }, onEvent) {
    const { seconds, moves } = plan.limits;
    const isPractice = block === PRACTICE;
    const texts = isPractice ? { ...this.#boardTexts, progress: this.#words.translate('practice_level') } : this.#boardTexts;
    this.#layout.showInstructions(this.#words.translate(isTouchScreen() ? `how_${kind}_touch` : `how_${kind}`), isPractice ? this.#words.translate('practice') : '');
    return new Board(this.#layout.level, game, {
      language: this.#words.language,
      texts,
      hints: plan.hints,
      canUndo: plan.undo,
      canReset: plan.reset,
      canGiveUp: plan.give_up,
      showClock: plan.clock,
      showMoves: plan.counter,
      letters: plan.letters,
      limits: { ...(seconds === null ? {} : { seconds }), ...(moves === null ? {} : { moves }) },
      progress: of > 1 ? { level: number, of } : null,
      now: this.now,
      onEvent: (event) => {
        onEvent(event);
        this.simulator?.onEvent(event);
      },
    });
  }

  /**
   * @param {string} level
   * @param {LevelBoard} board
   * @param {Game} game
   */
  boardReady(level, board, game) {
    void this.simulator?.level(level, { board: /** @type {Board} */ (board), root: this.#layout.level, isGrid: game.board.grid });
  }

  /**
   * @param {string} text
   * @param {() => unknown} go
   */
  offerNext(text, go) {
    const next = this.#layout.button(text, go);
    this.#layout.after.replaceChildren(next);
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'nearest' });
    void this.simulator?.page(this.#layout.after);
  }

  /**
   * @param {Plan} plan
   * @param {Backend} backend
   * @param {{ isSaved: boolean, again: () => unknown }} end
   */
  showEnd(plan, { download, finish, canSave }, { isSaved, again }) {
    const { code, link } = plan.completion;
    const isClosed = code === null && link === null && !finish;
    const page = this.#pages.end(plan, isSaved ? this.#words.translate(isClosed ? 'thanks_saved' : 'all_saved') : '', finish && (() => finish(link)));
    if (!isSaved && download) page.firstElementChild?.after(this.#pages.download(download, canSave ? again : null));
    this.#layout.after.replaceChildren(page);
    page.querySelector('h2')?.focus({ preventScroll: true });
    page.scrollIntoView({ block: 'nearest' });
  }

  /** @param {(() => unknown) | null} finish */
  showDeclined(finish) {
    this.#layout.show(this.#pages.declined(finish));
  }

  /**
   * @param {string} text
   * @param {() => Promise<void>} action
   */
  async whileWaiting(text, action) {
    await this.#layout.whileWaiting(text, action);
  }

  /**
   * @param {string} title
   * @param {string[]} reasons
   * @param {ErrorAction[]} actions
   */
  showError(title, reasons, actions) {
    this.#layout.showError(title, reasons, actions);
  }

  /** @param {string} words */
  showNotice(words) {
    this.#layout.showNotice(words);
  }

  /** @param {string} words */
  announce(words) {
    this.#layout.announce(words);
  }

  clear() {
    this.#layout.clear();
  }

  scrollToTop() {
    scrollTo(0, 0);
  }

  reload() {
    location.reload();
  }

  /** @param {unknown} error */
  reportError(error) {
    this.simulator?.fail(error);
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
  const { response, answer } = await (address === FILE ? jsonOf(fetch(address), fileOfStudy) : jsonOf(fetch(address)));
  if (!response.ok) throw httpError(response.status, answer?.error ?? `The server answers ${response.status}`);
  return readStudy(answer);
}

/**
 * What plays instead of a person where the link asks for it; people never load it.
 *
 * @param {Page} page
 */
async function simulatorOf(page) {
  if (page.simulator) return page.simulator;
  const { PageSimulator } = await import('./simulated_page.js');
  return new PageSimulator();
}

/** @param {HTMLElement} place */
async function open(place) {
  const page = new Page(place);
  const timers = /** @type {Timers} */ ({ set: (call, ms) => setTimeout(call, ms), clear: (timer) => clearTimeout(timer) });
  const asking = new FetchWithTimeout((...request) => globalThis.fetch(...request), { now: () => performance.now(), timers });
  const wake = () => {
    asking.abortStale();
    procedure.wake();
  };
  const procedure = new Procedure(page, {
    now: () => page.now(),
    timers,
    loadStudy: () => loadStudy(place.dataset.study ?? FILE, asking.fetch),
    backendOf: async (study) => {
      const isSimulated = new URLSearchParams(location.search).get('simulate') === '1';
      if (isSimulated) page.simulator = await simulatorOf(page);
      return backendOf(study, isSimulated, { fetch: asking.fetch });
    },
    loadGame: (study, level, hints) => loadGame(study, level, hints, { base: '.', fetch: asking.fetch }),
  }, navigator.language.slice(0, 2));
  addEventListener('beforeunload', (event) => {
    const { nWaiting, fault } = /** @type {Partial<EventStore>} */ (procedure.store ?? {});
    if (nWaiting && !fault && !page.simulator) event.preventDefault();
  });
  addEventListener('pagehide', () => procedure.store?.leave());
  for (const name of ['online', 'pageshow']) addEventListener(name, wake);
  document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'visible') wake(); });
  await procedure.open();
}

const place = document.querySelector('#session');
if (place instanceof HTMLElement) await open(place);
