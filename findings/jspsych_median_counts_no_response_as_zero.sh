#!/usr/bin/env bash
# In jsPsych the mean of a column leaves out the trials without a response; median, standard deviation and minimum take each of
# them as a response after 0 ms.
#
# Versions: jspsych 8.3.0, @jspsych/plugin-html-keyboard-response 2.2.0, jsdom 29.1.1.
# Input:    200 trials with a key and a limit of 800 ms, simulated by jsPsych with a seed. A trial without a response has rt
#           null. data.get().select("rt"), of all trials and of those with a response.
# Guess:    all of them leave out null, as mean does since version 8, or none does.
# Seen:     28 trials have no response. The mean is 603.6 either way. With the 28, sd is 239.0 (without them 82.5), the median
#           573 (583), min 0 (390), and sum / count is 519.1, which is not the mean.
# So:       a limit that a script sets at mean + 2 sd of the practice is 1082 ms where 769 was meant, the farther off the more
#           a person misses. First .filterCustom(trial => trial.rt !== null).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --loglevel=error --no-audit --no-fund --no-package-lock --prefix "$folder" jspsych@8.3.0 \
    @jspsych/plugin-html-keyboard-response@2.2.0 jsdom@29.1.1 >install.log 2>&1 || { cat install.log; exit 1; }
cat >simulate.cjs <<'JAVASCRIPT'
const assert = require("node:assert");
const { JSDOM } = require("jsdom");

const { window } = new JSDOM("", { pretendToBeVisual: true, url: "http://localhost/" });
Object.assign(globalThis, { window, document: window.document, HTMLElement: window.HTMLElement, Node: window.Node });
const { initJsPsych } = require("jspsych");
const keyboardResponse = require("@jspsych/plugin-html-keyboard-response");

async function main() {
    const jsPsych = initJsPsych();
    jsPsych.randomization.setSeed("plymap");
    const trial = { type: keyboardResponse, stimulus: "?", choices: ["f", "j"], trial_duration: 800 };
    await jsPsych.simulate(Array(200).fill(trial), "data-only");
    const trials = jsPsych.data.get();
    const found = {};
    for (const [name, some] of [["all", trials], ["answered", trials.filterCustom((one) => one.rt !== null)]]) {
        const rt = some.select("rt");
        found[name] = Object.fromEntries(
            ["count", "sum", "mean", "median", "sd", "min", "max"].map((of) => [of, Math.round(10 * rt[of]()) / 10]),
        );
        console.log(name, JSON.stringify(found[name]));
    }
    assert.deepStrictEqual(found, {
        all: { count: 200, sum: 103818, mean: 603.6, median: 573, sd: 239, min: 0, max: 800 },
        answered: { count: 172, sum: 103818, mean: 603.6, median: 583, sd: 82.5, min: 390, max: 800 },
    }, "it behaves otherwise now");
}

main().catch((error) => {
    console.error(error.message);
    process.exit(1);
});
JAVASCRIPT
node simulate.cjs
