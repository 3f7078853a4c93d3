// The plugin: a trial is one level of a puzzle on the board of plymap.

/** @import { JsPsych, TrialType } from 'jspsych' */
/** @import { Game } from '../play/types.js' */
/** @import { Randomness, SimulationOptions } from './simulation.js' */

import { ParameterType } from 'jspsych';

import { version } from '../package.json';
import { MapGame } from '../play/map_game.js';
import { SimulatedPlayer } from '../play/simulated_player.js';
import { LOOK, optionsOf, paused, TrialRun } from './trial_run.js';
import { dataOf } from './record.js';
import { simulatedActions, playedOut } from './simulation.js';

const info = /** @type {const} */ ({
  name: 'plymap',
  version,
  parameters: {
    /** The level: address of a map file, or its bytes as an `ArrayBuffer`. */
    level: { type: ParameterType.COMPLEX, default: undefined },
    /** Whether hints may be asked for. The map file has to have distances. */
    hints: { type: ParameterType.BOOL, default: false },
    /** Whether moves can be taken back. */
    undo: { type: ParameterType.BOOL, default: true },
    /** Whether the level can be started again. */
    reset: { type: ParameterType.BOOL, default: true },
    /** Whether the level can be given up. */
    give_up: { type: ParameterType.BOOL, default: true },
    /** Whether the time is shown: that which has passed, or with `seconds` that which is left. */
    clock: { type: ParameterType.BOOL, default: true },
    /** Whether the cost of the moves is counted above the board. */
    counter: { type: ParameterType.BOOL, default: true },
    /** Whether pieces have the letters that name them. */
    letters: { type: ParameterType.BOOL, default: true },
    /** How long the level may last, in seconds; `null`: as long as it takes. */
    seconds: { type: ParameterType.FLOAT, default: null },
    /** How many moves may be made, those taken back and those of earlier attempts included; `null`: any number. */
    moves: { type: ParameterType.INT, default: null },
    /** Language of the board: `en`, `de` or `fr`. */
    language: { type: ParameterType.STRING, default: 'en' },
    /** Texts instead of those of the language, by their names in `play/texts.js`. */
    texts: { type: ParameterType.OBJECT, default: {} },
    /** `{ level: 3, of: 12 }` shows that this is the third of twelve levels. */
    progress: { type: ParameterType.OBJECT, default: null },
    /** Whether a line above the board says how moves are made. */
    how: { type: ParameterType.BOOL, default: true },
    /** Whether the keys go to the board at once. */
    focus: { type: ParameterType.BOOL, default: true },
    /** Label of the button that ends the trial when the level is over; `null`: a text of the language. */
    button_label: { type: ParameterType.STRING, default: null },
    /** How long the end of the level is shown, in milliseconds; `null`: until the button is pressed. */
    feedback_duration: { type: ParameterType.INT, default: null },
  },
  data: {
    /** Name of the level, as its map file says it. */
    level: { type: ParameterType.STRING },
    /** How the level ended: `solved`, `given_up`, `limit_seconds`, `limit_moves`, or `ended` where no move was left and none could be taken back. */
    outcome: { type: ParameterType.STRING },
    /** How many moves were made, those taken back and those of earlier attempts included. */
    n_moves: { type: ParameterType.INT },
    /** How many attempts were begun: one, and one more for each new start. */
    n_attempts: { type: ParameterType.INT },
    /** Milliseconds from the start of the level to its end. */
    rt: { type: ParameterType.INT },
    /** What was done, in order. */
    events: {
      type: ParameterType.COMPLEX,
      array: true,
      nested: {
        /** `start`, `move`, `undo`, `reset`, `hint`, `give_up`, `solved` or `limit`. */
        event: { type: ParameterType.STRING },
        /** The move that was made, taken back or shown as a hint, in the notation of the game; of `limit`, `seconds` or `moves`; else empty. */
        action: { type: ParameterType.STRING },
        /** `performance.now()` at the input that completed the step, in milliseconds: one clock for all trials of a page. */
        time_ms: { type: ParameterType.FLOAT },
        /** From 1; a reset belongs to the attempt that it ends. */
        attempt: { type: ParameterType.INT },
      },
    },
  },
  citations: {
    apa: `The plymap authors. (n.d.). plymap: From the logs of people playing puzzles to results a paper can print (Version ${version}) [Computer software].`,
    bibtex: `@software{plymap, author = {{The plymap authors}}, title = {plymap: from the logs of people playing puzzles to results a paper can print}, version = {${version}}}`,
  },
});

