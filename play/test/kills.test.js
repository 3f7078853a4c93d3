// Tab, browser, server and network are killed at drawn instants of scripted plays: the page's own modules against the
// real server. Nothing that was seen done may be lost or doubled, and each page goes on where it was.
//
// `PLYMAP` is the program, `PLYMAP_KILLS` about how many kills there are to be, `PLYMAP_SEED` the first seed, and `PLYMAP_STUDY`
// the one of the studies that is played.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Play } from './kills/play.js';
import { Plymap } from './kills/world.js';

const PROGRAM = process.env.PLYMAP ?? fileURLToPath(new URL('../../target/debug/plymap', import.meta.url));
const N_KILLS = Number(process.env.PLYMAP_KILLS ?? 300);
const FIRST_SEED = Number(process.env.PLYMAP_SEED ?? 1);
const KILLS_OF_PLAY = 10;
/** A log has so many plays before another one begins. */
const PLAYS_OF_LOG = 10;

const EXPERIMENT = `
[experiment]
consent = "Do you agree?"
instructions = ["One", "Two", "Three"]
practice = ["warm-up"]
hints = true
seconds = 900
breaks = 1

[[experiment.question]]
name = "mood"
when = "start"
type = "text"
text = "How are you?"

[[experiment.question]]
name = "hard"
when = "level"
type = "text"
text = "How hard was it?"

[[experiment.question]]
name = "trick"
when = "level"
type = "text"
text = "Your trick?"
`;
// With maps, and of chance, against the server.
const STUDIES = {
  towers: ['tower-of-hanoi', '# id: warm-up\n2 disks 3 pegs\n\n# id: three\n3 disks 3 pegs\n\n# id: apart\n3/1/2 > 1/3/2\n'],
  tiles: ['2048', '# id: warm-up\n# target: 8\n2x2\n\n# id: two\n2x2\n'],
};

function folderOf(name) {
  const [game, levels] = STUDIES[name];
  const folder = mkdtempSync(join(tmpdir(), 'plymap-kills-'));
  writeFileSync(join(folder, 'levels.txt'), levels);
  writeFileSync(join(folder, 'study.toml'), `[study]\nname = "${name}"\n[levels]\ngame = "${game}"\nfiles = ["levels.txt"]\n[log]\npreset = "plymap"\nfiles = ["recorded.ndjson"]\n${EXPERIMENT}`);
  return folder;
}

/** What the log has of a participant has to be what was seen, each event once and in order. */
function checkLog(lines, participant, seen, isClockLost) {
  const events = lines.filter((line) => line.participant === participant);
  assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => index));
  const told = ({ level, attempt, event, action, value }) => JSON.stringify([level, attempt, event, action, value]);
  assert.deepEqual(events.map(told), seen.map(told));
  assert.equal(events.filter(({ event }) => event === 'assign').length, 1);
  events.forEach(({ onset_s: onset }, index) => assert.ok(index === 0 || onset >= events[index - 1].onset_s, 'onsets go back'));
  if (isClockLost) return;
  const acts = seen.map(({ at }, index) => [at, events[index].onset_s]).filter(([at]) => at !== null);
  const origin = acts.length && acts[0][0] / 1000 - acts[0][1];
  for (const [at, onset] of acts) assert.ok(Math.abs(at / 1000 - origin - onset) < 0.005, `act ${at / 1000 - origin} s ${JSON.stringify(seen.find((one) => one.at === at))} has the onset ${onset}`);
}

test(`nothing is lost or doubled in ${N_KILLS} kills`, { skip: existsSync(PROGRAM) ? false : `SKIPPED: there is no ${PROGRAM}` }, async () => {
  const began = Date.now();
  const all = { plays: 0, events: 0 };
  const faults = [];
  const nPlays = Math.ceil(N_KILLS / KILLS_OF_PLAY);
  for (let first = 0; first < nPlays; first += PLAYS_OF_LOG) {
    const name = process.env.PLYMAP_STUDY ?? ((first / PLAYS_OF_LOG) % 3 === 2 ? 'tiles' : 'towers');
    const folder = folderOf(name);
    const server = new Plymap(PROGRAM, folder);
    await server.start();
    const plays = [];
    for (let number = first; number < Math.min(nPlays, first + PLAYS_OF_LOG); number += 1) {
      const seed = FIRST_SEED + number;
      const participant = `P${seed}`;
      const play = new Play(seed, server, { participant, nKills: KILLS_OF_PLAY });
      try {
        plays.push([seed, participant, await play.run(), play.isClockLost]);
      } catch (error) {
        faults.push(`seed ${seed} (${name}): ${error.stack.slice(0, 600)}`);
        if (!server.isUp) await server.start();
      }
      for (const [what, n] of Object.entries(play.counts)) all[what] = what === 'slowest' ? Math.max(all[what] ?? 0, n) : (all[what] ?? 0) + n;
    }
    await server.kill();
    const lines = readFileSync(join(folder, 'recorded.ndjson'), 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line));
    for (const [seed, participant, seen, isClockLost] of plays) {
      all.plays += 1;
      all.events += seen.length;
      try {
        checkLog(lines, participant, seen, isClockLost);
      } catch (error) {
        faults.push(`seed ${seed} (${name}): ${error.message.slice(0, 600)}`);
      }
    }
    const check = spawnSync(PROGRAM, ['check', folder], { encoding: 'utf8' });
    if (check.status !== 0) faults.push(`plymap check (${name}): ${check.stderr}`);
    rmSync(folder, { recursive: true });
  }
  console.log(JSON.stringify({ ...all, seconds: (Date.now() - began) / 1000 }));
  assert.deepEqual(faults, [], `${faults.length} plays have faults`);
  assert.ok(all.slowest <= 1000, `a page took ${all.slowest} ms to go on`);
});
