// What is drawn above the states: the axis, traffic, the moves and the mark of the chosen state, and trajectories.

// The most moves around a state that are drawn.
const MOST_AROUND = 4000;

function drawAbove(drawing) {
  const { top, level, ratio, state, hovered } = drawing;
  const pen = top.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, top.width, top.height);
  drawAxis(drawing, pen);
  const [width, height] = drawing.size;
  pen.save();
  pen.beginPath();
  pen.rect(0, 0, width + MARGIN.left + MARGIN.right, height + MARGIN.top + 6);
  pen.clip();
  if (drawing.traffic) drawTraffic(drawing, pen);
  if (level.isComplete && state !== null) drawMoves(drawing, pen, state);
  drawWay(drawing, pen);
  if (hovered !== null && hovered !== state) drawRing(drawing, pen, hovered, 1.4);
  if (state !== null) drawRing(drawing, pen, state, 2.4);
  pen.restore();
}

function drawAxis(drawing, pen) {
  const { level, view } = drawing;
  const [width, height] = drawing.size;
  const base = MARGIN.top + height + 6;
  const perUnit = width / (view.x[1] - view.x[0]);
  const step = [1, 2, 5, 10, 20, 50, 100].find((one) => one * perUnit >= 34) ?? 200;
  Object.assign(pen, { fillStyle: INK, strokeStyle: INK, lineWidth: 1, textAlign: "center", textBaseline: "top" });
  pen.font = `13px ${getComputedStyle(drawing.place).fontFamily}`;
  const tick = (value, text) => {
    const [x] = drawing.at([value, 0]);
    if (x < MARGIN.left || x > MARGIN.left + width) return;
    pen.beginPath();
    pen.moveTo(x, base);
    pen.lineTo(x, base + 4);
    pen.stroke();
    pen.fillText(text, x, base + 6);
  };
  for (let distance = 0; distance <= level.farthest; distance += step) tick(distance, String(distance));
  if (level.hasDeadEnds) tick((level.farthest ?? -1.5) + 1.5, "none");
  pen.beginPath();
  pen.moveTo(MARGIN.left, base);
  pen.lineTo(MARGIN.left + width, base);
  pen.stroke();
  pen.fillText(`distance to goal (${level.unit})`, MARGIN.left + width / 2, base + 21);
}

function line(pen, from, to) {
  pen.beginPath();
  pen.moveTo(...from);
  pen.lineTo(...to);
  pen.stroke();
}

// Moves that people made: the wider, the more often; errors dashed. Moves there and back stand side by side.
function drawTraffic(drawing, pen) {
  const { level } = drawing;
  const most = level.traffic.reduce((top, one) => Math.max(top, one.times), 1);
  const shown = level.traffic.filter((one) => one.from !== one.to).sort((a, b) => a.times - b.times);
  pen.globalAlpha = 0.75;
  for (const { from, to, times } of shown) {
    const width = Math.max(0.6, WIDEST_FLOW * Math.sqrt(times / most));
    const [a, b] = [from, to].map((one) => drawing.at(level.place(one)));
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const aside = [(-(b[1] - a[1]) / length) * (width / 2 + 0.5), ((b[0] - a[0]) / length) * (width / 2 + 0.5)];
    const isOptimal = level.isOptimal(from, to);
    pen.lineWidth = width;
    pen.strokeStyle = isOptimal ? OPTIMAL_FLOW : ERROR_FLOW;
    pen.setLineDash(isOptimal ? [] : [6, 4]);
    line(pen, [a[0] + aside[0], a[1] + aside[1]], [b[0] + aside[0], b[1] + aside[1]]);
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

// The moves of the chosen state, optimal ones thick, and of the states around it as far as is asked for.
function drawMoves(drawing, pen, state) {
  const { level, reach } = drawing;
  const at = (one) => drawing.at(level.place(one));
  if (reach > 1) {
    Object.assign(pen, { strokeStyle: LINES, lineWidth: 0.7, globalAlpha: 0.5 });
    for (const [from, to] of level.around(state, reach, MOST_AROUND)) line(pen, at(from), at(to));
  }
  Object.assign(pen, { strokeStyle: INK, globalAlpha: 1 });
  const moves = level.moves(state).filter((move) => move.target !== null);
  for (const isOptimal of [false, true]) {
    pen.lineWidth = isOptimal ? 2.4 : 0.8;
    for (const move of moves) if (move.isOptimal === isOptimal) line(pen, at(state), at(move.target));
  }
}

// The way of an attempt up to the step that is shown.
function drawWay(drawing, pen) {
  const states = drawing.way.filter((state) => state !== null);
  const points = states.map((state) => drawing.at(drawing.level.place(state)));
  if (points.length < 2) return;
  pen.lineJoin = "round";
  for (const [width, colour] of [[4, "#fff"], [2.2, TRAIL]]) {
    Object.assign(pen, { lineWidth: width, strokeStyle: colour });
    pen.beginPath();
    points.forEach((point, place) => (place ? pen.lineTo(...point) : pen.moveTo(...point)));
    pen.stroke();
  }
}

function drawRing(drawing, pen, state, width) {
  const [x, y] = drawing.at(drawing.level.place(state));
  const radius = Math.max(drawing.markSize / 2 + 4, 8);
  pen.fillStyle = css(drawing.colour(state));
  for (const [line, colour] of [[width + 2.6, "#fff"], [width, INK]]) {
    Object.assign(pen, { lineWidth: line, strokeStyle: colour });
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  }
}
