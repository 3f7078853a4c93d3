#!/usr/bin/env bash
# The mazes that mazelib makes by Aldous-Broder, of which all are said to be as likely as each other, have long ways and few dead
# ends: many mazes never come.
#
# Versions: mazelib 0.9.16, numpy 2.4.6.
# Input:    20,000 mazes of 3 × 3 cells by AldousBroder, and as many by Wilsons. There are 192 without a loop (by the theorem of
#           Kirchhoff), so that each should come about 104 times; then 200 mazes of 12 × 12 cells by each.
# Guess:    both are uniform over the 192, as the two algorithms are known for, and as the notes of the package say ("unbiased",
#           "uniform spanning tree").
# Seen:     AldousBroder makes 55 of the 192 never, and one of them 610 times; Wilsons makes all, each 135 times at most (a
#           chi-square of 177 for 191 degrees of freedom, instead of 45,339). Of 12 × 12 cells, 11 % are dead ends by
#           AldousBroder, and 29 % by Wilsons. The walk goes to a cell that was not visited wherever one is beside it, and
#           is at random only elsewhere.
# So:       take Wilsons where levels are to be a random sample of all mazes, or where their measures (dead ends, lengths of
#           solutions) are compared with a distribution of chance.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check mazelib==0.9.16 numpy==2.4.6
"$folder/python/bin/python" - <<'PYTHON'
import random
from collections import Counter

import numpy as np
from mazelib.generate.AldousBroder import AldousBroder
from mazelib.generate.Wilsons import Wilsons

cells = [(row, column) for row in range(3) for column in range(3)]
laplacian = np.zeros((9, 9))
for i, (row, column) in enumerate(cells):
    for j, (r, c) in enumerate(cells):
        if abs(row - r) + abs(column - c) == 1:
            laplacian[i, j] = -1
            laplacian[i, i] += 1
trees = round(np.linalg.det(laplacian[1:, 1:]))
assert trees == 192


def dead_ends(maze):
    walls = np.array(maze)
    ways = [4 - walls[[r - 1, r + 1, r, r], [c, c, c - 1, c + 1]].sum()
            for r in range(1, len(walls), 2) for c in range(1, len(walls), 2)]
    return np.mean(np.array(ways) == 1)


N, found = 20_000, {}
for algorithm in (AldousBroder, Wilsons):
    random.seed(1)
    np.random.seed(1)
    mazes = Counter(np.array(algorithm(3, 3).generate()).tobytes() for _ in range(N))
    expected = N / trees
    chi = sum((n - expected) ** 2 for n in mazes.values()) / expected + (trees - len(mazes)) * expected
    large = 100 * np.mean([dead_ends(algorithm(12, 12).generate()) for _ in range(200)])
    found[algorithm.__name__] = (trees - len(mazes), max(mazes.values()), chi, large)
    print(f"{algorithm.__name__}: {trees - len(mazes)} of {trees} mazes never came, the most common {max(mazes.values())} times; "
          f"chi-square {chi:.0f} ({trees - 1} df); {large:.1f} % dead ends in 12 x 12")
absent, common, chi, large = found["AldousBroder"]
assert absent > 30 and common > 400 and chi > 10_000 and large < 22, f"AldousBroder behaves otherwise now: {found}"
absent, common, chi, large = found["Wilsons"]
assert absent == 0 and common < 150 and chi < 270 and large > 25, f"Wilsons behaves otherwise now: {found}"
PYTHON
