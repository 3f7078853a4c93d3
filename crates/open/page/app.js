// The page of `plymap open`: the views of a study by the hash of the address, beside the study itself.
//
// All state is the study and the address: the page may be loaded again, and the server started again, at any time.

/** @import { Context, Edit, Project, Task, View } from './types.js' */

import { Translator } from '../play/i18n.js';
import { Api, Refusal, Unreachable } from './api.js';
import { button, faultList, make, replace } from './dom.js';
import { Shell } from './shell.js';
import { StudyPanel } from './study_panel.js';
import { LANGUAGES, TEXTS } from './texts.js';
import { readHash, toHash } from './route.js';
import { showStart } from './start.js';
import { showReading } from './read.js';
import { showCheck } from './check.js';
import { showRun } from './run.js';
import { showExplore } from './explore.js';
import { showTake } from './take.js';

/** @type {Record<string, (api: Api) => View>} */
const VIEWS = {
  start: showStart,
  read: showReading,
  check: showCheck,
  run: showRun,
  explore: showExplore,
  take: showTake,
};

/** How long the page waits before it looks again whether the study was changed elsewhere, in milliseconds. */
const LOOK = 2000;
/** How long the page waits before it asks again for a task of which it could not hear, in milliseconds. */
const PAUSE = 1000;

