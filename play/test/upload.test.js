import assert from 'node:assert/strict';
import { test } from 'node:test';

import { datapipeUploader, httpUploader, UploadRefused, uploadWithRetries, jatosUploader } from '../src/upload.js';

/** A line that answers as it is told to: a status, a status with an answer, or nothing at all. */
function lineOf(...answers) {
  const requests = [];
  const ask = async (address, { method, headers, body }) => {
    requests.push({ address, method, type: headers['Content-Type'], body });
    const [status, answer] = [answers.shift()].flat();
    if (status === undefined) throw new TypeError('the line is dead');
    return new Response(JSON.stringify(answer ?? {}), { status });
  };
  return { ask, requests };
}

/** Sends without resting, and says for how long it would have rested. */
async function sent(saver, data = 'a\nb\n') {
  const rests = [];
  let nTroubles = 0;
  const rest = async (ms) => { rests.push(ms); };
  const fault = await uploadWithRetries(saver, data, { rest, onTrouble: () => { nTroubles += 1; } }).then(() => null, (error) => error);
  return { fault, rests, nTroubles };
}

test('data are posted as they are, under the name of their file', async () => {
  const { ask, requests } = lineOf(200);
  assert.deepEqual(await sent(httpUploader('save', 'P 1_1.ndjson', ask)), { fault: null, rests: [], nTroubles: 0 });
  assert.deepEqual(requests, [{ address: 'save?file=P%201_1.ndjson', method: 'POST', type: 'text/plain', body: 'a\nb\n' }]);
  const other = lineOf(204);
  await sent(httpUploader('https://example.org/save?key=1', 'f', other.ask));
  assert.equal(other.requests[0].address, 'https://example.org/save?key=1&file=f');
});

test('what did not work is tried again, seven times in all', async () => {
  const { ask, requests } = lineOf(500, undefined, 429, 408, 200);
  assert.deepEqual(await sent(httpUploader('save', 'f', ask)), { fault: null, rests: [500, 1000, 2000, 4000], nTroubles: 4 });
  assert.equal(requests.length, 5);
  const dead = lineOf();
  const { fault, rests } = await sent(httpUploader('save', 'f', dead.ask));
  assert.match(fault.message, /dead/);
  assert.deepEqual([dead.requests.length, rests.at(-1)], [7, 15_000]);
});

test('a refusal is final', async () => {
  const { ask, requests } = lineOf(403, 200);
  const { fault } = await sent(httpUploader('save', 'f', ask));
  assert.ok(fault instanceof UploadRefused);
  assert.match(fault.message, /403/);
  assert.equal(requests.length, 1);
});

test('DataPipe gets experiment, name and data', async () => {
  const { ask, requests } = lineOf(201);
  assert.equal((await sent(datapipeUploader('abc123', 'P01_1.ndjson', ask))).fault, null);
  assert.deepEqual(requests.map(({ address, body }) => [address, JSON.parse(body)]), [['https://pipe.jspsych.org/api/data/', { experimentID: 'abc123', filename: 'P01_1.ndjson', data: 'a\nb\n' }]]);
});

test('a file that is there is a file of an earlier try, and a fault without one', async () => {
  const exists = [400, { error: 'OSF_FILE_EXISTS', message: 'The file exists' }];
  assert.equal((await sent(datapipeUploader('abc', 'f', lineOf(undefined, exists).ask))).fault, null);
  const { fault } = await sent(datapipeUploader('abc', 'f', lineOf(exists).ask));
  assert.ok(fault instanceof UploadRefused);
  assert.equal(fault.message, 'The file exists');
});

test('JATOS gets the data', async () => {
  const got = [];
  let isDown = true;
  const jatos = { submitResultData: async (data) => {
    if (isDown) throw new Error('down');
    got.push(data);
  } };
  const rest = async () => { isDown = false; };
  await uploadWithRetries(jatosUploader(jatos), 'x', { rest });
  assert.deepEqual(got, ['x']);
});
