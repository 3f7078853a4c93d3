// The playable board: puts a game into a page and lets a person play it.

/** @import { BoardOptions, Direction, Game, Move, Outcome, Point, Shape, Step } from './types.js' */
/** @import { HintMark } from './drawing.js' */
/** @import { Scene } from './trial.js' */

import { Drawing } from './drawing.js';
import { kindOf, movedShapes } from './gestures.js';
import { BoardInput, isTouchScreen } from './input.js';
import { make, Panel } from './panel.js';
import { Trial } from './trial.js';
import { Translator } from './i18n.js';

/** So many inputs wait while a move is being made; more are a hand that got ahead of the eye. */
const MOST_WAITING = 3;
/** How often the clock is read, in milliseconds. */
const TICK = 100;
/** More shapes that move at once are not told one by one. */
const MOST_TOLD = 3;

/** @type {Record<Outcome, string>} */
const ENDS = { solved: 'solved', given_up: 'given_up', time: 'time_up', moves: 'moves_up', ended: 'ended' };

/** @type {BoardOptions} */
const DEFAULTS = {
  language: 'en',
  texts: {},
  hints: false,
  canUndo: true,
  canReset: true,
  canGiveUp: true,
  limits: {},
  progress: null,
  showClock: true,
  showMoves: true,
  letters: true,
  onEvent: () => {},
  now: () => performance.now(),
};

export class Board {
  /** Resolves when the level is over and its end is on the screen. @type {Promise<{ outcome: Outcome }>} */
  finished;

  /** @type {Game} */ #game;
  /** @type {BoardOptions} */ #options;
  /** @type {Translator} */ #words;
  /** @type {Trial} */ #trial;
  /** @type {Drawing} */ #drawing;
  /** @type {BoardInput} */ #input;
  /** @type {Panel} */ #panel;
  /** @type {HTMLElement} */ #root;
  /** @type {HTMLElement} */ #place;
  /** @type {ResizeObserver} */ #sizes;
  /** @type {(end: { outcome: Outcome }) => void} */ #finish = () => {};
  /** One input after the other. @type {Promise<void>} */ #turns = Promise.resolve();
  #nWaiting = 0;
  /** @type {Move | null} */ #hinted = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */ #ticks;
  #isOpen = false;
  #isDestroyed = false;

