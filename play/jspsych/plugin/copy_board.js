// In the repository of plymap: copies the board, and the licences, to where they lie in a package.

import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const BOARD = at('../../src');

await rm(at('play'), { recursive: true, force: true });
await mkdir(at('play'));
for (const name of await readdir(BOARD)) {
  if (/\.(js|css|d\.ts)$/.test(name)) await cp(`${BOARD}/${name}`, at(`play/${name}`));
}
for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) await cp(at(`../../../${name}`), at(name));
