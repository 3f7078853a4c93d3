// The picture of a position: one SVG with the look of the boards in reports, whose shapes slide from picture to picture.

/** @import { BoardSize, Direction, ImagePart, Point, Shape, Side } from './types.js' */

import { DIRECTIONS, isAlike, isSamePlace, matchShapes, middleOf } from './gestures.js';

const SVG = 'http://www.w3.org/2000/svg';
const INK = '#1c2126';
const LINES = '#595959';
/** Side of a cell in the coordinates of the drawing: small fonts of less than one unit are not shown everywhere. */
export const CELL = 100;
/** How long a shape slides, in milliseconds, and how long it takes to leave the board. */
const SLIDE = 140;
const LEAVE = 500;
/** The largest letter of the caption of the goal, as a share of the width of the board. */
const LARGEST_CAPTION = 0.05;
/** Field of the part that shows the goal. */
const GOAL = '#eef1f4';
/** The largest letter of a piece that is thinner than a cell, such as a disk of a tower, and of others, as shares of the smaller side. */
const LARGEST_OF_THIN = 0.7;
const LARGEST = 0.5;

/**
 * A shape on the screen: its element, and where that stands.
 * @typedef {{ shape: Shape, element: SVGElement, place: Point, animation: Animation | null }} Item
 */

/**
 * A place that the selected piece can go to.
 * @typedef {{ shape: Shape, handle: Point, isOutlined: boolean, isChosen: boolean }} TargetMark
 */

/**
 * What an optimal move does: a shape that goes to a place, a direction, or a cell.
 * @typedef {{ from: Shape, to: Shape } | { direction: Direction } | { cell: Shape }} HintMark
 */

export class Drawing {
  /** @type {SVGSVGElement} */ svg;
  /** @type {BoardSize} */ #board;
  /** @type {Item[]} */ #items = [];
  /** @type {SVGElement} */ #below;
  /** @type {SVGElement} */ #pieces;
  /** @type {SVGElement} */ #marks;
  /** @type {SVGElement} */ #hint;
  /** What the pointer holds. @type {SVGElement} */ #held;
  #stillness = matchMedia('(prefers-reduced-motion: reduce)');
  #hasLetters = true;

