// Writes a study out as the program does, for the tests: `node compose.js FOLDER`. The list of what is copied where is that
// which the program has to copy.

import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { mapFile } from '../../test/levels.js';
import { blocksOf, planOf, questionOf, studyOf } from '../../test/studies.js';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Which folder?');
const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const EXPERIMENT = ['package.json', 'package-lock.json', 'index.html', 'build.js', 'README.md', 'src'];
const PLUGIN = ['package.json', 'build.js', 'README.md', 'src'];

async function copyAll(names, from, to) {
  await mkdir(to, { recursive: true });
  for (const name of names) await cp(at(`${from}/${name}`), `${to}/${name}`, { recursive: true });
}

const LEVELS = ['lamps', 'tower', 'swipe', 'jugs', 'slide'];

/** Everything that a plan can have, once. */
const everything = (more) => planOf({
  consent: '<h1>Consent</h1><p>Your data are kept for ten years.</p>',
  instructions: ['<h1>Towers</h1><p>Bring all disks to the right.</p>', '<p>Take your <b>time</b>.</p>'],
  practice: ['lamps'],
  blocks: blocksOf({}).concat({ name: 'first', levels: ['tower', 'swipe'], order: 'given' }, { name: 'second', levels: ['jugs'], order: 'given' }),
  breaks: { every: null, blocks: true, html: '<p>Have a rest.</p>' },
  questions: [
    questionOf('age', 'start', { type: 'text', text: '<p>How old are you?</p>', options: [] }),
    questionOf('hand', 'start', { text: '<p>Which hand do you write with?</p>', options: ['left', 'right', 'both "equally" & <well>'] }),
    questionOf('hard', 'level', { type: 'likert', text: '<p>How hard was this level?</p>', options: ['not at all', '', '', '', 'very'] }),
    questionOf('way', 'block', { text: '<p>How did you go about it?</p>', options: ['by plan', 'by "trial" & error', 'by <luck>'], multiple: true, required: false }),
    questionOf('more', 'end', { type: 'text', text: '<p>Anything else?</p>', options: [], long: true, required: false }),
  ],
  debriefing: '<p>This was about <em>towers</em>.</p>',
  completion: { code: 'C0FFEE', link: 'https://example.org/done' },
  hints: true,
  ...more,
});

const study = studyOf({
  server: false,
  participant: ['participant', 'PROLIFIC_PID'],
  assign: 'evenly',
  save: { post: 'save', datapipe: null },
  levels: LEVELS.map((id) => ({ id, map: `maps/${id}.plymap`, hints: `maps/${id}.hints.plymap` })),
  plans: [everything({ condition: 'free' }), everything({ condition: 'strict', consent: null, undo: false, reset: false, limits: { seconds: null, moves: 5 } })],
});

await copyAll(EXPERIMENT, 'play/jspsych/experiment', folder);
await copyAll(PLUGIN, 'play/jspsych/plugin', `${folder}/plugin`);
await copyAll(['LICENSE-APACHE', 'LICENSE-MIT'], '.', `${folder}/plugin`);
const board = (await readdir(at('play/src'))).filter((name) => /\.(js|css|d\.ts)$/.test(name));
await copyAll(board, 'play/src', `${folder}/plugin/play`);
await mkdir(`${folder}/maps`, { recursive: true });
for (const id of LEVELS) {
  await writeFile(`${folder}/maps/${id}.plymap`, Buffer.from(await mapFile(id, { withDistances: false })));
  await writeFile(`${folder}/maps/${id}.hints.plymap`, Buffer.from(await mapFile(id)));
}
await writeFile(`${folder}/study.json`, JSON.stringify(study));
