#!/usr/bin/env bash
# How often PySAT enumerates each solution of a puzzle depends on the encoding of a limit on its moves, and on how tight the limit
# is: once, or fifty times, or 45,000 times.
#
# Version:  python-sat 1.9.dev24.
# Input:    Lights Out of 4 × 4 with all lights on, whose clauses allow one press or none of each cell; the presses are limited to
#           exactly 4 (the fewest), at most 4 and at most 6, by CardEnc.equals and CardEnc.atmost in four encodings; all models of
#           enum_models are counted. The truth is from all 65,536 sets of presses: 2, 2 and 6.
# Guess:    the variables that an encoding adds follow from the presses, so that each solution is one model, in each encoding; a
#           puzzle whose count is 1 has one solution.
# Known:    issue 64 of PySAT lists the encodings that keep the number of solutions of an "exactly" (2020, closed).
# Seen:     the default (seqcounter) has 2, 2 and 335 models, totalizer 89,824, 11,228 and 175,888, mtotalizer 2, 2 and 286,
#           kmtotalizer 2, 2 and 302. They hold the right solutions, each many times: what was added may take any of several
#           values where the limit leaves room, by totalizer even for "exactly". A test with a tight limit shows nothing of it.
# So:       block the presses alone in a loop of one's own, or count distinct sets of presses, before a level is called ambiguous.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check python-sat==1.9.dev24
"$folder/python/bin/python" - <<'PYTHON'
from itertools import product

from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

SIDE = 4
cells = [(row, column) for row in range(SIDE) for column in range(SIDE)]
number = {cell: i + 1 for i, cell in enumerate(cells)}
near = [[number[other] for other in cells if abs(row - other[0]) + abs(column - other[1]) <= 1] for row, column in cells]
# An odd number of presses at each cell and its neighbours.
clauses = [
    [cell if sign else -cell for cell, sign in zip(some, signs)]
    for some in near
    for signs in product((0, 1), repeat=len(some))
    if (len(some) - sum(signs)) % 2 == 0
]
sizes = []
for presses in product((0, 1), repeat=len(cells)):
    if all(sum(presses[cell - 1] for cell in some) % 2 for some in near):
        sizes.append(sum(presses))
fewest = min(sizes)
found = {}
for kind, limit in (("equals", fewest), ("atmost", fewest), ("atmost", fewest + 2)):
    truth = sum(size == limit if kind == "equals" else size <= limit for size in sizes)
    found[kind, limit] = [truth]
    for encoding in ("seqcounter", "totalizer", "mtotalizer", "kmtotalizer"):
        limited = getattr(CardEnc, kind)(lits=[*number.values()], bound=limit, encoding=getattr(EncType, encoding))
        with Solver(bootstrap_with=clauses + limited.clauses) as solver:
            models = [tuple(model[: len(cells)]) for model in solver.enum_models()]
        assert len(set(models)) == truth
        found[kind, limit].append(len(models))
    print(f"{kind} {limit}: {truth} solutions; models {found[kind, limit][1:]}")
assert found == {
    ("equals", 4): [2, 2, 89_824, 2, 2],
    ("atmost", 4): [2, 2, 11_228, 2, 2],
    ("atmost", 6): [6, 335, 175_888, 286, 302],
}, "it behaves otherwise now"
PYTHON
