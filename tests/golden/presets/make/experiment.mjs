// The simulated experiment behind all files, for the tools in JavaScript. The same as experiment.py.

import { readFileSync, writeFileSync } from "node:fs";

export const folder = new URL("../", import.meta.url);

export function sittings() {
  const sitting = JSON.parse(readFileSync(new URL("sitting.json", import.meta.url), "utf8"));
  const [header, ...lines] = readFileSync(new URL("truth.csv", folder), "utf8").trim().split("\n");
  const names = header.split(",");
  const rows = lines.map((line) => Object.fromEntries(line.split(",").map((cell, n) => [names[n], cell])));
  return Object.entries(sitting.participants).map(([participant, who]) => ({
    participant,
    condition: who.condition,
    start: new Date(who.start),
    instructions: who.instructions_s.map(ms),
    fixation: ms(sitting.fixation_s),
    end: ms(who.end_s),
    levels: sitting.levels.map((level, n) => {
      const mine = rows.filter((row) => row.participant === participant && row.level === level);
      const attempts = [...new Set(mine.map((row) => row.attempt))];
      return {
        level,
        ready: ms(who.ready_s[n]),
        attempts: attempts.map((attempt) => ({
          attempt: Number(attempt),
          rows: mine
            .filter((row) => row.attempt === attempt)
            .map((row) => ({ event: row.event, word: row.action || row.event, rt: ms(row.rt_s) })),
        })),
      };
    }),
  }));
}

export function ms(seconds) {
  return Math.round(Number(seconds) * 1000);
}

export function save(name, text) {
  writeFileSync(new URL(name, folder), text);
}