class App {
  #api = new Api((isDown, project) => this.#onConnection(isDown, project));
  #words = new Translator('en', {}, false, TEXTS);
  /** @type {Project | null} */ #project = null;
  /** @type {Task | null} */ #task = null;
  #route = readHash(location.hash);
  #shown = new AbortController();
  /** How often the project was taken from an answer. */ #nChanges = 0;
  /** Changes are asked for one after the other. @type {Promise<unknown>} */ #changing = Promise.resolve();
  /** Changes that are not answered yet. */ #nAsked = 0;
  /** Whether a view is on its way to whose heading the reader is to be led. */ #isLeading = false;
  /** @type {((task: Task) => void)[]} */ #hearers = [];
  #shell = new Shell({
    stop: () => this.#stop(),
    setLanguage: (language) => this.#chooseLanguage(language),
  });
  #panel = new StudyPanel({
    apply: (text, seen) => this.#applyStudy(text, seen),
    undo: () => this.#undo(),
  });

  async begin() {
    this.#setLanguage(chosenLanguage(''));
    this.#shell.aside.append(this.#panel.element);
    document.body.replaceChildren(...this.#shell.elements);
    addEventListener('hashchange', () => this.#onRoute());
    addEventListener('focus', () => this.#look());
    setInterval(() => this.#look(), LOOK);
    addEventListener('beforeunload', (event) => { if (this.#panel.isDirty) event.preventDefault(); });
    try {
      this.#take(await this.#api.get('api/project'));
      this.#watch();
      if (!location.hash) this.#go(toHash(this.#project?.has_study ? 'read' : 'start'), true);
      await this.#show(false);
      if (this.#project?.interrupted) this.#shell.say(this.#words.translate(`interrupted_${this.#project.interrupted}`), true);
    } catch (error) {
      if (!(error instanceof Unreachable)) this.#fail(error);
    }
  }

  /** Asks for the project; where it was changed meanwhile, the answer is old. */
  async #reload() {
    const n = this.#nChanges;
    const project = await this.#api.get('api/project');
    if (n === this.#nChanges) this.#take(project);
  }

  /** Shows the study as it is now if an editor or another window has changed it; what somebody is typing in waits. */
  async #look() {
    // A proposal writes the study, and tells so when it is done.
    const isProposed = this.#task?.state === 'running' && this.#task.kind === 'propose';
    if (document.hidden || this.#api.isDown || this.#nAsked || !this.#project || isProposed || isTyping()) return;
    try {
      const { revision } = await this.#api.get('api/revision');
      if (revision === this.#project.revision || this.#nAsked || isTyping()) return;
      await this.#reload();
      this.#shell.say(this.#words.translate('study_reread'));
      await this.#show(false);
    } catch {
      // A lost server is told elsewhere, and a look that failed is made again.
    }
  }

  /** @param {Project} project */
  #take(project) {
    this.#nChanges += 1;
    const language = chosenLanguage(project.language);
    if (language !== this.#words.language) this.#setLanguage(language);
    this.#project = project;
    this.#task ??= project.task;
    this.#panel.show(project);
    this.#shell.show(project, this.#route, this.#api.isDown);
  }

  /** @param {string} language */
  #setLanguage(language) {
    this.#words = new Translator(language, {}, false, TEXTS);
    this.#api.words = this.#words;
    document.documentElement.lang = language;
    this.#shell.setWords(this.#words);
    this.#panel.setWords(this.#words);
  }

  /** @param {string} language */
  #chooseLanguage(language) {
    keep('plymap/language', language);
    this.#setLanguage(language);
    if (this.#task) this.#shell.showTask(this.#task);
    if (this.#project) this.#take(this.#project);
    this.#show(false);
  }

  #onRoute() {
    const before = this.#route;
    this.#route = readHash(location.hash);
    if (this.#project) this.#shell.show(this.#project, this.#route, this.#api.isDown);
    this.#show(before.view !== this.#route.view || before.part !== this.#route.part);
  }

  /**
   * @param {string} address
   * @param {boolean} isReplacing
   */
  #go(address, isReplacing = false) {
    if (!isReplacing) location.hash = address;
    else {
      history.replaceState(null, '', address);
      this.#onRoute();
    }
  }

  /** @param {string} address of which the view shows already what it says */
  #keep(address) {
    history.replaceState(null, '', address);
    this.#route = readHash(location.hash);
  }

  /**
   * Shows the view of the address; what was there stays until the new view is ready.
   *
   * @param {boolean} isNew whether the reader is to be led to its heading
   */
  async #show(isNew) {
    if (!this.#project) return;
    this.#shown.abort();
    this.#isLeading ||= isNew;
    const shown = new AbortController();
    this.#shown = shown;
    this.#hearers = [];
    this.#shell.setBusy(true);
    const view = (VIEWS[this.#route.view] ?? showStart)(this.#api);
    const context = this.#context(this.#project, shown.signal);
    let title, body;
    try {
      ({ title, body } = await view(context));
    } catch (error) {
      if (shown.signal.aborted || error instanceof Unreachable) return;
      title = this.#words.translate(`view_${this.#route.view}`);
      body = [this.#errorBox(error)];
    }
    if (shown.signal.aborted) return;
    this.#shell.setBusy(false);
    document.title = [title, this.#project.name, 'plymap'].filter(Boolean).join(' – ');
    const heading = make('h1', { tabindex: '-1' }, title);
    replace(this.#shell.main, heading, ...body);
    if (this.#isLeading) {
      this.#isLeading = false;
      heading.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    if (this.#task) for (const hear of this.#hearers) hear(this.#task);
  }

  /** @param {unknown} error */
  #errorBox(error) {
    const text = this.#textOf(error);
    const again = button(this.#words.translate('again'), () => this.#show(false));
    const faults = error instanceof Refusal ? faultList(error.faults, (line) => this.#panel.goTo(line)) : '';
    return make('div', { class: 'error', role: 'alert' }, make('p', {}, text), faults, make('p', {}, again));
  }

  /**
   * @param {Project} project
   * @param {AbortSignal} signal
   * @returns {Context}
   */
  #context(project, signal) {
    return {
      words: this.#words,
      project,
      route: this.#route,
      signal,
      to: toHash,
      go: (address, isReplacing) => this.#go(address, isReplacing),
      keep: (address) => this.#keep(address),
      setProject: (next) => { this.#take(next); this.#show(false); },
      edit: (edits) => this.#edit(edits, project),
      undo: () => this.#undo(),
      act: (action, done) => this.#act(action, done),
      say: (text) => this.#shell.say(text),
      startTask: (path, body) => this.#startTask(path, body),
      stop: () => this.#stop(),
      onTask: (hear) => { this.#hearers.push(hear); },
      refresh: () => { this.#show(false); },
    };
  }

  /**
   * Places in lists are those of the study that the view shows; all else is the same in the study after it.
   *
   * @param {Edit[]} edits
   * @param {Project} shown
   */
  #edit(edits, shown) {
    const isByPlace = edits.some(({ path }) => path.some((key) => /^\d+$/.test(key)));
    return this.#act((seen) => this.#api.post('api/edit', { edits, seen: isByPlace ? shown.revision : seen }), this.#words.translate('edited'));
  }

  #undo() {
    return this.#act((seen) => this.#api.post('api/undo', { seen }), ({ brought_back }) => this.#words.translate(brought_back ? 'undone_as' : 'undone', { name: brought_back ?? '' }));
  }

  /**
   * Asks for a change when those before it are done.
   *
   * @template T
   * @param {(seen: string) => Promise<T>} action
   * @returns {Promise<T>}
   */
  #ask(action) {
    this.#nAsked += 1;
    const asked = this.#changing.then(() => action(this.#project?.revision ?? ''));
    this.#changing = asked.catch(() => {}).then(() => { this.#nAsked -= 1; });
    return asked;
  }

  /**
   * @param {(seen: string) => Promise<Project | null>} action
   * @param {string | ((project: Project) => string)} done the text that tells of its success
   */
  async #act(action, done = '') {
    this.#shell.say('');
    try {
      const project = await this.#ask(action);
      if (project) {
        this.#take(project);
        const told = typeof done === 'string' ? done : done(project);
        if (told) this.#shell.say(told);
        await this.#show(false);
      }
      return true;
    } catch (error) {
      await this.#showAnew(error);
      this.#fail(error);
      return false;
    }
  }

  /** Shows the study as it is now where a change was refused because it is another than was seen. @param {unknown} error */
  async #showAnew(error) {
    if (!(error instanceof Refusal) || error.status !== 409) return;
    try {
      const before = this.#project?.revision;
      await this.#reload();
      if (this.#project?.revision !== before) await this.#show(false);
    } catch {
      // Why it was refused is said in any case.
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    if (error instanceof Unreachable) return;
    this.#shell.say(this.#textOf(error), true);
    if (!(error instanceof Refusal)) console.error(error);
  }

  /** @param {unknown} error */
  #textOf(error) {
    const first = error instanceof Refusal ? error.faults[0] : undefined;
    const text = error instanceof Error ? error.message : String(error);
    const more = first?.message && !text.includes(first.message) ? `: ${first.message}` : '';
    return this.#words.translate('failed', { reason: text + more + (first?.help ? ` (${first.help})` : '') });
  }

  /**
   * @param {string} text
   * @param {string} seen the revision that was shown, or told, beside it
   */
  async #applyStudy(text, seen) {
    try {
      const project = await this.#ask(() => this.#api.post('api/study', { text, seen }));
      this.#panel.applied(text);
      this.#take(project);
      this.#shell.say(this.#words.translate('study_applied'));
      await this.#show(false);
    } catch (error) {
      await this.#showAnew(error);
      this.#fail(error);
      if (error instanceof Refusal) this.#panel.showFaults(error.faults);
    }
  }

  /**
   * @param {string} path
   * @param {unknown} body
   */
  async #startTask(path, body) {
    try {
      this.#hear(await this.#api.post(path, body));
    } catch (error) {
      this.#fail(error);
    }
  }

  #stop() {
    this.#api.post('api/stop').catch((error) => this.#fail(error));
  }

  /** Hears of the tasks of the server for as long as the page is open. */
  async #watch() {
    for (;;) {
      try {
        this.#hear(await this.#api.task(this.#task?.n ?? 0));
      } catch (error) {
        // A server that was started again counts anew.
        this.#task = null;
        if (error instanceof Unreachable) await this.#api.whenBack();
        else await new Promise((done) => setTimeout(done, PAUSE));
      }
    }
  }

  /** @param {Task} task */
  async #hear(task) {
    const before = this.#task;
    // Of two answers the later one counts.
    if (before && task.n < before.n) return;
    this.#task = task;
    this.#shell.showTask(task);
    for (const hear of this.#hearers) hear(task);
    // A map changes nothing but the view that asked for it.
    const isOver = before?.state === 'running' && task.state !== 'running' && task.kind !== 'map';
    if (!isOver) return;
    try {
      await this.#reload();
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (task.state === 'done' && task.kind === 'propose' && this.#route.view === 'start') this.#go(toHash('read'));
    else this.#show(false);
  }

  /**
   * @param {boolean} isDown
   * @param {Project | null} project
   */
  #onConnection(isDown, project) {
    this.#shell.showConnection(isDown, this.#project);
    if (isDown || !project) return;
    this.#task = project.task;
    this.#shell.showTask(project.task);
    this.#take(project);
    this.#show(false);
  }
}

/** The language that was chosen here, that of the command, or the first of the browser that there is. @param {string} ofCommand */
function chosenLanguage(ofCommand) {
  const wanted = [kept('plymap/language'), ofCommand, ...navigator.languages.map((one) => one.slice(0, 2))];
  return wanted.find((one) => one && LANGUAGES.includes(one)) ?? 'en';
}

/** Whether somebody is typing or choosing in what a new view would replace, or is asked something. */
function isTyping() {
  const active = document.activeElement;
  // A menu keeps the focus after a choice, also while an editor is in front.
  if (active?.matches('main select')) return document.hasFocus();
  return active?.matches('main input, main textarea, dialog, dialog *') ?? false;
}

/** @param {string} key */
function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Keeps a setting of the page, where the browser lets it.
 *
 * @param {string} key
 * @param {string} value
 */
function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage the choice holds until the page is closed.
  }
}

new App().begin();
