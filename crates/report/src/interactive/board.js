// The board of a state as an SVG.

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
    writeLabel(svg, label, place, Math.min(0.8 * place.height, (1.6 * place.width) / label.length), INK);
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
  writeLabel(svg, label, place, Math.min(0.5 * size, (1.5 * place.width) / label.length), style === "target" ? INK : ink);
}

// A text in the middle of a place.
function writeLabel(svg, words, { x, y, width, height }, size, ink) {
  draw(svg, "text", {
    x: x + width / 2, y: y + height / 2 + 0.36 * size, "font-size": size, "text-anchor": "middle", fill: ink,
  }, words);
}

// Outlines in thousandths of the image.
function drawImage(svg, parts, { x, y, width, height }, line) {
  const at = (points, index) => `${x + (points[index] / 1000) * width} ${y + (points[index + 1] / 1000) * height}`;
  const path = (points) => `M${points.flatMap((_, index) => (index % 2 ? [] : [at(points, index)])).join("L")}Z`;
  for (const { outlines, fill } of parts) draw(svg, "path", { d: outlines.map(path).join(""), fill, ...line });
}

function drawGoalArea(svg, [row, column, rows, columns, caption], largest) {
  const place = { x: column, y: row, width: columns, height: rows };
  outline(svg, "block", place, { fill: "#eef1f4" });
  const words = "goal";
  writeLabel(svg, words, { ...place, height: caption }, Math.min(largest, 0.75 * caption, (1.6 * columns) / words.length), INK);
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