/** @typedef {TrialType<typeof info>} PlymapTrial */

/** Levels that were asked for before their trial. @type {Map<string, Promise<Game>>} */
const preloaded = new Map();
/** Simulated levels without a page follow each other on one clock, as played ones do. */
let simulatedUntil = 0;

/**
 * **plymap**
 *
 * A person plays a level of a puzzle by mouse, finger or keys. All that is done is recorded with its time.
 *
 * @author The plymap authors
 */
export default class PlymapPlugin {
  static info = info;

  /** @type {JsPsych} */ #jsPsych;

  /** @param {JsPsych} jsPsych */
  constructor(jsPsych) {
    this.#jsPsych = jsPsych;
  }

  /**
   * Loads a map file before its trial. A file that cannot be had is asked for again by the trial.
   *
   * @param {string} level address of the map file
   */
  static preload(level) {
    if (preloaded.has(level)) return;
    const game = MapGame.load(level);
    preloaded.set(level, game);
    game.catch(() => preloaded.delete(level));
  }

  /**
   * @param {HTMLElement} display_element
   * @param {PlymapTrial} trial
   * @param {() => void} on_load
   */
  async trial(display_element, trial, on_load) {
    const play = new TrialRun(this.#jsPsych, display_element, trial);
    await play.begin(() => loaded(trial.level));
    on_load();
    return play.data();
  }

  /**
   * @param {PlymapTrial} trial
   * @param {'data-only' | 'visual'} simulation_mode
   * @param {{ data?: SimulationOptions & Record<string, unknown>, speed?: number }} simulation_options
   * @param {() => void} on_load
   */
  async simulate(trial, simulation_mode, simulation_options, on_load) {
    const wanted = simulation_options.data ?? {};
    if (simulation_mode === 'visual') return this.#simulateVisual(trial, wanted, simulation_options.speed ?? 1, on_load);
    on_load();
    // What the plugin itself records was wished before it was played, and then is as it was played.
    return { ...wanted, ...await this.#simulateData(trial, wanted) };
  }

  /**
   * @param {PlymapTrial} trial
   * @param {SimulationOptions} wanted
   */
  async #simulateData(trial, wanted) {
    const game = await loaded(trial.level);
    const rules = optionsOf(trial, game);
    const actions = await simulatedActions(game, rules, wanted, this.#random);
    const start = Math.max(performance.now(), simulatedUntil);
    const { events, outcome, now } = await playedOut(game, rules, actions, start);
    simulatedUntil = now + LOOK;
    return dataOf(game.level, events, outcome, now);
  }

  /**
   * @param {PlymapTrial} trial
   * @param {SimulationOptions} wanted
   * @param {number} speed
   * @param {() => void} on_load
   */
  async #simulateVisual(trial, wanted, speed, on_load) {
    const game = await loaded(trial.level);
    const rules = optionsOf(trial, game);
    const actions = await simulatedActions(game, rules, wanted, this.#random);
    const player = new SimulatedPlayer(speed, (ms) => paused(this.#jsPsych, ms));
    const play = new TrialRun(this.#jsPsych, this.#jsPsych.getDisplayElement(), trial, player);
    await play.begin(async () => game);
    on_load();
    const [data] = await Promise.all([play.data(), play.perform(actions)]);
    return data;
  }

  /** @returns {Randomness} */
  get #random() {
    const { randomInt, sampleExGaussian } = this.#jsPsych.randomization;
    return {
      below: (n) => randomInt(0, n - 1),
      wait: (isFirst) => (isFirst ? sampleExGaussian(2500, 500, 1 / 1500, true) : sampleExGaussian(700, 150, 1 / 500, true)),
    };
  }
}

/**
 * @param {string | ArrayBuffer} level
 * @returns {Promise<Game>}
 */
async function loaded(level) {
  if (typeof level !== 'string') return MapGame.read(level);
  // A map may be large, and is not kept beyond its trial.
  const game = preloaded.get(level) ?? MapGame.load(level);
  preloaded.delete(level);
  return game;
}
