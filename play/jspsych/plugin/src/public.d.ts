import type { JsPsych, TrialDescription, TrialResult } from 'jspsych';

/** Something that was done in a level. */
export interface PlymapEvent {
  event: 'start' | 'move' | 'undo' | 'reset' | 'hint' | 'give_up' | 'solved' | 'limit';
  /** The move that was made, taken back or shown; of `limit`, `seconds` or `moves`; else empty. */
  action: string;
  /** `performance.now()` at the input that completed the step, in milliseconds. */
  time_ms: number;
  /** From 1; a reset belongs to the attempt that it ends. */
  attempt: number;
}

/** The data of a trial, beside those of all plugins. */
export interface PlymapData {
  level: string;
  outcome: 'solved' | 'given_up' | 'limit_seconds' | 'limit_moves' | 'ended';
  n_moves: number;
  n_attempts: number;
  /** Milliseconds from the start of the level to its end. */
  rt: number;
  events: PlymapEvent[];
}

export default class PlymapPlugin {
  static info: { readonly name: 'plymap'; readonly version: string; readonly parameters: any; readonly data: any; readonly citations: { apa: string; bibtex: string } };
  /** Loads a map file before its trial. */
  static preload(level: string): void;
  constructor(jsPsych: JsPsych);
  trial(display_element: HTMLElement, trial: TrialDescription, on_load?: () => void): Promise<TrialResult>;
  simulate(trial: TrialDescription, simulation_mode: 'data-only' | 'visual', simulation_options: any, on_load?: () => void): Promise<TrialResult>;
}
