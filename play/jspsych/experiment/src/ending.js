// After the last trial: the data are saved, and the participant is let go.

/** @import { Backend, Plan, Uploader } from 'jspsych-plymap/play/types.js' */
/** @import { SessionStore } from './session_store.js' */
/** @import { Translator } from 'jspsych-plymap/play/i18n.js' */

import { Pages } from 'jspsych-plymap/play/pages.js';
import { make } from 'jspsych-plymap/play/panel.js';
import { uploadWithRetries } from 'jspsych-plymap/play/upload.js';

export class Ending {
  /** @type {Translator} */ #words;
  /** @type {Plan} */ #plan;
  /** @type {Backend} */ #backend;
  /** @type {{ store: SessionStore, file: string, uploader: Uploader | null }} */ #way;
  /** @type {Pages} */ #pages;
  #isDownloaded = false;

  /**
   * @param {Translator} words
   * @param {Plan} plan
   * @param {Backend} backend
   * @param {{ store: SessionStore, file: string, uploader: Uploader | null }} way where the data go; nowhere where they can only be downloaded
   */
  constructor(words, plan, backend, way) {
    this.#words = words;
    this.#plan = plan;
    this.#backend = backend;
    this.#way = way;
    this.#pages = new Pages(words);
  }

  /** Whether nothing is lost with the page. */
  get isSafe() {
    return this.#isDownloaded || this.#way.store.isSafe;
  }

  /** @param {HTMLElement} display */
  async show(display) {
    await this.#save(display);
    if (this.#way.store.isRefused) this.#decline(display);
    else this.#thank(display);
  }

  /** @param {HTMLElement} display */
  async #save(display) {
    const { store, uploader } = this.#way;
    if (!uploader || store.isSaved) return;
    const notice = make('p', { role: 'status' }, this.#words.translate('sending'));
    show(display, notice);
    const onTrouble = () => { notice.textContent = this.#words.translate('not_sent_yet'); };
    await uploadWithRetries(uploader, store.data, { onTrouble }).then(() => store.markSaved(), () => {});
  }

  /** @param {HTMLElement} display */
  #thank(display) {
    const { debriefing, completion: { code, link } } = this.#plan;
    const { finish } = this.#backend;
    const { isSaved } = this.#way.store;
    if (finish && isSaved && debriefing === null && code === null) {
      finish(link);
      return;
    }
    const page = this.#pages.end(this.#plan, isSaved ? this.#words.translate('all_saved') : '', finish && (() => finish(link)));
    if (!isSaved) page.firstElementChild?.after(this.#download(display));
    show(display, page);
    page.querySelector('h2')?.focus({ preventScroll: true });
  }

  /** @param {HTMLElement} display */
  #download(display) {
    const { store: { data }, file, uploader } = this.#way;
    const offer = this.#pages.download({ file, data }, uploader ? () => this.show(display) : null);
    offer.querySelector('a')?.addEventListener('click', () => { this.#isDownloaded = true; });
    return offer;
  }

  /** @param {HTMLElement} display */
  #decline(display) {
    const { finish } = this.#backend;
    show(display, this.#pages.declined(finish && (() => finish(null))));
  }
}

/**
 * @param {HTMLElement} display
 * @param {HTMLElement} page
 */
function show(display, page) {
  display.replaceChildren(make('div', { class: 'session' }, page));
  scrollTo(0, 0);
}
