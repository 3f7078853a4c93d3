#!/usr/bin/env bash
# Every normalized centrality of cytoscape is divided by the largest of the same map, so that each map has a state of 1, and
# numbers of two levels cannot be compared.
#
# Versions: cytoscape 3.34.4, graphology 0.26.0, graphology-metrics 2.4.2.
# Input:    two state maps, moves can be taken back: a ring of eight states, where none is more central than another, and
#           two rooms of four states with one door between them, each with all moves within. Betweenness, closeness and degree by
#           the Normalized functions of cytoscape, and by graphology.
# Guess:    normalized is by the largest number that is possible with so many states, as in textbooks and other packages:
#           betweenness / ((n - 1) (n - 2) / 2), degree / (n - 1), closeness (harmonic by default) / (n - 1). Its documentation
#           says "normalised" and no more.
# Seen:     betweenness of the state at the door is 1, and so is that of all states of the ring; by graphology, .571 and
#           .214. Degree and closeness are 1 at the door and in the ring as well. What is not normalized is twice the usual
#           betweenness (24 at the door instead of 12), as each pair counts in both directions.
# So:       divide the plain numbers by hand, betweenness by (n - 1) (n - 2) of undirected maps too, before levels
#           are compared or a mean over levels is taken.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --loglevel=error --no-audit --no-fund --no-package-lock --prefix "$folder" cytoscape@3.34.4 graphology@0.26.0 \
    graphology-metrics@2.4.2 graphology-types@0.24.8 >install.log 2>&1 || { cat install.log; exit 1; }
cat >maps.cjs <<'JAVASCRIPT'
const assert = require("node:assert");
const cytoscape = require("cytoscape");
const { UndirectedGraph } = require("graphology");
const betweenness = require("graphology-metrics/centrality/betweenness");
const { degreeCentrality } = require("graphology-metrics/centrality/degree");

const states = [...Array(8).keys()].map(String);
const ring = states.map((state, i) => [state, states[(i + 1) % 8]]);
const room = (some) => some.flatMap((a, i) => some.slice(i + 1).map((b) => [a, b]));
const rooms = [...room(states.slice(0, 4)), ...room(states.slice(4)), ["3", "4"]];

function distances(moves, from) {
  const found = new Map([[from, 0]]);
  for (const [state, far] of found)
    for (const [a, b] of moves)
      for (const [here, there] of [[a, b], [b, a]]) if (here === state && !found.has(there)) found.set(there, far + 1);
  return found;
}

function measure(moves, state) {
  const map = cytoscape({
    headless: true,
    elements: [...states.map((id) => ({ data: { id } })), ...moves.map(([source, target]) => ({ data: { source, target } }))],
  });
  const graph = new UndirectedGraph();
  states.forEach((id) => graph.addNode(id));
  moves.forEach(([a, b]) => graph.addEdge(a, b));
  const all = map.elements();
  let harmonic = 0;
  for (const [other, far] of distances(moves, state)) if (other !== state) harmonic += 1 / far;
  const round = (x) => Math.round(x * 1000) / 1000;
  return {
    cytoscape: [
      all.betweennessCentrality().betweennessNormalized("#" + state),
      all.closenessCentralityNormalized().closeness("#" + state),
      all.degreeCentralityNormalized().degree("#" + state),
    ].map(round),
    usual: [betweenness(graph)[state], harmonic / 7, degreeCentrality(graph)[state]].map(round),
    plain: [all.betweennessCentrality().betweenness("#" + state), betweenness(graph, { normalized: false })[state]].map(round),
  };
}

const found = { ring: measure(ring, "3"), door: measure(rooms, "3"), inside: measure(rooms, "0") };
for (const [name, { cytoscape, usual, plain }] of Object.entries(found))
  console.log(`${name}: betweenness, closeness, degree ${cytoscape} normalized by cytoscape, usual ${usual}; ` +
    `not normalized, betweenness ${plain[0]} and usual ${plain[1]}`);
assert.deepStrictEqual(found, {
  ring: { cytoscape: [1, 1, 1], usual: [0.214, 0.56, 0.286], plain: [9, 4.5] },
  door: { cytoscape: [1, 1, 1], usual: [0.571, 0.786, 0.571], plain: [24, 12] },
  inside: { cytoscape: [0, 0.818, 0.75], usual: [0, 0.643, 0.429], plain: [0, 0] },
}, "it behaves otherwise now");
JAVASCRIPT
node maps.cjs
