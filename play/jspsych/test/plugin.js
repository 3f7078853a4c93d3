// Runs trials as a test asks for them: `run(levels, parameters, mode, options of the simulation)`. What came of it lies in `window.test`.

import { mapFile } from '../../test/levels.js';

/* global initJsPsych, jsPsychPlymap */

window.test = { began: null, rows: null, error: null, loads: 0 };

window.run = async (levels, parameters = {}, mode = null, options = {}) => {
  const jsPsych = initJsPsych();
  window.test.jsPsych = jsPsych;
  jsPsych.randomization.setSeed('a seed');
  const timeline = await Promise.all(levels.map(async (level) => ({
    type: jsPsychPlymap,
    // Names of the levels of the tests become files, and addresses stay what they are.
    level: level.includes('/') ? level : await mapFile(level),
    on_load: () => { window.test.loads += 1; },
    simulation_options: options,
    ...parameters,
  })));
  window.test.began = performance.now();
  const over = mode ? jsPsych.simulate(timeline, mode) : jsPsych.run(timeline);
  over.then(() => { window.test.rows = jsPsych.data.get().values(); }, (error) => { window.test.error = error.message; });
};
