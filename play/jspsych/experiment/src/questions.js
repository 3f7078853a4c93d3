// Questions as trials of the survey plugins. Each of these has one kind of question, so that a page becomes as many trials
// as kinds follow each other on it.

/** @import { Question, QuestionsItem } from 'jspsych-plymap/play/types.js' */
/** @import { SimulatedParticipant } from './simulated_participant.js' */
/** @import { TrialContext } from './timeline.js' */

import surveyLikert from '@jspsych/plugin-survey-likert';
import surveyMultiChoice from '@jspsych/plugin-survey-multi-choice';
import surveyMultiSelect from '@jspsych/plugin-survey-multi-select';
import surveyText from '@jspsych/plugin-survey-text';
import { seededRandom, hashOf } from 'jspsych-plymap/play/randomization.js';

import { clockOf } from './simulated_participant.js';

/**
 * What a plugin needs to know of its questions, and what its data say.
 * @typedef {object} Kind
 * @property {any} type
 * @property {(question: Question) => object} about
 * @property {(question: Question, response: any, index: number) => string} read the answer as text; `index` is that of the chosen option, where the plugin has it
 * @property {(question: Question, draw: (n: number) => number) => unknown} simulate
 */

/** @type {Record<string, Kind>} */
const KINDS = {
  choice: {
    type: surveyMultiChoice,
    about: ({ options }) => ({ options: options.map(escaped) }),
    read: ({ options }, _, index) => options[index] ?? '',
    simulate: ({ options }, draw) => draw(options.length),
  },
  choices: {
    type: surveyMultiSelect,
    about: ({ options }) => ({ options: options.map(escaped) }),
    // This plugin has its options as they were given, and not as they are shown.
    read: ({ options }, response) => options.filter((option) => response.includes(escaped(option))).join('; '),
    simulate: ({ options }, draw) => options.map(escaped).filter((_, index) => index === 0 || draw(2) === 0),
  },
  likert: {
    type: surveyLikert,
    about: ({ options }) => ({ labels: options.map((label, index) => pointOf(label, index, options.includes(''))) }),
    read: (_, response) => (response === '' ? '' : String(response + 1)),
    simulate: ({ options }, draw) => draw(options.length),
  },
  text: {
    type: surveyText,
    about: ({ long }) => ({ rows: long ? 4 : 1 }),
    read: (_, response) => response.trim(),
    simulate: (_, draw) => `simulated ${draw(1000)}`,
  },
};

/** @param {Question} question */
const kindOf = ({ type, multiple }) => (type === 'choice' && multiple ? 'choices' : type);

/**
 * @param {QuestionsItem} item
 * @param {TrialContext} context
 */
export function questionTrials(item, context) {
  const runs = runsOf(item.questions);
  return runs.map((questions, index) => questionTrial(item, questions, index === runs.length - 1, context));
}

/**
 * Questions of one kind that follow each other.
 *
 * @param {Question[]} questions
 */
function runsOf(questions) {
  /** @type {Question[][]} */
  const runs = [];
  for (const question of questions) {
    const last = runs.at(-1);
    if (last?.[0] && kindOf(last[0]) === kindOf(question)) last.push(question);
    else runs.push([question]);
  }
  return runs;
}

/**
 * @param {QuestionsItem} item
 * @param {Question[]} questions of one kind
 * @param {boolean} isLast whether the page is left with them
 * @param {TrialContext} context
 */
function questionTrial({ name, level, block, trial }, questions, isLast, { words, simulated }) {
  const kind = /** @type {Kind} */ (KINDS[kindOf(/** @type {Question} */ (questions[0]))]);
  const now = clockOf(simulated);
  const note = (/** @type {Question} */ { required, multiple, type }) => [...(type === 'choice' && multiple ? ['several'] : []), ...(required ? [] : ['optional'])]
    .map((text) => ` <span class="experiment-note">${escaped(words.translate(text))}</span>`).join('');
  return {
    type: kind.type,
    // Their names stay with us: the simulation of one of the plugins does not find questions that have names.
    questions: questions.map((question) => ({ prompt: `<div class="session-text">${question.text}</div>${note(question)}`, required: question.required, ...kind.about(question) })),
    button_label: escaped(words.translate('continue')),
    required_message: words.translate('unanswered'),
    css_classes: 'experiment-questions',
    data: { item: name, level, ...(block === null ? {} : { block }), ...(trial === null ? {} : { trial }) },
    simulation_options: simulated ? { data: simulatedResponses(name, questions, kind, simulated) } : {},
    on_finish: (/** @type {any} */ data) => {
      const time = now();
      const answers = questions.map((question, index) => ({ name: question.name, value: kind.read(question, data.response[`Q${index}`], data.response_index?.[index]) }));
      data.response = Object.fromEntries(answers.map(({ name: of, value }) => [of, value]));
      data.events = answers.map(({ name: of, value }) => ({ event: 'answer', action: of, value, time_ms: time, attempt: 1 }));
      if (isLast) data.events.push({ event: 'page', action: name, time_ms: time, attempt: 1 });
    },
  };
}

/**
 * @param {string} name of the page
 * @param {Question[]} questions
 * @param {Kind} kind
 * @param {SimulatedParticipant} simulated
 */
function simulatedResponses(name, questions, kind, { seed, pause }) {
  const answers = questions.map((question) => kind.simulate(question, seededRandom(hashOf(`${seed}/${name}/${question.name}`))));
  const response = Object.fromEntries(answers.map((answer, index) => [`Q${index}`, answer]));
  return kind.type === surveyMultiChoice ? { rt: pause, response, response_index: answers } : { rt: pause, response };
}

/**
 * @param {string} label
 * @param {number} index
 * @param {boolean} isNumbered whether a point of the scale has no label
 */
const pointOf = (label, index, isNumbered) => [...(isNumbered ? [String(index + 1)] : []), ...(label ? [escaped(label)] : [])].join('<br>');

/** A text as HTML. @param {string} text */
export const escaped = (text) => text.replace(/[&<>"]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark] ?? mark);
