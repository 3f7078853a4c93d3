// Makes what a web host has to serve beside `index.html`, `study.json`, the map files and the media: `dist`.

import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import './plugin/build.js';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

await rm(at('dist'), { recursive: true, force: true });
await build({
  entryPoints: { experiment: at('src/index.js') },
  bundle: true, format: 'esm', target: 'es2022', charset: 'utf8', minify: true, sourcemap: true, logLevel: 'warning',
  outdir: at('dist'),
});
