
"use strict";
// Without this script the page shows the same content but for large drawings, which are packed; it also sorts, enlarges
// and unfolds.

function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

// Fills a packed drawing, which stands before its script; after this stand words for pages without scripts.
async function unpackDrawing(script) {
  const holder = document.createElement("template");
  holder.innerHTML = `<svg>${await unpacked(script.textContent)}</svg>`;
  script.previousElementSibling.append(...holder.content.firstChild.childNodes);
  script.nextElementSibling.remove();
  script.remove();
}

for (const script of document.querySelectorAll(".canvas script")) unpackDrawing(script);

const folds = Array.from(document.querySelectorAll("details.fold"));
const unfold = document.getElementById("unfold");

// What is unfolded stays so when the page is loaded again.
function keep() {
  history.replaceState({ open: folds.map((fold) => fold.open) }, "");
  unfold.textContent = folds.every((fold) => fold.open) ? "Fold all sections" : "Unfold all sections";
}

function show(hash) {
  const target = document.getElementById(decodeURIComponent(hash.slice(1)));
  if (!target) return;
  const fold = target.closest("details.fold") ?? target.querySelector(":scope > details.fold");
  if (fold && !fold.open) {
    fold.open = true;
    target.scrollIntoView();
  }
}

(history.state?.open ?? []).forEach((open, place) => {
  if (folds[place]) folds[place].open = open;
});
if (location.hash) show(location.hash);
if (folds.length) {
  unfold.hidden = false;
  keep();
}
folds.forEach((fold) => fold.addEventListener("toggle", keep));
unfold.addEventListener("click", () => {
  const open = !folds.every((fold) => fold.open);
  for (const fold of folds) fold.open = open;
});
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (link) show(link.getAttribute("href"));
});
addEventListener("hashchange", () => show(location.hash));

// On a narrow page each row stands below the other as pairs of a column's name and its value.
for (const place of document.querySelectorAll(".scroll")) {
  const { tHead, tBodies } = place.querySelector("table");
  const names = Array.from(tHead?.rows[0].cells ?? [], (cell) => cell.textContent);
  for (const row of Array.from(tBodies).flatMap((body) => Array.from(body.rows))) {
    names.forEach((name, column) => { if (row.cells[column]?.tagName === "TD") row.cells[column].dataset.column = name; });
  }
  place.classList.add("labelled");
}

function keyOf(row, column) {
  const cell = row.cells[column];
  return cell.dataset.exact ?? cell.textContent.replace("−", "-");
}

function numberOf(text) {
  return Number(text.replace("inf", "Infinity"));
}

function sortBy(table, column, numeric, descending) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows, (row) => ({ row, key: keyOf(row, column) }));
  const present = rows.filter(({ key }) => key !== "");
  const missing = rows.filter(({ key }) => key === "");
  const compare = numeric
    ? (a, b) => numberOf(a.key) - numberOf(b.key)
    : (a, b) => a.key.localeCompare(b.key, "en", { numeric: true });
  present.sort((a, b) => (descending ? compare(b, a) : compare(a, b)));
  // Missing values stay last whichever way the rest is sorted.
  body.append(...present.concat(missing).map(({ row }) => row));
}

for (const table of document.querySelectorAll("table[data-sortable]")) {
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sortBy(table, column, head.classList.contains("n"), descending);
    });
  });
}

// A figure that is wider than its place has a drawing for narrow windows, which is made of its text on demand.
async function fit(canvas) {
  const width = parseFloat(canvas.querySelector("svg")?.style.getPropertyValue("--width"));
  // Nothing has a width in a folded section.
  if (!canvas.clientWidth || !width) return;
  const isNarrow = canvas.clientWidth < width - 1;
  if (isNarrow && !canvas.querySelector(".narrow")) {
    const narrow = document.createElement("div");
    narrow.className = "narrow";
    canvas.append(narrow);
    narrow.innerHTML = await unpacked(canvas.dataset.narrow);
  }
  canvas.classList.toggle("is-narrow", isNarrow);
}

const sizes = new ResizeObserver((entries) => entries.forEach((entry) => fit(entry.target)));
document.querySelectorAll(".canvas[data-narrow]").forEach((canvas) => sizes.observe(canvas));

let closeZoomed = null;

function zoom(figure, button) {
  if (closeZoomed) closeZoomed();
  figure.classList.add("zoomed");
  document.documentElement.classList.add("stopped");
  button.textContent = "Close";
  button.focus();
  closeZoomed = () => {
    figure.classList.remove("zoomed");
    document.documentElement.classList.remove("stopped");
    button.textContent = "Enlarge";
    closeZoomed = null;
  };
}

for (const figure of document.querySelectorAll("figure")) {
  const canvas = figure.querySelector(".canvas");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "enlarge";
  button.textContent = "Enlarge";
  figure.querySelector(".files").append(button);
  canvas.classList.add("zoomable");
  const toggle = () => (figure.classList.contains("zoomed") ? closeZoomed() : zoom(figure, button));
  canvas.addEventListener("click", toggle);
  button.addEventListener("click", toggle);
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && closeZoomed) closeZoomed();
});