  /**
   * @param {HTMLElement} element is filled, and emptied by `destroy`
   * @param {Game} game
   * @param {Partial<BoardOptions>} options
   * @throws {Error} where an option is unknown or makes no sense
   */
  constructor(element, game, options = {}) {
    if (!(element instanceof HTMLElement)) throw new TypeError('A board needs an element of the page to stand in');
    this.#game = game;
    this.#options = checked(options);
    const { language, texts, canUndo, canReset, canGiveUp, hints, progress, letters } = this.#options;
    this.#words = new Translator(language, texts, game.board.grid);
    this.#words.hasLetters = letters;
    this.#trial = new Trial(game, { ...this.#options, onEvent: (event) => this.#tell(() => this.#options.onEvent(event)) });
    this.#drawing = new Drawing(game.board, { caption: this.#words.translate('goal_caption'), letters });
    this.#panel = new Panel(this.#words, {
      undo: () => this.#undo(),
      reset: () => this.#reset(),
      hint: () => this.#hint(),
      giveUp: () => this.#giveUp(),
      swipe: (direction) => this.#swipe(direction),
      move: (move) => this.#choose(move, null),
    }, { undo: canUndo, reset: canReset, hint: hints && game.hints, giveUp: canGiveUp });
    this.#panel.aim.textContent = this.#words.translate('aim', { aim: game.aim[language] || game.aim.en || '' });
    if (progress) this.#panel.title(this.#words.translate('progress', progress));
    this.#place = this.#makePlace();
    const { aim, head, status, speech, foot, others } = this.#panel;
    this.#root = make('div', { class: 'play', lang: language }, aim, head, this.#place, status, foot, others, speech);
    element.replaceChildren(this.#root);
    this.#input = this.#makeInput();
    this.#sizes = new ResizeObserver(() => this.#fit());
    for (const part of [aim, head, status, foot]) this.#sizes.observe(part);
    this.finished = new Promise((resolve) => { this.#finish = resolve; });
  }

  /** Shows the start of the level, and logs it. */
  async begin() {
    await this.#open(() => this.#trial.begin());
  }

  /**
   * Goes on where a page was left: all that was done is repeated without events. Where steps have times, the clock of the level
   * goes on from the last of them, or has gone on meanwhile.
   *
   * @param {Step[]} steps all that `onEvent` got; without any the level begins
   * @param {number} [time] what the clock of the steps shows by now, in milliseconds, where that is known
   */
  async resume(steps, time) {
    await this.#open(() => (steps.length ? this.#trial.resume(steps, time) : this.#trial.begin()));
  }

  /** What is on the board, and how each legal move is made. */
  get scene() {
    return this.#trial.scene;
  }

  /** Gives the board the keys. */
  focus() {
    this.#place.focus({ preventScroll: true });
  }

  /** Takes the board out of the page. */
  destroy() {
    this.#isDestroyed = true;
    this.#isOpen = false;
    clearInterval(this.#ticks);
    this.#sizes.disconnect();
    this.#input.show(null);
    this.#root.remove();
  }

  /* Parts */

  #makePlace() {
    const { level, board } = this.#game;
    const help = make('p', { class: 'play-hidden', id: `play-help-${(helps += 1)}` });
    // An application: the keys go to the page, where a reader of the screen would otherwise take arrows for itself.
    const place = make('div', { class: 'play-board', tabindex: '0', role: 'application', 'aria-label': this.#words.translate('board', { level }), 'aria-describedby': help.id });
    place.append(this.#drawing.svg, help);
    place.style.setProperty('--play-ratio', String(this.#drawing.ratio));
    place.hidden = board.width === 0 || board.height === 0;
    return place;
  }

  #makeInput() {
    return new BoardInput(this.#place, this.#drawing, this.#words, this.#game.board.grid, {
      move: (move, dragged) => this.#choose(move, dragged),
      swipe: (direction) => this.#swipe(direction),
      press: (cell) => this.#press(cell),
      describe: () => this.#panel.announce(this.#words.description(this.#trial.scene.shapes)),
      say: (text) => this.#panel.announce(text),
      isIdle: () => this.#nWaiting === 0,
    });
  }

  /** Tells the board how much of the window the rest takes. */
  #fit() {
    const rest = this.#root.offsetHeight - this.#place.offsetHeight - this.#panel.others.offsetHeight;
    this.#place.style.setProperty('--play-rest', `${rest}px`);
  }

  /* The turns of a level */

  /** @param {() => Promise<void>} start */
  async #open(start) {
    await start();
    if (this.#isDestroyed) return;
    this.#isOpen = true;
    this.#drawing.show(this.#trial.scene.shapes);
    this.#help();
    this.#update();
    if (this.#trial.outcome) return;
    this.#ticks = setInterval(() => this.#tick(), TICK);
    this.#tick();
  }

  /**
   * Does something when all that came before is done.
   *
   * @param {() => void | Promise<void>} action
   */
  #turn(action) {
    if (!this.#isOpen || this.#trial.isTimeUp || this.#nWaiting >= MOST_WAITING) {
      this.#drawing.back();
      return;
    }
    this.#nWaiting += 1;
    this.#turns = this.#turns.then(async () => {
      try {
        if (!this.#trial.outcome) await action();
      } catch (error) {
        this.#fail(error);
      }
      this.#nWaiting -= 1;
      if (this.#isOpen) this.#update();
    });
  }

  /** @param {unknown} error */
  #fail(error) {
    const reason = error instanceof Error ? error.message : String(error);
    this.#drawing.show(this.#trial.scene.shapes);
    this.#say(this.#words.translate('failed', { reason }));
  }

  /** Brings everything up to the position. */
  #update() {
    const { outcome, scene } = this.#trial;
    this.#count();
    if (outcome) {
      this.#close(outcome);
      return;
    }
    const { position, controls } = scene;
    this.#input.show(scene);
    const { canUndo, canReset } = this.#trial;
    this.#panel.show({ undo: canUndo, reset: canReset, hint: !position.ended, swipes: Object.keys(controls.swipes).length > 0 });
    this.#panel.list(buttonsOf(scene), scene.moves, this.#hinted);
    if (position.ended) this.#say(this.#words.translate(canUndo ? 'stuck_undo' : 'stuck_reset'));
  }

  /** @param {Outcome} outcome */
  #close(outcome) {
    this.#isOpen = false;
    clearInterval(this.#ticks);
    if (outcome === 'solved') this.#drawing.leave();
    const hadFocus = this.#root.contains(document.activeElement);
    this.#input.show(null);
    this.#panel.close();
    // The focus must not get lost with a button.
    if (hadFocus) this.focus();
    this.#say(this.#words.translate(ENDS[outcome], { n: this.#words.pluralize(this.#game.unit, this.#trial.cost) }));
    this.#finish({ outcome });
  }

  /**
   * What everybody has to know.
   *
   * @param {string} text
   */
  #say(text) {
    this.#panel.status.textContent = text;
  }

  /**
   * An error of the page that the board stands in is the page's own, and must not stop the board.
   *
   * @param {() => void} call
   */
  #tell(call) {
    try {
      call();
    } catch (error) {
      reportError(error);
    }
  }

  #help() {
    const help = this.#place.lastElementChild;
    if (help && !isTouchScreen()) help.textContent = this.#words.translate(`help_${kindOf(this.#trial.scene.controls)}`);
  }

  #count() {
    const { showMoves, limits } = this.#options;
    if (showMoves) this.#panel.showCounter(this.#game.unit, this.#words.number(this.#trial.cost));
    if (limits.moves !== undefined) this.#panel.showCounter('moves_left', this.#words.number(Math.max(0, this.#trial.movesLeft)));
  }

  #tick() {
    const { limits: { seconds: limit }, showClock } = this.#options;
    const { seconds } = this.#trial;
    if (showClock && limit === undefined) this.#panel.showCounter('time', this.#words.time(Math.floor(seconds)));
    if (showClock && limit !== undefined) this.#panel.showCounter('time_left', this.#words.time(Math.max(0, Math.ceil(limit - seconds))));
    if (this.#trial.isTimeUp) this.#stop();
  }

  /** The time is up: what was put in before still counts. */
  #stop() {
    clearInterval(this.#ticks);
    this.#turns = this.#turns.then(() => {
      this.#trial.timeUp();
      if (this.#isOpen) this.#update();
    });
  }

  /* What players do */

  /**
   * @param {Move} move
   * @param {{ from: number, to: number } | null} dragged
   */
  #choose(move, dragged) {
    this.#make(({ moves }) => (moves.includes(move) ? move : null), '', dragged);
  }

  /** @param {Direction} direction */
  #swipe(direction) {
    this.#make(({ controls }) => controls.swipes[direction] ?? null, this.#words.translate(direction));
  }

  /** @param {Point} cell */
  #press({ row, column }) {
    this.#make(({ controls }) => controls.presses.find((one) => one.row === row && one.column === column)?.move ?? null, '');
  }

  /**
   * @param {(scene: Scene) => Move | null} find in the position that is there when the turn comes
   * @param {string} wish what is said to be impossible where there is no such move; nothing where it needs no words
   * @param {{ from: number, to: number } | null} dragged
   */
  #make(find, wish, dragged = null) {
    const time = this.#options.now();
    this.#turn(async () => {
      const { scene } = this.#trial;
      const move = find(scene);
      if (!move) {
        this.#drawing.back();
        if (wish && Object.keys(scene.controls.swipes).length) this.#panel.announce(this.#words.translate('impossible', { notation: wish }));
        return;
      }
      this.#clear();
      this.#input.release();
      this.#drawing.show(move.after, dragged);
      await this.#trial.move(move, time);
      this.#drawing.show(this.#trial.scene.shapes);
      this.#panel.announce(this.#told(scene.shapes, move, dragged));
    });
  }

  #undo() {
    const time = this.#options.now();
    this.#turn(async () => {
      if (!this.#trial.canUndo) return;
      this.#clear();
      const notation = await this.#trial.undo(time);
      this.#drawing.show(this.#trial.scene.shapes);
      this.#panel.announce(this.#words.translate('undone', { notation }));
    });
  }

  #reset() {
    const time = this.#options.now();
    this.#turn(async () => {
      if (!this.#trial.canReset) return;
      this.#clear();
      await this.#trial.reset(time);
      this.#drawing.show(this.#trial.scene.shapes);
      this.#panel.announce(this.#words.translate('restarted'));
    });
  }

  #hint() {
    const time = this.#options.now();
    this.#turn(async () => {
      const hint = await this.#trial.hint(time);
      this.#hinted = hint?.move ?? null;
      this.#drawing.hint(this.#hinted && hintMark(this.#trial.scene, this.#hinted));
      this.#sayHint(hint);
    });
  }

  #giveUp() {
    const time = this.#options.now();
    this.#turn(() => this.#trial.giveUp(time));
  }

  /** Takes away what was said of the position before. */
  #clear() {
    this.#hinted = null;
    this.#drawing.hint(null);
    this.#say('');
  }

  /* Words */

  /**
   * @param {Shape[]} before
   * @param {Move} move
   * @param {{ from: number, to: number } | null} dragged
   */
  #told(before, move, dragged) {
    const moved = movedShapes(before, move.after, dragged);
    if (moved.length === 0 || moved.length > MOST_TOLD) return this.#words.translate('made', { notation: this.#nameOf(move) });
    return moved.map(({ from, to }) => this.#words.translate('moved', this.#placed(before, move.after, from, to))).join('. ');
  }

  /** @param {{ notation: string, distance: number, move: Move | null } | null} hint */
  #sayHint(hint) {
    if (!hint) {
      this.#say(this.#words.translate('hint_none'));
      return;
    }
    const { scene } = this.#trial;
    const { notation, distance, move } = hint;
    const { unit, board } = this.#game;
    const n = this.#words.pluralize(unit, distance);
    const far = this.#words.translate(unit === 'points' ? 'hint_points' : 'hint_distance', { n });
    const pair = move && !move.gesture ? mainPair(scene, move) : null;
    if (!move || !pair) {
      this.#say(`${this.#words.translate('hint_made', { notation: move ? this.#nameOf(move) : notation })} ${far}`);
      return;
    }
    const words = this.#placed(scene.shapes, move.after, pair.from, pair.to);
    // Without cells to count, numbers help only those who cannot see the mark.
    this.#say(`${this.#words.translate(board.grid ? 'hint_moved' : 'hint_marked', words)} ${far}`);
    if (!board.grid) this.#panel.announce(this.#words.translate('hint_moved', words));
  }

  /**
   * @param {Shape[]} before
   * @param {Shape[]} after
   * @param {number} from
   * @param {number} to
   */
  #placed(before, after, from, to) {
    const [piece, place] = [/** @type {Shape} */ (before[from]), /** @type {Shape} */ (after[to])];
    return { piece: this.#words.nameOf(piece), place: this.#words.placeOf(place) };
  }

  /** @param {Move} move */
  #nameOf({ notation, gesture }) {
    return gesture && 'swipe' in gesture ? this.#words.translate(gesture.swipe) : notation;
  }
}

