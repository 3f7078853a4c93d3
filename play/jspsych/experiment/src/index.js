// The experiment: loads the study, finds out who plays what, runs the timeline, and saves the data.

/** @import { Host, Item, Plan, Saver, Study } from 'jspsych-plymap/play/types.js' */

import { initJsPsych } from 'jspsych';
import { assigned, itemsOf, seedOf } from 'jspsych-plymap/play/plan.js';
import { isName, isNumber, readLink, readStudy } from 'jspsych-plymap/play/course.js';
import { hostOf } from 'jspsych-plymap/play/hosts.js';
import { Pages } from 'jspsych-plymap/play/pages.js';
import { make } from 'jspsych-plymap/play/panel.js';
import { piper, poster, submitter } from 'jspsych-plymap/play/saving.js';
import { SESSION_TEXTS, TEXTS } from 'jspsych-plymap/play/texts.js';
import { Words } from 'jspsych-plymap/play/words.js';

import 'jspsych/css/jspsych.css';
import 'jspsych-plymap/board.css';
import 'jspsych-plymap/play/session.css';
import './experiment.css';

import { Ending } from './ending.js';
import { Kept } from './kept.js';
import { escaped } from './questions.js';
import { Someone } from './someone.js';
import { timelineOf } from './timeline.js';

/** Random numbers of sessions are below this. */
const MANY = 1_000_000;

/** Shown instead of the experiment. */
class Trouble extends Error {}

/**
 * What a session is, before its first trial.
 * @typedef {object} Session
 * @property {string} participant
 * @property {string} session
 * @property {number} number
 * @property {Plan} plan
 * @property {Item[]} items
 * @property {Kept} kept what was done
 */

async function main() {
  const study = await loadStudy();
  const words = speak(study);
  const isSimulated = new URLSearchParams(location.search).get('simulate') === '1';
  if (isSimulated) Someone.watch();
  const host = await hostOf({ ...study, server: false }, isSimulated);
  const session = sessionOf(study, host, words, isSimulated);
  if (session) await run(study, host, words, session, isSimulated ? await Someone.load(session.participant) : null);
}

/**
 * @param {Study} study
 * @param {Host} host
 * @param {Words} words
 * @param {Session} session
 * @param {Someone | null} someone who plays instead of a person
 */
async function run(study, host, words, { participant, session, number, plan, items, kept }, someone) {
  const file = `${participant}_${session}.json`;
  const ending = new Ending(words, plan, host, { kept, file, saver: someone ? someone.saver(file) : saverOf(study, file) });
  window.addEventListener('beforeunload', (event) => { if (!ending.isSafe && !someone) event.preventDefault(); });
  const timeline = timelineOf(study, plan, items, { words, number, someone, abort: () => jsPsych.abortCurrentTimeline() });
  const { length } = timeline;
  const jsPsych = initJsPsych({
    show_progress_bar: items.some(({ kind }) => kind !== 'level' && kind !== 'end'),
    message_progress_bar: escaped(words.say('course')),
    // What was done before the page was loaded counts too.
    auto_update_progress_bar: false,
    on_trial_start: () => { if (jsPsych.progressBar) jsPsych.progressBar.progress = kept.rows.length / length; },
    on_data_update: (/** @type {any} */ row) => kept.add(row),
  });
  const { condition } = plan;
  jsPsych.data.addProperties({ participant, session, ...(condition === null ? {} : { condition }), number, page_load: kept.nLoads });
  if (someone) jsPsych.randomization.setSeed(String(someone.seed));
  const rest = [{ timeline: timeline.slice(kept.rows.length), conditional_function: () => !kept.isRefused && kept.rows.length < length }];
  await (someone ? jsPsych.simulate(rest, 'visual') : jsPsych.run(rest));
  await ending.show(jsPsych.getDisplayElement());
  if (someone && !kept.isSaved) throw new Error('The data of a simulated person could not be saved');
}

/**
 * @param {Study} study
 * @param {Host} host
 * @param {Words} words
 * @param {boolean} isSimulated
 * @returns {Session | null} nothing where the page asks who plays
 * @throws {Trouble} where the link is wrong
 */
function sessionOf(study, host, words, isSimulated) {
  const link = readLink(host.parameters, study);
  const { session, number: asked } = link;
  const participant = link.participant ?? host.participant;
  const wrong = (/** @type {string} */ name, /** @type {Record<string, string>} */ about = {}) => new Trouble(`${words.say('wrong_link')} ${words.say(name, about)}`);
  if (!isName(session)) throw wrong('wrong_session', { session });
  if (asked !== null && !isNumber(asked)) throw wrong('wrong_number', { number: asked });
  if (participant === null || !isName(participant)) {
    document.body.replaceChildren(make('main', { class: 'session' }, new Pages(words).who(study.participant[0] ?? 'participant', participant)));
    return null;
  }
  const kept = new Kept([study.name, participant, session], isSimulated);
  const number = kept.assignment?.number ?? (asked === null ? drawnNumber() : Number(asked));
  const condition = kept.assignment ? kept.assignment.condition : study.assign === 'url' ? link.condition : null;
  const found = assigned(study, number, condition);
  if (!found) throw condition === null ? wrong('no_condition') : wrong('wrong_condition', { condition });
  const { plan, row } = found;
  kept.begin(number, plan.condition);
  return { participant, session, number, plan, items: itemsOf(plan, row, seedOf(study.name, participant, session)), kept };
}

/** @returns {import('jspsych-plymap/play/types.js').Jatos | undefined} */
const jatosOfPage = () => /** @type {any} */ (globalThis).jatos;

/** JATOS counts its runs; elsewhere nobody does. */
function drawnNumber() {
  const run = jatosOfPage()?.studyResultId;
  return run === undefined ? Math.floor(Math.random() * MANY) : Number(run);
}

/**
 * @param {Study} study
 * @param {string} file
 * @returns {Saver | null}
 */
function saverOf({ save }, file) {
  const jatos = jatosOfPage();
  if (jatos) return submitter(jatos);
  if (save?.post) return poster(save.post, file);
  return save?.datapipe ? piper(save.datapipe, file) : null;
}

async function loadStudy() {
  const response = await fetch('study.json');
  if (!response.ok) throw new Error(`study.json: the server answers ${response.status}`);
  return readStudy(await response.json());
}

/** @param {Study} study */
function speak({ title, language, texts }) {
  const ofPage = Object.fromEntries(Object.entries(texts).filter(([name]) => !(name in (TEXTS.en ?? {}))));
  document.title = title;
  document.documentElement.lang = language;
  return new Words(language, ofPage, false, SESSION_TEXTS);
}

/** @param {unknown} error */
function show(error) {
  const reason = error instanceof Error ? error.message : String(error);
  const texts = SESSION_TEXTS[document.documentElement.lang] ?? SESSION_TEXTS.en ?? {};
  const title = error instanceof Trouble ? [] : [make('h2', {}, texts.not_loaded ?? '')];
  document.body.replaceChildren(make('main', { class: 'session' }, make('div', { class: 'session-say session-trouble', role: 'alert' }, ...title, make('p', {}, reason))));
  Someone.fail(error);
}

await main().catch(show);
