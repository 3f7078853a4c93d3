// What a simulated player does in a level, and what comes of it without a page.

/** @import { Game, Move, Outcome, Position } from '../play/types.js' */
/** @import { TrialEvent } from './record.js' */

import { Trial } from '../play/trial.js';

/** Events that a hand makes; the others come of themselves. */
const ACTIONS = ['move', 'undo', 'reset', 'hint', 'give_up'];
/** Without distances the shortest way to a goal is looked for among so many positions. */
const MOST_SEARCHED = 20_000;
/** Moves of a walk that was not asked to have a certain number of them. */
const WALK = { least: 3, most: 12 };
/** More steps than anybody makes: a bound for walks that wait for the end of the time. */
const MOST_STEPS = 10_000;

/**
 * Something a player does, so many milliseconds after the start of the level.
 * @typedef {{ event: string, action: string, at: number }} SimulatedAction
 */

/**
 * What a player may do in the level.
 * @typedef {{ hints: boolean, canUndo: boolean, canReset: boolean, canGiveUp: boolean, limits: { seconds?: number, moves?: number } }} Rules
 */

/**
 * What the data of the trial shall be.
 * @typedef {{ events?: { event: string, action?: string, time_ms: number }[], outcome?: string, n_moves?: number, rt?: number }} SimulationOptions
 */

/**
 * Chance: a whole number from 0 to below n, and how long a player thinks before a step, in milliseconds.
 * @typedef {{ below: (n: number) => number, wait: (isFirst: boolean) => number }} Randomness
 */

/**
 * What a player does: what was wished; else the shortest solution, where it can be found, or a walk by chance.
 *
 * @param {Game} game
 * @param {Rules} rules
 * @param {SimulationOptions} wanted
 * @param {Randomness} random
 * @returns {Promise<SimulatedAction[]>}
 */
export async function simulatedActions(game, rules, wanted, random) {
  if (wanted.events) return scaled(deedsIn(wanted.events), wanted.rt);
  const ways = await chosen(game, rules, wanted, random);
  let at = 0;
  const actions = ways.map((way, index) => ({ ...way, at: (at += random.wait(index === 0)) }));
  return scaled(actions, wanted.rt);
}

/**
 * Plays without a page.
 *
 * @param {Game} game
 * @param {Rules} rules
 * @param {SimulatedAction[]} actions
 * @param {number} start the clock when the level begins, in milliseconds
 * @returns {Promise<{ events: TrialEvent[], outcome: Outcome, now: number }>}
 * @throws {Error} where a step is not possible, or the level cannot end
 */
export async function playedOut(game, rules, actions, start) {
  /** @type {TrialEvent[]} */
  const events = [];
  let now = start;
  const trial = new Trial(game, { ...rules, onEvent: (event) => events.push(event), now: () => now });
  await trial.begin();
  const up = start + (rules.limits.seconds ?? Infinity) * 1000;
  for (const [index, step] of withEnd(actions, rules).entries()) {
    if (trial.outcome) break;
    now = Math.min(start + step.at, up);
    if (now >= up) trial.timeUp();
    else await done(trial, step, index, now, rules);
  }
  if (!trial.outcome && Number.isFinite(up)) {
    now = up;
    trial.timeUp();
  }
  if (!trial.outcome) throw new Error(`Level ${game.level} does not end by what was to be simulated: it is not solved, and giving up is not allowed`);
  return { events, outcome: trial.outcome, now };
}

/**
 * A level that is not over then is given up, where that is allowed.
 *
 * @param {SimulatedAction[]} actions
 * @param {Rules} rules
 * @returns {SimulatedAction[]}
 */
function withEnd(actions, { canGiveUp }) {
  return canGiveUp ? [...actions, { event: 'give_up', action: '', at: (actions.at(-1)?.at ?? 0) + 1000 }] : actions;
}

/**
 * @param {Trial} trial
 * @param {SimulatedAction} step
 * @param {number} index
 * @param {number} now
 * @param {Rules} rules
 */
async function done(trial, { event, action }, index, now, { hints, canGiveUp }) {
  const move = trial.scene.moves.find(({ notation }) => notation === action);
  if (event === 'move' && move) await trial.move(move, now);
  else if (event === 'undo' && trial.canUndo) await trial.undo(now);
  else if (event === 'reset' && trial.canReset) await trial.reset(now);
  else if (event === 'hint' && hints) await trial.hint(now);
  else if (event === 'give_up' && canGiveUp) trial.giveUp(now);
  else throw new Error(`Step ${index + 1} of the simulation (${[event, action].join(' ').trim()}) is not possible there`);
}

/**
 * @param {NonNullable<SimulationOptions['events']>} events as they stand in data: a start with the clock of its page, or times from the start
 * @returns {SimulatedAction[]}
 */
function deedsIn(events) {
  const start = events[0]?.event === 'start' ? events[0].time_ms : 0;
  return events.filter(({ event }) => ACTIONS.includes(event)).map(({ event, action = '', time_ms: time }) => ({ event, action, at: time - start }));
}

/**
 * @param {SimulatedAction[]} actions
 * @param {number | undefined} rt when the last of them shall be
 */
function scaled(actions, rt) {
  const last = actions.at(-1)?.at ?? 0;
  return rt === undefined || last === 0 ? actions : actions.map((step) => ({ ...step, at: (step.at / last) * rt }));
}

