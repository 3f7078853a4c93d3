// Runs the experiment in lab.js and saves what its data store exports.
//
//     node labjs.mjs FOLDER-OF-PACKAGES nested|per-move TARGET FORMAT...
//
// The folder holds node_modules with lab.js, jsdom and @sinonjs/fake-timers. The clock is a false one, with a frame
// each 16 ms, so that the times are those of truth.csv and each run gives the same bytes.

import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import { folder, save, sittings } from "./experiment.mjs";

process.env.TZ = "UTC";
const [packages, variant, target, ...formats] = process.argv.slice(2);
const load = createRequire(`${packages}/package.json`);
const { JSDOM } = load("jsdom");
const FakeTimers = load("@sinonjs/fake-timers");

const program = readFileSync(load.resolve("lab.js"), "utf8");

for (const sitting of sittings()) {
  const page = '<!doctype html><body><div data-labjs-section="main"></div></body>';
  const { window } = new JSDOM(page, { url: "https://experiment.example/?session=1", runScripts: "outside-only", pretendToBeVisual: true });
  window.scrollTo = () => {};
  window.AudioContext = class {};
  window.SVGElement.prototype.createSVGMatrix = () => ({}); // of the canvas, which is not used
  const clock = FakeTimers.withGlobal(window).install({ now: sitting.start });
  window.eval(program);
  const study = build(window, sitting);
  let over = false;
  study.on("end", () => (over = true));
  study.run();
  for (let step = 0; !over; step += 1) {
    if (step > 10000) throw new Error(`${sitting.participant} did not come to an end`);
    await clock.tickAsync(100);
  }
  await clock.tickAsync(1000);
  mkdirSync(new URL(target, folder), { recursive: true });
  const store = study.options.datastore;
  for (const format of formats) save(`${target}/${sitting.participant}.${format}`, format === "json" ? store.exportJson() : store.exportCsv());
  clock.uninstall();
  window.close();
}

function build({ lab, performance, setTimeout }, { participant, condition, instructions, fixation, end, levels }) {
  // A page that is left with a key after some time.
  const page = (title, after) =>
    new lab.html.Screen({ title, content: `<main>${title}</main>`, messageHandlers: { show() { setTimeout(() => this.respond("continue", { action: "keypress(Space)" }), after); } } });

  const form = new lab.html.Form({
    title: "Participant",
    content: '<main><form id="who"><input name="participant" id="participant"><button type="submit" form="who">Go</button></form></main>',
    messageHandlers: {
      show() {
        setTimeout(() => {
          this.options.el.querySelector("input").value = participant;
          this.submit();
        }, 2000);
      },
    },
  });

  const move = (row) =>
    new lab.html.Screen({
      title: "Move",
      content: "<main>board</main>",
      messageHandlers: {
        show() {
          setTimeout(() => {
            this.data.move = row.word;
            this.respond("drop", { action: "mouseup" });
          }, row.rt);
        },
      },
    });

  const board = (rows) =>
    new lab.html.Screen({
      title: "Board",
      content: "<main>board</main>",
      messageHandlers: {
        show() {
          const shown = performance.now();
          const moves = [];
          let t = 0;
          for (const row of rows) {
            setTimeout(() => {
              moves.push({ move: row.word, t: performance.now() - shown });
              if (moves.length < rows.length) return;
              this.data.moves = moves;
              this.end("finished");
            }, (t += row.rt));
          }
        },
      },
    });

  const level = ({ level, ready, attempts }) =>
    new lab.flow.Sequence({
      title: "Level",
      parameters: { level, condition },
      content: [
        page("Ready", ready),
        new lab.html.Screen({ title: "Fixation", content: "<main>+</main>", timeout: fixation }),
        ...attempts.map(
          ({ attempt, rows }) =>
            new lab.flow.Sequence({
              title: "Attempt",
              parameters: { attempt },
              content: variant === "nested" ? [board(rows)] : rows.map(move),
            }),
        ),
      ],
    });

  const study = new lab.flow.Sequence({
    title: "root",
    plugins: [new lab.plugins.Metadata()],
    content: [form, ...instructions.map((after) => page("Instructions", after)), ...levels.map(level), page("Thanks", end)],
  });
  study.options.datastore = new lab.data.Store();
  return study;
}
