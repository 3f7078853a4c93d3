// The screen of a page without a browser: what is on it, and a board that is played by calls.

import { Trial } from '../../src/trial.js';

export class Screen {
  /** Set by the browser. */
  setting;
  /** What is shown: `loading`, `page`, `level`, `next`, `thanks`, `declined`, `trouble` or `ask`, and what belongs to it. */
  shown = { kind: 'loading' };
  /** Words that stay below everything. */
  words = '';
  /** What went wrong that no page may let go wrong. */
  errors = [];

  #show(shown) {
    if (this.setting.isAlive()) this.shown = shown;
  }

  setLanguage() {}
  async showParticipant() {}
  showProgress() {}
  announce() {}
  scrollToTop() {}
  reportError() {}
  askParticipant() { this.#show({ kind: 'ask' }); }
  showNotice(words) { if (this.setting?.isAlive()) this.words = words; }
  showPage(item, actions) { this.#show({ kind: 'page', item, actions }); }
  offerNext(text, go) { this.#show({ kind: 'next', go }); }
  showDeclined() { this.#show({ kind: 'declined' }); }
  showEnd(plan, backend, { isSaved }) { this.#show({ kind: 'thanks', isSaved }); }
  showError(title, reasons, actions) { this.#show({ kind: 'trouble', title, reasons, actions }); }
  reload() { this.#show({ kind: 'reload' }); }
  clear() { this.#show({ kind: 'loading' }); }

  async whileWaiting(text, action) {
    await action();
  }

  showBoard({ level, block, trial }, { game, plan }, onEvent) {
    const board = new HeadlessBoard(game, plan, this.setting, onEvent);
    this.next = { kind: 'level', level, block, trial, board };
    board.onOpen = () => this.#show({ kind: 'level', level, block, trial, board });
    return board;
  }

  boardReady() {}
}

/** What `Board` is beside its drawings: a trial, its turns and its clock. */
class HeadlessBoard {
  finished = new Promise((resolve) => { this.finish = resolve; });
  onOpen = () => {};
  #setting;
  #limit;
  #isDestroyed = false;
  #turns = Promise.resolve();

  constructor(game, { undo, reset, limits }, setting, onEvent) {
    this.#setting = setting;
    const { seconds, moves } = limits;
    this.trial = new Trial(game, {
      canUndo: undo, canReset: reset, onEvent, now: setting.now,
      limits: { ...(seconds === null ? {} : { seconds }), ...(moves === null ? {} : { moves }) },
    });
  }

  async begin() { await this.#open(() => this.trial.begin()); }
  async resume(steps, time) { await this.#open(() => this.trial.resume(steps, time)); }
  focus() {}

  destroy() {
    this.#isDestroyed = true;
    this.#setting.timers.clear(this.#limit);
  }

  async #open(start) {
    await start();
    if (this.#isDestroyed) return;
    this.onOpen();
    this.#update();
    if (!this.trial.outcome) this.#tick();
  }

  #tick() {
    this.#limit = this.#setting.timers.set(() => {
      if (!this.trial.isTimeUp) this.#tick();
      // What was put in before still counts.
      else void this.#turn(() => this.trial.timeUp());
    }, 1000);
  }

  /** @returns {Promise<void>} fails where the input is not taken, or cannot be done */
  async act(action) {
    const time = this.#setting.now();
    if (this.#isDestroyed || this.trial.isTimeUp) throw new Error('the board takes nothing any more');
    await this.#turn(async () => {
      if (this.trial.outcome) throw new Error('the level is over');
      await action(this.trial, time);
    });
  }

  /** One after the other. */
  #turn(action) {
    const turn = this.#turns.then(action).finally(() => { if (!this.#isDestroyed) this.#update(); });
    this.#turns = turn.catch(() => {});
    return turn;
  }

  #update() {
    const { outcome } = this.trial;
    if (!outcome) return;
    this.#setting.timers.clear(this.#limit);
    this.finish({ outcome });
  }
}
