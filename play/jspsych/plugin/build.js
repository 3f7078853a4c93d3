// Makes `dist` from `src` and the modules of the board in `play`.

import { existsSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
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
// Only the repository of plymap has the board elsewhere.
if (existsSync(at('copy_board.js'))) await import('./copy_board.js');
await bundle();
