// Requests with a time limit, and the errors of lines and servers, some of which pass.

/** @import { Timers } from './types.js' */

/** The server cannot be reached, or cannot answer now. */
export class Unreachable extends Error {
  /** Whether the server has told that its log is not where it was. */
  isInterrupted = false;
}

/** A file is not as it was written: another try gives the same. */
export class Damaged extends Error {}

/** Statuses from 400 of a server that asks to be asked again: a request that took too long, and too many requests. */
const LATER = [408, 425, 429];

/**
 * Whether an answer with this status is of the moment.
 *
 * @param {number} status
 */
export const isTransientStatus = (status) => status >= 500 || LATER.includes(status);

/**
 * Whether an error, or what led to it, is worth another try.
 *
 * @param {unknown} error
 * @returns {boolean}
 */
export const isTransient = (error) => error instanceof Unreachable || (error instanceof Error && isTransient(error.cause));

/**
 * An answer of a server that has said that it would not answer.
 *
 * @param {number} status
 * @param {string} reason
 */
export const httpError = (status, reason) => (isTransientStatus(status) ? new Unreachable(reason) : new Error(reason));

/**
 * Asks a server for JSON.
 *
 * @param {Promise<Response>} asked
 * @param {(response: Response) => Promise<any>} read what takes the JSON out of it
 * @returns {Promise<{ response: Response, answer: any }>} no answer where it is no JSON and no success either
 * @throws {Unreachable} where the line fails, or somebody else answers
 */
export async function jsonOf(asked, read = (response) => response.json()) {
  let reply;
  try {
    const response = await asked;
    reply = { response, answer: await read(response).catch(ifNoJson) };
  } catch (cause) {
    if (cause instanceof Damaged) throw cause;
    throw new Unreachable('The server cannot be reached; see whether it runs, and try again', { cause });
  }
  if (reply.response.ok && reply.answer === null) throw new Unreachable(`The server cannot be understood (its answer is no JSON); ${OTHER}`);
  return reply;
}

/** What to do where somebody else has answered. */
const OTHER = 'see whether page and server are of one version, and whether the network wants a login first';

/**
 * The bytes of a file.
 *
 * @param {Promise<Response>} asked
 * @param {string} name of the file, for messages
 * @returns {Promise<ArrayBuffer>}
 * @throws {Error} where there is no such file, or it cannot be had now
 */
export async function fileOf(asked, name) {
  const ifUnreachable = (/** @type {unknown} */ cause) => {
    throw new Unreachable(`${name}: the file cannot be reached; see whether the connection and the address are right`, { cause });
  };
  const response = await asked.catch(ifUnreachable);
  if (!response.ok) throw httpError(response.status, `${name}: the server answers ${response.status}; see whether the file lies where the page looks for it`);
  if (response.headers.get('Content-Type')?.startsWith('text/html')) throw new Unreachable(`${name}: a page came instead of the file; ${OTHER}`);
  return response.arrayBuffer().catch(ifUnreachable);
}

/** @param {unknown} error */
function ifNoJson(error) {
  // Any other error is one of a line that was cut in the middle.
  if (error instanceof SyntaxError) return null;
  throw error;
}

/** Milliseconds after which a request whose answer has not begun is lost. */
const TIMEOUT = 10_000;
/** A request that was made so many milliseconds ago may have been made on a line that is gone. */
const OLD = 500;

/** A `fetch` that does not wait for ever: browsers do so for minutes where a line was cut in silence. */
export class FetchWithTimeout {
  #waiting = /** @type {Set<{ asked: number, abort: () => void }>} */ (new Set());
  /** @type {typeof fetch} */ #fetch;
  /** @type {() => number} */ #now;
  /** @type {Timers} */ #timers;

  /**
   * @param {typeof fetch} fetch
   * @param {{ now: () => number, timers: Timers }} clock in milliseconds
   */
  constructor(fetch, { now, timers }) {
    this.#fetch = fetch;
    this.#now = now;
    this.#timers = timers;
  }

  /** @type {typeof fetch} */
  fetch = async (address, request = {}) => {
    const controller = new AbortController();
    const waiting = { asked: this.#now(), abort: () => controller.abort() };
    request.signal?.addEventListener('abort', waiting.abort);
    this.#waiting.add(waiting);
    const timer = this.#timers.set(waiting.abort, TIMEOUT);
    try {
      return await this.#fetch(address, { ...request, signal: controller.signal });
    } finally {
      this.#timers.clear(timer);
      this.#waiting.delete(waiting);
    }
  };

  /** The line is there again: what was asked on the old one is lost. */
  abortStale() {
    for (const { asked, abort } of this.#waiting) if (this.#now() - asked >= OLD) abort();
  }
}
