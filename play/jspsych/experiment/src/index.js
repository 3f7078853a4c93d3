// The experiment: loads the study, finds out who plays what, runs the timeline, and saves the data.

/** @import { Backend, Item, Plan, Uploader, Study } from 'jspsych-plymap/play/types.js' */

import { initJsPsych } from 'jspsych';
import { assigned, itemsOf, seedOf } from 'jspsych-plymap/play/plan.js';
import { isName, isNumber, readLink, readStudy } from 'jspsych-plymap/play/progress.js';
import { backendOf } from 'jspsych-plymap/play/backends.js';
import { Pages } from 'jspsych-plymap/play/pages.js';
import { make } from 'jspsych-plymap/play/panel.js';
import { datapipeUploader, httpUploader, jatosUploader } from 'jspsych-plymap/play/upload.js';
import { SESSION_TEXTS, TEXTS } from 'jspsych-plymap/play/texts.js';
import { Translator } from 'jspsych-plymap/play/i18n.js';

import 'jspsych/css/jspsych.css';
import 'jspsych-plymap/board.css';
import 'jspsych-plymap/play/session.css';
import './experiment.css';

import { Ending } from './ending.js';
import { SessionStore } from './session_store.js';
import { escaped } from './questions.js';
import { SimulatedParticipant } from './simulated_participant.js';
import { timelineOf } from './timeline.js';

/** Random numbers of sessions are below this. */
const MANY = 1_000_000;

/** Shown instead of the experiment. */
class StartError extends Error {}

/**
 * What a session is, before its first trial.
 * @typedef {object} Session
 * @property {string} participant
 * @property {string} session
 * @property {number} number
 * @property {Plan} plan
 * @property {Item[]} items
 * @property {SessionStore} store what was done
 */

async function main() {
  const study = await loadStudy();
  const words = speak(study);
  const isSimulated = new URLSearchParams(location.search).get('simulate') === '1';
  if (isSimulated) SimulatedParticipant.watch();
  const backend = await backendOf({ ...study, server: false }, isSimulated);
  const session = sessionOf(study, backend, words, isSimulated);
  if (session) await run(study, backend, words, session, isSimulated ? await SimulatedParticipant.load(session.participant) : null);
}

/**
 * @param {Study} study
 * @param {Backend} backend
 * @param {Translator} words
 * @param {Session} session
 * @param {SimulatedParticipant | null} simulated who plays instead of a person
 */
async function run(study, backend, words, { participant, session, number, plan, items, store }, simulated) {
  const file = `${participant}_${session}.json`;
  const ending = new Ending(words, plan, backend, { store, file, uploader: simulated ? simulated.uploader(file) : uploaderOf(study, file) });
  window.addEventListener('beforeunload', (event) => { if (!ending.isSafe && !simulated) event.preventDefault(); });
  const timeline = timelineOf(study, plan, items, { words, number, simulated, abort: () => jsPsych.abortCurrentTimeline() });
  const { length } = timeline;
  const jsPsych = initJsPsych({
    show_progress_bar: items.some(({ kind }) => kind !== 'level' && kind !== 'end'),
    message_progress_bar: escaped(words.translate('session_progress')),
    // What was done before the page was loaded counts too.
    auto_update_progress_bar: false,
    on_trial_start: () => { if (jsPsych.progressBar) jsPsych.progressBar.progress = store.rows.length / length; },
    on_data_update: (/** @type {any} */ row) => store.add(row),
  });
  const { condition } = plan;
  jsPsych.data.addProperties({ participant, session, ...(condition === null ? {} : { condition }), number, page_load: store.nLoads });
  if (simulated) jsPsych.randomization.setSeed(String(simulated.seed));
  const rest = [{ timeline: timeline.slice(store.rows.length), conditional_function: () => !store.isRefused && store.rows.length < length }];
  await (simulated ? jsPsych.simulate(rest, 'visual') : jsPsych.run(rest));
  await ending.show(jsPsych.getDisplayElement());
  if (simulated && !store.isSaved) throw new Error('The data of a simulated person could not be saved');
}

/**
 * @param {Study} study
 * @param {Backend} backend
 * @param {Translator} words
 * @param {boolean} isSimulated
 * @returns {Session | null} nothing where the page asks who plays
 * @throws {StartError} where the link is wrong
 */
function sessionOf(study, backend, words, isSimulated) {
  const link = readLink(backend.parameters, study);
  const { session, number: asked } = link;
  const participant = link.participant ?? backend.participant;
  const wrong = (/** @type {string} */ name, /** @type {Record<string, string>} */ about = {}) => new StartError(`${words.translate('wrong_link')} ${words.translate(name, about)}`);
  if (!isName(session)) throw wrong('wrong_session', { session });
  if (asked !== null && !isNumber(asked)) throw wrong('wrong_number', { number: asked });
  if (participant === null || !isName(participant)) {
    document.body.replaceChildren(make('main', { class: 'session' }, new Pages(words).participantForm(study.participant[0] ?? 'participant', participant)));
    return null;
  }
  const store = new SessionStore([study.name, participant, session], isSimulated);
  const number = store.assignment?.number ?? (asked === null ? drawnNumber() : Number(asked));
  const condition = store.assignment ? store.assignment.condition : study.assign === 'url' ? link.condition : null;
  const found = assigned(study, number, condition);
  if (!found) throw condition === null ? wrong('no_condition') : wrong('wrong_condition', { condition });
  const { plan, row } = found;
  store.begin(number, plan.condition);
  return { participant, session, number, plan, items: itemsOf(plan, row, seedOf(study.name, participant, session)), store };
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
 * @returns {Uploader | null}
 */
function uploaderOf({ save }, file) {
  const jatos = jatosOfPage();
  if (jatos) return jatosUploader(jatos);
  if (save?.post) return httpUploader(save.post, file);
  return save?.datapipe ? datapipeUploader(save.datapipe, file) : null;
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
  return new Translator(language, ofPage, false, SESSION_TEXTS);
}

/** @param {unknown} error */
function show(error) {
  const reason = error instanceof Error ? error.message : String(error);
  const texts = SESSION_TEXTS[document.documentElement.lang] ?? SESSION_TEXTS.en ?? {};
  const title = error instanceof StartError ? [] : [make('h2', {}, texts.not_loaded ?? '')];
  document.body.replaceChildren(make('main', { class: 'session' }, make('div', { class: 'session-say session-trouble', role: 'alert' }, ...title, make('p', {}, reason))));
  SimulatedParticipant.fail(error);
}

await main().catch(show);
