// Plans and studies for the tests: one in which nothing but levels comes, and what a test changes of it.

/** @param {object} more what the plan has besides levels */
export const planOf = (more = {}) => ({
  condition: null,
  consent: null,
  instructions: [],
  practice: [],
  blocks: [{ name: 'levels', levels: ['a', 'b', 'c'], order: 'given' }],
  block_order: 'given',
  breaks: { every: null, blocks: false, html: null },
  questions: [],
  debriefing: null,
  completion: { code: null, link: null },
  hints: false,
  undo: true,
  reset: true,
  give_up: true,
  clock: true,
  counter: true,
  letters: true,
  limits: { seconds: null, moves: null },
  ...more,
});

export const questionOf = (name, when, more = {}) => ({
  name, text: `<p>${name}?</p>`, type: 'choice', options: ['yes', 'no'], multiple: false, long: false, required: true, when, ...more,
});

/** Blocks of levels that are named by letters, such as `{ one: 'abc' }`. */
export const blocksOf = (letters, order = 'given') => Object.entries(letters).map(([name, levels]) => ({ name, levels: [...levels], order }));

export const studyOf = (more = {}) => ({
  name: 'towers',
  title: 'Towers',
  language: 'en',
  texts: {},
  server: true,
  participant: ['participant'],
  session: ['session'],
  assign: 'evenly',
  save: null,
  levels: ['a', 'b', 'c'].map((id) => ({ id, map: null, hints: null })),
  plans: [planOf()],
  ...more,
});
