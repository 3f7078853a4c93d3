"""Golden values of Lights Out, from the rules alone.

Run from the top of the repository:

    python crates/puzzles/tests/oracles/lights_out.py

It reads data/lights_out/levels.txt and writes crates/puzzles/tests/golden/games/lights_out.json. Plain Python, no packages, no
random numbers. Boards of at most 20 lamps are mapped by breadth-first search from the start and measured by
breadth-first search from the dark board. Larger boards with the plus neighbourhood are solved by chasing the light:
once the presses of the first row are chosen, each lamp tells whether the one below it must be pressed, so all
solutions are found by trying every first row. Neither way uses linear algebra.
"""

import json
from pathlib import Path

LEVELS = "data/lights_out/levels.txt"
GOLDEN = "crates/puzzles/tests/golden/games/lights_out.json"
MOST_MAPPED = 20
DEPTH = 5

OFFSETS = {
    "plus": [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)],
    "torus": [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)],
    "diagonal": [(0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)],
    "moore": [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1)],
}


def read_levels(text):
    """Yields (id, neighbourhood name or pattern, rows) of each level."""
    name, neighbourhood, rows = None, "plus", []
    for line in text.splitlines() + [""]:
        line = line.strip()
        if line.startswith("# id:"):
            name = line.split(":", 1)[1].strip()
        elif line.startswith(("# neighbourhood:", "# pattern:")):
            neighbourhood = line.split(":", 1)[1].strip()
        elif line.startswith("#"):
            continue
        elif line:
            rows.append(line)
        elif rows:
            yield name, neighbourhood, rows
            name, neighbourhood, rows = None, "plus", []


def press_masks(width, height, neighbourhood):
    """For each cell, the lamps that its press inverts, as the bits of a number."""
    offsets = OFFSETS.get(neighbourhood)
    if offsets is None:
        offsets = [tuple(int(part) for part in pair.split(",")) for pair in neighbourhood.split()]
    masks = []
    for row in range(height):
        for column in range(width):
            reached = set()
            for rows, columns in offsets:
                at = (row + rows, column + columns)
                if neighbourhood == "torus":
                    at = (at[0] % height, at[1] % width)
                if 0 <= at[0] < height and 0 <= at[1] < width:
                    reached.add(at[0] * width + at[1])
            masks.append(sum(1 << cell for cell in reached))
    return masks


def layers(start, masks):
    """Breadth-first search: the number of boards at each distance from `start`, and all of them."""
    seen, layer, sizes = {start}, [start], []
    while layer:
        sizes.append(len(layer))
        after = []
        for board in layer:
            for mask in masks:
                board_after = board ^ mask
                if board_after not in seen:
                    seen.add(board_after)
                    after.append(board_after)
        layer = after
    return sizes, seen


def distance(start, masks):
    """Moves from `start` to the dark board; None if it cannot be reached."""
    seen, layer, moves = {start}, [start], 0
    while layer:
        if 0 in layer:
            return moves
        after = {board ^ mask for board in layer for mask in masks} - seen
        seen |= after
        layer, moves = list(after), moves + 1
    return None


def path_counts(start, masks, depth):
    """Number of move sequences of each length, counted board by board."""
    ways, counts = {start: 1}, []
    for _ in range(depth + 1):
        counts.append(sum(ways.values()))
        after = {}
        for board, number in ways.items():
            for mask in masks:
                after[board ^ mask] = after.get(board ^ mask, 0) + number
        ways = after
    return counts


def chased_solutions(width, height, lit):
    """The weights of all solutions of a board with the plus neighbourhood."""
    full = (1 << width) - 1
    rows = [sum(1 << column for column in range(width) if lit[row][column]) for row in range(height)]
    weights = []
    for first in range(1 << width):
        above, here, weight = 0, first, 0
        for row in range(height):
            weight += bin(here).count("1")
            left_on = rows[row] ^ here ^ (here << 1 & full) ^ (here >> 1) ^ above
            above, here = here, left_on
        if here == 0:
            weights.append(weight)
    return weights


def golden(name, neighbourhood, rows):
    height, width = len(rows), len(rows[0])
    lit = [[mark == "*" for mark in row] for row in rows]
    start = sum(1 << (row * width + column) for row in range(height) for column in range(width) if lit[row][column])
    masks = press_masks(width, height, neighbourhood)
    entry = {"level": name, "file": LEVELS, "rules": {}}
    if width * height <= MOST_MAPPED:
        entry["perft"] = path_counts(start, masks, DEPTH)
        _, reached = layers(start, masks)
        entry["n_states"] = len(reached)
        entry["n_arcs"] = len(reached) * len(masks)
        entry["n_goals"] = int(0 in reached)
        entry["start_distance"] = distance(start, masks)
        if 0 in reached:
            histogram, _ = layers(0, masks)
            entry["max_distance"] = len(histogram) - 1
            entry["histogram"] = histogram
    else:
        assert neighbourhood == "plus"
        # Every press is always possible.
        entry["perft"] = [len(masks) ** length for length in range(DEPTH + 1)]
        weights = chased_solutions(width, height, lit)
        entry["start_distance"] = min(weights, default=None)
        entry["n_solutions"] = len(weights)
        entry["n_lightest"] = weights.count(min(weights)) if weights else 0
    return entry


def main():
    levels = [golden(*level) for level in read_levels(Path(LEVELS).read_text(encoding="utf-8"))]
    text = json.dumps({"game": "lights-out", "levels": levels}, indent=1)
    Path(GOLDEN).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
