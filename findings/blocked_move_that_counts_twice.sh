#!/usr/bin/env bash
# A move that leads nowhere (a loop) in a map without directions is made twice as often by a random player in igraph as in four
# other packages, which puts another state on top by PageRank; in networkx its degree is two, and its walk is one.
#
# Versions: networkx 3.6.1, igraph 1.0.0, rustworkx 0.18.1, networkit 11.3, scikit-network 0.33.5, numpy 2.4.6, scipy 1.17.1.
# Input:    a corridor of four states, moves between neighbours both ways, and a blocked move in the first (a loop): PageRank,
#           eigenvector centrality, and how often a random player in the first state stays there (igraph's random_walk of
#           40,000 moves, generate_random_paths of networkx). Then the same with directions: each move both ways, the loop once.
# Guess:    all agree: two moves lead from the first state, and one of them stays, so that a random player stays half of the time.
# Seen:     PageRank of the first state is .328 by igraph, the highest of the four; .269 by the others, where the third state is
#           highest with .292. Eigenvector centrality .87 and .66. It stays with 2/3 in igraph, 1/2 in networkx. igraph writes the
#           loop as 2 in its adjacency matrix, networkx as 1. Its degree is 3 in networkx, igraph and rustworkx, 2 in networkit:
#           a walk of networkx does not stay as often as its degrees say. With directions all agree on .269.
# So:       give maps with blocked moves directions before PageRank, walks or spectral measures, or take loops out in all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check networkx==3.6.1 igraph==1.0.0 rustworkx==0.18.1 \
    networkit==11.3 scikit-network==0.33.5 numpy==2.4.6 scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import random
from collections import Counter

import igraph
import networkit
import networkx
import numpy as np
import rustworkx
from scipy.sparse import csr_matrix
from sknetwork.ranking import PageRank

MOVES = [(0, 0), (0, 1), (1, 2), (2, 3)]
BOTH_WAYS = MOVES + [(there, here) for here, there in MOVES if here != there]


def ranks(moves, directed):
    map_ = networkx.DiGraph(moves) if directed else networkx.Graph(moves)
    both = rustworkx.networkx_converter(map_.to_directed())
    found = {
        "networkx": list(networkx.pagerank(map_, tol=1e-12).values()),
        "igraph": igraph.Graph(4, moves, directed=directed).pagerank(),
        "rustworkx": list(dict(rustworkx.pagerank(both, tol=1e-12)).values()),
        "networkit": networkit.centrality.PageRank(networkit.nxadapter.nx2nk(map_), 0.85, 1e-12).run().scores(),
        "scikit-network": PageRank(n_iter=1_000, tol=1e-12).fit_predict(csr_matrix(networkx.to_numpy_array(map_))),
    }
    return {name: [round(float(value), 3) for value in values] for name, values in found.items()}


def stays(walk):
    steps = Counter(walk)
    return steps[0, 0] / (steps[0, 0] + steps[0, 1])


without, with_directions = ranks(MOVES, False), ranks(BOTH_WAYS, True)
for name, values in without.items():
    print(f"{name}: PageRank {values}, with directions {with_directions[name]}")
of_networkx, of_igraph = networkx.Graph(MOVES), igraph.Graph(4, MOVES)
random.seed(1)
walk = of_igraph.random_walk(0, 40_001)
paths = networkx.generate_random_paths(of_networkx, 4_000, path_length=10, seed=1)
shares = stays(zip(walk, walk[1:])), stays(step for path in paths for step in zip(path, path[1:]))
print(f"a random player in the first state stays there: igraph {shares[0]:.2f}, networkx {shares[1]:.2f}")
vectors = np.array(of_igraph.eigenvector_centrality()), np.array(list(networkx.eigenvector_centrality_numpy(of_networkx).values()))
first = [round(float(abs(vector[0]) / np.linalg.norm(vector)), 2) for vector in vectors]
print(f"eigenvector centrality of the first state: igraph {first[0]}, networkx {first[1]}")
degrees = of_networkx.degree(0), of_igraph.degree(0), networkit.nxadapter.nx2nk(of_networkx).degree(0)
print(f"degree of the first state: networkx {degrees[0]}, igraph {degrees[1]}, networkit {degrees[2]}")
others = [0.269, 0.276, 0.292, 0.162]
assert without.pop("igraph") == [0.328, 0.246, 0.272, 0.153] and set(map(tuple, without.values())) == {tuple(others)}, "otherwise"
assert set(map(tuple, with_directions.values())) == {tuple(others)}, "it behaves otherwise now"
assert np.allclose(shares, (2 / 3, 1 / 2), atol=0.02) and first == [0.87, 0.66] and degrees == (3, 3, 2), "otherwise now"
assert of_igraph.get_adjacency()[0][0] == 2 and networkx.to_numpy_array(of_networkx)[0, 0] == 1, "it behaves otherwise now"
PYTHON
