// A recorder in a browser, before a server of sessions in memory.

import { Recorder } from '../src/recorder.js';
import { lineTo, SessionServer, FakeStorage, Time } from './session_server.js';

const SESSION = { study: 'towers', participant: 'P01', session: '1' };
export const KEY = 'plymap/towers/P01/1';
export const FAULTS = ['before', 'after', 'double', 'late', 'lost', 'broken', 'nonsense'];

/** A browser, a server and the line between them; `load` is a page that is loaded. */
export function place({ fault, store = new FakeStorage(), server = new SessionServer(), time = new Time() } = {}) {
  const setting = { server, time, store, changes: 0 };
  setting.load = async (options = {}) => {
    const loaded = time.at;
    let isOpen = true;
    const ifOpen = (call) => (...given) => (isOpen ? call(...given) : undefined);
    const line = lineTo(server, time, fault);
    const recorder = await Recorder.open(SESSION, {
      // What a page that is gone has sent may still come; its answer reaches nobody.
      fetch: (...request) => new Promise((resolve, reject) => { line(...request).then(ifOpen(resolve), ifOpen(reject)); }),
      storage: store && { getItem: (key) => store.getItem(key), setItem: ifOpen((key, text) => store.setItem(key, text)), removeItem: ifOpen((key) => store.removeItem(key)) },
      timers: { set: (call, ms) => time.timers.set(ifOpen(call), ms), clear: time.timers.clear },
      now: () => time.at - loaded,
      wall: () => 1e12 + time.at,
      onChange: () => { setting.changes += 1; },
      ...options,
    });
    return Object.assign(recorder, {
      step: (action, event = 'move') => recorder.record({ level: 'one', attempt: 1, event, action, time_ms: time.at - loaded }),
      die: () => { isOpen = false; },
    });
  };
  setting.events = () => server.of('P01/1');
  return setting;
}
export const actions = (events) => events.map(({ action }) => action).join(' ');
export const numbers = (n, first = 0) => Array.from({ length: n }, (_, index) => String(first + index));
