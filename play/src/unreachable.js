// What fails because of a line or a server, and may work another time.

/** The server cannot be reached, or cannot answer now. */
export class Unreachable extends Error {
  /** Whether the server has told that its log is not where it was. */
  isInterrupted = false;
}

/** Statuses from 400 of a server that asks to be asked again: a request that took too long, and too many requests. */
const LATER = [408, 425, 429];

/**
 * Whether an answer with this status is of the moment.
 *
 * @param {number} status
 */
export const isPassing = (status) => status >= 500 || LATER.includes(status);

/**
 * Whether an error, or what led to it, is worth another try.
 *
 * @param {unknown} error
 * @returns {boolean}
 */
export const mayPass = (error) => error instanceof Unreachable || (error instanceof Error && mayPass(error.cause));

/**
 * An answer of a server that has said that it would not answer.
 *
 * @param {number} status
 * @param {string} reason
 */
export const refusal = (status, reason) => (isPassing(status) ? new Unreachable(reason) : new Error(reason));

/**
 * Asks a server for JSON.
 *
 * @param {Promise<Response>} asked
 * @returns {Promise<{ response: Response, answer: any }>} no answer where it is no JSON
 * @throws {Unreachable} where the line fails
 */
export async function answerOf(asked) {
  try {
    const response = await asked;
    return { response, answer: await response.json().catch(ifNoJson) };
  } catch (cause) {
    throw new Unreachable('The server cannot be reached; see whether it runs, and try again', { cause });
  }
}

/** @param {unknown} error */
function ifNoJson(error) {
  // Any other error is one of a line that was cut in the middle.
  if (error instanceof SyntaxError) return null;
  throw error;
}
