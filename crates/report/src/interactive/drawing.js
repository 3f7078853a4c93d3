// The drawing of a map: states and moves by WebGL2, and above them what belongs to the chosen state.

const TRAIL = "#d55e00";
const OPTIMAL_FLOW = "#0072b2";
const ERROR_FLOW = "#d55e00";
// Around the map, in pixels of the page, as are the next three.
const MARGIN = { left: 8, right: 8, top: 8, bottom: 44 };
// How far from its mark a state is meant, and how far a press that chooses one may move.
const REACH = 16;
const STILL = 4;
const WIDEST_FLOW = 9;
// Levels with more moves than this show those of the chosen state, and not all.
const MOST_LINES = 60000;
// Forms of marks, as the shader has them.
const [DISC, SQUARE, DIAMOND] = [0, 1, 2];

const VERTEX = `#version 300 es
in float across; in float up; in vec4 paint; in float more;
uniform vec2 scale; uniform vec2 shift; uniform float size;
out vec3 colour; flat out int form; flat out float pixels;
void main() {
  gl_Position = vec4(vec2(across, up) * scale + shift, 0.0, 1.0);
  form = int(paint.a * 255.0 + 0.5);
  pixels = size * (form == 2 ? 1.6 : 1.0) + more * 255.0;
  if (form == 2) pixels = max(pixels, 14.0);
  gl_PointSize = pixels;
  colour = paint.rgb;
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec3 colour; flat in int form; flat in float pixels;
out vec4 painted;
void main() {
  vec2 from = abs(gl_PointCoord - 0.5) * 2.0;
  float edge = form == 0 ? length(from) : form == 1 ? max(from.x, from.y) * 1.15 : (from.x + from.y) * 1.05;
  float inside = pixels < 3.0 ? 1.0 : clamp((1.0 - edge) * pixels * 0.5 + 0.5, 0.0, 1.0);
  if (inside <= 0.0) discard;
  bool isRim = form == 2 && edge > 1.0 - 5.0 / pixels;
  painted = vec4(isRim ? vec3(0.11, 0.13, 0.15) : colour, inside);
}`;
const LINE_VERTEX = `#version 300 es
in vec2 place; uniform vec2 scale; uniform vec2 shift;
void main() { gl_Position = vec4(place * scale + shift, 0.0, 1.0); }`;
const LINE_FRAGMENT = `#version 300 es
precision mediump float;
uniform float alpha; out vec4 painted;
void main() { painted = vec4(0.35, 0.35, 0.35, alpha); }`;

function program(gl, vertex, fragment) {
  const linked = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) || "no WebGL2");
    gl.attachShader(linked, shader);
  }
  gl.linkProgram(linked);
  const uniforms = {};
  for (const name of ["scale", "shift", "size", "alpha"]) uniforms[name] = gl.getUniformLocation(linked, name);
  return { linked, uniforms, at: (name) => gl.getAttribLocation(linked, name) };
}

