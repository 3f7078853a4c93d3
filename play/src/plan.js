// What comes in a session, and in which order: a function of the plan, the number of the session and a seed alone.

/** @import { Item, LevelItem, Order, Plan, Question, Study } from './types.js' */

import { latinSquareRow, hashOf, nSquareRows, shuffled } from './randomization.js';

/** The block of the levels that are for practice. */
export const PRACTICE = 'practice';

/**
 * The seed of all that is drawn in a session.
 *
 * @param {string} study its name
 * @param {string} participant
 * @param {string} session
 */
export const seedOf = (study, participant, session) => hashOf([study, participant, session].join('/'));

/**
 * The plan of a session, and its row in Latin squares.
 *
 * @param {Pick<Study, 'assign' | 'plans'>} study
 * @param {number} number of the session, from 0
 * @param {string | null} condition that the link names, or that a session that goes on has
 * @returns {{ plan: Plan, row: number } | null} nothing where there is no such condition
 */
export function assigned({ assign, plans }, number, condition) {
  const n = plans.length;
  const row = assign === 'evenly' ? Math.floor(number / n) : number;
  // Without conditions there is nothing to choose, whatever a link says.
  const isOne = n === 1 && plans[0]?.condition === null;
  const isNamed = !isOne && (assign === 'url' || condition !== null);
  const plan = isNamed ? plans.find((one) => one.condition === condition) : plans[number % n];
  return plan ? { plan, row } : null;
}

/**
 * All that comes, in order: consent, instructions, practice, questions, blocks of levels with breaks and questions,
 * questions, and the end. Names are unique in the list.
 *
 * @param {Plan} plan
 * @param {number} row of Latin squares, from 0
 * @param {number} seed of what is shuffled
 * @returns {Item[]}
 */
export function itemsOf(plan, row, seed) {
  const { consent, instructions, questions } = plan;
  const practice = numbered(plan.practice, PRACTICE, { trials: 0, number: 0, of: plan.practice.length });
  return [
    ...(consent === null ? [] : [/** @type {Item} */ ({ kind: 'consent', name: 'consent', html: consent })]),
    ...instructions.map((html, index) => /** @type {Item} */ ({ kind: 'page', name: `instructions-${index + 1}`, html, number: index + 1, of: instructions.length })),
    ...practice,
    ...asked(questions, 'start', 'questions-start', null),
    ...withBreaks(plan, numberedBlocks(orderedBlocks(plan, row, seed), practice.length)),
    ...asked(questions, 'end', 'questions-end', null),
    { kind: 'end', name: 'end' },
  ];
}

/**
 * Blocks and their levels in order. Where both are in Latin squares, each order of blocks meets each order of levels:
 * the row of the blocks goes on with each session, and that of the levels after all rows of the blocks.
 *
 * @param {Plan} plan
 * @param {number} row
 * @param {number} seed
 */
function orderedBlocks({ blocks, block_order: blockOrder }, row, seed) {
  const levelRow = blockOrder === 'latin-square' ? Math.floor(row / nSquareRows(blocks.length)) : row;
  return ordered(blocks, blockOrder, row, hashOf(`${seed}/blocks`))
    .map(({ name, levels, order }) => ({ name, levels: ordered(levels, order, levelRow, hashOf(`${seed}/block/${name}`)) }));
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {Order} order
 * @param {number} row
 * @param {number} seed
 */
function ordered(list, order, row, seed) {
  if (order === 'shuffled') return shuffled(list, seed);
  return order === 'latin-square' ? latinSquareRow(list, row) : [...list];
}

/**
 * @param {{ name: string, levels: string[] }[]} blocks
 * @param {number} nPractice levels before them
 */
function numberedBlocks(blocks, nPractice) {
  const of = blocks.reduce((sum, { levels }) => sum + levels.length, 0);
  let number = 0;
  return blocks.map(({ name, levels }) => {
    const items = numbered(levels, name, { trials: nPractice + number, number, of });
    number += levels.length;
    return { name, levels: items };
  });
}

/**
 * @param {string[]} levels
 * @param {string} block
 * @param {{ trials: number, number: number, of: number }} before how many levels come before them, and how many are counted
 * @returns {LevelItem[]}
 */
function numbered(levels, block, { trials, number, of }) {
  return levels.map((level, index) => ({ kind: 'level', name: `level-${level}`, level, block, trial: trials + index + 1, number: number + index + 1, of }));
}

/**
 * The blocks with what stands between their levels. A break stands between two levels only, after the questions about
 * the first one; levels are counted anew after each break.
 *
 * @param {Plan} plan
 * @param {{ name: string, levels: LevelItem[] }[]} blocks
 * @returns {Item[]}
 */
function withBreaks({ breaks: { every, blocks: isBetweenBlocks, html }, questions }, blocks) {
  /** @type {Item[]} */
  const items = [];
  let nSince = 0;
  let nBreaks = 0;
  for (const { name: block, levels } of blocks) {
    for (const level of levels) {
      const isBlockOver = level === levels.at(-1);
      items.push(level, ...asked(questions, 'level', `questions-level-${level.level}`, level));
      if (isBlockOver) items.push(...asked(questions, 'block', `questions-block-${block}`, { block }));
      nSince += 1;
      const isDue = (isBetweenBlocks && isBlockOver) || (every !== null && nSince >= every);
      if (!isDue || level.number === level.of) continue;
      nSince = 0;
      nBreaks += 1;
      items.push({ kind: 'break', name: `break-${nBreaks}`, html });
    }
  }
  return items;
}

/**
 * A page of questions, where there are any.
 *
 * @param {Question[]} questions
 * @param {Question['when']} when
 * @param {string} name
 * @param {{ level?: string, block: string, trial?: number } | null} about what they follow
 * @returns {Item[]}
 */
function asked(questions, when, name, about) {
  const those = questions.filter((question) => question.when === when);
  if (!those.length) return [];
  return [{ kind: 'questions', name, questions: those, level: about?.level ?? '', block: about?.block ?? null, trial: about?.trial ?? null }];
}
