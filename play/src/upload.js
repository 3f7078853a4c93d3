// Sends the data of a session that is over: to an address, to DataPipe or to JATOS, and again where it did not work.

/** @import { Jatos, Uploader } from './types.js' */

const DATAPIPE = 'https://pipe.jspsych.org/api/data/';
/** Milliseconds until each further try. */
const PAUSES = [500, 1000, 2000, 4000, 8000, 15_000];
/** Milliseconds after which a try without an answer is lost. */
const TIMEOUT = 30_000;

/** An answer that no further try would change. */
export class UploadRefused extends Error {}

/**
 * Posts the data as they are. Plain text needs no leave of the other server beforehand.
 *
 * @param {string} address
 * @param {string} file name of the file, in the parameter `file` of the address
 * @param {typeof fetch} ask
 * @returns {Uploader}
 */
export function httpUploader(address, file, ask = fetch) {
  const mark = address.includes('?') ? '&' : '?';
  return async (data) => {
    const response = await ask(`${address}${mark}file=${encodeURIComponent(file)}`, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: data, signal: AbortSignal.timeout(TIMEOUT) });
    if (!response.ok) throw httpErrorOf(response.status, `The server answers ${response.status}`);
  };
}

/**
 * @param {string} experiment id at DataPipe
 * @param {string} file
 * @param {typeof fetch} ask
 * @returns {Uploader}
 */
export function datapipeUploader(experiment, file, ask = fetch) {
  return async (data, isAgain) => {
    const body = JSON.stringify({ experimentID: experiment, filename: file, data });
    const response = await ask(DATAPIPE, { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: '*/*' }, body, signal: AbortSignal.timeout(TIMEOUT) });
    if (response.ok) return;
    const answer = await response.json().catch(() => null);
    // A try whose answer was lost may have written it.
    if (isAgain && answer?.error === 'OSF_FILE_EXISTS') return;
    throw httpErrorOf(response.status, String(answer?.message ?? `DataPipe answers ${response.status}`));
  };
}

/**
 * @param {Jatos} jatos
 * @returns {Uploader}
 */
export const jatosUploader = (jatos) => async (data) => { await jatos.submitResultData(data); };

/**
 * Tries until it has worked, seven times at most.
 *
 * @param {Uploader} save
 * @param {string} data
 * @param {{ onTrouble?: () => void, rest?: (ms: number) => Promise<unknown> }} options `onTrouble` is called when a first try has failed
 * @throws {Error} where it has not worked
 */
export async function uploadWithRetries(save, data, { onTrouble = () => {}, rest = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); }) } = {}) {
  for (let n = 0; ; n += 1) {
    try {
      await save(data, n > 0);
      return;
    } catch (error) {
      const pause = PAUSES[n];
      if (error instanceof UploadRefused || pause === undefined) throw error;
      onTrouble();
      await rest(pause);
    }
  }
}

/**
 * @param {number} status
 * @param {string} reason
 */
function httpErrorOf(status, reason) {
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isFinal ? new UploadRefused(reason) : new Error(reason);
}
