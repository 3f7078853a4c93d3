// After the last trial: the data are saved, and the participant is let go.

/** @import { Host, Plan, Saver } from 'jspsych-plymap/play/types.js' */
/** @import { Kept } from './kept.js' */
/** @import { Words } from 'jspsych-plymap/play/words.js' */

import { Pages } from 'jspsych-plymap/play/pages.js';
import { make } from 'jspsych-plymap/play/panel.js';
import { send } from 'jspsych-plymap/play/saving.js';

export class Ending {
  /** @type {Words} */ #words;
  /** @type {Plan} */ #plan;
  /** @type {Host} */ #host;
  /** @type {{ kept: Kept, file: string, saver: Saver | null }} */ #way;
  /** @type {Pages} */ #pages;
  #isDownloaded = false;

  /**
   * @param {Words} words
   * @param {Plan} plan
   * @param {Host} host
   * @param {{ kept: Kept, file: string, saver: Saver | null }} way where the data go; nowhere where they can only be downloaded
   */
  constructor(words, plan, host, way) {
    this.#words = words;
    this.#plan = plan;
    this.#host = host;
    this.#way = way;
    this.#pages = new Pages(words);
  }

  /** Whether nothing is lost with the page. */
  get isSafe() {
    return this.#isDownloaded || this.#way.kept.isSafe;
  }

  /** @param {HTMLElement} display */
  async show(display) {
    await this.#save(display);
    if (this.#way.kept.isRefused) this.#decline(display);
    else this.#thank(display);
  }

  /** @param {HTMLElement} display */
  async #save(display) {
    const { kept, saver } = this.#way;
    if (!saver || kept.isSaved) return;
    const notice = make('p', { role: 'status' }, this.#words.say('sending'));
    show(display, notice);
    const onTrouble = () => { notice.textContent = this.#words.say('not_sent_yet'); };
    await send(saver, kept.data, { onTrouble }).then(() => kept.markSaved(), () => {});
  }

  /** @param {HTMLElement} display */
  #thank(display) {
    const { debriefing, completion: { code, link } } = this.#plan;
    const { finish } = this.#host;
    const { isSaved } = this.#way.kept;
    if (finish && isSaved && debriefing === null && code === null) {
      finish(link);
      return;
    }
    const page = this.#pages.end(this.#plan, isSaved ? this.#words.say('all_saved') : '', finish && (() => finish(link)));
    if (!isSaved) page.firstElementChild?.after(this.#download(display));
    show(display, page);
    page.querySelector('h2')?.focus({ preventScroll: true });
  }

  /** @param {HTMLElement} display */
  #download(display) {
    const { kept: { data }, file, saver } = this.#way;
    const offer = this.#pages.download({ file, data }, saver ? () => this.show(display) : null);
    offer.querySelector('a')?.addEventListener('click', () => { this.#isDownloaded = true; });
    return offer;
  }

  /** @param {HTMLElement} display */
  #decline(display) {
    const { finish } = this.#host;
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
