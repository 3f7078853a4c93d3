// Files on their way into the folder of the study: one after the other, in parts, with progress.

/** @import { Project } from './types.js' */
/** @import { Translator } from '../play/i18n.js' */
/** @import { Api } from './api.js' */

import { textOf } from './api.js';
import { button, make } from './dom.js';
import { size } from './format.js';

/** A file and its name from the folder that was chosen. @typedef {{ name: string, file: File }} Chosen */

/** The study lies where its paths begin. */
const STUDY = 'study.toml';

export class Uploads {
  /** Where the progress stands, in whatever view is shown. */
  element = make('div', { class: 'uploads' });
  #api;
  /** @type {(Chosen & { isOrdered: boolean })[]} */ #waiting = [];
  /** @type {AbortController | null} */ #running = null;

  /** @param {Api} api */
  constructor(api) {
    this.#api = api;
  }

  /**
   * Sends files; resolves when all are there.
   *
   * @param {Chosen[]} chosen
   * @param {Translator} words
   * @param {(project: Project) => void} onDone
   */
  async send(chosen, words, onDone) {
    this.#waiting.push(...placed(chosen));
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    const total = () => this.#waiting.reduce((sum, { file }) => sum + file.size, 0);
    const bar = make('progress', { 'aria-label': words.translate('uploading') });
    const line = make('p');
    const faults = make('ul', { class: 'faults', role: 'alert' });
    const stop = button(words.translate('stop'), () => running.abort(), { 'data-key': 'upload-stop' });
    this.element.replaceChildren(make('div', { class: 'task' }, bar, line, stop), faults);
    /** @type {Project | null} */
    let project = null;
    let sent = 0;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const { name, file, isOrdered } = next;
      const rest = total();
      const show = (/** @type {number} */ done) => {
        Object.assign(bar, { max: Math.max(1, sent + file.size + rest), value: sent + done });
        line.textContent = `${name} · ${size(words, done)} / ${size(words, file.size)}`;
      };
      show(0);
      try {
        project = await this.#api.upload(name, file, { isOrdered, signal: running.signal, onProgress: show });
        for (const left of project.received?.left_out ?? []) faults.append(make('li', { class: 'warning' }, make('strong', {}, name), ' ', textOf(left, words)));
      } catch (error) {
        if (running.signal.aborted) break;
        faults.append(make('li', { class: 'error' }, make('strong', {}, name), ' ', error instanceof Error ? error.message : String(error)));
      }
      sent += file.size;
    }
    this.#waiting = [];
    this.#running = null;
    this.element.firstElementChild?.remove();
    if (running.signal.aborted) faults.append(make('li', { class: 'warning' }, words.translate('upload_stopped')));
    if (project) onDone(project);
  }
}

/**
 * Files without the folder that all of them lie in, and whether each stays where its name says then: it was in a folder, or the study is
 * among them.
 *
 * @param {Chosen[]} chosen
 */
export function placed(chosen) {
  const top = (/** @type {string} */ name) => name.slice(0, name.indexOf('/') + 1);
  const first = top(chosen[0]?.name ?? '');
  const n = first && chosen.every(({ name }) => top(name) === first) ? first.length : 0;
  const hasStudy = chosen.some(({ name }) => name.slice(n) === STUDY);
  return chosen.map(({ name, file }) => ({ name: name.slice(n), file, isOrdered: hasStudy || name.includes('/') }));
}

/**
 * What was chosen in a field of files or folders.
 *
 * @param {FileList | null} files
 * @returns {Chosen[]}
 */
export function chosenIn(files) {
  return Array.from(files ?? [], (file) => ({ name: file.webkitRelativePath || file.name, file })).filter(isWanted);
}

/**
 * What was dropped, folders with all that is in them.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<Chosen[]>}
 */
export async function droppedIn(transfer) {
  // The list is empty as soon as this event is over.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (!entries.length) return chosenIn(transfer.files);
  /** @type {Chosen[]} */
  const found = [];
  for (const entry of entries) await collect(entry, found);
  return found.filter(isWanted);
}

/** Hidden files of systems are none of the experiment. @param {Chosen} chosen */
const isWanted = ({ name }) => !name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');

/**
 * What an entry is it says itself: Chromium has no classes of that name.
 *
 * @param {FileSystemEntry} entry
 * @param {Chosen[]} found
 */
async function collect(entry, found) {
  if (entry.isFile) {
    /** @type {File} */
    const file = await new Promise((done, fail) => /** @type {FileSystemFileEntry} */ (entry).file(done, fail));
    found.push({ name: entry.fullPath.replace(/^\//, ''), file });
  } else {
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
      /** @type {FileSystemEntry[]} */
      const some = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (!some.length) break;
      for (const inside of some) await collect(inside, found);
    }
  }
}
