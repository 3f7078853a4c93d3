#!/usr/bin/env bash
# networkx and igraph read the same GraphML and give the same number the same name, but differ where two moves lead from one
# state to the same other: the first counts them once, in some of its functions.
#
# Versions: networkx 3.6.1, igraph 1.0.0, rustworkx 0.18.1, numpy 2.4.6, scipy 1.17.1.
# Input:    a state map in GraphML: from s to a by two moves, to b by one, from a and b to the goal g by one.
# Guess:    networkx makes a MultiDiGraph of the file, and counts shortest paths as igraph does, an edge each: three solutions,
#           of which two pass a. Its PageRank counts both edges, as those of igraph and rustworkx do.
# Seen:     betweenness of a and b is .5 and .5 in networkx, .667 and .333 in igraph and rustworkx. all_shortest_paths of
#           networkx has two solutions, those of the others have three, two of which are the same list of states. PageRank
#           is the same in all, with a above b.
# So:       count solutions and betweenness of moves with igraph or rustworkx, or remove double edges before both; say which.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check networkx==3.6.1 igraph==1.0.0 rustworkx==0.18.1 \
    numpy==2.4.6 scipy==1.17.1
cat >"$folder/map.graphml" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <graph id="map" edgedefault="directed">
    <node id="s"/><node id="a"/><node id="b"/><node id="g"/>
    <edge id="e1" source="s" target="a"/>
    <edge id="e2" source="s" target="a"/>
    <edge id="e3" source="s" target="b"/>
    <edge id="e4" source="a" target="g"/>
    <edge id="e5" source="b" target="g"/>
  </graph>
</graphml>
XML
"$folder/python/bin/python" -W ignore - "$folder/map.graphml" <<'PYTHON'
import sys

import igraph
import networkx
import rustworkx

STATES = "sabg"
of_networkx = networkx.read_graphml(sys.argv[1])
of_igraph = igraph.Graph.Read_GraphML(sys.argv[1])
of_rustworkx = rustworkx.read_graphml(sys.argv[1])[0]
for states in (list(of_networkx), of_igraph.vs["id"], [node["id"] for node in of_rustworkx.nodes()]):
    assert states == [*STATES]
assert type(of_networkx) is networkx.MultiDiGraph and of_networkx.size() == of_igraph.ecount() == of_rustworkx.num_edges() == 5

named = lambda paths: sorted("".join(STATES[state] for state in path) for path in paths)
rounded = lambda values: [round(values[state], 3) for state in (1, 2)]
by_networkx = networkx.betweenness_centrality(of_networkx, normalized=False)
ranks = networkx.pagerank(of_networkx)
found = {
    "networkx": (
        rounded(list(by_networkx.values())),
        sorted("".join(path) for path in networkx.all_shortest_paths(of_networkx, "s", "g")),
        rounded([ranks[state] for state in STATES]),
    ),
    "igraph": (
        rounded(of_igraph.betweenness()),
        named(of_igraph.get_all_shortest_paths(0, 3)),
        rounded(of_igraph.pagerank()),
    ),
    "rustworkx": (
        rounded(rustworkx.betweenness_centrality(of_rustworkx, normalized=False)),
        named(rustworkx.digraph_all_shortest_paths(of_rustworkx, 0, 3)),
        rounded(rustworkx.pagerank(of_rustworkx)),
    ),
}
for name, (betweenness, paths, rank) in found.items():
    print(f"{name}: betweenness of a and b {betweenness}, shortest paths {paths}, PageRank {rank}")
others = ([0.667, 0.333], ["sag", "sag", "sbg"], [0.215, 0.176])
assert found == {
    "networkx": ([0.5, 0.5], ["sag", "sbg"], [0.215, 0.176]),
    "igraph": others,
    "rustworkx": others,
}, "it behaves otherwise now"
PYTHON
