// What a player does on the board by mouse, finger or keys, as moves.

/** @import { Direction, Move, Piece, Point, Press, Shape, Target } from './types.js' */
/** @import { Drawing } from './drawing.js' */
/** @import { Scene } from './trial.js' */
/** @import { Translator } from './i18n.js' */

import { handleOf, held, holds, isPressed, landing, middleOf, nearestTowards, pieceAt, slides, swipeOf, targetAt } from './gestures.js';

/** Pixels that a pointer may slip during a click. */
const SLIP = 6;
/** The shortest swipe, in pixels. */
const SWIPE = 24;
/** So many pixels beside a piece or a place are as good as on it: fingers are broad, and disks can be thin. */
const MARGIN = 12;

/** @type {Record<string, Direction>} */
const ARROWS = { ArrowUp: 'up', ArrowRight: 'right', ArrowDown: 'down', ArrowLeft: 'left' };

/**
 * What a hand or a key asks for. Moves by swipe or press are meant for whatever position is there when their turn comes, the
 * others for the position that they were chosen in.
 * @typedef {object} InputHandlers
 * @property {(move: Move, dragged: { from: number, to: number }) => void} move
 * @property {(direction: Direction) => void} swipe
 * @property {(cell: Point) => void} press
 * @property {() => void} describe
 * @property {(text: string) => void} say
 * @property {() => boolean} isIdle whether the picture is that of the position
 */

/**
 * Where keys can stop: a piece, or a cell to press.
 * @typedef {Point & { shape: Shape, piece: Piece | null, press: Press | null }} FocusStop
 */

/**
 * A pointer that is down.
 * @typedef {{ id: number, x: number, y: number, piece: Piece | null, way: Point, isMoving: boolean }} ActivePointer
 */

/** Whether the page is played by fingers alone, so that words about keys would only be in the way. */
export const isTouchScreen = () => matchMedia('(hover: none) and (pointer: coarse)').matches;

export class BoardInput {
  /** @type {HTMLElement} */ #place;
  /** @type {Drawing} */ #drawing;
  /** @type {Translator} */ #words;
  /** @type {InputHandlers} */ #handlers;
  /** @type {boolean} */ #isGrid;
  /** @type {Scene | null} */ #scene = null;
  /** @type {Piece | null} */ #selected = null;
  /** @type {Target | null} */ #chosen = null;
  /** @type {ActivePointer | null} */ #pointer = null;
  /** Where the keys can go. @type {FocusStop[]} */ #focusStops = [];
  /** Where they are. @type {Point} */ #cursor = { row: 0, column: 0 };

