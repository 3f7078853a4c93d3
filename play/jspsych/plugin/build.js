// Makes `dist` from `src` and the modules of the board in `play`.
//
// In the repository of plymap the board lies in another folder, and is copied from there; in a package that was made
// from it, `play` is there already.

import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const BOARD = at('../../src');
const LICENCES = ['LICENSE-APACHE', 'LICENSE-MIT'];

async function copyBoard() {
  if (!existsSync(BOARD + '/board.js')) return;
  await rm(at('play'), { recursive: true, force: true });
  await mkdir(at('play'));
  for (const name of await readdir(BOARD)) {
    if (/\.(js|css|d\.ts)$/.test(name)) await cp(`${BOARD}/${name}`, at(`play/${name}`));
  }
  for (const name of LICENCES) await cp(at(`../../../${name}`), at(name));
}

/** In a page without modules jsPsych is the global variable `jsPsychModule`. */
const jsPsychOfPage = {
  name: 'jspsych-of-page',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^jspsych$/ }, ({ path }) => ({ path, namespace: 'page' }));
    onLoad({ filter: /.*/, namespace: 'page' }, () => ({ contents: 'module.exports = jsPsychModule;' }));
  },
};

const shared = { entryPoints: [at('src/index.js')], bundle: true, target: 'es2022', charset: 'utf8', logLevel: 'warning' };

async function bundle() {
  await build({ ...shared, format: 'esm', external: ['jspsych'], outfile: at('dist/index.js') });
  await build({
    ...shared, format: 'iife', plugins: [jsPsychOfPage], outfile: at('dist/index.browser.js'),
    globalName: 'jsPsychPlymap', footer: { js: 'jsPsychPlymap = jsPsychPlymap.default;' },
  });
  const styles = await Promise.all(['play/board.css', 'src/plugin.css'].map((name) => readFile(at(name), 'utf8')));
  await writeFile(at('dist/board.css'), styles.join('\n'));
  await cp(at('src/public.d.ts'), at('dist/index.d.ts'));
}

await rm(at('dist'), { recursive: true, force: true });
await copyBoard();
await bundle();
