"use strict";
// The interactive state-space map of a level: a drawing to pan and zoom, the board of a chosen state, replays of attempts.
// The data stand in #state-map-data as `interactive.rs` describes them; plotly.js stands packed in
// #state-map-library. Without this script the page shows a sentence that points to the figures.
(() => {
  const root = document.getElementById("state-map");
  if (!root) return;

  const SVG = "http://www.w3.org/2000/svg";
  const INK = "#1c2126";
  const LINES = "#595959";
  const START = "#f0e442";
  const GOAL = "#cc3311";
  const NO_WAY = "#777777";
  const TRAIL = "#d55e00";
  // The same part of viridis as in the figure: the bright end is left to the start, which is yellow.
  const BRIGHTEST = 0.88;
  const VIRIDIS = ["#440154", "#482475", "#414487", "#355f8d", "#2a788e", "#21908d", "#22a884", "#42be71", "#7ad151", "#bddf26", "#fde725"];
  const SPEEDS = [0.5, 1, 2, 4, 8, 16];
  const PAUSES = [0.5, 1, 2, 5, 10, Infinity];
  // A move without a time is replayed as if it had taken this long, in seconds.
  const UNTIMED = 1;
  // Around the axes, in pixels of the page, as are the next two.
  const MARGIN = { l: 8, r: 8, t: 8, b: 44 };
  // How far from its mark a state is meant, and how far a press that chooses one may move.
  const REACH = 16;
  const STILL = 4;

  /* Small tools */

  function make(name, properties = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key in element && !key.includes("-")) element[key] = value;
      else element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  }

  function draw(parent, name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }

  const button = (text, action, properties = {}) => {
    const element = make("button", { type: "button", ...properties }, text);
    element.addEventListener("click", action);
    return element;
  };
  const labelled = (text, control) => make("label", {}, make("span", {}, text), control);
  const select = (options, action) => {
    const element = make("select", {}, ...options.map(([text, value]) => make("option", { value }, text)));
    element.addEventListener("change", action);
    return element;
  };
  const count = (n) => n.toLocaleString("en");
  const counted = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;
  const seconds = (time) => (time === null ? "no time" : `${time.toFixed(time < 9.95 ? 2 : 1)} s`);
  const between = (low, value, high) => Math.min(Math.max(value, low), high);

  /* The data of a level, as one asks for them */

  class Level {
    constructor(data) {
      Object.assign(this, data);
      this.n = data.x.length;
      this.isGoal = new Set(data.goals);
      this.farthest = data.distance.reduce((most, one) => Math.max(most, one ?? 0), 0);
      this.mostVisits = data.visits.reduce((most, one) => Math.max(most, one), 0);
      this.layers = new Map();
      for (let state = 0; state < this.n; state += 1) {
        const layer = this.layers.get(data.distance[state]) ?? [];
        layer.push(state);
        this.layers.set(data.distance[state], layer);
      }
      for (const layer of this.layers.values()) layer.sort((a, b) => data.y[b] - data.y[a] || data.x[a] - data.x[b]);
    }

    // The legal moves of a state, the best first. A negative target is a state beyond the map:
    // -1 has no distance, -2 has distance 0, -3 has 1, and so on.
    moves(state) {
      const before = this.distance[state];
      const list = [];
      for (let at = this.first_move[state]; at < this.first_move[state + 1]; at += 1) {
        const target = this.targets[at];
        const [notation, cost] = this.actions[this.move_actions[at]];
        const after = target >= 0 ? this.distance[target] : target === -1 ? null : -2 - target;
        const regret = before === null || after === null ? null : after + cost - before;
        const chosen = this.made[at];
        list.push({ notation, target: target >= 0 ? target : null, after, regret, chosen, isOptimal: regret === 0 });
      }
      return list.sort((a, b) => (a.regret ?? Infinity) - (b.regret ?? Infinity));
    }
  }

  function qualityOf(before, after) {
    if (after === null) return "dead-end";
    if (before === null) return "";
    return after < before ? "better" : after === before ? "same" : "worse";
  }

  /* The board of a state */

  function drawBoard(level, shapes, before) {
    const { width, height, grid, openings, goal } = level.board;
    // Room for the arrows of openings.
    const room = openings.length ? 0.32 : 0.08;
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `${-room} ${-room} ${width + 2 * room} ${height + 2 * room}`);
    if (grid) {
      const lines = { stroke: "#e1e1e1", "stroke-width": 0.02, fill: "none" };
      for (let column = 1; column < width; column += 1) draw(svg, "path", { ...lines, d: `M${column} 0V${height}` });
      for (let row = 1; row < height; row += 1) draw(svg, "path", { ...lines, d: `M0 ${row}H${width}` });
    }
    if (goal) drawGoalArea(svg, goal, 0.05 * width);
    const had = new Set(before ?? shapes);
    const has = new Set(shapes);
    const below = (index) => level.paints[level.shapes[index][4]].below;
    for (const index of shapes.filter(below)) drawShape(svg, level, index, false);
    for (const index of (before ?? []).filter((one) => !has.has(one) && !below(one))) drawTrace(svg, level, index);
    for (const index of shapes.filter((one) => !below(one))) drawShape(svg, level, index, !had.has(index));
    if (grid) drawFrame(svg, level.board);
    return svg;
  }

  function field([row, column, rows, columns, paint], level) {
    const inset = level.paints[paint].inset * Math.min(rows, columns);
    return { x: column + inset, y: row + inset, width: columns - 2 * inset, height: rows - 2 * inset };
  }

  function outline(svg, form, place, attributes) {
    const { x, y, width, height } = place;
    if (form === "disc") {
      const [rx, ry] = [width / 2, height / 2];
      return draw(svg, "ellipse", { cx: x + rx, cy: y + ry, rx, ry, ...attributes });
    }
    return draw(svg, "rect", { x, y, width, height, rx: Math.min(0.1, width / 4, height / 4), ...attributes });
  }

  function drawShape(svg, level, index, isMoved) {
    const shape = level.shapes[index];
    const [, , rows, columns, number, label] = shape;
    const { form, style, fill, ink, image } = level.paints[number];
    const place = field(shape, level);
    const size = Math.min(rows, columns);
    if (form === "label") {
      write(svg, label, place, Math.min(0.8 * place.height, (1.6 * place.width) / label.length), INK);
      return;
    }
    if (image) {
      drawImage(svg, image, place, style === "plain" ? {} : { stroke: isMoved ? INK : LINES, "stroke-width": isMoved ? 0.06 : 0.02 });
    } else if (style === "target") {
      outline(svg, form, place, { fill: "#fff", stroke: LINES, "stroke-width": 0.16 * size });
      outline(svg, form, place, { fill: "none", stroke: fill, "stroke-width": 0.1 * size });
    } else {
      const line = style === "plain" ? {} : { stroke: isMoved ? INK : LINES, "stroke-width": isMoved ? 0.09 : 0.02 };
      outline(svg, form, place, { fill, ...line });
    }
    if (!label) return;
    write(svg, label, place, Math.min(0.5 * size, (1.5 * place.width) / label.length), style === "target" ? INK : ink);
  }

  /* A text in the middle of a place. */
  function write(svg, words, { x, y, width, height }, size, ink) {
    draw(svg, "text", {
      x: x + width / 2, y: y + height / 2 + 0.36 * size, "font-size": size, "text-anchor": "middle", fill: ink,
    }, words);
  }

  /* Outlines in thousandths of the image. */
  function drawImage(svg, parts, { x, y, width, height }, line) {
    const at = (outline, index) => `${x + (outline[index] / 1000) * width} ${y + (outline[index + 1] / 1000) * height}`;
    const path = (outline) => `M${outline.flatMap((_, index) => (index % 2 ? [] : [at(outline, index)])).join("L")}Z`;
    for (const { outlines, fill } of parts) draw(svg, "path", { d: outlines.map(path).join(""), fill, ...line });
  }

  function drawGoalArea(svg, [row, column, rows, columns, caption], largest) {
    const place = { x: column, y: row, width: columns, height: rows };
    outline(svg, "block", place, { fill: "#eef1f4" });
    const words = "goal";
    write(svg, words, { ...place, height: caption }, Math.min(largest, 0.75 * caption, (1.6 * columns) / words.length), INK);
  }

  function drawTrace(svg, level, index) {
    const shape = level.shapes[index];
    const dashes = { fill: "none", stroke: INK, "stroke-width": 0.03, "stroke-dasharray": "0.12 0.08" };
    outline(svg, level.paints[shape[4]].form, field(shape, level), dashes);
  }

  function drawFrame(svg, { width, height, openings }) {
    const sides = {
      top: { length: width, at: (along, out) => [along, -out] },
      bottom: { length: width, at: (along, out) => [along, height + out] },
      left: { length: height, at: (along, out) => [-out, along] },
      right: { length: height, at: (along, out) => [width + out, along] },
    };
    let frame = "";
    for (const [side, { length, at }] of Object.entries(sides)) {
      const across = side === "top" || side === "bottom";
      const gaps = openings.filter((one) => one[2] === side).map(([row, column]) => (across ? column : row));
      let from = 0;
      for (const gap of gaps.sort((a, b) => a - b)) {
        frame += `M${at(from, 0)}L${at(gap, 0)}`;
        from = gap + 1;
        const points = [at(gap + 0.32, 0.06), at(gap + 0.68, 0.06), at(gap + 0.5, 0.28)];
        draw(svg, "polygon", { points: points.join(" "), fill: INK });
      }
      frame += `M${at(from, 0)}L${at(length, 0)}`;
    }
    draw(svg, "path", { d: frame, stroke: INK, "stroke-width": 0.06, "stroke-linecap": "square", fill: "none" });
  }

  /* The map */

  const viridis = (share) => {
    const place = between(0, share, 1) * (VIRIDIS.length - 1);
    const below = Math.min(Math.floor(place), VIRIDIS.length - 2);
    const channel = (colour, at) => parseInt(colour.slice(at, at + 2), 16);
    const mix = [1, 3, 5].map((at) => {
      const [a, b] = [channel(VIRIDIS[below], at), channel(VIRIDIS[below + 1], at)];
      return Math.round(a + (place - below) * (b - a));
    });
    return `rgb(${mix})`;
  };

  class Drawing {
    constructor(place, onChoice) {
      this.place = place;
      this.onChoice = onChoice;
      this.isNew = true;
    }

    async show(level, byVisits) {
      this.level = level;
      this.byVisits = byVisits;
      this.whole = this.frame();
      this.radius = this.markSize(this.whole);
      const traces = [this.edges(), ...this.marks()];
      const config = { displayModeBar: false, scrollZoom: true, responsive: true, doubleClick: false };
      await window.Plotly.react(this.place, traces, this.layout(), config);
      if (!this.isNew) return;
      this.isNew = false;
      this.watchPresses();
      this.place.on("plotly_relayout", () => this.keepMarkSize());
    }

    // Not by clicks of plotly.js: it tells none where its own hover, told 50 ms late, comes amid a short press.
    watchPresses() {
      let press = null;
      this.place.addEventListener("pointerdown", (event) => {
        press = event.isPrimary && event.button === 0 ? event : null;
      });
      window.addEventListener("pointerup", (event) => {
        const began = press;
        press = null;
        if (!began || Math.hypot(event.clientX - began.clientX, event.clientY - began.clientY) > STILL) return;
        const state = this.stateAt(began);
        if (state !== null) this.onChoice(state);
      });
    }

    // The state whose mark is nearest, by the measure by which plotly.js tells what lies under the mouse.
    stateAt({ clientX, clientY }) {
      const box = this.place.getBoundingClientRect();
      const [width, height] = [box.width - MARGIN.l - MARGIN.r, box.height - MARGIN.t - MARGIN.b];
      const [across, down] = [clientX - box.left - MARGIN.l, clientY - box.top - MARGIN.t];
      if (across < 0 || across > width || down < 0 || down > height) return null;
      const { x, y } = this.view();
      let [nearest, least] = [null, REACH];
      this.members.forEach((states, index) => {
        const sizes = this.sizes(index);
        states.forEach((state, at) => {
          const right = ((this.level.x[state] - x[0]) / (x[1] - x[0])) * width;
          const below = ((y[1] - this.level.y[state]) / (y[1] - y[0])) * height;
          const radius = Math.max(3, (sizes[at] ?? sizes) / 2);
          const distance = Math.max(Math.hypot(right - across, below - down) - radius, 1 - 3 / radius);
          if (distance <= least) [nearest, least] = [state, distance];
        });
      });
      return nearest;
    }

    // What the axes show at first.
    frame() {
      const { x, y, spacing, farthest } = this.level;
      const [right, top] = [x.reduce((a, b) => Math.max(a, b), farthest), y.reduce((a, b) => Math.max(a, Math.abs(b)), 0)];
      const half = Math.max(top + spacing, 0.3);
      return { x: [-0.6, right + 0.6], y: [-half, half] };
    }

    layout() {
      const { level, whole } = this;
      const style = getComputedStyle(root);
      const step = [1, 2, 5, 10, 20, 50, 100].find((one) => level.farthest / one <= this.place.clientWidth / 38) ?? 200;
      const ticks = [];
      for (let distance = 0; distance <= level.farthest; distance += step) ticks.push(distance);
      const words = ticks.map(String);
      if (level.layers.has(null)) {
        ticks.push(level.farthest + 1.5);
        words.push("none");
      }
      return {
        autosize: true,
        margin: { ...MARGIN },
        paper_bgcolor: "#fff",
        plot_bgcolor: "#fff",
        font: { family: style.fontFamily, size: 13, color: INK },
        showlegend: false,
        dragmode: "pan",
        hovermode: "closest",
        hoverdistance: REACH,
        hoverlabel: { bgcolor: "#fff", bordercolor: LINES, font: { color: INK, size: 13 } },
        xaxis: {
          title: { text: `distance to goal (${level.unit})`, standoff: 6 },
          range: [...whole.x], zeroline: false, showgrid: false, tickvals: ticks, ticktext: words, ticks: "outside", ticklen: 4,
        },
        yaxis: { range: [...whole.y], visible: false, fixedrange: false },
        shapes: this.overlay ?? [],
      };
    }

    // Marks that just do not touch, whatever part of the map is in view.
    markSize({ x, y }) {
      const [across, down] = [this.place.clientWidth / (x[1] - x[0]), this.place.clientHeight / (y[1] - y[0])];
      return between(3, 0.7 * this.level.spacing * Math.min(across, down), 16);
    }

    edges() {
      const { x, y, n, first_move, targets } = this.level;
      const [xs, ys, seen] = [[], [], new Set()];
      for (let state = 0; state < n; state += 1) {
        for (let at = first_move[state]; at < first_move[state + 1]; at += 1) {
          const target = targets[at];
          const key = Math.min(state, target) * n + Math.max(state, target);
          if (target < 0 || target === state || seen.has(key)) continue;
          seen.add(key);
          xs.push(x[state], x[target], null);
          ys.push(y[state], y[target], null);
        }
      }
      const opacity = between(0.1, 15 / Math.sqrt(seen.size || 1), 0.8);
      return { type: "scatter", mode: "lines", x: xs, y: ys, hoverinfo: "skip", opacity, line: { color: LINES, width: 0.7 } };
    }

    // Which of the four kinds of marks a state has.
    kind(state) {
      if (state === this.level.start) return 3;
      if (this.level.distance[state] === null) return 1;
      return this.level.isGoal.has(state) ? 2 : 0;
    }

    colour(state) {
      const { distance, farthest } = this.level;
      return [viridis((BRIGHTEST * distance[state]) / Math.max(farthest, 1)), NO_WAY, GOAL, START][this.kind(state)];
    }

    marks() {
      const { level } = this;
      const members = [[], [], [], []];
      for (let state = 0; state < level.n; state += 1) members[this.kind(state)].push(state);
      // Those that people visited lie above the others.
      if (this.byVisits) members.forEach((list) => list.sort((a, b) => level.visits[a] - level.visits[b]));
      const styles = [
        { symbol: "circle", color: members[0].map((state) => this.colour(state)), line: { width: 0 } },
        { symbol: "circle", color: NO_WAY, line: { width: 0 } },
        { symbol: "square", color: GOAL, line: { width: 0 } },
        { symbol: "diamond", color: START, line: { width: 1.2, color: INK } },
      ];
      this.members = members;
      return members.map((states, index) => ({
        type: "scatter",
        mode: "markers",
        x: states.map((state) => level.x[state]),
        y: states.map((state) => level.y[state]),
        customdata: states,
        text: states.map((state) => this.hover(state)),
        hovertemplate: "%{text}<extra></extra>",
        marker: { opacity: 1, ...styles[index], size: this.sizes(index) },
      }));
    }

    hover(state) {
      const { level } = this;
      const distance = level.distance[state];
      const place = state === level.start ? "start, " : level.isGoal.has(state) ? "goal, " : "";
      const visits = level.attempts.length ? `<br>${counted(level.visits[state], "visit")}` : "";
      return `${place}${distance === null ? "no path to a goal" : `distance ${distance}`}${visits}`;
    }

    sizes(index) {
      const special = index === 3 ? Math.max(1.5 * this.radius, 11) : this.radius;
      if (!this.byVisits || !this.level.mostVisits) return special;
      const share = (state) => Math.sqrt(this.level.visits[state] / this.level.mostVisits);
      const size = (state) => Math.max(2, 0.45 * this.radius) + share(state) * Math.max(16, 1.2 * this.radius);
      return this.members[index].map((state) => (index === 3 ? Math.max(special, size(state)) : size(state)));
    }

    // The sizes of all marks in a part of the map, nothing if they stay as they are.
    newSizes(view) {
      const size = this.markSize(view);
      if (Math.abs(Math.log(size / this.radius)) < 0.15) return null;
      this.radius = size;
      return { "marker.size": this.members.map((_, index) => this.sizes(index)) };
    }

    keepMarkSize() {
      const sizes = this.newSizes(this.view());
      if (sizes) window.Plotly.restyle(this.place, sizes, [1, 2, 3, 4]);
    }

    view() {
      const { xaxis, yaxis } = this.place.layout;
      return { x: [...xaxis.range], y: [...yaxis.range] };
    }

    setView({ x, y }) {
      // Copies: plotly.js changes the lists that it is given.
      const ranges = { "xaxis.range": [...x], "yaxis.range": [...y] };
      const sizes = this.newSizes({ x, y });
      // One drawing for both where both change.
      if (sizes) return window.Plotly.update(this.place, sizes, ranges, [1, 2, 3, 4]);
      return window.Plotly.relayout(this.place, ranges);
    }

    // Shows so much less or more, with a state at the place where it is.
    zoom(factor, state) {
      const part = ([low, high], fixed) => [fixed - (fixed - low) * factor, fixed + (high - fixed) * factor];
      const { x, y } = this.view();
      return this.setView({ x: part(x, this.level.x[state]), y: part(y, this.level.y[state]) });
    }

    // Moves the map where a state would be out of view.
    reveal(state) {
      const { x, y } = this.view();
      const inside = ([low, high], value) => value > low + 0.04 * (high - low) && value < high - 0.04 * (high - low);
      const centred = ([low, high], value) => [value - (high - low) / 2, value + (high - low) / 2];
      const [at, up] = [this.level.x[state], this.level.y[state]];
      if (inside(x, at) && inside(y, up)) return;
      this.setView({ x: inside(x, at) ? x : centred(x, at), y: inside(y, up) ? y : centred(y, up) });
    }

    // Marks a state, its moves (optimal ones thick), and the way of an attempt.
    point(state, moves, way) {
      const { x, y } = this.level;
      const line = (target, width, color) => ({
        type: "line", x0: x[state], y0: y[state], x1: x[target], y1: y[target], line: { width, color },
      });
      const ring = (radius, width, color) => ({
        type: "circle", xsizemode: "pixel", ysizemode: "pixel", xanchor: x[state], yanchor: y[state],
        x0: -radius, x1: radius, y0: -radius, y1: radius, line: { width, color }, fillcolor: this.colour(state),
      });
      const shapes = [];
      const drawn = way.filter((one) => one >= 0);
      if (drawn.length > 1) {
        const path = `M${drawn.map((one) => `${x[one]},${y[one]}`).join("L")}`;
        shapes.push({ type: "path", path, line: { width: 4, color: "#fff" } }, { type: "path", path, line: { width: 2.2, color: TRAIL } });
      }
      if (state !== null) {
        const reached = moves.filter((move) => move.target !== null);
        for (const move of reached) if (!move.isOptimal) shapes.push(line(move.target, 0.8, INK));
        for (const move of reached) if (move.isOptimal) shapes.push(line(move.target, 2.4, INK));
        const radius = Math.max(this.radius / 2 + 4, 8);
        shapes.push(ring(radius, 5, "#fff"), ring(radius, 2.4, INK));
      }
      this.overlay = shapes;
      return window.Plotly.relayout(this.place, { shapes });
    }
  }

  /* The replay of an attempt */

  class Replay {
    constructor(onStep, onChange) {
      this.onStep = onStep;
      this.onChange = onChange;
      this.speed = 1;
      this.longest = 2;
      this.attempt = null;
      this.step = 0;
    }

    load(attempt) {
      this.stop();
      this.attempt = attempt;
      this.step = 0;
    }

    get last() {
      return this.attempt ? this.attempt.states.length - 1 : 0;
    }

    get isPlaying() {
      return this.timer !== undefined;
    }

    // Time that has passed until a step, in seconds; absent times count nothing.
    elapsed(step) {
      return this.attempt.times.slice(0, step).reduce((sum, time) => sum + (time ?? 0), 0);
    }

    go(step) {
      this.step = between(0, step, this.last);
      this.onStep();
    }

    play() {
      if (!this.attempt || this.isPlaying) return;
      if (this.step >= this.last) this.go(0);
      this.wait();
      this.onChange();
    }

    wait() {
      if (this.step >= this.last) return this.stop();
      const time = Math.min(this.attempt.times[this.step] ?? UNTIMED, this.longest);
      this.timer = setTimeout(() => {
        this.go(this.step + 1);
        this.wait();
      }, (1000 * time) / this.speed);
    }

    stop() {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.onChange();
    }
  }

  /* The page */

  function start() {
    const data = JSON.parse(document.getElementById("state-map-data").textContent);
    const hasPlay = data.levels.some((one) => one.attempts.length);
    let level;
    let state = null;
    let before = null;
    let past = [];

    const plot = make("div", {
      className: "map-plot", tabIndex: 0, role: "application",
      "aria-label": "Map of states. Left and right arrow: nearer to and farther from the goal; up and down: states of the same distance; plus, minus and 0: zoom.",
    });
    const status = make("p", { className: "map-shown" });
    const key = make("ul", { className: "map-key" });
    const board = make("div", { className: "map-board" });
    const facts = make("p", { className: "map-facts", "aria-live": "polite" });
    const notation = make("code");
    const notationLine = make("p", { className: "map-notation" }, "State: ", notation);
    const moveRows = make("tbody");
    const headings = ["move", "to go", "regret", "quality", ...(hasPlay ? ["made"] : [])];
    const meanings = {
      move: "Legal moves, the best first; press one to make it",
      "to go": "Distance after the move",
      regret: "distance after + cost − distance before; 0 for an optimal move",
      made: "How often the recorded attempts made this move",
    };
    const isNumber = (one) => ["to go", "regret", "made"].includes(one);
    const headCells = headings.map((one) => make("th", { scope: "col", title: meanings[one] ?? "", className: isNumber(one) ? "n" : "" }, one));
    const moveTable = make("table", {}, make("caption", {}, "Legal moves"), make("thead", {}, make("tr", {}, ...headCells)), moveRows);

    const drawing = new Drawing(plot, (chosen) => {
      replay.stop();
      visit(chosen);
    });
    const levelSelect = select(data.levels.map((one, index) => [one.level, index]), () => showLevel(Number(levelSelect.value)));
    const visitsBox = make("input", { type: "checkbox" });
    visitsBox.addEventListener("change", () => drawing.show(level, visitsBox.checked).then(point));
    const whole = () => drawing.setView(drawing.whole);
    const tools = make("div", { className: "map-tools", role: "group", "aria-label": "Map" },
      labelled("Level", levelSelect),
      ...(hasPlay ? [make("label", { className: "map-check" }, visitsBox, make("span", {}, "Size by visits"))] : []),
      make("span", { className: "map-group" },
        button("+", () => drawing.zoom(0.6, state), { "aria-label": "Zoom in", title: "Zoom in" }),
        button("−", () => drawing.zoom(1 / 0.6, state), { "aria-label": "Zoom out", title: "Zoom out" }),
        button("Whole map", whole)),
      make("span", { className: "map-group" },
        button("Start", () => { replay.stop(); visit(level.start); }, { title: "Go to the state in which the level starts" }),
        button("Back", goBack, { title: "Go to the state before" })));

    /* Replay controls */
    const attemptSelect = make("select");
    attemptSelect.addEventListener("change", () => loadAttempt(attemptSelect.value));
    const playButton = button("Play", () => (replay.isPlaying ? replay.stop() : replay.play()), { className: "map-play" });
    const stepBack = button("‹", () => { replay.stop(); replay.go(replay.step - 1); }, { "aria-label": "One step back", title: "One step back" });
    const stepOn = button("›", () => { replay.stop(); replay.go(replay.step + 1); }, { "aria-label": "One step on", title: "One step on" });
    const slider = make("input", { type: "range", min: 0, max: 0, value: 0, step: 1, "aria-label": "Step of the attempt" });
    slider.addEventListener("input", () => { replay.stop(); replay.go(Number(slider.value)); });
    const speedSelect = select(SPEEDS.map((one) => [`${one} ×`, one]), () => { replay.speed = Number(speedSelect.value); });
    const pauseSelect = select(PAUSES.map((one) => [one === Infinity ? "as it was" : `${one} s`, one]), () => { replay.longest = Number(pauseSelect.value); });
    const stepText = make("p", { className: "map-step", "aria-live": "polite" });
    const replayPart = make("div", { className: "map-replay", role: "group", "aria-label": "Replay of a recorded attempt" },
      make("div", { className: "map-tools" },
        labelled("Attempt", attemptSelect),
        labelled("Speed", speedSelect),
        labelled("Longest pause", pauseSelect)),
      make("div", { className: "map-run" }, make("span", { className: "map-group" }, stepBack, playButton, stepOn), slider),
      stepText);
    const replay = new Replay(showStep, showPlaying);
    speedSelect.value = "1";
    pauseSelect.value = "2";

    root.append(make("div", { className: "map-widget" },
      tools,
      make("div", { className: "map-body" },
        make("div", { className: "map-left" }, plot, key, ...(hasPlay ? [replayPart] : [])),
        make("div", { className: "map-panel", role: "region", "aria-label": "Chosen state" }, board, facts, notationLine,
          make("div", { className: "map-moves", tabIndex: 0, role: "region", "aria-label": "Legal moves" }, moveTable))),
      status));

    function goBack() {
      replay.stop();
      const last = past.pop();
      if (last !== undefined) visit(last, null, false);
    }

    // Goes to a state; `from` is the one that a move led from.
    function visit(next, from = null, isRemembered = true) {
      if (isRemembered && state !== null && state !== next) past.push(state);
      state = next;
      before = from;
      showState();
      drawing.reveal(state);
    }

    function point() {
      const way = replay.attempt ? replay.attempt.states.slice(0, replay.step + 1) : [];
      return drawing.point(state, state === null ? [] : level.moves(state), way);
    }

    function showState() {
      const moves = level.moves(state);
      const distance = level.distance[state];
      const from = before !== null && before >= 0 ? level.boards[before] : null;
      const picture = drawBoard(level, level.boards[state], from);
      picture.setAttribute("role", "img");
      picture.setAttribute("aria-label", `Board of the state ${level.notations[state] ?? state}`);
      board.replaceChildren(picture);
      notation.textContent = level.notations[state] ?? "";
      notationLine.hidden = !level.notations.length;
      const names = [state === level.start ? "Start" : "", level.isGoal.has(state) ? "Goal" : ""].filter(Boolean).join(", ");
      const nOptimal = moves.filter((move) => move.isOptimal).length;
      const times = level.visits[state] ? `visited ${counted(level.visits[state], "time")}` : "not visited";
      const visits = level.attempts.length ? `; ${times}` : "";
      const optimal = distance ? `, ${nOptimal} of them optimal` : "";
      const unit = distance === 1 ? level.unit.replace(/s$/, "") : level.unit;
      const place = distance === null ? "No goal can be reached" : `Distance ${distance} ${unit}`;
      facts.replaceChildren(
        make("b", {}, names ? `${names}. ${place}` : place),
        `; ${counted(moves.length, "legal move")}${optimal}${visits}.`);
      moveRows.replaceChildren(...moves.map((move) => moveRow(move, distance)));
      moveTable.hidden = !moves.length;
      plot.dataset.state = state;
      point();
    }

    function moveRow(move, distance) {
      const go = button(move.notation.replace("-", "−"), () => {
        replay.stop();
        visit(move.target, state);
      });
      if (move.target === null) Object.assign(go, { disabled: true, title: "This state is not on the map" });
      const cell = (text, isNumeric = false) => make("td", { className: isNumeric ? "n" : "" }, text);
      const cells = [
        make("td", {}, go),
        cell(move.after === null ? "none" : String(move.after), true),
        cell(move.regret === null ? "" : String(move.regret), true),
        cell(move.isOptimal ? "optimal" : qualityOf(distance, move.after)),
        ...(hasPlay ? [cell(count(move.chosen), true)] : []),
      ];
      return make("tr", { className: move.isOptimal ? "map-optimal" : "" }, ...cells);
    }

    async function showLevel(index) {
      level = new Level(data.levels[index]);
      [state, before, past] = [null, null, []];
      replay.load(null);
      drawing.overlay = [];
      status.textContent = level.n < level.n_states
        ? `${count(level.n)} of ${counted(level.n_states, "state")} shown: those that people visited or that lie on shortest solutions, and states beside them.`
        : `All ${counted(level.n, "state")} shown.`;
      status.append(" Drag to move the map; Ctrl and wheel, or the buttons, to zoom. Press a state to see its board.");
      showKey();
      fillAttempts();
      await drawing.show(level, visitsBox.checked);
      visit(level.start ?? 0);
    }

    function showKey() {
      const entry = (mark, text) => make("li", {}, make("span", { className: `map-mark ${mark}` }), text);
      const ramp = make("li", {}, "distance 0 ", make("span", { className: "map-ramp" }), ` ${level.farthest}`);
      const entries = [
        level.start === null ? null : entry("map-mark-start", "start"),
        level.isGoal.size ? entry("map-mark-goal", "goal") : null,
        level.farthest ? ramp : null,
        level.layers.has(null) ? entry("map-mark-none", "no path to a goal") : null,
        entry("map-mark-optimal", "optimal move of the chosen state"),
        entry("map-mark-other", "other move"),
        level.attempts.length ? entry("map-mark-trail", "trajectory of the attempt") : null,
      ];
      key.replaceChildren(...entries.filter(Boolean));
    }

    function fillAttempts() {
      const groups = new Map();
      level.attempts.forEach((one, index) => {
        const name = `${one.participant}${one.condition ? ` (${one.condition})` : ""}`;
        const session = one.session === "1" ? "" : `session ${one.session}, `;
        const time = one.times.includes(null) ? "" : `, ${one.times.reduce((sum, each) => sum + each, 0).toFixed(0)} s`;
        const text = `${one.participant}, ${session}attempt ${one.attempt}: ${counted(one.times.length, "step")}${time}, ${one.solved ? "solved" : "not solved"}`;
        const list = groups.get(name) ?? [];
        list.push(make("option", { value: index }, text));
        groups.set(name, list);
      });
      const parts = Array.from(groups, ([label, list]) => make("optgroup", { label }, ...list));
      attemptSelect.replaceChildren(make("option", { value: "" }, groups.size ? "choose one" : "nobody played this level"), ...parts);
      loadAttempt("");
    }

    function loadAttempt(value) {
      replay.load(value === "" ? null : level.attempts[Number(value)]);
      const isOff = !replay.attempt;
      for (const control of [playButton, stepBack, stepOn, slider]) control.disabled = isOff;
      slider.max = replay.last;
      slider.value = 0;
      const some = level.attempts.length < level.n_attempts
        ? ` ${count(level.attempts.length)} of ${counted(level.n_attempts, "attempt")} can be replayed, drawn at random.`
        : "";
      stepText.textContent = isOff ? `Choose an attempt to see it move by move, in the time that it took.${some}` : "";
      if (!isOff) replay.go(0);
      else if (state !== null) point();
    }

    function showStep() {
      const { attempt, step, last } = replay;
      slider.value = step;
      slider.setAttribute("aria-valuetext", `step ${step} of ${last}`);
      const [now, earlier] = [attempt.states[step], step ? attempt.states[step - 1] : null];
      const clock = `${replay.elapsed(step).toFixed(1)} of ${replay.elapsed(last).toFixed(1)} s`;
      if (step === 0) {
        stepText.textContent = `Before the first of ${counted(last, "step")}; ${clock}.`;
      } else {
        const quality = attempt.qualities[step - 1];
        const words = [level.played[attempt.actions[step - 1]].replace("-", "−"), seconds(attempt.times[step - 1])];
        if (quality !== null) words.push(data.qualities[quality] + (isOptimal(earlier, now) ? " (optimal)" : ""));
        if (now < 0) words.push("to a state that is not on the map");
        stepText.textContent = `Step ${step} of ${last}: ${words.join(", ")}; ${clock}.`;
      }
      if (now < 0) point();
      else {
        [state, before, past] = [now, earlier, []];
        showState();
        drawing.reveal(state);
      }
    }

    function isOptimal(from, to) {
      return from !== null && from >= 0 && level.moves(from).some((move) => move.target === to && move.isOptimal);
    }

    function showPlaying() {
      playButton.textContent = replay.isPlaying ? "Pause" : "Play";
    }

    /* Keys and wheel */
    plot.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || state === null) return;
      const layer = level.layers.get(level.distance[state]);
      const place = layer.indexOf(state);
      const moves = level.moves(state).filter((move) => move.target !== null);
      const farther = moves.filter((move) => move.after === null || move.after > level.distance[state]);
      const actions = {
        ArrowLeft: () => moves.length && moves[0].regret !== null && moves[0].after < level.distance[state] && visit(moves[0].target, state),
        ArrowRight: () => farther.length && visit(farther[0].target, state),
        ArrowUp: () => visit(layer[(place + layer.length - 1) % layer.length]),
        ArrowDown: () => visit(layer[(place + 1) % layer.length]),
        "+": () => drawing.zoom(0.6, state),
        "-": () => drawing.zoom(1 / 0.6, state),
        0: whole,
      };
      if (!actions[event.key]) return;
      event.preventDefault();
      replay.stop();
      actions[event.key]();
    });
    // Without Ctrl the wheel scrolls the page, as everywhere else.
    root.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) event.stopPropagation();
    }, { capture: true, passive: true });

    return showLevel(0);
  }

  /* Unpacking plotly.js when the map comes near, because reading it takes a moment */

  async function unpack() {
    const packed = atob(document.getElementById("state-map-library").textContent.trim());
    const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    document.head.append(script);
    if (!window.Plotly) throw new Error("plotly.js did not start");
  }

  async function open() {
    const wait = make("p", { className: "map-wait" }, "Preparing the map …");
    root.append(wait);
    try {
      await unpack();
      wait.remove();
      root.classList.add("map-ready");
      await start();
    } catch (error) {
      root.classList.remove("map-ready");
      root.querySelector(".map-widget")?.remove();
      wait.textContent = `This browser cannot show the map (${error.message}).`;
      root.append(wait);
    }
  }

  const watch = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watch.disconnect();
    open();
  }, { rootMargin: "600px" });
  watch.observe(root);
})();
