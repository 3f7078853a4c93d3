// Writes a site of a study into a folder, as plymap does: the page, what it loads, and map files of the levels of
// `levels.js`. The study comes as JSON on the standard input.
//
//     node test/site.js FOLDER < study.json

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { signed } from '../src/checksum.js';
import { mapFile } from './levels.js';

const [, , folder] = process.argv;
const study = JSON.parse(await text(process.stdin));
const source = new URL('../src/', import.meta.url);

await mkdir(`${folder}/play`, { recursive: true });
for (const name of await readdir(source)) {
  if (/\.(js|css)$/.test(name)) await writeFile(`${folder}/play/${name}`, await readFile(new URL(name, source)));
}
const page = await readFile(new URL('session.html', source), 'utf8');
await writeFile(`${folder}/index.html`, page.replace('data-study="api/study"', 'data-study="study.json"'));
await writeFile(`${folder}/study.json`, signed(JSON.stringify(study)));
await mkdir(`${folder}/maps`, { recursive: true });
for (const { id, map, hints } of study.levels) {
  if (map) await writeFile(`${folder}/${map}`, new Uint8Array(await mapFile(id, { withDistances: false })));
  if (hints) await writeFile(`${folder}/${hints}`, new Uint8Array(await mapFile(id)));
}
