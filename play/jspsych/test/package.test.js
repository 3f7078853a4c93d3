// What a user of npm gets.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const plugin = new URL('../plugin/', import.meta.url);
const read = (name) => readFileSync(new URL(name, plugin), 'utf8');

test('the package has the plugin in both forms, the style, the types, the licences and all that it was made from', () => {
  const [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: plugin, encoding: 'utf8' }));
  const names = files.map(({ path }) => path);
  const wanted = ['dist/index.js', 'dist/index.browser.js', 'dist/board.css', 'dist/index.d.ts', 'LICENSE-MIT', 'LICENSE-APACHE', 'README.md', 'package.json', 'build.js', 'src/index.js', 'play/board.js'];
  assert.deepEqual(wanted.filter((name) => !names.includes(name)), []);
  assert.ok(names.every((name) => /^(dist|src|play)\/[\w.]+$|^[\w.-]+$/.test(name)), names.join());
});

test('what is built needs nothing but jsPsych', () => {
  const imports = [...read('dist/index.js').matchAll(/^import .* from "(.*)"/gm)].map(([, name]) => name);
  assert.deepEqual(imports, ['jspsych']);
  assert.doesNotMatch(read('dist/index.browser.js'), /^import |require\(["'][^"']*["']\)/m);
});

test('lock files tell packages by their hashes, and name no registry', () => {
  for (const folder of ['../../', '../', '../experiment/']) {
    const { packages } = JSON.parse(read(`${folder}package-lock.json`));
    const fetched = Object.entries(packages).filter(([name, { link }]) => /(^|\/)node_modules\//.test(name) && !link);
    assert.ok(fetched.length > 0, folder);
    assert.deepEqual(fetched.filter(([, { integrity, resolved }]) => !integrity || resolved).map(([name]) => name), [], folder);
    assert.match(read(`${folder}.npmrc`), /^omit-lockfile-registry-resolved=true$/m, folder);
  }
});

test('the version is the same wherever it stands', () => {
  const { version } = JSON.parse(read('package.json'));
  const [, ofProgram] = /^\[workspace\.package\]\nversion = "(.*)"/m.exec(readFileSync(new URL('../../../Cargo.toml', import.meta.url), 'utf8'));
  assert.equal(version, ofProgram);
});

test('parameters and data of the README are those of the plugin', async () => {
  await import('./page_of_node.js');
  const { default: PlymapPlugin } = await import('jspsych-plymap');
  const rows = (title) => [...read('README.md').split(`## ${title}`)[1].split('\n#')[0].matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(rows('Parameters'), Object.keys(PlymapPlugin.info.parameters));
  assert.deepEqual(rows('Data Generated'), Object.keys(PlymapPlugin.info.data));
});
