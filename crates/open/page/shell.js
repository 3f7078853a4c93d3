// What the page shows whatever is looked at: the head with the steps, and the foot with the running task, messages, and a
// lost server. The foot has its place at all times, so that nothing moves when something is said.

/** @import { Project, Route, Task } from './types.js' */
/** @import { Translator } from '../play/i18n.js' */

import { stageOf, textOf } from './api.js';
import { button, make, replace } from './dom.js';
import { duration } from './format.js';
import { LANGUAGES } from './texts.js';
import { toHash } from './route.js';

const STEPS = ['start', 'read', 'check', 'run', 'explore', 'take'];
/** Names of languages in these languages. @type {Record<string, string>} */
const NAMES = { en: 'English', de: 'Deutsch', fr: 'Français' };

export class Shell {
  main = make('main', { id: 'main' });
  aside = make('aside', { id: 'study' });

  /** @type {Translator | null} */ #words = null;
  #name = make('p', { class: 'study-name' });
  #steps = make('ol');
  #nav = make('nav', {}, this.#steps);
  #skip = make('a', { class: 'skip', href: '#main' });
  #toStudy = make('a', { class: 'to-study', href: '#study' });
  #language = make('select', { class: 'language' }, ...LANGUAGES.map((one) => make('option', { value: one, lang: one }, NAMES[one] ?? one)));
  #progress = make('progress');
  #stage = make('p', { class: 'stage' });
  #stop;
  #message = make('p', { class: 'message', role: 'status' });
  #alarm = make('p', { class: 'message alarm', role: 'alert' });
  /** Read aloud, not shown. */
  #speech = make('p', { class: 'hidden', role: 'status' });
  #lost = make('div', { class: 'lost', role: 'alert', hidden: '' });
  #task = make('div', { class: 'task', hidden: '' });
  #said = 0;

  /** @param {{ stop: () => unknown, setLanguage: (language: string) => unknown }} requests */
  constructor(requests) {
    this.#stop = button('', requests.stop);
    this.#task.append(this.#progress, this.#stage, this.#stop);
    this.#language.addEventListener('change', () => requests.setLanguage(this.#language.value));
    // The hash is the view: these two lead within the page without a new one.
    this.#skip.addEventListener('click', (event) => { event.preventDefault(); jump(this.main.querySelector('h1') ?? this.main); });
    this.#toStudy.addEventListener('click', (event) => { event.preventDefault(); jump(this.aside.querySelector('textarea') ?? this.aside); });
  }

  get elements() {
    const head = make('header', {}, make('div', { class: 'head' }, make('p', { class: 'brand' }, 'plymap'), this.#name, this.#toStudy, this.#language), this.#nav);
    const foot = make('footer', {}, this.#lost, this.#task, this.#message, this.#alarm, this.#speech);
    return [this.#skip, head, make('div', { class: 'beside' }, this.main, this.aside), foot];
  }

  /** @param {Translator} words */
  setWords(words) {
    this.#words = words;
    const t = (/** @type {string} */ name) => words.translate(name);
    this.#skip.textContent = t('skip');
    this.#toStudy.textContent = 'study.toml';
    this.#toStudy.setAttribute('aria-label', t('to_study'));
    this.#nav.setAttribute('aria-label', t('steps'));
    this.aside.setAttribute('aria-label', t('study'));
    this.#language.setAttribute('aria-label', t('language'));
    this.#language.value = words.language;
    this.#stop.textContent = t('stop');
  }

  /**
   * @param {Project} project
   * @param {Route} route
   * @param {boolean} isDown
   */
  show(project, route, isDown) {
    const { translate } = /** @type {Translator} */ (this.#words);
    const t = translate.bind(this.#words);
    this.#name.textContent = project.name ?? project.path.split(/[\\/]/).at(-1) ?? '';
    this.#name.title = project.path;
    replace(this.#steps, ...STEPS.map((step, index) => {
      const isReachable = project.has_study || step === 'start';
      const one = make('a', { 'data-key': `step ${step}`, ...(isReachable ? { href: toHash(step) } : { 'aria-disabled': 'true', role: 'link' }) }, make('span', { class: 'step', 'aria-hidden': 'true' }, String(index + 1)), t(`view_${step}`));
      if (step === route.view) one.setAttribute('aria-current', 'step');
      return make('li', {}, one);
    }));
    const current = /** @type {HTMLElement | null} */ (this.#steps.querySelector('[aria-current]'));
    // In a narrow window the steps scroll.
    if (current) this.#nav.scrollLeft = current.offsetLeft - (this.#nav.clientWidth - current.offsetWidth) / 2;
    this.showConnection(isDown, project);
  }

  /** @param {boolean} isBusy */
  setBusy(isBusy) {
    this.main.setAttribute('aria-busy', String(isBusy));
  }

  /**
   * Says something at the foot; a failure stays until something else is said.
   *
   * @param {string} text
   * @param {boolean} isAlarm
   */
  say(text, isAlarm = false) {
    this.#said += 1;
    const said = this.#said;
    this.#message.textContent = isAlarm ? '' : text;
    this.#alarm.textContent = isAlarm ? text : '';
    if (text && !isAlarm) setTimeout(() => { if (said === this.#said) this.#message.textContent = ''; }, 8000);
  }

  /** @param {Task} task */
  showTask(task) {
    const words = /** @type {Translator} */ (this.#words);
    const isRunning = task.state === 'running';
    const wasRunning = !this.#task.hidden;
    this.#task.hidden = !isRunning;
    if (isRunning) {
      const title = words.translate(`task_${task.kind}`);
      this.#progress.setAttribute('aria-label', title);
      if (task.total) Object.assign(this.#progress, { max: task.total, value: Math.min(task.done, task.total) });
      else this.#progress.removeAttribute('value');
      const count = task.total ? `${words.number(task.done)} / ${words.number(task.total)}` : '';
      this.#stage.textContent = [title, stageOf(task, words), count, duration(words, Math.round(task.seconds))].filter(Boolean).join(' · ');
      if (!wasRunning) this.#speech.textContent = title;
      return;
    }
    if (!wasRunning) return;
    this.#speech.textContent = '';
    if (task.state === 'failed') this.say(words.translate('task_failed', { reason: textOf(task, words) }), true);
    else if (task.state === 'stopped') this.say(words.translate('task_stopped'));
    else this.say(words.translate('task_done', { time: duration(words, task.seconds) }));
  }

  /**
   * @param {boolean} isDown
   * @param {Project | null} project
   */
  showConnection(isDown, project) {
    if (this.#lost.hidden === !isDown) return;
    const words = /** @type {Translator} */ (this.#words);
    this.#lost.hidden = !isDown;
    if (isDown) {
      const command = project?.command ?? `plymap open ${project?.path ?? ''}`;
      this.#lost.replaceChildren(make('p', {}, make('strong', {}, words.translate('lost')), ' ', words.translate('lost_help')), make('pre', { tabindex: '0' }, command));
    } else {
      this.#lost.replaceChildren();
      this.say(words.translate('back'));
    }
  }
}

/** @param {Element} element */
function jump(element) {
  if (!(element instanceof HTMLElement)) return;
  element.scrollIntoView({ block: 'start' });
  element.focus({ preventScroll: true });
}
