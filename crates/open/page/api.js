// Requests to the server of this page, and whether it answers.

/** @import { Fault, Project, Said, Task } from './types.js' */
/** @import { Translator } from '../play/i18n.js' */

/** Parts of uploads have so many bytes. */
const PART = 4 * 1024 * 1024;
/** A part of a file is sent so often at most. */
const MOST_TRIES = 20;
/** Status of a part that does not fit what is there of its file. */
const BEGIN_AGAIN = 416;
/** Milliseconds between two looks whether a lost server is back. */
const AGAIN = 1000;

/** An answer of the server that says no. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {Record<string, any>} answer
   */
  constructor(status, message, answer) {
    super(message);
    this.status = status;
    this.answer = answer;
    /** @type {Fault[]} */
    this.faults = Array.isArray(answer.faults) ? answer.faults : [];
  }
}

/**
 * What went wrong, in the language of the page where it has a text for it, else as the server says it.
 *
 * @param {Said} said
 * @param {Translator | null} words
 */
export function textOf({ error, message }, words) {
  if (!words || !message) return error ?? '';
  const { key, values } = message;
  return words.translate(`problem_${key}`, values.what ? { ...values, what: words.translate(`role_${values.what}`) } : values);
}

/**
 * The stage of a task, in the language of the page.
 *
 * @param {Task} task
 * @param {Translator} words
 */
export const stageOf = ({ stage }, words) => (stage ? words.translate(`stage_${stage.replace(/ /g, '_')}`) : '');

/** The server does not answer. */
export class Unreachable extends Error {}

export class Api {
  /** Those of the page. @type {Translator | null} */ words = null;
  #isDown = false;

  /** @param {(isDown: boolean, project: Project | null) => void} onChange hears that the server is lost, and that it is back */
  constructor(onChange) {
    this.onChange = onChange;
  }

  get isDown() {
    return this.#isDown;
  }

  /**
   * @param {string} path
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  get(path, signal) {
    return this.#ask(path, signal ? { signal } : {});
  }

  /**
   * @param {string} path
   * @param {unknown} body
   * @returns {Promise<any>}
   */
  post(path, body = {}) {
    return this.#ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  }

  /**
   * Sends a file in parts; where the server is lost in between, it goes on when it is back.
   *
   * @param {string} name
   * @param {Blob} file
   * @param {{ isOrdered: boolean, signal: AbortSignal, onProgress: (sent: number) => void }} options `isOrdered`: it stays where its name says
   * @returns {Promise<Project>}
   */
  async upload(name, file, { isOrdered, signal, onProgress }) {
    let offset = 0;
    let n_again = 0;
    for (;;) {
      signal.throwIfAborted();
      const end = Math.min(offset + PART, file.size);
      const isLast = end === file.size;
      const path = `api/files?name=${encodeURIComponent(name)}&offset=${offset}&last=${isLast}&ordered=${isOrdered}`;
      try {
        const headers = { 'Content-Type': 'application/octet-stream' };
        const answer = await this.#ask(path, { method: 'POST', headers, body: file.slice(offset, end), signal });
        onProgress(end);
        if (isLast) return answer;
        offset = end;
      } catch (error) {
        n_again += 1;
        if (n_again > MOST_TRIES) throw error;
        if (error instanceof Unreachable) await this.whenBack();
        // What is there of it is not what was thought: a part may have come although its answer did not.
        else if (error instanceof Refusal && error.status === BEGIN_AGAIN && offset) offset = 0;
        else throw error;
      }
    }
  }

  /** Resolves when the server answers again. */
  async whenBack() {
    while (this.#isDown) await new Promise((done) => setTimeout(done, AGAIN));
  }

  /**
   * The task after a change; the answer may take long.
   *
   * @param {number} seen
   * @returns {Promise<Task>}
   */
  task(seen) {
    return this.#ask(`api/task?seen=${seen}`, {});
  }

  /**
   * @param {string} path
   * @param {RequestInit} request
   * @returns {Promise<any>} by the contract of the two
   */
  async #ask(path, request) {
    const headers = { ...request.headers, ...(request.method === 'POST' ? { 'X-Plymap': 'open' } : {}) };
    let response, text;
    try {
      response = await fetch(path, { ...request, headers, cache: 'no-store' });
      text = await response.text();
    } catch (cause) {
      if (request.signal?.aborted) throw cause;
      this.#lose();
      throw new Unreachable('', { cause });
    }
    const answer = parse(text);
    if (!response.ok) throw new Refusal(response.status, textOf(answer ?? {}, this.words) || `${response.status} ${response.statusText}`, answer ?? {});
    if (answer === null) throw new Refusal(response.status, 'The answer is no JSON', {});
    return answer;
  }

  #lose() {
    if (this.#isDown) return;
    this.#isDown = true;
    this.onChange(true, null);
    setTimeout(() => this.#look(), AGAIN);
  }

  async #look() {
    try {
      const response = await fetch('api/project', { cache: 'no-store' });
      if (!response.ok) throw new Error(String(response.status));
      const project = await response.json();
      this.#isDown = false;
      this.onChange(false, project);
    } catch {
      setTimeout(() => this.#look(), AGAIN);
    }
  }
}

/**
 * @param {string} text
 * @returns {Record<string, any> | null}
 */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
