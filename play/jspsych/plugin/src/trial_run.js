// One trial in the page, from loading the level to its data, played by a person or by a simulated hand.

/** @import { JsPsych } from 'jspsych' */
/** @import { Board } from '../play/board.js' */
/** @import { SimulatedPlayer } from '../play/simulated_player.js' */
/** @import { Game, Outcome } from '../play/types.js' */
/** @import { PlymapTrial } from './index.js' */
/** @import { TrialEvent } from './record.js' */
/** @import { SimulatedAction } from './simulation.js' */

import { SESSION_TEXTS, TEXTS } from '../play/texts.js';
import { Translator } from '../play/i18n.js';
import { dataOf } from './record.js';
import { TrialLayout } from './trial_layout.js';

/** How long a simulated player looks at the end of a level, in milliseconds. */
export const LOOK = 500;

export class TrialRun {
  /** @type {JsPsych} */ #jsPsych;
  /** @type {PlymapTrial} */ #trial;
  /** @type {{ board: Record<string, string>, around: Record<string, string> }} */ #texts;
  /** @type {TrialLayout} */ #layout;
  /** Who plays instead of a person. @type {SimulatedPlayer | null} */ #player;
  /** @type {Board | null} */ #board = null;
  #level = '';
  #isGrid = false;
  /** @type {TrialEvent[]} */ #events = [];
  /** Never, until the board is there. @type {Promise<Outcome>} */ #outcome = new Promise(() => {});

  /**
   * @param {JsPsych} jsPsych
   * @param {HTMLElement} display
   * @param {PlymapTrial} trial
   * @param {SimulatedPlayer | null} player who plays instead of a person
   */
  constructor(jsPsych, display, trial, player = null) {
    this.#jsPsych = jsPsych;
    this.#trial = trial;
    this.#player = player;
    this.#texts = sorted(textsOf(trial));
    const language = languageOf(trial);
    this.#layout = new TrialLayout(display, new Translator(language in SESSION_TEXTS ? language : 'en', this.#texts.around, false, SESSION_TEXTS));
  }

  /**
   * Shows the level and begins it.
   *
   * @param {() => Promise<Game>} load
   */
  async begin(load) {
    const { how, focus, clock, counter, letters, progress } = this.#trial;
    const game = await this.#layout.load(load);
    this.#level = game.level;
    this.#isGrid = game.board.grid;
    this.#board = await this.#layout.begin(game, {
      ...optionsOf(this.#trial, game),
      language: languageOf(this.#trial),
      texts: this.#texts.board,
      progress: /** @type {{ level: number, of: number } | null} */ (progress ?? null),
      showClock: clock !== false,
      showMoves: counter !== false,
      letters: letters !== false,
      now: () => this.#now(),
      onEvent: (event) => {
        this.#events.push(event);
        this.#player?.onEvent(event);
      },
    }, { how: how !== false, focus: focus !== false });
    this.#outcome = this.#board.finished.then(({ outcome }) => outcome);
  }

  /** What was done, once the level is over and its end has been seen. */
  async data() {
    const { button_label: label, feedback_duration: duration } = this.#trial;
    const outcome = await this.#outcome;
    const data = dataOf(this.#level, this.#events, outcome, this.#now());
    if (typeof duration === 'number') await paused(this.#jsPsych, duration / (this.#player?.speed ?? 1));
    else await this.#layout.leave(label ?? null);
    this.#layout.close();
    return data;
  }

  /**
   * Lets a simulated person play the level, and go on.
   *
   * @param {SimulatedAction[]} actions
   * @throws {Error} where the board does not take a step, or the level does not end
   */
  async perform(actions) {
    if (!this.#board || !this.#player) throw new Error('Nobody plays a level that has not begun');
    const steps = actions.map(({ at, ...way }, index) => ({ ...way, wait_s: (at - (actions[index - 1]?.at ?? 0)) / 1000 }));
    const isOver = await this.#player.play(steps, { board: this.#board, root: this.#layout.place, isGrid: this.#isGrid }).catch((cause) => {
      throw new Error(`Level ${this.#level}: ${cause.message}`, { cause });
    });
    if (!isOver && typeof this.#trial.seconds !== 'number') throw new Error(`Level ${this.#level} does not end by what was to be simulated`);
    await this.#outcome;
    await paused(this.#jsPsych, LOOK / this.#player.speed);
    if (this.#layout.button) this.#jsPsych.pluginAPI.clickTarget(this.#layout.button);
  }

  /** The clock, in milliseconds. */
  #now() {
    return this.#player ? this.#player.now() : performance.now();
  }
}

/**
 * Waits, unless the trial is ended before.
 *
 * @param {JsPsych} jsPsych
 * @param {number} ms
 * @returns {Promise<void>}
 */
export const paused = (jsPsych, ms) => new Promise((resolve) => { jsPsych.pluginAPI.setTimeout(resolve, ms); });

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
  const isAround = (/** @type {string} */ name) => name in (SESSION_TEXTS.en ?? {}) && !(name in (TEXTS.en ?? {}));
  const part = (/** @type {boolean} */ wanted) => Object.fromEntries(Object.entries(texts).filter(([name]) => isAround(name) === wanted));
  return { board: part(false), around: part(true) };
}