  /**
   * @param {BoardSize} board
   * @param {{ caption: string, letters: boolean }} options the word for the goal, and whether pieces have letters that name them
   */
  constructor(board, { caption, letters }) {
    this.#board = board;
    this.#hasLetters = letters;
    // Room for the arrows of openings.
    const room = board.openings.length ? 0.32 : 0.08;
    const box = [-room, -room, board.width + 2 * room, board.height + 2 * room].map((one) => one * CELL);
    this.svg = /** @type {SVGSVGElement} */ (document.createElementNS(SVG, 'svg'));
    this.svg.setAttribute('viewBox', box.join(' '));
    this.svg.setAttribute('aria-hidden', 'true');
    if (board.grid) drawLines(this.svg, board);
    if (board.goal) drawGoalArea(this.svg, board.goal, { caption, largest: LARGEST_CAPTION * board.width * CELL });
    const layer = () => draw(this.svg, 'g', {});
    [this.#below, this.#pieces] = [layer(), layer()];
    if (board.grid) drawFrame(this.svg, board);
    // Above the frame, since the outline of a piece at the side lies on it.
    [this.#hint, this.#marks, this.#held] = [layer(), layer(), layer()];
  }

  /** Width of the drawing by its height. */
  get ratio() {
    const [, , width = 1, height = 1] = (this.svg.getAttribute('viewBox') ?? '').split(' ').map(Number);
    return width / height;
  }

  /** Side of a cell on the screen, in pixels. */
  get cell() {
    return (this.svg.getScreenCTM()?.a ?? 1) * CELL;
  }

  /**
   * Where on the board a pointer is.
   *
   * @param {{ clientX: number, clientY: number }} pointer
   * @returns {Point}
   */
  pointOf({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM()?.inverse());
    return { row: y / CELL, column: x / CELL };
  }

  /**
   * Shows a picture; shapes that were there slide to their places.
   *
   * @param {Shape[]} shapes
   * @param {{ from: number, to: number } | null} dragged a shape that is known to be the same
   */
  show(shapes, dragged = null) {
    const old = this.#items;
    const indices = matchShapes(old.map(({ shape }) => shape), shapes, dragged);
    /** @type {(Item | undefined)[]} */
    const kept = shapes.map(() => undefined);
    indices.forEach((to, from) => { if (to >= 0) kept[to] = old[from]; });
    const gone = old.filter((_, from) => /** @type {number} */ (indices[from]) < 0);
    this.#items = shapes.map((shape, index) => kept[index] ?? this.#made(shape, gone));
    for (const { element } of gone) element.remove();
    this.#items.forEach((item, index) => this.#update(item, /** @type {Shape} */ (shapes[index])));
    this.#order();
    for (const item of this.#items) this.#slide(item);
  }

  /**
   * Takes a shape along with the pointer.
   *
   * @param {number} index
   * @param {Point} way from its place in the picture
   */
  drag(index, way) {
    const item = /** @type {Item} */ (this.#items[index]);
    const place = { row: item.shape.row + way.row, column: item.shape.column + way.column };
    item.animation?.cancel();
    if (item.element.parentNode !== this.#held) this.#held.append(item.element);
    item.element.classList.add('play-held');
    this.#hint.setAttribute('visibility', 'hidden');
    Object.assign(item, { place, animation: null });
    item.element.style.transform = moved(place);
  }

  /** Lets a dragged shape slide back. */
  back() {
    this.#hint.setAttribute('visibility', 'visible');
    this.#order();
    for (const item of this.#items) this.#slide(item);
  }

  /** The level is solved: what has a free way out through an opening leaves the board. */
  leave() {
    for (const [row, column, side] of this.#board.openings) {
      const item = this.#items.filter(({ shape }) => isInLine(shape, { row, column }, side)).sort(fromSide(side))[0];
      if (!item) continue;
      const { shape, element } = item;
      const away = beyond(shape, this.#board, side);
      item.animation?.cancel();
      element.style.transform = moved(away);
      element.classList.add('play-left');
      if (!this.#stillness.matches) element.animate({ transform: [moved(shape), moved(away)], visibility: ['visible', 'visible'] }, { duration: LEAVE, easing: 'ease-in' });
    }
  }

  /**
   * Marks what is selected and where it can go, and where the keys are.
   *
   * @param {{ selected: number | null, targets: TargetMark[], cursor: Shape | null }} marks
   */
  mark({ selected, targets, cursor }) {
    this.#items.forEach(({ element }, index) => element.classList.toggle('play-selected', index === selected));
    this.#marks.replaceChildren();
    for (const { shape, handle, isOutlined, isChosen } of targets) {
      const group = draw(this.#marks, 'g', { class: isChosen ? 'play-target play-chosen' : 'play-target' });
      if (isOutlined || isChosen) outline(group, shape.paint.form, field(shape), { class: 'play-halo' });
      if (isOutlined || isChosen) outline(group, shape.paint.form, field(shape), { class: 'play-way' });
      draw(group, 'circle', { cx: handle.column * CELL, cy: handle.row * CELL, r: 11, class: 'play-dot' });
    }
    if (!cursor) return;
    const around = grown(field(cursor), 5);
    for (const name of ['play-halo', 'play-ring']) outline(this.#marks, cursor.paint.form, around, { class: `play-cursor ${name}` });
  }

  /** @param {HintMark | null} mark */
  hint(mark) {
    this.#hint.replaceChildren();
    this.#hint.setAttribute('visibility', 'visible');
    if (!mark) return;
    if ('direction' in mark) {
      const { width, height } = this.#board;
      const { row, column } = DIRECTIONS[mark.direction];
      const [middle, half] = [{ row: height / 2, column: width / 2 }, Math.min(width, height) * 0.32];
      this.#arrow({ row: middle.row - row * half, column: middle.column - column * half }, { row: middle.row + row * half, column: middle.column + column * half });
      return;
    }
    const ends = 'cell' in mark ? [mark.cell] : [mark.from, mark.to];
    for (const [index, { paint, ...place }] of ends.entries()) {
      for (const name of ['play-halo', 'play-hint']) outline(this.#hint, paint.form, field({ paint, ...place }), { class: index ? `${name} play-dashed` : name });
    }
    // From rim to rim, lest it hides the label.
    if ('from' in mark) this.#arrow(ahead(mark.from, mark, 0), ahead(mark.to, mark, 0.12));
  }

  /**
   * @param {Point} from
   * @param {Point} to
   */
  #arrow(from, to) {
    const [right, down] = [(to.column - from.column) * CELL, (to.row - from.row) * CELL];
    const length = Math.hypot(right, down);
    const head = Math.min(30, length / 2);
    const turn = `translate(${to.column * CELL} ${to.row * CELL}) rotate(${(Math.atan2(down, right) * 180) / Math.PI})`;
    const path = `M${-length} 0H${-head}M${-head} ${-head * 0.6}L0 0L${-head} ${head * 0.6}`;
    for (const name of ['play-halo', 'play-hint']) draw(this.#hint, 'path', { d: path, transform: turn, class: name });
  }

  /**
   * @param {Shape} shape
   * @param {Item[]} gone
   * @returns {Item}
   */
  #made(shape, gone) {
    const element = draw(this.#pieces, 'g', {});
    fill(element, this.#lettered(shape));
    // Where it stands in for another one, a shape is there at once: a lamp that is switched must not flicker.
    const isNew = this.#items.length > 0 && !gone.some((other) => isSamePlace(other.shape, shape));
    if (isNew && !this.#stillness.matches) element.animate({ opacity: [0, 1] }, SLIDE);
    return { shape, element, place: shape, animation: null };
  }

  /**
   * @param {Item} item
   * @param {Shape} shape
   */
  #update(item, shape) {
    if (!isAlike(item.shape, shape)) fill(item.element, this.#lettered(shape));
    item.shape = shape;
  }

  /**
   * The shape as it is drawn: without a letter that only names it, where there are to be none.
   *
   * @param {Shape} shape
   */
  #lettered(shape) {
    return this.#hasLetters || !shape.paint.named ? shape : { ...shape, label: '' };
  }

  /** Puts the elements into the order of the picture, what lies below first. */
  #order() {
    for (const layer of [this.#below, this.#pieces]) {
      const inside = this.#items.filter(({ shape }) => shape.paint.below === (layer === this.#below));
      // Without need nothing is moved in the document: that would end what slides.
      inside.forEach(({ element }, index) => {
        const there = layer.children[index] ?? null;
        if (there !== element) layer.insertBefore(element, there);
      });
    }
  }

  /** @param {Item} item */
  #slide(item) {
    const { shape, element, place } = item;
    const isStill = isSamePlace({ ...shape, ...place }, shape);
    element.classList.remove('play-held');
    item.place = { row: shape.row, column: shape.column };
    element.style.transform = moved(shape);
    if (isStill || this.#stillness.matches) return;
    item.animation?.cancel();
    item.animation = element.animate({ transform: [moved(place), moved(shape)] }, { duration: SLIDE, easing: 'ease-out' });
  }
}

/**
 * Where a way leaves a shape that goes along it.
 *
 * @param {Shape} shape
 * @param {{ from: Shape, to: Shape }} way
 * @param {number} inset how far before that, in cells
 * @returns {Point}
 */
function ahead(shape, { from, to }, inset) {
  const [down, right] = [to.row - from.row, to.column - from.column];
  const length = Math.hypot(down, right);
  const reach = Math.min(shape.rows / 2 / Math.abs(down / length), shape.columns / 2 / Math.abs(right / length)) - inset;
  const { row, column } = middleOf(shape);
  return { row: row + (down / length) * reach, column: column + (right / length) * reach };
}

/**
 * Whether a piece lies on the line through an opening.
 *
 * @param {Shape} shape
 * @param {Point} cell at which the frame is open
 * @param {Side} side
 */
function isInLine({ row, column, rows, columns, paint }, cell, side) {
  const isAcross = side === 'left' || side === 'right';
  const [from, length, at] = isAcross ? [row, rows, cell.row] : [column, columns, cell.column];
  return paint.style === 'piece' && !paint.below && from <= at + 0.5 && at + 0.5 <= from + length;
}

/**
 * The order of items by how near to a side they lie.
 *
 * @param {Side} side
 * @returns {(one: Item, other: Item) => number}
 */
function fromSide(side) {
  const reach = (/** @type {Item} */ { shape: { row, column, rows, columns } }) => ({ left: column, top: row, right: -column - columns, bottom: -row - rows })[side];
  return (one, other) => reach(one) - reach(other);
}

/**
 * The place of a shape that has left the board through a side.
 *
 * @param {Shape} shape
 * @param {BoardSize} board
 * @param {Side} side
 * @returns {Point}
 */
function beyond({ row, column, rows, columns }, { width, height }, side) {
  return {
    left: { row, column: -columns - 0.4 },
    right: { row, column: width + 0.4 },
    top: { row: -rows - 0.4, column },
    bottom: { row: height + 0.4, column },
  }[side];
}

/** @param {Point} place */
const moved = ({ row, column }) => `translate(${column * CELL}px, ${row * CELL}px)`;

/**
 * The rectangle that a shape fills.
 *
 * @param {Shape} shape
 */
function field({ row, column, rows, columns, paint }) {
  const inset = paint.inset * Math.min(rows, columns);
  const [x, y, width, height] = [column + inset, row + inset, columns - 2 * inset, rows - 2 * inset].map((one) => one * CELL);
  return /** @type {Field} */ ({ x, y, width, height });
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Field */

/**
 * @param {Field} place
 * @param {number} by
 * @returns {Field}
 */
const grown = ({ x, y, width, height }, by) => ({ x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by });

/**
 * @param {Element} parent
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @returns {SVGElement}
 */
function draw(parent, name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  parent.append(element);
  return /** @type {SVGElement} */ (element);
}

/**
 * @param {Element} parent
 * @param {string} form
 * @param {Field} place
 * @param {Record<string, string | number>} attributes
 */
function outline(parent, form, { x, y, width, height }, attributes) {
  if (form === 'disc') {
    const [rx, ry] = [width / 2, height / 2];
    return draw(parent, 'ellipse', { cx: x + rx, cy: y + ry, rx, ry, ...attributes });
  }
  return draw(parent, 'rect', { x, y, width, height, rx: Math.min(0.1 * CELL, width / 4, height / 4), ...attributes });
}

/**
 * Draws a shape into its element, whose own place is that of the shape.
 *
 * @param {SVGElement} element
 * @param {Shape} shape
 */
function fill(element, shape) {
  element.replaceChildren();
  const { rows, columns, paint: { form, style, fill: colour, ink, image }, label } = shape;
  const place = field({ ...shape, row: 0, column: 0 });
  const size = Math.min(rows, columns) * CELL;
  if (form === 'label') {
    write(element, label, place, { size: Math.min(0.8 * place.height, (1.6 * place.width) / label.length), ink: INK });
    return;
  }
  if (image) {
    drawImage(element, image, place, style === 'plain' ? 'none' : LINES);
  } else if (style === 'target') {
    outline(element, form, place, { fill: '#fff', stroke: LINES, 'stroke-width': 0.16 * size });
    outline(element, form, place, { fill: 'none', stroke: colour, 'stroke-width': 0.1 * size });
  } else {
    const line = style === 'plain' ? 'none' : LINES;
    outline(element, form, place, { fill: colour, stroke: line, 'stroke-width': 0.02 * CELL });
  }
  if (!label) return;
  const isThin = style !== 'target' && form === 'block' && rows < 1;
  const most = (isThin ? LARGEST_OF_THIN : LARGEST) * size;
  write(element, label, place, { size: Math.min(most, (1.5 * place.width) / label.length), ink: style === 'target' ? INK : ink });
}

/**
 * A text in the middle of a place.
 *
 * @param {Element} parent
 * @param {string} words
 * @param {Field} place
 * @param {{ size: number, ink: string }} font
 */
function write(parent, words, { x, y, width, height }, { size, ink }) {
  const text = draw(parent, 'text', { x: x + width / 2, y: y + height / 2 + 0.36 * size, 'font-size': size, 'text-anchor': 'middle', fill: ink });
  text.textContent = words;
}

/**
 * An image in its place. All parts are in one group, which marks outline as a whole.
 *
 * @param {Element} parent
 * @param {ImagePart[]} parts
 * @param {Field} place
 * @param {string} line colour of the line around the parts
 */
function drawImage(parent, parts, { x, y, width, height }, line) {
  const group = draw(parent, 'g', { stroke: line, 'stroke-width': 0.02 * CELL, 'stroke-linejoin': 'round' });
  for (const { outlines, fill: colour } of parts) {
    const pathOf = (/** @type {number[]} */ outline) => {
      const points = outline.flatMap((number, index) => (index % 2 ? [] : [`${x + (number / 1000) * width} ${y + (Number(outline[index + 1]) / 1000) * height}`]));
      return `M${points.join('L')}Z`;
    };
    draw(group, 'path', { d: outlines.map(pathOf).join(''), fill: colour });
  }
}

/**
 * The part of the picture that shows the goal, with its caption.
 *
 * @param {Element} parent
 * @param {NonNullable<BoardSize['goal']>} area
 * @param {{ caption: string, largest: number }} words and the size of the largest letter for them
 */
function drawGoalArea(parent, [row, column, rows, columns, height], { caption, largest }) {
  const place = { x: column * CELL, y: row * CELL, width: columns * CELL, height: rows * CELL };
  outline(parent, 'block', place, { fill: GOAL });
  const size = Math.min(largest, 0.75 * height * CELL, (1.6 * place.width) / caption.length);
  write(parent, caption, { ...place, height: height * CELL }, { size, ink: INK });
}

/**
 * @param {Element} parent
 * @param {BoardSize} board
 */
function drawLines(parent, { width, height }) {
  const lines = { stroke: '#e1e1e1', 'stroke-width': 0.02 * CELL };
  for (let column = 1; column < width; column += 1) draw(parent, 'path', { ...lines, d: `M${column * CELL} 0V${height * CELL}` });
  for (let row = 1; row < height; row += 1) draw(parent, 'path', { ...lines, d: `M0 ${row * CELL}H${width * CELL}` });
}

/**
 * The frame, with a gap and an arrow outwards at each opening.
 *
 * @param {Element} parent
 * @param {BoardSize} board
 */
function drawFrame(parent, { width, height, openings }) {
  /** @type {Record<string, { length: number, at: (along: number, out: number) => string }>} */
  const sides = {
    top: { length: width, at: (along, out) => `${along * CELL} ${-out * CELL}` },
    bottom: { length: width, at: (along, out) => `${along * CELL} ${(height + out) * CELL}` },
    left: { length: height, at: (along, out) => `${-out * CELL} ${along * CELL}` },
    right: { length: height, at: (along, out) => `${(width + out) * CELL} ${along * CELL}` },
  };
  let frame = '';
  for (const [side, { length, at }] of Object.entries(sides)) {
    const isAcross = side === 'top' || side === 'bottom';
    const gaps = openings.filter((one) => one[2] === side).map(([row, column]) => (isAcross ? column : row));
    let from = 0;
    for (const gap of gaps.sort((one, other) => one - other)) {
      frame += `M${at(from, 0)}L${at(gap, 0)}`;
      from = gap + 1;
      draw(parent, 'polygon', { points: [at(gap + 0.32, 0.06), at(gap + 0.68, 0.06), at(gap + 0.5, 0.28)].join(' '), fill: INK });
    }
    frame += `M${at(from, 0)}L${at(length, 0)}`;
  }
  draw(parent, 'path', { d: frame, stroke: INK, 'stroke-width': 0.06 * CELL, 'stroke-linecap': 'square', fill: 'none' });
}
