"""Match-the-Tiles, a second time: counts of every level in data/match_the_tiles/levels.txt.

Written from the rules of the game, not from the Rust code: blocks move one by one, cell by cell. Plain Python 3, no
packages. Run it from the root of the repository; it writes crates/puzzles/tests/golden/games/match_the_tiles.json:

    python3 crates/puzzles/tests/oracles/match_the_tiles.py
"""

import json
from collections import Counter, deque
from pathlib import Path

LEVELS = Path("data/match_the_tiles/levels.txt")
GOLDEN = Path("crates/puzzles/tests/golden/games/match_the_tiles.json")
PERFT_DEPTH = 8
STEPS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


def read_levels(text):
    """Name and rows (lists of cells as written) of each level."""
    levels = []
    for block in text.split("\n\n"):
        name, rows = None, []
        for line in block.splitlines():
            if line.startswith("# id:"):
                name = line.split(":", 1)[1].strip()
            elif line.strip() and not line.startswith("#"):
                rows.append(line.split() if " " in line.strip() else list(line.strip()))
        if rows:
            levels.append((name, rows))
    return levels


class Level:
    """The rules of one level; a state is a frozenset of (row, column, colour)."""

    def __init__(self, rows):
        self.free = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != "x"}
        self.goals = {}
        blocks = set()
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                for letter in cell.replace("x", "").replace(".", ""):
                    if letter.islower():
                        self.goals[r, c] = letter
                    else:
                        blocks.add((r, c, letter.lower()))
        self.start = frozenset(blocks)

    def swipe(self, state, name):
        """The state after a swipe: every block steps on while it can, until none can."""
        down, right = STEPS[name]
        blocks = {(r, c): colour for r, c, colour in state}
        moved = True
        while moved:
            moved = False
            for r, c in list(blocks):
                ahead = (r + down, c + right)
                if ahead in self.free and ahead not in blocks:
                    blocks[ahead] = blocks.pop((r, c))
                    moved = True
        return frozenset((r, c, colour) for (r, c), colour in blocks.items())

    def successors(self, state):
        return [after for after in (self.swipe(state, name) for name in STEPS) if after != state]

    def is_goal(self, state):
        return all(self.goals.get((r, c)) == colour for r, c, colour in state)


def explore(level):
    """All states that can be reached, with their successors."""
    successors, queue = {}, deque([level.start])
    seen = {level.start}
    while queue:
        state = queue.popleft()
        successors[state] = level.successors(state)
        for after in successors[state]:
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return successors


def distances(level, successors):
    """Fewest swipes to a goal, by relaxation until nothing changes."""
    distance = {state: 0 for state in successors if level.is_goal(state)}
    changed = True
    while changed:
        changed = False
        for state, afters in successors.items():
            best = min((distance[after] + 1 for after in afters if after in distance), default=None)
            if best is not None and best < distance.get(state, best + 1):
                distance[state] = best
                changed = True
    return distance


def perft(level, successors):
    """Number of move sequences of each length from the start."""
    layer, counts = Counter([level.start]), [1]
    for _ in range(PERFT_DEPTH):
        following = Counter()
        for state, paths in layer.items():
            for after in successors[state]:
                following[after] += paths
        layer = following
        counts.append(sum(layer.values()))
    return counts


def summary(name, rows):
    level = Level(rows)
    successors = explore(level)
    distance = distances(level, successors)
    histogram = Counter(distance.values())
    return {
        "level": name,
        "file": str(LEVELS),
        "rules": {},
        "perft": perft(level, successors),
        "n_states": len(successors),
        "n_arcs": sum(len(afters) for afters in successors.values()),
        "n_goals": histogram[0],
        "n_dead_ends": len(successors) - len(distance),
        "start_distance": distance.get(level.start),
        "max_distance": max(distance.values(), default=None),
        "histogram": [histogram[d] for d in range(max(distance.values(), default=-1) + 1)],
    }


if __name__ == "__main__":
    levels = [summary(name, rows) for name, rows in read_levels(LEVELS.read_text(encoding="utf-8"))]
    GOLDEN.parent.mkdir(parents=True, exist_ok=True)
    GOLDEN.write_text(json.dumps({"game": "match-the-tiles", "levels": levels}, indent=2) + "\n", encoding="utf-8")
    for level in levels:
        print(level)