// The graphics card's part: buffers of a level, and drawing them in a view.
class Canvas {
  constructor(canvas) {
    this.gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: false });
    if (!this.gl) throw new Error("it has no WebGL2");
    this.points = program(this.gl, VERTEX, FRAGMENT);
    this.lines = program(this.gl, LINE_VERTEX, LINE_FRAGMENT);
    this.buffers = Object.fromEntries(["across", "up", "paint", "more", "order", "ends"].map((name) => [name, this.gl.createBuffer()]));
    this.nLines = 0;
  }

  fill(name, numbers, isIndex = false) {
    const { gl } = this;
    const target = isIndex ? gl.ELEMENT_ARRAY_BUFFER : gl.ARRAY_BUFFER;
    gl.bindBuffer(target, this.buffers[name]);
    gl.bufferData(target, numbers, gl.STATIC_DRAW);
  }

  attribute(place, buffer, size, type) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[buffer]);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, type, true, 0, 0);
  }

  paint({ scale, shift, size, n, box }) {
    const { gl, points, lines } = this;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(1, 1, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(...box);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, null);
    const place = (used, uniforms) => {
      gl.useProgram(used);
      gl.uniform2f(uniforms.scale, ...scale);
      gl.uniform2f(uniforms.shift, ...shift);
    };
    for (let at = 0; at < 4; at += 1) gl.disableVertexAttribArray(at);
    if (this.nLines) {
      place(lines.linked, lines.uniforms);
      gl.uniform1f(lines.uniforms.alpha, between(0.06, 15 / Math.sqrt(this.nLines), 0.6));
      this.attribute(lines.at("place"), "ends", 2, gl.UNSIGNED_SHORT);
      gl.drawArrays(gl.LINES, 0, 2 * this.nLines);
      gl.disableVertexAttribArray(lines.at("place"));
    }
    place(points.linked, points.uniforms);
    gl.uniform1f(points.uniforms.size, size);
    this.attribute(points.at("across"), "across", 1, gl.UNSIGNED_SHORT);
    this.attribute(points.at("up"), "up", 1, gl.UNSIGNED_SHORT);
    this.attribute(points.at("paint"), "paint", 4, gl.UNSIGNED_BYTE);
    this.attribute(points.at("more"), "more", 1, gl.UNSIGNED_BYTE);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers.order);
    gl.drawElements(gl.POINTS, n, gl.UNSIGNED_INT, 0);
  }
}

// The states by the place where they stand, to find those near a point.
class Grid {
  constructor({ n, xs, ys }) {
    this.side = between(1, Math.round(Math.sqrt(n) / 2), 512);
    this.starts = new Uint32Array(this.side ** 2 + 1);
    const cells = new Uint32Array(n);
    for (let state = 0; state < n; state += 1) {
      cells[state] = this.cell(ys[state]) * this.side + this.cell(xs[state]);
      this.starts[cells[state] + 1] += 1;
    }
    for (let at = 0; at < this.side ** 2; at += 1) this.starts[at + 1] += this.starts[at];
    const next = this.starts.slice();
    this.states = new Uint32Array(n);
    cells.forEach((cell, state) => {
      this.states[next[cell]] = state;
      next[cell] += 1;
    });
  }

  cell(place) {
    return between(0, Math.floor((place / (MOST_PLACE + 1)) * this.side), this.side - 1);
  }

  // Calls `take` for all states of the cells that a rectangle touches.
  within(left, right, low, high, take) {
    for (let row = this.cell(low); row <= this.cell(high); row += 1) {
      const [first, last] = [this.cell(left), this.cell(right)].map((column) => row * this.side + column);
      for (let at = this.starts[first]; at < this.starts[last + 1]; at += 1) take(this.states[at]);
    }
  }
}

class Drawing {
  constructor(place, onChoice, onHover) {
    Object.assign(this, { place, onChoice, onHover, colouring: COLOURINGS[0], reach: 1, way: [], state: null, hovered: null });
    this.base = make("canvas", { "aria-hidden": "true" });
    this.top = make("canvas", { "aria-hidden": "true" });
    place.append(this.base, this.top);
    this.canvas = new Canvas(this.base);
    this.base.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.base.addEventListener("webglcontextrestored", () => {
      this.canvas = new Canvas(this.base);
      this.load();
    });
    new ResizeObserver(() => this.level && this.draw()).observe(place);
    watchPointers(this);
  }

  show(level) {
    Object.assign(this, { level, grid: null, way: [], state: null, hovered: null });
    const [left, right, low, high] = level.frame;
    // Two more marks fit around the outermost ones.
    const half = Math.max(Math.max(high, -low) + 2 * level.spacing, 0.3);
    this.whole = { x: [left - 0.1, right + 0.2], y: [-half, half] };
    this.view = this.whole;
    this.load();
  }

  // Gives the level to the graphics card.
  load() {
    const { level, canvas } = this;
    canvas.fill("across", Uint16Array.from(level.xs));
    canvas.fill("up", Uint16Array.from(level.ys));
    this.loadLines();
    this.recolour();
  }

