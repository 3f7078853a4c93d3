"""The heuristics of Match-the-Tiles and of Rush Hour, a second time.

Written from their definitions, not from the Rust code: positions are sets of cells, walls are found by walking cell
by cell, and the value of a wall comes from a search over (cell, direction). Plain Python 3, no packages. Run it from
the root of the repository; it writes crates/puzzles/tests/golden/heuristics.json:

    python3 crates/puzzles/tests/oracles/heuristics.py
"""

import heapq
import json
import math
from pathlib import Path

GOLDEN = Path("crates/puzzles/tests/golden/heuristics.json")
STEPS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}

TILES = {
    "two-colours": "....x/.A.xB/...../...xb/.xa..",
    "twins": ". . . . x ./. x . . . ./. . . . . ./. . A . . ./. . . . . x/a Aa x x . .",
    "shared": "A a x ./. x . A/a . . B/b . x .",
}

RUSH_HOUR = {
    "small": "..B./AAB./..CC/....",
    "walls": "B..x./B.C../AAC.D/..C.D/EE...",
}


def mean(numbers):
    return sum(numbers) / len(numbers)


JOINS = {"min": min, "mean": mean, "max": max}


def read_rows(text):
    rows = []
    for row in text.split("/"):
        rows.append(row.split() if " " in row else list(row))
    return rows


class Tiles:
    """One level of Match-the-Tiles; a state is a sorted tuple of (colour, row, column)."""

    def __init__(self, text):
        rows = read_rows(text)
        self.height, self.width = len(rows), len(rows[0])
        self.walls, self.goals, blocks = set(), {}, []
        for r in range(-1, self.height + 1):
            for c in range(-1, self.width + 1):
                if not (0 <= r < self.height and 0 <= c < self.width) or rows[r][c] == "x":
                    self.walls.add((r, c))
                    continue
                for letter in rows[r][c].replace(".", ""):
                    if letter.islower():
                        self.goals.setdefault(letter, []).append((r, c))
                    else:
                        blocks.append((letter.lower(), r, c))
        self.start = tuple(sorted(blocks))
        self.turns = {colour: self.turns_to_walls(goals) for colour, goals in self.goals.items()}

    def swipe(self, state, step):
        blocks = {(r, c): colour for colour, r, c in state}
        moved = True
        while moved:
            moved = False
            for r, c in list(blocks):
                ahead = (r + step[0], c + step[1])
                if ahead not in self.walls and ahead not in blocks:
                    blocks[ahead] = blocks.pop((r, c))
                    moved = True
        return tuple(sorted((colour, r, c) for (r, c), colour in blocks.items()))

    def states(self):
        seen, queue = {self.start}, [self.start]
        for state in queue:
            for step in STEPS.values():
                after = self.swipe(state, step)
                if after not in seen:
                    seen.add(after)
                    queue.append(after)
        return queue

    def shown(self, state):
        blocks = {(r, c): colour.upper() for colour, r, c in state}
        row = lambda r: "".join("x" if (r, c) in self.walls else blocks.get((r, c), ".") for c in range(self.width))
        return "/".join(row(r) for r in range(self.height))

    def turns_to_walls(self, goals):
        """Fewest turns from a goal to each wall, by Dijkstra's algorithm over (cell, direction)."""
        best, walls = {}, {}
        heap = [(0, goal, step) for goal in goals for step in STEPS.values()]
        heapq.heapify(heap)
        while heap:
            turns, cell, step = heapq.heappop(heap)
            if best.get((cell, step), math.inf) <= turns:
                continue
            best[cell, step] = turns
            ahead = (cell[0] + step[0], cell[1] + step[1])
            if ahead in self.walls:
                walls[ahead] = min(walls.get(ahead, math.inf), turns)
            else:
                heapq.heappush(heap, (turns, ahead, step))
            for other in STEPS.values():
                if other != step:
                    heapq.heappush(heap, (turns + 1, cell, other))
        return walls

    def collinear(self, block):
        colour, r, c = block
        values = []
        for gr, gc in self.goals[colour]:
            if (r, c) == (gr, gc):
                values.append(0)
            elif r != gr and c != gc:
                values.append(2)
            else:
                between = [(y, x) for y in range(min(r, gr), max(r, gr) + 1) for x in range(min(c, gc), max(c, gc) + 1)]
                values.append(3 if any(cell in self.walls for cell in between) else 1)
        return min(values)

    def collision(self, block):
        colour, r, c = block
        touched, faced = [], []
        for down, right in STEPS.values():
            y, x, steps = r + down, c + right, 1
            while (y, x) not in self.walls:
                y, x, steps = y + down, x + right, steps + 1
            faced.append((y, x))
            if steps == 1:
                touched.append((y, x))
        return min(self.turns[colour].get(wall, math.inf) for wall in touched or faced)

    def heuristics(self, state):
        collinear = [self.collinear(block) for block in state]
        collision = [self.collision(block) for block in state]
        values = {
            "collinear": max(collinear),
            "collinear-sum": sum(collinear),
            "collision": max(collision),
            "collision-sum": sum(collision),
        }
        measures = {
            "euclidean": lambda r, c, goal: math.hypot(r - goal[0], c - goal[1]),
            "manhattan": lambda r, c, goal: abs(r - goal[0]) + abs(c - goal[1]),
        }
        for measure, distance in measures.items():
            for outer, df in JOINS.items():
                for inner, nf in JOINS.items():
                    of_blocks = [nf([distance(r, c, goal) for goal in self.goals[colour]]) for colour, r, c in state]
                    values[f"{measure}-{outer}-{inner}"] = df(of_blocks)
        return values


