#!/usr/bin/env bash
# Of the shortest ways through a state map, k-shortest-path lists some, then ends or goes on with longer ones: 8 of 20 in a grid of
# 4 × 4, whatever the number that is asked for.
#
# Versions: k-shortest-path 0.0.5, graphlib 2.1.8 (npm).
# Input:    state maps of 2 × 2 to 4 × 4 positions (moves right, left, up and down, each of length 1), from one corner to the
#           opposite one, and 60 ways asked for. All ways without a state twice are counted here.
# Guess:    Yen's algorithm, as its page says: the ways by their length, none twice, none left out.
# Seen:     2 × 2: both. 3 × 3: 4 of the 6 shortest, then one of 6 moves, of which there are 4, and none of the two of 8 moves.
#           4 × 4: 8 of the 20 shortest, and nothing after them of 164 longer ones. Those that are listed are right. How many
#           there are depends on the order in which the moves were put into the map.
# So:       a number of shortest ways is counted forward from the start by their distances; lists of them come from
#           shortest_simple_paths of networkx.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --loglevel=error --no-audit --no-fund --no-package-lock --prefix "$folder" k-shortest-path@0.0.5 graphlib@2.1.8 \
    >install.log 2>&1 || { cat install.log; exit 1; }
cat >ways.cjs <<'JAVASCRIPT'
const assert = require("node:assert");
const { Graph } = require("graphlib");
const { ksp } = require("k-shortest-path");

function movesOf(size) {
  const moves = {};
  for (let x = 0; x < size; x++)
    for (let y = 0; y < size; y++)
      moves[`${x},${y}`] = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(([dx, dy]) => [x + dx, y + dy])
        .filter(([a, b]) => a >= 0 && b >= 0 && a < size && b < size).map(String);
  return moves;
}

function allWays(moves, goal, way = ["0,0"]) {
  const here = way.at(-1);
  if (here === goal) return [way];
  return moves[here].filter((next) => !way.includes(next)).flatMap((next) => allWays(moves, goal, [...way, next]));
}

function byLength(ways) {
  const counts = {};
  for (const way of ways) counts[way.length - 1] = (counts[way.length - 1] ?? 0) + 1;
  return counts;
}

const found = [];
for (const size of [2, 3, 4]) {
  const moves = movesOf(size);
  const goal = `${size - 1},${size - 1}`;
  const map = new Graph();
  for (const [state, next] of Object.entries(moves)) next.forEach((other) => map.setEdge(state, other, 1));
  const listed = ksp(map, "0,0", goal, 60).map(({ edges }) => ["0,0", ...edges.map((edge) => edge.toNode)]);
  const all = allWays(moves, goal);
  const names = new Set(all.map(String));
  assert(listed.every((way) => names.has(String(way))) && new Set(listed.map(String)).size === listed.length);
  found.push([byLength(listed), byLength(all)]);
  const shown = (counts) => Object.entries(counts).map(([length, count]) => `${count} of ${length} moves`).join(", ");
  console.log(`${size} × ${size}: listed ${shown(byLength(listed))}; there are ${shown(byLength(all))}`);
}

// the same moves, put into the map in another order
const moves = movesOf(3);
const map = new Graph();
Object.keys(moves).reverse().forEach((state) => moves[state].toReversed().forEach((other) => map.setEdge(state, other, 1)));
const turned = byLength(ksp(map, "0,0", "2,2", 60).map(({ edges }) => [0, ...edges]));
console.log("3 × 3 in another order:", turned);
JAVASCRIPT
node ways.cjs