  loadLines() {
    const { level, canvas } = this;
    const ends = [];
    if (level.isComplete && level.targets.length <= 2 * MOST_LINES) {
      for (let state = 0; state < level.n; state += 1) {
        for (let at = level.first[state]; at < level.first[state + 1]; at += 1) {
          const target = level.targets[at];
          // Moves there and back are one line.
          const isBack = target < state && level.leads(target, state);
          if (target < level.n && !isBack) ends.push(level.xs[state], level.ys[state], level.xs[target], level.ys[target]);
        }
      }
    }
    canvas.nLines = ends.length / 4;
    canvas.fill("ends", Uint16Array.from(ends));
  }

  recolour() {
    const { level, canvas, ratio } = this;
    const [paints, mores, order] = [new Uint32Array(level.n), new Uint8Array(level.n), new Uint32Array(level.n)];
    const colour = this.colouring.of(level);
    this.colour = (state) => this.paint(state, colour);
    const visited = [];
    let n = 0;
    for (let state = 0; state < level.n; state += 1) {
      const painted = this.paint(state, colour);
      // As bytes red, green, blue and form.
      paints[state] = (this.form(state) << 24) | ((painted & 255) << 16) | (painted & 0xff00) | (painted >> 16);
      if (level.visits[state]) {
        mores[state] = Math.round(ratio * this.more(state));
        visited.push(state);
      } else if (state !== level.start) {
        order[n] = state;
        n += 1;
      }
    }
    // States that people visited lie above the others, and the start above all.
    visited.sort((a, b) => level.visits[a] - level.visits[b]);
    order.set(visited.filter((state) => state !== level.start), n);
    if (level.start !== null) order[level.n - 1] = level.start;
    canvas.fill("paint", new Uint8Array(paints.buffer));
    canvas.fill("more", mores);
    canvas.fill("order", order, true);
    this.draw();
  }

  // By how many pixels of the page the mark of a visited state is larger than others.
  more(state) {
    const { visits, mostVisits } = this.level;
    if (this.byVisits) return Math.max(3, 22 * Math.sqrt(visits[state] / mostVisits));
    return this.colouring.lifts ? 4 : 0;
  }

  paint(state, colour) {
    const { level } = this;
    if (state === level.start) return START_RGB;
    if (level.distances[state] === 0) return NO_WAY_RGB;
    return level.goals[state] === 1 && this.colouring === COLOURINGS[0] ? GOAL_RGB : colour(state);
  }

  form(state) {
    if (state === this.level.start) return DIAMOND;
    return this.level.goals[state] === 1 ? SQUARE : DISC;
  }

  get ratio() {
    return Math.min(window.devicePixelRatio || 1, 2);
  }

  // Width and height of the part of the canvas in which the map stands.
  get size() {
    return [
      Math.max(this.place.clientWidth - MARGIN.left - MARGIN.right, 50),
      Math.max(this.place.clientHeight - MARGIN.top - MARGIN.bottom, 50),
    ];
  }

  // Pixels of the page for a place in units of the map, and the other way round.
  at([x, y]) {
    const [width, height] = this.size;
    const { x: [left, right], y: [low, high] } = this.view;
    return [MARGIN.left + ((x - left) / (right - left)) * width, MARGIN.top + ((high - y) / (high - low)) * height];
  }

  from([across, down]) {
    const [width, height] = this.size;
    const { x: [left, right], y: [low, high] } = this.view;
    return [left + ((across - MARGIN.left) / width) * (right - left), high - ((down - MARGIN.top) / height) * (high - low)];
  }

  // Diameter of marks that just do not touch, in pixels of the page.
  get markSize() {
    const [width, height] = this.size;
    const { x, y } = this.view;
    return between(1.5, 0.7 * this.level.spacing * Math.min(width / (x[1] - x[0]), height / (y[1] - y[0])), 16);
  }

