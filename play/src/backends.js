// What the page of a session runs on: a server that takes each event, or a site of files alone, which sends the data of
// the session when it is over; and JATOS, which is a site that has a server behind it.

/** @import { Game, Backend, Jatos, RecorderOptions, Uploader, SessionKey, Study, TextStorage } from './types.js' */

import { LocalStore } from './local_store.js';
import { MapGame } from './map_game.js';
import { Recorder } from './recorder.js';
import { datapipeUploader, httpUploader, uploadWithRetries, jatosUploader } from './upload.js';
import { ServerGame } from './server_game.js';

/** Where simulated people send their data, instead of where the study says. */
const SIMULATED_UPLOAD = 'simulated/save';
/** Random numbers of sessions are below this. */
const MANY = 1_000_000;

/**
 * @param {Study} study
 * @param {boolean} isSimulated whether a simulated person plays
 * @param {Partial<RecorderOptions>} options of a recorder
 * @returns {Promise<Backend>}
 */
export async function backendOf(study, isSimulated, options = {}) {
  if (isSimulated) return new SiteBackend(study, { storage: null, uploader: (file) => httpUploader(SIMULATED_UPLOAD, file) });
  if (study.server) return new ServerBackend(new URLSearchParams(location.search), options);
  if (!location.pathname.includes('/publix/')) return new SiteBackend(study);
  return new JatosBackend(study, await loadJatos());
}

/** @implements {Backend} */
export class ServerBackend {
  participant = null;
  finish = null;
  /** @type {Partial<RecorderOptions>} */ #options;
  /** @type {Recorder | null} */ #recorder = null;

  /**
   * @param {URLSearchParams} parameters of the link
   * @param {Partial<RecorderOptions>} options of its recorder
   */
  constructor(parameters, options = {}) {
    this.parameters = parameters;
    this.#options = options;
  }

  /**
   * @param {SessionKey} key
   * @param {{ onChange: () => void, now: () => number, token: string | null }} options the server counts its sessions itself
   */
  async open(key, { onChange, now, token }) {
    this.#recorder = await Recorder.open(key, { onChange, now, token, ...this.#options });
    return { store: this.#recorder, number: 0 };
  }

  /** @param {string | null} condition */
  begin = async (condition) => { await this.#recorder?.begin(condition); };

  async save() {
    await this.#recorder?.flush();
  }

  /** Whatever has to be saved is saved by the server. */
  get download() {
    return null;
  }

  get canSave() {
    return true;
  }
}

/** @implements {Backend} */
class SiteBackend {
  begin = null;
  parameters = new URLSearchParams(location.search);
  /** @type {string | null} */ participant = null;
  /** @type {Backend['finish']} */ finish = null;

  /** @type {TextStorage | null | undefined} */ #storage;
  /** @type {(file: string) => Uploader | null} */ #uploaderOf;
  /** @type {{ store: LocalStore, file: string, uploader: Uploader | null } | null} */ #session = null;

  /**
   * @param {Study} study
   * @param {{ storage?: null, uploader?: (file: string) => Uploader }} others than those of browser and study
   */
  constructor({ save }, { storage, uploader } = {}) {
    this.#storage = storage;
    this.#uploaderOf = uploader ?? ((file) => {
      if (save?.post) return httpUploader(save.post, file);
      return save?.datapipe ? datapipeUploader(save.datapipe, file) : null;
    });
  }

  /**
   * @param {SessionKey} key
   * @param {{ onChange: () => void, now: () => number, number: number | null }} options
   */
  async open(key, { number, onChange, now }) {
    const storage = this.#storage === undefined ? {} : { storage: this.#storage };
    const store = await LocalStore.open(key, { onChange, now, ...storage });
    const file = `${key.participant}_${key.session}.ndjson`;
    this.#session = { store, file, uploader: this.#uploaderOf(file) };
    return { store, number: number ?? this.number };
  }

  /** The number of a session that begins, where the link has none. */
  get number() {
    return Math.floor(Math.random() * MANY);
  }

  get canSave() {
    return Boolean(this.#session?.uploader);
  }

  /** @param {() => void} onTrouble */
  async save(onTrouble) {
    const { store, uploader } = this.#session ?? {};
    if (!store || !uploader || store.isSent) return;
    await uploadWithRetries(uploader, store.data, { onTrouble });
    store.markSent();
  }

  /** The data as a file. */
  get download() {
    return this.#session && { file: this.#session.file, data: this.#session.store.data };
  }
}

class JatosBackend extends SiteBackend {
  /** @type {Jatos} */ #jatos;

  /**
   * @param {Study} study
   * @param {Jatos} jatos
   */
  constructor(study, jatos) {
    super(study, { uploader: () => jatosUploader(jatos) });
    this.#jatos = jatos;
    // JATOS keeps the parameters of the link that led to it, and may not hand them on to the page.
    for (const [name, value] of Object.entries(jatos.urlQueryParameters ?? {})) {
      if (!this.parameters.has(name)) this.parameters.set(name, value);
    }
    // A form that loads the page again would end the run, so that a link without a code has one of the run.
    this.participant = `jatos-${jatos.studyResultId}`;
    this.finish = (/** @type {string | null} */ link) => (link === null ? jatos.endStudy() : jatos.endStudyAndRedirect(link));
  }

  get number() {
    return Number(this.#jatos.studyResultId);
  }
}

/** @returns {Promise<Jatos>} */
async function loadJatos() {
  const script = document.createElement('script');
  script.src = 'jatos.js';
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error('JATOS cannot be reached; see whether it runs, and load the page again'));
    document.head.append(script);
  });
  const { jatos } = /** @type {{ jatos?: Jatos }} */ (/** @type {unknown} */ (globalThis));
  if (!jatos) throw new Error('The file jatos.js is not that of JATOS');
  await new Promise((resolve) => { jatos.onLoad(() => resolve(null)); });
  return jatos;
}

/**
 * @param {Study} study
 * @param {string} id of the level
 * @param {boolean} hints whether hints may be asked for
 * @param {{ base: string, fetch?: typeof fetch }} place of study and server
 * @returns {Promise<Game>}
 */
export async function loadGame({ levels, server }, id, hints, { base, fetch } = { base: '.' }) {
  const level = levels.find((one) => one.id === id);
  const address = (hints && level?.hints) || level?.map;
  if (!address && !server) throw new Error(`The site has no map file of level ${id}`);
  const game = await (address ? MapGame.load(base === '.' ? address : `${base}/${address}`, fetch) : ServerGame.load(base, id, fetch));
  // What is done would be recorded as done at the level that was asked for.
  if (game.level !== id) throw new Error(`${address ?? 'The server'} has level ${game.level} in place of level ${id}; see whether the files of the site were mixed up, and write them anew`);
  return game;
}