let helps = 0;

/**
 * @param {Partial<BoardOptions>} options
 * @returns {BoardOptions}
 */
function checked(options) {
  const unknown = Object.keys(options).find((name) => !(name in DEFAULTS));
  if (unknown !== undefined) throw new Error(`A board has no option ${unknown}; its options are ${Object.keys(DEFAULTS).join(', ')}`);
  const whole = { ...DEFAULTS, ...options };
  for (const [name, limit] of Object.entries(whole.limits)) {
    if (name !== 'moves' && name !== 'seconds') throw new Error(`There is no limit of ${name}; limits are moves and seconds`);
    if (limit !== undefined && !(limit > 0)) throw new Error(`The limit of ${name} is ${limit}, and has to be more than 0`);
  }
  return whole;
}

/**
 * The moves that get buttons: those that nothing else makes. Where arrow keys are swipes, keys could make no others, so
 * all others get one.
 *
 * @param {Scene} scene
 */
function buttonsOf({ moves, controls: { swipes, others } }) {
  const swiped = Object.values(swipes);
  return swiped.length ? moves.filter((move) => !swiped.includes(move)) : others;
}

/**
 * The shape that a move is about: one that can be dragged, else the first one that moves.
 *
 * @param {Scene} scene
 * @param {Move} move
 */
function mainPair({ shapes, controls: { pieces } }, move) {
  for (const { shape, targets } of pieces) {
    const target = targets.find((one) => one.move === move);
    if (target) return { from: shape, to: target.after };
  }
  return movedShapes(shapes, move.after)[0] ?? null;
}

/**
 * @param {Scene} scene
 * @param {Move} move
 * @returns {HintMark | null}
 */
function hintMark(scene, move) {
  const { gesture, after } = move;
  if (gesture && 'swipe' in gesture) return { direction: gesture.swipe };
  if (gesture) {
    const [row, column] = gesture.press;
    const paint = /** @type {const} */ ({ form: 'block', style: 'plain', fill: '#ffffff', ink: '#000000', inset: 0.04, below: true, named: false });
    return { cell: { row, column, rows: 1, columns: 1, label: '', paint } };
  }
  const pair = mainPair(scene, move);
  const [from, to] = pair ? [scene.shapes[pair.from], after[pair.to]] : [];
  return from && to ? { from, to } : null;
}
