// A person who plays, and remembers what they have seen done.

import assert from 'node:assert/strict';

/** What a page records without being asked to: what comes next, and the end of a level. */
const BY_ITSELF = ['assign', 'start', 'solved', 'limit', 'give_up'];
const LAST = { event: 'page', action: 'end', level: '' };
/** After so many acts in a level it is given up. */
const PATIENCE = 25;

export class Person {
  /** Events that were seen done; `at` is when, where that was an act. */
  seen = [];
  /** What the act that is under way is to become. */
  doubt = { events: [], at: 0 };
  #chance;
  #mayRefuse;
  #clock;
  /** The board as it was last seen: level, attempt, start, and the moves that led on with where they led. */
  #board = null;
  #hinted = null;
  #nActs = 0;

  /** @param {() => number} clock of the world */
  constructor(chance, mayRefuse, clock) {
    this.#chance = chance;
    this.#mayRefuse = mayRefuse;
    this.#clock = clock;
  }

  /** The act of this moment, and what is to be seen of it. */
  act(shown, at) {
    const { events, call } = this.#choose(shown);
    this.doubt = { events, at };
    return call();
  }

  #choose(shown) {
    const chance = this.#chance;
    if (shown.kind === 'next') return { events: [], call: shown.go };
    if (shown.kind === 'level') return this.#inLevel(shown);
    const { item, actions } = shown;
    const page = { event: 'page', action: item.name, level: '' };
    if (item.kind === 'consent' && this.#mayRefuse && chance.is(0.5)) return { events: [{ event: 'decline', action: item.name, level: '' }], call: actions.refuse };
    if (actions.back && chance.is(0.2)) return { events: [], call: actions.back };
    if (item.kind !== 'questions') return { events: [page], call: actions.next };
    const answers = item.questions.map(({ name }) => ({ name, value: `${name} ${chance.below(1000)} é` }));
    const told = answers.map(({ name, value }) => ({ event: 'answer', action: name, value, level: item.level }));
    return { events: [...told, page], call: () => actions.answer(answers) };
  }

  #inLevel({ level, board }) {
    const { trial } = board;
    const { scene, canUndo, canReset } = trial;
    const chance = this.#chance;
    this.#nActs += 1;
    const attempt = this.#board.attempt;
    const one = (event, action, call) => ({ events: [{ event, action, level, attempt }], call: () => board.act(call) });
    if (this.#nActs > PATIENCE && chance.is(0.3)) return one('give_up', '', (played, time) => played.giveUp(time));
    if (canUndo && chance.is(0.15)) return one('undo', this.#board.moves.at(-1).notation, (played, time) => played.undo(time));
    if (canReset && chance.is(0.05)) return one('reset', '', (played, time) => played.reset(time));
    if (chance.is(0.1)) {
      return one('hint', null, async (played, time) => { this.#hinted = (await played.hint(time))?.move?.notation ?? null; });
    }
    const hinted = scene.moves.find(({ notation }) => notation === this.#hinted);
    const move = hinted ?? chance.of(scene.moves);
    this.#hinted = null;
    if (!move) return { events: [], call: () => {} };
    return one('move', move.notation, (played, time) => played.move(move, time));
  }

  /**
   * Compares what a page has with what was seen.
   *
   * @param {readonly object[]} events of the page
   * @param {object} shown
   * @param {'done' | 'failed' | 'unknown'} act how the act under way has ended
   */
  compare(events, shown, act) {
    this.seen.forEach((one, index) => assert.ok(isEvent(events[index], one), `event ${index} was seen as ${JSON.stringify(one)}, and is ${JSON.stringify(events[index])}`));
    let rest = events.slice(this.seen.length);
    const [before] = rest.splice(0, rest[0]?.event === 'assign' ? 1 : 0);
    if (before) this.#see(before, null);
    if (act !== 'failed') {
      for (const expected of this.doubt.events) {
        const [event] = rest;
        if (!event || !isEvent(event, expected)) {
          assert.equal(act, 'unknown', `${JSON.stringify(expected)} was done, and there is ${JSON.stringify(rest)}`);
          break;
        }
        rest = rest.slice(1);
        this.#see(event, this.doubt.at);
      }
    }
    for (const event of rest) {
      assert.ok(BY_ITSELF.includes(event.event) || isEvent(event, LAST), `nobody did ${JSON.stringify(event)}; under way was ${JSON.stringify(this.doubt)}`);
      this.#see(event, null);
    }
    this.doubt = { events: [], at: 0 };
    if (shown?.kind === 'level') this.#look(shown);
  }

  /**
   * @param {number | null} at when it was done, where it was an act
   * @param {number} noted when it was there: a move of chance is, when the server has answered
   */
  #see(event, at, noted = this.#clock()) {
    this.seen.push({ noted, level: event.level, attempt: event.attempt, event: event.event, action: event.action, value: event.value, onset: event.onset_s, at });
    if (event.event === 'start') {
      if (this.#board?.level !== event.level) this.#nActs = 0;
      this.#board = { level: event.level, attempt: event.attempt, start: {}, moves: [] };
    }
    const board = this.#board;
    if (event.event === 'move') board.moves.push({ notation: event.action });
    if (event.event === 'undo') board.moves.pop();
    if (event.event === 'reset') Object.assign(board, { attempt: board.attempt + 1, moves: [] });
  }

  /** The board has to be as it was left. */
  #look({ level, board: { trial } }) {
    const board = this.#board;
    assert.equal(board?.level, level);
    const place = board.moves.at(-1) ?? board.start;
    place.is ??= [trial.scene.position.id, trial.cost];
    assert.deepEqual([trial.scene.position.id, trial.cost], place.is, `level ${level} is at ${trial.scene.position.id}, and was at ${place.is}, after ${board.moves.map(({ notation }) => notation)}`);
    if (!trial.outcome) assert.equal(trial.canUndo, board.moves.length > 0, 'moves that can be taken back');
  }

  /**
   * Events that a browser lost which was killed.
   *
   * @param {number} n so many are left
   * @returns {object[]} the others
   */
  forget(n) {
    const [left, lost] = [this.seen.slice(0, n), this.seen.slice(n)];
    this.seen = [];
    this.#board = null;
    for (const one of left) this.#see({ ...one, onset_s: one.onset }, one.at, one.noted);
    return lost;
  }
}

/** Whether an event is the one that was expected; what chance did stands behind the move. */
function isEvent(event, expected) {
  if (!event) return false;
  const { event: name, action, level, attempt, value } = expected;
  const isAction = action === null || event.action === action || (name === 'move' && event.action.startsWith(action));
  return event.event === name && event.level === level && isAction && (attempt === undefined || event.attempt === attempt) && (value === undefined || event.value === value);
}
