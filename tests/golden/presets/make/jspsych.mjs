// Runs the experiment in jsPsych and saves what jsPsych makes of it.
//
//     node jspsych.mjs FOLDER-OF-PACKAGES nested|per-move TARGET FORMAT...
//
// The folder holds node_modules with jspsych, @jspsych/plugin-html-button-response,
// @jspsych/plugin-html-keyboard-response, jsdom and @sinonjs/fake-timers. The clock is a false one, so that the
// times are those of truth.csv and each run gives the same bytes.

import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";
import { folder, save, sittings } from "./experiment.mjs";

const [packages, variant, target, ...formats] = process.argv.slice(2);
const load = createRequire(`${packages}/package.json`);
const { JSDOM } = load("jsdom");
const FakeTimers = load("@sinonjs/fake-timers");

const { window } = new JSDOM("<!doctype html><html><body></body></html>", { url: "https://experiment.example/", pretendToBeVisual: true });
for (const name of ["document", "HTMLElement", "CustomEvent", "Event", "MouseEvent", "KeyboardEvent", "location", "sessionStorage", "localStorage", "DOMParser"]) {
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
}
Object.defineProperty(globalThis, "window", { value: window, configurable: true });
Object.defineProperty(globalThis, "navigator", { value: window.navigator, configurable: true });
window.confirm = () => true;

const jsp = load("jspsych");
const pick = (module) => module.default ?? module;
const button = pick(load("@jspsych/plugin-html-button-response"));
const keyboard = pick(load("@jspsych/plugin-html-keyboard-response"));
const { initJsPsych, ParameterType } = jsp;

const parameters = {
  level: { type: ParameterType.STRING, default: undefined },
  condition: { type: ParameterType.STRING, default: null },
  attempt: { type: ParameterType.INT, default: 1 },
  play: { type: ParameterType.COMPLEX, array: true, default: [] },
};

// One trial is one attempt at a level; its moves are a nested array.
class RushHour {
  static info = { name: "rush-hour", version: "1.0.0", parameters, data: {} };
  constructor(jsPsych) {
    this.jsPsych = jsPsych;
  }
  trial(display, trial) {
    const start = performance.now();
    const moves = [];
    const press = (move) => {
      moves.push({ move, t: Math.round(performance.now() - start) });
      if (moves.length < trial.play.length) return;
      const { level, condition, attempt } = trial;
      this.jsPsych.finishTrial({ level, condition, attempt, moves, n_moves: moves.length, solved: !["reset", "give_up"].includes(move) });
    };
    let t = 0;
    for (const row of trial.play) setTimeout(() => press(row.word), (t += row.rt));
  }
}

// One trial is one move.
class RushHourMove {
  static info = { name: "rush-hour-move", version: "1.0.0", parameters, data: {} };
  constructor(jsPsych) {
    this.jsPsych = jsPsych;
  }
  trial(display, trial) {
    const start = performance.now();
    const [row] = trial.play;
    const { level, attempt } = trial;
    setTimeout(() => this.jsPsych.finishTrial({ rt: Math.round(performance.now() - start), level, attempt, move: row.word }), row.rt);
  }
}

// A page that is left with a button after some time. jsPsych's own plugin takes the time.
function page(text, after) {
  return {
    type: button,
    stimulus: text,
    choices: ["Continue"],
    on_load: () => setTimeout(() => document.querySelector("#jspsych-content button").click(), after),
  };
}

function timeline({ instructions, levels, fixation, end, condition }) {
  const texts = ["<p>Free the red car.</p>", '<p>Drag the cars, <b>"one after the other"</b>.\nReset whenever you like.</p>'];
  return [
    ...instructions.map((after, n) => page(texts[n], after)),
    ...levels.flatMap(({ level, ready, attempts }) => [
      page("<p>Ready?</p>", ready),
      { type: keyboard, stimulus: "+", choices: "NO_KEYS", trial_duration: fixation },
      ...attempts.flatMap(({ attempt, rows }) =>
        variant === "nested"
          ? [{ type: RushHour, level, condition, attempt, play: rows }]
          : rows.map((row) => ({ type: RushHourMove, level, attempt, play: [row] })),
      ),
    ]),
    page("<p>Thank you.</p>", end),
  ];
}

mkdirSync(new URL(target, folder), { recursive: true });
for (const sitting of sittings()) {
  const clock = FakeTimers.install({ now: sitting.start, shouldClearNativeTimers: true, toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  window.performance.now = () => performance.now();
  window.requestAnimationFrame = globalThis.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 0);
  document.body.innerHTML = "";
  const jsPsych = initJsPsych({});
  jsPsych.data.addProperties({ subject: sitting.participant, session: 1 });
  let over = false;
  jsPsych.run(timeline(sitting)).then(() => (over = true));
  for (let step = 0; !over; step += 1) {
    if (step > 10000) throw new Error(`${sitting.participant} did not come to an end`);
    await clock.tickAsync(100);
  }
  const data = jsPsych.data.get();
  for (const format of formats) save(`${target}/${sitting.participant}.${format}`, format === "json" ? data.json() : data.csv());
  clock.uninstall();
}
