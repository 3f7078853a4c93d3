"""Golden counts of sliding tiles, written from their rules in plain Python.

Run it from the folder of the project:

    python3 crates/puzzles/tests/oracles/sliding_tiles.py

It reads data/sliding_tiles/levels.txt and writes crates/puzzles/tests/golden/games/sliding_tiles.json (a few seconds). No package
is needed. Frames of up to nine cells are counted whole; on larger ones two searches meet between start and goal.
"""

from tower_of_london import ROOT, count, write

LEVELS = "data/sliding_tiles/levels.txt"
WHOLE = 9
PERFT_DEPTH = 6


def read_levels(path):
    """Name, width, start and goal of each level: tuples with 0 for the blank."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        settings, rows = {}, []
        for line in block.splitlines():
            if line.startswith("#"):
                key, colon, value = line.lstrip("# ").partition(":")
                if colon and key.isalpha():
                    settings[key] = value.strip()
            elif line.strip():
                rows.append(line.split())
        if not rows:
            continue
        start = tuple(0 if cell == "." else int(cell) for row in rows for cell in row)
        goal = settings.get("goal", "blank-last")
        in_order = tuple(range(1, len(start)))
        named = {"blank-last": in_order + (0,), "blank-first": (0,) + in_order}
        if goal not in named:
            named[goal] = tuple(0 if cell == "." else int(cell) for cell in goal.replace("/", " ").split())
        yield settings["id"], len(rows[0]), start, named[goal]


def moves_in(width):
    """The function that gives the positions after each legal move: a neighbour of the blank changes places with it."""

    def moves(state):
        blank = state.index(0)
        column = blank % width
        beside = [blank - width, blank + width]
        beside += [blank - 1] if column > 0 else []
        beside += [blank + 1] if column < width - 1 else []
        for cell in beside:
            if 0 <= cell < len(state):
                after = list(state)
                after[blank], after[cell] = after[cell], 0
                yield tuple(after)

    return moves


def meeting(start, goal, successors):
    """The fewest moves from start to goal, by layers from both until they meet."""
    seen, layers, distance = [{start}, {goal}], [{start}, {goal}], 0
    while not layers[0] & layers[1]:
        side = 0 if len(layers[0]) <= len(layers[1]) else 1
        layers[side] = {after for state in layers[side] for after in successors(state)} - seen[side]
        seen[side] |= layers[side]
        distance += 1
    return distance


def perft(start, successors):
    counts, layer = [1], {start: 1}
    for _ in range(PERFT_DEPTH):
        following = {}
        for state, ways in layer.items():
            for after in successors(state):
                following[after] = following.get(after, 0) + ways
        layer = following
        counts.append(sum(layer.values()))
    return counts


def main():
    levels = []
    for name, width, start, goal in read_levels(ROOT / LEVELS):
        successors = moves_in(width)
        if len(start) <= WHOLE:
            counts = count(start, goal, successors)
        else:
            counts = {"perft": perft(start, successors), "start_distance": meeting(start, goal, successors)}
        levels.append((name, counts))
    write("sliding-tiles", LEVELS, levels, "crates/puzzles/tests/golden/games/sliding_tiles.json")


if __name__ == "__main__":
    main()