class Cars:
    """One level of Rush Hour with the exit on the right; a state is a dict from a letter to its set of cells."""

    def __init__(self, text):
        self.rows = read_rows(text)
        self.height, self.width = len(self.rows), len(self.rows[0])
        cells = [(r, c) for r in range(self.height) for c in range(self.width)]
        self.cells = set(cells)
        self.walls = {(r, c) for r, c in cells if self.rows[r][c] == "x"}
        letters = {self.rows[r][c] for r, c in cells} - {"x", "."}
        self.start = {letter: frozenset(cell for cell in cells if self.rows[cell[0]][cell[1]] == letter) for letter in letters}

    def shown(self, state):
        letter = {cell: name for name, cells in state.items() for cell in cells}
        mark = lambda cell: "x" if cell in self.walls else letter.get(cell, ".")
        return "".join(mark((r, c)) for r in range(self.height) for c in range(self.width))

    def states(self):
        seen, queue = {self.shown(self.start)}, [self.start]
        for state in queue:
            taken = self.walls | {cell for cells in state.values() for cell in cells}
            for name, cells in state.items():
                is_upright = len({r for r, _ in cells}) > 1
                for way in (-1, 1):
                    moved = frozenset((r + way, c) if is_upright else (r, c + way) for r, c in cells)
                    if moved <= self.cells and not (moved - cells) & taken:
                        after = {**state, name: moved}
                        if self.shown(after) not in seen:
                            seen.add(self.shown(after))
                            queue.append(after)
        return queue

    def blocking_cars(self, state, goal):
        row, column = max(state["A"])
        before = {(row, c) for c in range(column + 1, self.width)}
        if before & self.walls:
            return "inf"
        n_blocking = 0
        for name, cells in state.items():
            if cells & before:
                if len({r for r, _ in cells}) == 1:
                    return "inf"
                n_blocking += 1
        return n_blocking + (1 if goal == "exit" and before else 0)


def main():
    golden = {"match_the_tiles": [], "rush_hour": []}
    for name, text in TILES.items():
        level = Tiles(text)
        states = {level.shown(state): level.heuristics(state) for state in level.states()}
        golden["match_the_tiles"].append({"level": name, "board": text, "states": states})
    for name, text in RUSH_HOUR.items():
        level = Cars(text)
        of_rule = lambda rule: {level.shown(state): level.blocking_cars(state, rule) for state in level.states()}
        values = {"exit": of_rule("exit"), "path-clear": of_rule("path-clear")}
        golden["rush_hour"].append({"level": name, "board": text, "blocking-cars": values})
    GOLDEN.write_text(json.dumps(golden, indent=0) + "\n")
    for entry in golden["match_the_tiles"]:
        print(entry["level"], len(entry["states"]))
    for entry in golden["rush_hour"]:
        print(entry["level"], len(entry["blocking-cars"]["exit"]))


if __name__ == "__main__":
    main()
