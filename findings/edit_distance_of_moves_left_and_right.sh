#!/usr/bin/env bash
# Three packages of Python find no edit distance between a move by one cell to the left and a move by two.
#
# Versions: rapidfuzz 3.14.6, Levenshtein 0.27.5, editdistance 0.8.1, textdistance 4.6.3, edit-distance 1.0.9.
# Input:    lists of moves. A move is a tuple of piece and cells, such as ("A", -1), or the same as text, "A-1", or the cells
#           alone. One pair of lists of one move each; then 300 pairs of ten random moves of pieces A and B by -2, -1, 1 or 2.
# Guess:    elements have to be hashable, and as in a set the hash only finds candidates, of which == decides: one move that
#           differs is a distance of 1 in each notation.
# Seen:     hashes alone are compared, and CPython has one hash for -1 and -2, also within tuples. From ("A", -1) to ("A", -2)
#           it is 0 by rapidfuzz, Levenshtein and editdistance, to the right it is 1. textdistance says 0 beside them and
#           1 where it is alone, for it hands its work to what is installed. Of cells alone, rapidfuzz tells -1 from -2, but not
#           -1.0 from -2.0, and editdistance neither. edit-distance uses ==, and is right. The random pairs are 8.25 apart
#           as text, and 7.42 as tuples.
# So:       write moves as text, or number the distinct ones from 0, before a distance of sequences or a clustering by it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
cat >"$folder/alone.py" <<'PYTHON'
import textdistance

print(textdistance.levenshtein([("A", -1)], [("A", -2)]))
PYTHON
"$folder/python/bin/pip" install --quiet --disable-pip-version-check textdistance==4.6.3
alone=$("$folder/python/bin/python" "$folder/alone.py")
"$folder/python/bin/pip" install --quiet --disable-pip-version-check rapidfuzz==3.14.6 Levenshtein==0.27.5 \
    editdistance==0.8.1 edit-distance==1.0.9
beside=$("$folder/python/bin/python" "$folder/alone.py")
"$folder/python/bin/python" - "$alone" "$beside" <<'PYTHON'
import random
import sys

import edit_distance
import editdistance
import Levenshtein
import rapidfuzz

packages = {
    "rapidfuzz": rapidfuzz.distance.Levenshtein.distance,
    "Levenshtein": Levenshtein.distance,
    "editdistance": editdistance.eval,
    "edit-distance": lambda a, b: edit_distance.edit_distance(a, b)[0],
}
pairs = {
    "tuples, left": (("A", -1), ("A", -2)),
    "tuples, right": (("A", 1), ("A", 2)),
    "text": ("A-1", "A-2"),
    "cells": (-1, -2),
    "cells as float": (-1.0, -2.0),
}
found = {name: [distance([a], [b]) for a, b in pairs.values()] for name, distance in packages.items()}
print(", ".join(pairs))
for name, distances in found.items():
    print(f"{name}: {distances}")
assert found == {
    "rapidfuzz": [0, 1, 1, 1, 0],
    "Levenshtein": [0, 1, 1, 1, 0],
    "editdistance": [0, 1, 1, 0, 0],
    "edit-distance": [1, 1, 1, 1, 1],
}, "it behaves otherwise now"
print(f"textdistance, tuples, left: alone {sys.argv[1]}, beside the others {sys.argv[2]}")
assert sys.argv[1:] == ["1", "0"], "textdistance behaves otherwise now"

random.seed(1)
moves = [(piece, cells) for piece in "AB" for cells in (-2, -1, 1, 2)]
as_tuples = as_text = 0
for _ in range(300):
    a, b = random.choices(moves, k=10), random.choices(moves, k=10)
    as_tuples += rapidfuzz.distance.Levenshtein.distance(a, b)
    as_text += rapidfuzz.distance.Levenshtein.distance(*([f"{piece}{cells:+}" for piece, cells in some] for some in (a, b)))
print(f"300 pairs of ten random moves: mean distance {as_text / 300:.2f} as text, {as_tuples / 300:.2f} as tuples")
assert (round(as_text / 300, 2), round(as_tuples / 300, 2)) == (8.25, 7.42), "it behaves otherwise now"
PYTHON
