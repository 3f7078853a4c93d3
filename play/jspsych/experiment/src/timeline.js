// The timeline: what comes in the session as trials. Each row of the data has `events`, the lines that the log of the same
// session would have without jsPsych.

/** @import { Item, LevelItem, Plan, Study } from 'jspsych-plymap/play/types.js' */
/** @import { Translator } from 'jspsych-plymap/play/i18n.js' */
/** @import { SimulatedParticipant } from './simulated_participant.js' */

import callFunction from '@jspsych/plugin-call-function';
import htmlButtonResponse from '@jspsych/plugin-html-button-response';
import instructions from '@jspsych/plugin-instructions';
import plymap from 'jspsych-plymap';
import { PRACTICE } from 'jspsych-plymap/play/plan.js';

import { escaped, questionTrials } from './questions.js';
import { clockOf } from './simulated_participant.js';

/**
 * What all trials need.
 * @typedef {{ words: Translator, number: number, simulated: SimulatedParticipant | null, abort: () => void }} TrialContext
 */

/**
 * One trial after the other: so that a page that is loaded again goes on after as many trials as there are rows.
 *
 * @param {Study} study
 * @param {Plan} plan
 * @param {Item[]} items
 * @param {TrialContext} context
 * @returns {any[]}
 */
export function timelineOf(study, plan, items, context) {
  const pages = items.filter((item) => item.kind === 'page');
  return [assignment(plan, context, () => preload(study, plan, items, 0)), ...items.flatMap((item, at) => /** @type {any[]} */ (trialsOf(item, at)))];

  /**
   * @param {Item} item
   * @param {number} at
   */
  function trialsOf(item, at) {
    switch (item.kind) {
      case 'consent': return [consentTrial(item, context)];
      // One trial has all pages of the instructions, so that one can go back.
      case 'page': return item === pages[0] ? [instructionTrial(pages, context)] : [];
      case 'level': return [levelTrial(study, plan, item, context, () => preload(study, plan, items, at + 1))];
      case 'break': return [breakTrial(item, context)];
      case 'questions': return questionTrials(item, context);
      default: return [];
    }
  }
}

/**
 * @param {Plan} plan
 * @param {TrialContext} context
 * @param {() => void} prepare
 */
function assignment({ condition }, { number, simulated }, prepare) {
  const now = clockOf(simulated);
  return {
    type: callFunction,
    func: prepare,
    data: { item: 'assign' },
    on_finish: (/** @type {any} */ data) => {
      data.events = [{ event: 'assign', action: condition ?? '', value: String(number), time_ms: now(), attempt: 1 }];
    },
  };
}

/**
 * Who does not agree is led to the end.
 *
 * @param {Extract<Item, { kind: 'consent' }>} item
 * @param {TrialContext} context
 */
function consentTrial({ name, html }, { words, simulated, abort }) {
  const now = clockOf(simulated);
  const AGREE = 1;
  return {
    ...textTrial(html, [words.translate('refuse'), words.translate('agree')]),
    data: { item: name },
    simulation_options: simulated ? { data: { rt: simulated.pause, response: AGREE } } : {},
    on_finish: (/** @type {any} */ data) => {
      const isAgreed = data.response === AGREE;
      data.events = [{ event: isAgreed ? 'page' : 'decline', action: name, time_ms: now(), attempt: 1 }];
      if (!isAgreed) abort();
    },
  };
}

/**
 * @param {Extract<Item, { kind: 'page' }>[]} pages
 * @param {TrialContext} context
 */
function instructionTrial(pages, { words, simulated }) {
  const now = clockOf(simulated);
  let start = 0;
  const seen = simulated && pages.map((_, index) => ({ page_index: index, viewing_time: simulated.pause }));
  return {
    type: instructions,
    pages: pages.map(({ html }) => paper(html)),
    show_clickable_nav: true,
    show_page_number: pages.length > 1,
    page_label: escaped(words.translate('instructions')),
    button_label_previous: escaped(words.translate('back')),
    button_label_next: escaped(words.translate('continue')),
    data: { item: 'instructions' },
    simulation_options: seen ? { data: { view_history: seen } } : {},
    on_start: () => { start = now(); },
    on_finish: (/** @type {any} */ data) => { data.events = turned(pages, data.view_history, { start, end: now(), speed: simulated?.speed ?? 1 }); },
  };
}

