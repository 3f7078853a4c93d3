"""Checks the distances of levels from their starts. It needs Python and nothing else.
`python3 check_distances.py [LEVEL ...]` checks all levels of levels.csv beside this file, unless some are named.

A table proves itself: (1) its states are those that moves lead to from the start, (2) goals, and they alone, have the
distance 0, (3) no move lowers the distance by more than 1, (4) every other state with a distance has a move that lowers
it by 1. So no way to a goal is shorter, and one is as long. States without a distance have no moves to others.
"""
import csv
import sys
from pathlib import Path

# RULES

def check(level, start, table, goals_have_moves):
    """Checks a table, distances by states; says how many states, moves and goals there are."""
    found, reached, n_moves, n_goals, none = [start], {start}, 0, 0, float("inf")
    for state in found:
        expect(state in table, f"{state} can be reached and is not in the table")
        is_goal = level.is_goal(state)
        after = list(level.after_moves(state)) if goals_have_moves or not is_goal else []
        given = 0 if is_goal else 1 + min((table.get(other, none) for other in after), default=none)
        expect(table[state] == given, f"{state}: distance {table[state]}, and its moves give {given}")
        found += [other for other in dict.fromkeys(after) if other not in reached]
        reached.update(after)
        n_moves, n_goals = n_moves + len(after), n_goals + is_goal
    expect(len(reached) == len(table), f"{len(table) - len(reached)} states of the table cannot be reached")
    return f"{len(table)} states, {n_moves} moves, {n_goals} goals"

def expect(is_true, message):
    if not is_true:
        raise ValueError(message)

def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))

here, failed = Path(__file__).resolve().parent, False
for row in [row for row in rows(here / "levels.csv") if row["level"] in (sys.argv[1:] or [row["level"]])]:
    try:
        level, entries = Level(row), rows(here.parent / "distances" / row["table"])
        table = {level.read(entry["state"]): float(entry["distance"] or "inf") for entry in entries}
        expect(len(table) == len(entries), "a state is in the table twice")
        said = check(level, level.read(row["start"]), table, row["goals_have_moves"] == "yes")
        print(f"{row['level']}: right ({said})")
    except (IndexError, KeyError, OSError, ValueError) as error:
        failed = True
        print(f"{row['level']}: WRONG: {error}")
sys.exit(failed)
