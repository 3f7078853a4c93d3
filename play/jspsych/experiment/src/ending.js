// After the last trial: the data are saved, and the participant is let go.

/** @import { Host, Plan, Saver } from 'jspsych-plymap/play/types.js' */
/** @import { Words } from 'jspsych-plymap/play/words.js' */

import { Pages } from 'jspsych-plymap/play/pages.js';
import { make } from 'jspsych-plymap/play/panel.js';
import { send } from 'jspsych-plymap/play/saving.js';

export class Ending {
  /** Whether nothing is lost with the page. */
  isSafe = false;

  /** @type {Words} */ #words;
  /** @type {Plan} */ #plan;
  /** @type {Host} */ #host;
  /** @type {{ file: string, saver: Saver | null }} */ #way;
  /** @type {Pages} */ #pages;

  /**
   * @param {Words} words
   * @param {Plan} plan
   * @param {Host} host
   * @param {{ file: string, saver: Saver | null }} way nothing where the data can only be downloaded
   */
  constructor(words, plan, host, way) {
    this.#words = words;
    this.#plan = plan;
    this.#host = host;
    this.#way = way;
    this.#pages = new Pages(words);
  }

  /**
   * @param {HTMLElement} display
   * @param {string} data
   * @param {boolean} isDeclined whether consent was refused
   */
  async show(display, data, isDeclined) {
    await this.#save(display, data);
    if (isDeclined) this.#decline(display);
    else this.#thank(display, data);
  }

  /**
   * @param {HTMLElement} display
   * @param {string} data
   */
  async #save(display, data) {
    const { saver } = this.#way;
    if (!saver) return;
    const notice = make('p', { role: 'status' }, this.#words.say('sending'));
    show(display, notice);
    const onTrouble = () => { notice.textContent = this.#words.say('not_sent_yet'); };
    this.isSafe = await send(saver, data, { onTrouble }).then(() => true, () => false);
  }

  /**
   * @param {HTMLElement} display
   * @param {string} data
   */
  #thank(display, data) {
    const { debriefing, completion: { code, link } } = this.#plan;
    const { finish } = this.#host;
    if (finish && this.isSafe && debriefing === null && code === null) {
      finish(link);
      return;
    }
    const page = this.#pages.end(this.#plan, this.isSafe ? this.#words.say('all_saved') : '', finish && (() => finish(link)));
    if (!this.isSafe) page.firstElementChild?.after(this.#download(display, data));
    show(display, page);
    page.querySelector('h2')?.focus({ preventScroll: true });
  }

  /**
   * @param {HTMLElement} display
   * @param {string} data
   */
  #download(display, data) {
    const offer = this.#pages.download({ file: this.#way.file, data }, this.#way.saver ? () => this.show(display, data, false) : null);
    offer.querySelector('a')?.addEventListener('click', () => { this.isSafe = true; });
    return offer;
  }

  /** @param {HTMLElement} display */
  #decline(display) {
    const { finish } = this.#host;
    // Who takes no part leaves nothing that could be lost.
    this.isSafe = true;
    show(display, this.#pages.declined(finish && (() => finish(null))));
  }
}

/**
 * @param {HTMLElement} display
 * @param {HTMLElement} page
 */
function show(display, page) {
  display.replaceChildren(make('div', { class: 'sitting' }, page));
  scrollTo(0, 0);
}