/* Ways through a level */

/**
 * @param {Game} game
 * @param {Rules} rules
 * @param {SimulationOptions} wanted
 * @param {Randomness} random
 * @returns {Promise<{ event: string, action: string }[]>}
 */
async function chosen(game, rules, { outcome, n_moves: wished }, random) {
  const start = await game.start();
  const nMoves = wished ?? WALK.least + random.below(WALK.most - WALK.least + 1);
  const giveUp = { event: 'give_up', action: '' };
  const away = async (/** @type {number} */ n) => (await walk(game, start, n, random, true)).ways;
  if (outcome === undefined && !game.hints) return byChance(game, start, nMoves, rules, random);
  if (outcome === undefined || outcome === 'solved') {
    const solution = await solutionFrom(game, start);
    if (solution) return solution;
    if (outcome === 'solved') throw new Error(`Level ${game.level} cannot be simulated as solved: no way to a goal was found`);
    return [...await away(nMoves), ...(rules.canGiveUp ? [giveUp] : [])];
  }
  if (outcome === 'given_up' && rules.canGiveUp) return [...await away(nMoves), giveUp];
  if (outcome === 'limit_moves' && rules.limits.moves !== undefined) return away(rules.limits.moves);
  if (outcome === 'limit_seconds' && rules.limits.seconds !== undefined) return away(nMovesUntil(rules.limits.seconds * 1000, random));
  throw new Error(`Level ${game.level} cannot be simulated with the outcome ${outcome}: it needs solved, or given_up, limit_moves or limit_seconds where the trial allows them`);
}

/**
 * How many moves fill a time.
 *
 * @param {number} ms
 * @param {Randomness} random
 */
function nMovesUntil(ms, random) {
  let n = 0;
  for (let time = 0; time < ms && n < MOST_STEPS; n += 1) time += random.wait(n === 0);
  return n;
}

/**
 * Without distances: a walk by chance that may come upon a goal, and then the end.
 *
 * @param {Game} game
 * @param {Position} start
 * @param {number} nMoves
 * @param {Rules} rules
 * @param {Randomness} random
 */
async function byChance(game, start, nMoves, { canGiveUp }, random) {
  const { ways, position } = await walk(game, start, nMoves, random, false);
  if (position.solved) return ways;
  if (canGiveUp) return [...ways, { event: 'give_up', action: '' }];
  return [...ways, ...(await solutionFrom(game, position) ?? [])];
}

/**
 * A walk by chance, that goes back only where there is nothing else.
 *
 * @param {Game} game
 * @param {Position} start
 * @param {number} nMoves
 * @param {Randomness} random
 * @param {boolean} isShy whether it keeps away from goals
 */
async function walk(game, start, nMoves, random, isShy) {
  const ways = [];
  /** @type {Position | null} */
  let before = null;
  let position = start;
  while (ways.length < nMoves && !position.ended) {
    const steps = await stepsFrom(game, position);
    const allowed = steps.filter(({ position: next }) => !(isShy && next.solved));
    const onward = allowed.filter(({ position: next }) => next.id !== before?.id);
    const choice = onward.length ? onward : allowed;
    const step = choice[random.below(choice.length)];
    if (!step) break;
    ways.push({ event: 'move', action: step.notation });
    [before, position] = [position, step.position];
  }
  return { ways, position };
}

/**
 * The shortest way to a goal; nothing where there is none.
 *
 * @param {Game} game
 * @param {Position} start
 */
async function solutionFrom(game, start) {
  const moves = game.hints ? await hinted(game, start) : await searched(game, start);
  return moves && moves.map((action) => ({ event: 'move', action }));
}

/**
 * @param {Game} game
 * @param {Position} start
 */
async function hinted(game, start) {
  const moves = [];
  for (let position = start; !position.solved;) {
    const hint = await game.hint(position);
    const step = (await stepsFrom(game, position)).find(({ notation }) => notation === hint?.notation);
    if (!step) return null;
    moves.push(step.notation);
    position = step.position;
  }
  return moves;
}

/**
 * Breadth first.
 *
 * @param {Game} game
 * @param {Position} start
 */
async function searched(game, start) {
  /** @type {{ position: Position, from: number, notation: string }[]} */
  const found = [{ position: start, from: -1, notation: '' }];
  const ids = new Set([start.id]);
  for (let at = 0; at < found.length && found.length < MOST_SEARCHED; at += 1) {
    const here = /** @type {typeof found[number]} */ (found[at]);
    if (here.position.solved) return wayTo(found, at);
    for (const step of await stepsFrom(game, here.position)) {
      if (ids.has(step.position.id)) continue;
      ids.add(step.position.id);
      found.push({ ...step, from: at });
    }
  }
  return null;
}

/**
 * @param {{ from: number, notation: string }[]} found
 * @param {number} last
 */
function wayTo(found, last) {
  const moves = [];
  for (let at = last; at > 0;) {
    const { notation, from } = /** @type {typeof found[number]} */ (found[at]);
    moves.unshift(notation);
    at = from;
  }
  return moves;
}

/**
 * The positions one move away.
 *
 * @param {Game} game
 * @param {Position} position
 */
async function stepsFrom(game, position) {
  const moves = await game.moves(position);
  return Promise.all(moves.map((/** @type {Move} */ move) => game.play(position, move)));
}
