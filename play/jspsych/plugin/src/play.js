// One trial in the page, from loading the level to its data, played by a person or by a simulated hand.

/** @import { JsPsych } from 'jspsych' */
/** @import { Game, Outcome } from '../play/types.js' */
/** @import { PlymapTrial } from './index.js' */
/** @import { TrialEvent } from './record.js' */
/** @import { Deed } from './simulation.js' */

import { SITTING_TEXTS, TEXTS } from '../play/texts.js';
import { Words } from '../play/words.js';
import { Hand } from './hand.js';
import { dataOf } from './record.js';
import { impossible } from './simulation.js';
import { Stage } from './stage.js';

/** How long a simulated player looks at the end of a level, in milliseconds. */
export const LOOK = 500;
/** A board that does not take a step within this time, in milliseconds, never will. */
const PATIENCE = 3000;
/** Milliseconds from what a board tells until it is ready for the next step. */
const SETTLING = 20;

export class Play {
  /** @type {JsPsych} */ #jsPsych;
  /** @type {PlymapTrial} */ #trial;
  /** @type {{ board: Record<string, string>, around: Record<string, string> }} */ #texts;
  /** @type {Stage} */ #stage;
  #level = '';
  /** @type {TrialEvent[]} */ #events = [];
  /** Never, until the board is there. @type {Promise<Outcome>} */ #outcome = new Promise(() => {});
  /** Called with each event. @type {(event: TrialEvent) => void} */ #hear = () => {};

  /**
   * @param {JsPsych} jsPsych
   * @param {HTMLElement} display
   * @param {PlymapTrial} trial
   */
  constructor(jsPsych, display, trial) {
    this.#jsPsych = jsPsych;
    this.#trial = trial;
    this.#texts = sorted(textsOf(trial));
    const language = languageOf(trial);
    this.#stage = new Stage(display, new Words(language in SITTING_TEXTS ? language : 'en', this.#texts.around, false, SITTING_TEXTS));
  }

  /**
   * Shows the level and begins it.
   *
   * @param {() => Promise<Game>} load
   */
  async begin(load) {
    const { how, focus, clock, counter, progress } = this.#trial;
    const game = await this.#stage.load(load);
    this.#level = game.level;
    const board = await this.#stage.begin(game, {
      ...optionsOf(this.#trial, game),
      language: languageOf(this.#trial),
      texts: this.#texts.board,
      progress: /** @type {{ level: number, of: number } | null} */ (progress ?? null),
      showClock: clock !== false,
      showMoves: counter !== false,
      onEvent: (event) => {
        this.#events.push(event);
        this.#hear(event);
      },
    }, { how: how !== false, focus: focus !== false });
    this.#outcome = board.finished.then(({ outcome }) => outcome);
  }

  /** What was done, once the level is over and its end has been seen. */
  async data() {
    const { button_label: label, feedback_duration: duration } = this.#trial;
    const outcome = await this.#outcome;
    const data = dataOf(this.#level, this.#events, outcome, performance.now());
    if (typeof duration === 'number') await this.#pause(duration);
    else await this.#stage.leave(label ?? null);
    this.#stage.close();
    return data;
  }

  /**
   * Does what was to be simulated, and goes on.
   *
   * @param {Game} game
   * @param {Deed[]} deeds
   * @throws {Error} where the board does not take a deed, or the level does not end
   */
  async perform(game, deeds) {
    const words = new Words(languageOf(this.#trial), this.#texts.board, game.board.grid);
    const hand = new Hand(this.#stage.place, game, words, (ms) => this.#pause(ms));
    await hand.begin();
    const start = /** @type {TrialEvent} */ (this.#events[0]).time_ms;
    let isOver = false;
    const over = this.#outcome.then(() => { isOver = true; });
    for (const [index, deed] of deeds.entries()) {
      await Promise.race([this.#pause(start + deed.at - performance.now()), over]);
      if (isOver) break;
      await Promise.race([this.#make(hand, deed, index), over]);
    }
    if (!isOver && typeof this.#trial.seconds !== 'number') throw new Error(`Level ${this.#level} does not end by what was to be simulated`);
    await over;
    await this.#pause(LOOK);
    if (this.#stage.button) this.#jsPsych.pluginAPI.clickTarget(this.#stage.button);
  }

  /**
   * @param {Hand} hand
   * @param {Deed} deed
   * @param {number} index
   */
  async #make(hand, deed, index) {
    const { event, action } = deed;
    const told = this.#next();
    if (!await hand.make(deed)) throw new Error(impossible(index, event, action));
    const answer = await Promise.race([told, this.#pause(PATIENCE)]);
    if (answer?.event !== event || (event === 'move' && answer.action !== action)) throw new Error(`${impossible(index, event, action)}: the board did not take it`);
    await hand.follow(answer);
    await this.#pause(SETTLING);
  }

  /** @returns {Promise<TrialEvent>} the next event of the board */
  #next() {
    return new Promise((resolve) => { this.#hear = resolve; });
  }

  /**
   * @param {number} ms
   * @returns {Promise<void>}
   */
  #pause(ms) {
    return new Promise((resolve) => { this.#jsPsych.pluginAPI.setTimeout(resolve, Math.max(0, ms)); });
  }
}

/**
 * What may be done in a level, as the board wants it.
 *
 * @param {PlymapTrial} trial
 * @param {Game} game
 */
export function optionsOf({ hints, undo, reset, give_up: giveUp, seconds, moves }, game) {
  return {
    hints: hints === true && game.hints,
    canUndo: undo !== false,
    canReset: reset !== false,
    canGiveUp: giveUp !== false,
    limits: { ...(typeof seconds === 'number' ? { seconds } : {}), ...(typeof moves === 'number' ? { moves } : {}) },
  };
}

/** @param {PlymapTrial} trial */
const languageOf = ({ language }) => language ?? 'en';

/** @param {PlymapTrial} trial */
const textsOf = ({ texts }) => /** @type {Record<string, string>} */ (texts ?? {});

/**
 * Texts of the board and of what stands around it. Those that nobody knows go to the board, which names them.
 *
 * @param {Record<string, string>} texts
 */
function sorted(texts) {
  const isAround = (/** @type {string} */ name) => name in (SITTING_TEXTS.en ?? {}) && !(name in (TEXTS.en ?? {}));
  const part = (/** @type {boolean} */ wanted) => Object.fromEntries(Object.entries(texts).filter(([name]) => isAround(name) === wanted));
  return { board: part(false), around: part(true) };
}
