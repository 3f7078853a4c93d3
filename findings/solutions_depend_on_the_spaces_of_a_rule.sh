#!/usr/bin/env bash
# How many solutions python-constraint2 finds depends on the spaces in a rule: in "5<=x+y<=9" it reads past x, so that the rule
# is of y alone.
#
# Version:  python-constraint2 2.9.0.
# Input:    x and y from 1 to 7, and a rule with two bounds, as text, which the package prefers over a function (its own example
#           is one on x * y): with and without spaces beside <=, and from above. Then a puzzle that has one solution, by
#           the sum and the difference of x and y. The right numbers are counted by trying all values in Python.
# Guess:    text is read as Python reads it, where spaces do not count, or it is refused.
# Seen:     28 solutions with spaces, as there are, and 43 without: what stands after the first <= is read from its second
#           character on, and "+y<=9" is true of all. "9>=x+y>=5" has 9, for y alone is at least 5 then. The puzzle with one
#           solution has 2. No warning; with names of two letters it is refused, as nothing of the name "b" is there for "ab".
# So:       one bound for each rule, or spaces on both sides of each <=; count the solutions of a small level by hand before
#           "has one solution" is believed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check python-constraint2==2.9.0
"$folder/python/bin/python" - <<'PYTHON'
from itertools import product

from constraint import Problem


def found(rules):
    problem = Problem()
    problem.addVariables(["x", "y"], [*range(1, 8)])
    problem.addConstraint(rules)
    return len(problem.getSolutions())


def by_hand(rules):
    return sum(all(eval(rule, {"x": x, "y": y}) for rule in rules) for x, y in product(range(1, 8), repeat=2))


right = {"5 <= x+y <= 9": 28, "5 <= x + y <= 9": 28, "9 >= x+y >= 5": 28, "8 < x+y < 10, x >= y + 4": 1}
wrong = {"5<=x+y<=9": 43, "5 <=x+y<= 9": 43, "9>=x+y>=5": 9, "8<x+y<10, x >= y + 4": 2}
seen = {}
for text in [*right, *wrong]:
    rules = text.split(", ")
    seen[text] = found(rules)
    print(f"{text}: {seen[text]} solutions, {by_hand(rules)} by hand")
    assert by_hand(rules) == (1 if "10" in text else 28)
assert {text: seen[text] for text in right} == right, "with spaces it behaves otherwise now"
assert {text: seen[text] for text in wrong} == wrong, "without spaces it behaves otherwise now"
PYTHON