  /**
   * @param {HTMLElement} place that gets pointers and keys
   * @param {Drawing} drawing
   * @param {Translator} words
   * @param {boolean} isGrid whether the board has cells
   * @param {InputHandlers} handlers
   */
  constructor(place, drawing, words, isGrid, handlers) {
    this.#place = place;
    this.#isGrid = isGrid;
    this.#drawing = drawing;
    this.#words = words;
    this.#handlers = handlers;
    place.addEventListener('pointerdown', (event) => this.#down(event));
    place.addEventListener('pointermove', (event) => this.#move(event));
    place.addEventListener('pointerup', (event) => this.#up(event));
    place.addEventListener('pointercancel', (event) => this.#drop(event));
    place.addEventListener('lostpointercapture', (event) => this.#drop(event));
    place.addEventListener('keydown', (event) => this.#key(event));
    place.addEventListener('focus', () => this.#focus());
    place.addEventListener('blur', () => this.#showKeys(false));
  }

  /**
   * A new position, or none any more.
   *
   * @param {Scene | null} scene
   */
  show(scene) {
    this.#scene = scene;
    this.#focusStops = scene ? stopsOf(scene) : [];
    this.release();
    if (!scene) this.#pointer = null;
  }

  /** Lets every piece go. A swipe goes on: it may begin while the move before is still being made. */
  release() {
    if (this.#pointer?.piece) {
      this.#pointer = null;
      this.#drawing.back();
    }
    this.#select(null);
  }

  /* Pointers */

  /** @param {PointerEvent} event */
  #down(event) {
    this.#showKeys(false);
    if (!this.#scene || this.#pointer || event.button !== 0 || !event.isPrimary) return;
    this.#place.setPointerCapture(event.pointerId);
    const piece = this.#pieceAt(this.#drawing.pointOf(event))?.piece ?? null;
    this.#pointer = { id: event.pointerId, x: event.clientX, y: event.clientY, piece, way: { row: 0, column: 0 }, isMoving: false };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const pointer = this.#pointer;
    if (!pointer || event.pointerId !== pointer.id) return;
    const [right, down] = [event.clientX - pointer.x, event.clientY - pointer.y];
    if (!pointer.isMoving && Math.hypot(right, down) <= SLIP) return;
    if (pointer.piece && !pointer.isMoving) this.#select(pointer.piece);
    pointer.isMoving = true;
    if (!pointer.piece) return;
    const { cell } = this.#drawing;
    pointer.way = held(pointer.piece, { row: down / cell, column: right / cell });
    this.#drawing.drag(pointer.piece.shape, pointer.way);
    this.#choose(this.#landing(pointer.piece, pointer.way));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const pointer = this.#pointer;
    if (!pointer || event.pointerId !== pointer.id) return;
    this.#move(event);
    this.#pointer = null;
    const [right, down] = [event.clientX - pointer.x, event.clientY - pointer.y];
    const swipe = swipeOf(right, down, SWIPE);
    if (pointer.isMoving && pointer.piece) this.#land(pointer.piece, this.#landing(pointer.piece, pointer.way));
    else if (swipe) this.#handlers.swipe(swipe);
    else this.#tap(this.#drawing.pointOf(event));
  }

  /** @param {PointerEvent} event */
  #drop(event) {
    if (event.pointerId !== this.#pointer?.id) return;
    this.release();
    this.#pointer = null;
  }

  /**
   * @param {Piece} piece
   * @param {Target | null} target
   */
  #land(piece, target) {
    if (target) {
      this.#requestMove(piece, target);
      return;
    }
    this.#drawing.back();
    this.#select(null);
    this.#handlers.say(this.#words.translate('put_back', { piece: this.#nameOf(piece) }));
  }

  /** @param {Point} point */
  #tap(point) {
    const [selected, over] = [this.#selected, this.#pieceAt(point)];
    if (selected) {
      const target = targetAt(this.#shapeOf(selected), selected, point, this.#margin);
      const miss = over?.miss ?? Infinity;
      if (target && (target.miss < miss || (target.miss === miss && over?.piece !== selected))) {
        this.#requestMove(selected, target.target);
        return;
      }
    }
    const cell = { row: Math.floor(point.row), column: Math.floor(point.column) };
    const presses = this.#scene?.controls.presses.filter(({ row, column }) => row === cell.row && column === cell.column) ?? [];
    if (presses.length && !(over && over.miss === 0 && !isPressed(over.piece, presses))) this.#press(cell);
    else if (over && over.piece === selected) this.#again(selected);
    else if (over) this.#pickUp(over.piece);
    else this.#select(null);
  }

  /**
   * A second click on a piece.
   *
   * @param {Piece} piece
   */
  #again(piece) {
    const [only, ...more] = piece.targets;
    if (only && !more.length) this.#requestMove(piece, only);
    else this.#letGo();
  }

  /* Keys */

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const direction = ARROWS[event.key];
    if (event.key.toLowerCase() === 'd') this.#handlers.describe();
    else if (!this.#scene || (this.#pointer && event.key !== 'Escape')) return;
    else if (direction) this.#arrow(direction, event.repeat);
    else if (event.key === 'Enter' || event.key === ' ') this.#enter(event.repeat);
    else if (event.key === 'PageDown' || event.key === 'PageUp') this.#turn(event.key === 'PageDown' ? 1 : -1);
    else if (event.key === 'Escape' && this.#selected) this.#letGo();
    else return;
    this.#showKeys(true);
    event.preventDefault();
  }

  /**
   * @param {Direction} direction
   * @param {boolean} isRepeat whether the key is being held: one press is one move
   */
  #arrow(direction, isRepeat) {
    if (this.#swipes) {
      if (!isRepeat) this.#handlers.swipe(direction);
    } else if (this.#selected) {
      const home = middleOf(this.#shapeOf(this.#selected));
      const places = [{ ...home, target: null }, ...this.#handles(this.#selected)];
      const from = places.find(({ target }) => target === this.#chosen) ?? home;
      const next = nearestTowards(places, from, direction);
      if (next) this.#choose(next.target, true);
    } else {
      const from = this.#focusStop;
      const next = from && nearestTowards(this.#focusStops, from, direction);
      if (next) this.#goTo(next);
    }
  }

  /**
   * Through all stops or targets, so that none is out of reach.
   *
   * @param {number} step
   */
  #turn(step) {
    if (this.#selected) {
      const { targets } = this.#selected;
      this.#choose(next(targets, this.#chosen, step), true);
    } else if (!this.#swipes) {
      const stop = next(this.#focusStops, this.#focusStop, step);
      if (stop) this.#goTo(stop);
    }
  }

  /** @param {boolean} isRepeat */
  #enter(isRepeat) {
    if (isRepeat || this.#swipes) return;
    const stop = this.#focusStop;
    if (this.#selected && this.#chosen) this.#requestMove(this.#selected, this.#chosen);
    else if (this.#selected) this.#letGo();
    else if (stop?.piece) this.#pickUp(stop.piece);
    else if (stop?.press) this.#press(stop.press);
  }

  #focus() {
    // Whoever comes by mouse sees where it is.
    if (!this.#place.matches(':focus-visible')) return;
    this.#showKeys(true);
    if (this.#focusStop && !this.#swipes) this.#handlers.say(this.#toldOf(this.#focusStop));
  }

  /**
   * Whether it can be seen where the keys are. A browser shows the focus of those who came by key, but not of those who
   * take to the keys after a click.
   *
   * @param {boolean} isShown
   */
  #showKeys(isShown) {
    this.#place.classList.toggle('play-keys', isShown);
  }

  /** @param {FocusStop} stop */
  #goTo(stop) {
    this.#cursor = { row: stop.row, column: stop.column };
    this.#mark();
    this.#handlers.say(this.#toldOf(stop));
  }

  /** Whether arrows are swipes. */
  get #swipes() {
    return Object.keys(this.#scene?.controls.swipes ?? {}).length > 0;
  }

  /** Where the keys are: the stop nearest to where they were. */
  get #focusStop() {
    const away = (/** @type {Point} */ { row, column }) => Math.hypot(row - this.#cursor.row, column - this.#cursor.column);
    return this.#focusStops.reduce((/** @type {FocusStop | null} */ nearest, stop) => (!nearest || away(stop) < away(nearest) ? stop : nearest), null);
  }

  /* What both do */

  /**
   * @param {Piece} piece
   * @param {Target} target
   */
  #requestMove(piece, target) {
    this.#cursor = middleOf({ ...this.#shapeOf(piece), row: target.row, column: target.column });
    this.#handlers.move(target.move, { from: piece.shape, to: target.after });
  }

  /** @param {Point} cell */
  #press({ row, column }) {
    this.#cursor = { row: row + 0.5, column: column + 0.5 };
    this.#handlers.press({ row, column });
  }

  /** @param {Piece} piece */
  #pickUp(piece) {
    const [only, ...more] = piece.targets;
    this.#cursor = middleOf(this.#shapeOf(piece));
    this.#select(piece, more.length ? null : only);
    const places = only && !more.length ? this.#placeOf(piece, only) : this.#words.pluralize('places', piece.targets.length);
    this.#handlers.say(`${this.#words.translate('picked_up', { piece: this.#nameOf(piece) })}, ${places}`);
  }

  #letGo() {
    const piece = this.#selected;
    this.release();
    if (piece) this.#handlers.say(this.#words.translate('put_back', { piece: this.#nameOf(piece) }));
  }

  /**
   * @param {Piece | null} piece
   * @param {Target | null} chosen
   */
  #select(piece, chosen = null) {
    this.#selected = piece;
    this.#chosen = chosen;
    this.#mark();
  }

  /**
   * @param {Target | null} target
   * @param {boolean} isTold
   */
  #choose(target, isTold = false) {
    if (target !== this.#chosen) {
      this.#chosen = target;
      this.#mark();
    }
    if (isTold && this.#selected) this.#handlers.say(target ? this.#placeOf(this.#selected, target) : this.#words.placeOf(this.#shapeOf(this.#selected)));
  }

  #mark() {
    const selected = this.#selected;
    const stop = this.#swipes || selected ? null : this.#focusStop;
    const targets = selected ? this.#handles(selected) : [];
    this.#drawing.mark({ selected: selected?.shape ?? null, targets, cursor: stop?.shape ?? null });
  }

  /**
   * The places of a piece, as they are marked.
   *
   * @param {Piece} piece
   */
  #handles(piece) {
    const shape = this.#shapeOf(piece);
    return piece.targets.map((target) => {
      const handle = handleOf(shape, piece, target);
      const placed = { ...shape, row: target.row, column: target.column };
      // Outlines of places that overlap would be a tangle.
      const isOutlined = !slides(shape, piece);
      return { ...handle, target, shape: placed, handle, isOutlined, isChosen: target === this.#chosen };
    });
  }

  /** @param {Point} point */
  #pieceAt(point) {
    if (!this.#scene || !this.#handlers.isIdle()) return null;
    return pieceAt(this.#scene.shapes, this.#scene.controls.pieces, point, this.#margin);
  }

  /**
   * @param {Piece} piece
   * @param {Point} way
   */
  #landing(piece, way) {
    return landing(this.#shapeOf(piece), piece, way, this.#isGrid);
  }

  get #margin() {
    return MARGIN / this.#drawing.cell;
  }

  /** @param {Piece} piece */
  #shapeOf(piece) {
    return /** @type {Shape} */ (this.#scene?.shapes[piece.shape]);
  }

  /** @param {Piece} piece */
  #nameOf(piece) {
    return this.#words.nameOf(this.#shapeOf(piece));
  }

  /**
   * @param {Piece} piece
   * @param {Target} target
   */
  #placeOf(piece, { row, column }) {
    return this.#words.placeOf({ ...this.#shapeOf(piece), row, column });
  }

  /** @param {FocusStop} stop */
  #toldOf({ shape, piece }) {
    const words = this.#words.translate('at', { piece: this.#words.nameOf(shape), place: this.#words.placeOf(shape) });
    return piece ? `${words}, ${this.#words.pluralize('places', piece.targets.length)}` : words;
  }
}

/**
 * @param {Scene} scene
 * @returns {FocusStop[]} row by row
 */
function stopsOf({ shapes, controls: { pieces, presses } }) {
  const pieceStops = pieces.filter((piece) => !isPressed(piece, presses)).map((piece) => {
    const shape = /** @type {Shape} */ (shapes[piece.shape]);
    return { ...middleOf(shape), shape, piece, press: null };
  });
  const pressStops = presses.map((press) => {
    const middle = { row: press.row + 0.5, column: press.column + 0.5 };
    return { ...middle, shape: cellShape(press, shapes.findLast((shape) => holds(shape, middle))), piece: null, press };
  });
  return [...pieceStops, ...pressStops].sort((one, other) => one.row - other.row || one.column - other.column);
}

/**
 * A cell as a shape, with the looks of what lies in it.
 *
 * @param {Point} cell
 * @param {Shape | undefined} shape
 * @returns {Shape}
 */
function cellShape({ row, column }, shape) {
  const paint = shape?.paint ?? { form: 'block', style: 'plain', fill: '#ffffff', ink: '#000000', inset: 0, below: true, named: false };
  return { row, column, rows: 1, columns: 1, label: shape?.label ?? '', paint: { ...paint, form: 'block', inset: 0.04 } };
}

/**
 * The next one of a list, round and round.
 *
 * @template T
 * @param {T[]} list
 * @param {T | null} from
 * @param {number} step
 * @returns {T | null}
 */
function next(list, from, step) {
  const at = from === null ? -1 : list.indexOf(from);
  const start = at < 0 && step < 0 ? 0 : at;
  return list[(start + step + list.length) % list.length] ?? null;
}
