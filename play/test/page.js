// Plays a level of `levels.js`, as the address of the page says:
// ?level=slide&wait=80&options={"hints":true}&map=/maps/slide.plymap
// What happened lies in `window.play`; it is kept over a reload.

import { Board } from '../src/board.js';
import { MapGame } from '../src/map_game.js';
import { Strip } from './strip.js';
import { mapFile } from './levels.js';

const parameters = new URLSearchParams(location.search);
const level = parameters.get('level') ?? 'slide';
const wait = Number(parameters.get('wait') ?? 0);
const key = `steps of ${level}`;

/** A game that answers late, as a server does; `refuse` makes its next move fail. */
function slowed(game) {
  const late = (name) => async (...given) => {
    await new Promise((done) => { setTimeout(done, wait); });
    window.play.calls.push(name);
    if (name === 'play' && window.play.refuse) {
      window.play.refuse = false;
      throw new Error('the line is dead');
    }
    return game[name](...given);
  };
  const { level: name, board, unit, aim, hints } = game;
  return { level: name, board, unit, aim, hints, ...Object.fromEntries(['start', 'moves', 'play', 'picture', 'hint'].map((one) => [one, late(one)])) };
}

async function gameOf() {
  if (level === 'strip') return new Strip();
  const address = parameters.get('map');
  return address ? MapGame.load(address) : MapGame.read(await mapFile(level));
}

window.play = { events: [], outcome: null, calls: [], refuse: false, isReady: false, mapFile };

const options = {
  ...JSON.parse(parameters.get('options') ?? '{}'),
  onEvent(event) {
    window.play.events.push(event);
    const steps = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    sessionStorage.setItem(key, JSON.stringify([...steps, event]));
  },
};
const game = await gameOf();
const board = new Board(document.getElementById('place'), wait ? slowed(game) : game, options);
window.play.board = board;
board.finished.then(({ outcome }) => { window.play.outcome = outcome; });
await board.resume(JSON.parse(sessionStorage.getItem(key) ?? '[]'));
window.play.isReady = true;
