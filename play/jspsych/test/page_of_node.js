// As much of a page as jsPsych needs where nothing is shown.

import { JSDOM } from 'jsdom';

const { window } = new JSDOM('<!doctype html><body></body>', { url: 'https://example.org/', pretendToBeVisual: true });
for (const name of ['window', 'document', 'HTMLElement', 'Element', 'Event', 'MouseEvent', 'KeyboardEvent', 'HTMLButtonElement', 'HTMLInputElement']) {
  globalThis[name] = name === 'window' ? window : window[name];
}
// jsPsych opens audio when it is made, and asks the window for what of it there is.
globalThis.AudioContext = window.AudioContext = class {};