/**
 * The events of pages that were left forwards. jsPsych counts the first page from before it is drawn, and in whole
 * milliseconds: what is added up from a start may come after what followed, so it is counted back from the end.
 *
 * @param {Extract<Item, { kind: 'page' }>[]} pages
 * @param {{ page_index: number, viewing_time: number }[]} history
 * @param {{ start: number, end: number, speed: number }} clock when the trial began and ended, and how fast the clock runs
 */
function turned(pages, history, { start, end, speed }) {
  let rest = history.reduce((sum, { viewing_time: viewed }) => sum + viewed, 0);
  return history.flatMap(({ page_index: page, viewing_time: viewed }, index) => {
    rest -= viewed;
    const time = Math.max(start, end - rest * speed);
    const isForwards = (history[index + 1]?.page_index ?? Infinity) > page;
    return isForwards ? [{ event: 'page', action: pages[page]?.name, time_ms: time, attempt: 1 }] : [];
  });
}

/**
 * @param {Extract<Item, { kind: 'break' }>} item
 * @param {TrialContext} context
 */
function breakTrial({ name, html }, { words, simulated }) {
  const now = clockOf(simulated);
  return {
    ...textTrial(html ?? `<p>${escaped(words.translate('break_text'))}</p>`, [words.translate('continue')]),
    data: { item: name },
    simulation_options: simulated ? { data: { rt: simulated.pause, response: 0 } } : {},
    on_finish: (/** @type {any} */ data) => { data.events = [{ event: 'page', action: name, time_ms: now(), attempt: 1 }]; },
  };
}

/**
 * @param {Study} study
 * @param {Plan} plan
 * @param {LevelItem} item
 * @param {TrialContext} context
 * @param {() => void} prepare what can be done while the level is played
 */
function levelTrial(study, plan, { name, level, block, trial, number, of }, { words, simulated }, prepare) {
  const isPractice = block === PRACTICE;
  return {
    type: plymap,
    level: addressOf(study, plan, level),
    hints: plan.hints,
    undo: plan.undo,
    reset: plan.reset,
    give_up: plan.give_up,
    clock: plan.clock,
    counter: plan.counter,
    letters: plan.letters,
    seconds: plan.limits.seconds,
    moves: plan.limits.moves,
    language: study.language,
    texts: isPractice ? { ...study.texts, progress: words.translate('practice_level') } : study.texts,
    progress: of > 1 ? { level: number, of } : null,
    button_label: words.translate('continue'),
    data: { item: name, block, trial },
    simulation_options: simulated ? simulated.optionsOf(level) : {},
    on_load: prepare,
    // The level is that of the study, whatever name its map file has.
    on_finish: (/** @type {any} */ data) => { data.level = level; },
  };
}

/**
 * Loads the next level while there is time.
 *
 * @param {Study} study
 * @param {Plan} plan
 * @param {Item[]} items
 * @param {number} from
 */
function preload(study, plan, items, from) {
  const next = items.slice(from).find((item) => item.kind === 'level');
  if (next) plymap.preload(addressOf(study, plan, next.level));
}

/**
 * @param {Study} study
 * @param {Plan} plan
 * @param {string} id
 */
function addressOf({ levels }, { hints }, id) {
  const level = levels.find((one) => one.id === id);
  const address = (hints && level?.hints) || level?.map;
  if (!address) throw new Error(`The study has no map file of level ${id}`);
  return address;
}

/**
 * @param {string} html
 * @param {string[]} choices texts of the buttons
 */
function textTrial(html, choices) {
  return {
    type: htmlButtonResponse,
    stimulus: paper(html),
    choices: choices.map(escaped),
    button_layout: 'flex',
    // The texts are in the study, and would be in the data again and again.
    save_trial_parameters: { stimulus: false },
  };
}

/** A text in the width that one likes to read. @param {string} html */
const paper = (html) => `<div class="experiment-text session-text">${html}</div>`;