  draw() {
    this.isDue ||= requestAnimationFrame(() => {
      this.isDue = 0;
      this.drawNow();
    });
  }

  drawNow() {
    const { level, view, ratio } = this;
    const [width, height] = this.size;
    const [wide, tall] = [this.place.clientWidth, this.place.clientHeight];
    for (const canvas of [this.base, this.top]) {
      const [w, h] = [Math.round(wide * ratio), Math.round(tall * ratio)];
      if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    }
    // From shares of the frame to the units of WebGL, which go from -1 to 1 over the whole canvas.
    const [left, right, low, high] = level.frame;
    const axis = ([from, to], begin, end, before, length, whole) => {
      const perUnit = ((2 * length) / whole) / (to - from);
      return [perUnit * (end - begin), -1 + (2 * before) / whole + perUnit * (begin - from)];
    };
    const [sx, tx] = axis(view.x, left, right, MARGIN.left, width, wide);
    const [sy, ty] = axis(view.y, low, high, MARGIN.bottom, height, tall);
    const box = [0, MARGIN.bottom - 6, wide, height + MARGIN.top + 6].map((side) => Math.round(side * ratio));
    this.canvas.paint({ scale: [sx, sy], shift: [tx, ty], size: this.markSize * ratio, n: level.n, box });
    drawAbove(this);
    this.place.dataset.view = [...view.x, ...view.y].join(" ");
  }

  // The state whose mark is nearest to a point of the page, within reach.
  stateAt({ clientX, clientY }) {
    const { level } = this;
    const box = this.place.getBoundingClientRect();
    const point = [clientX - box.left, clientY - box.top];
    const [width, height] = this.size;
    const isInside = point[0] >= MARGIN.left && point[0] <= MARGIN.left + width && point[1] >= 0 && point[1] <= MARGIN.top + height;
    if (!isInside) return null;
    this.grid ??= new Grid(level);
    const [left, right, low, high] = level.frame;
    const radius = this.markSize / 2 + REACH;
    const [a, b] = [this.from([point[0] - radius, point[1] + radius]), this.from([point[0] + radius, point[1] - radius])];
    const share = (value, begin, end) => ((value - begin) / (end - begin)) * MOST_PLACE;
    let [nearest, least] = [null, radius];
    this.grid.within(share(a[0], left, right), share(b[0], left, right), share(a[1], low, high), share(b[1], low, high), (state) => {
      const [x, y] = this.at(level.place(state));
      const away = Math.hypot(x - point[0], y - point[1]);
      if (away < least || (away === least && state < nearest)) [nearest, least] = [state, away];
    });
    return nearest;
  }

  setView({ x, y }) {
    // No deeper than to tell two states apart, and no farther out than the map with room around it.
    const [least, most] = [this.level.spacing / 2, 3 * (this.whole.x[1] - this.whole.x[0])];
    if (x[1] - x[0] < least || x[1] - x[0] > most) return;
    this.view = { x, y };
    this.draw();
  }

  // Shows so much less or more, with a place of the map where it is.
  zoom(factor, [x, y]) {
    const part = ([low, high], fixed) => [fixed - (fixed - low) * factor, fixed + (high - fixed) * factor];
    this.setView({ x: part(this.view.x, x), y: part(this.view.y, y) });
  }

  move([across, up]) {
    const { x, y } = this.view;
    this.setView({ x: x.map((side) => side + across), y: y.map((side) => side + up) });
  }

  // Moves the map where a state would be out of view.
  reveal(state) {
    const { x, y } = this.view;
    const inside = ([low, high], value) => value > low + 0.04 * (high - low) && value < high - 0.04 * (high - low);
    const centred = ([low, high], value) => [value - (high - low) / 2, value + (high - low) / 2];
    const [at, up] = this.level.place(state);
    const isInside = inside(x, at) && inside(y, up);
    if (isInside || this.view === this.whole) return;
    this.setView({ x: inside(x, at) ? x : centred(x, at), y: inside(y, up) ? y : centred(y, up) });
  }
}
