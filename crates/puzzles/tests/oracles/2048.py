"""Golden numbers of 2048, found without plymap.

Run from the repository's root; it takes about five minutes and writes crates/puzzles/tests/golden/games/2048.json:

    python3 crates/puzzles/tests/oracles/2048.py

A board is a tuple of rows of tile values, 0 for an empty cell. Nothing is packed, nothing is tabulated, and mirror
images are not merged. Values are found by recursion with a memory, over positions and not over after-states.
"""

import json
import sys
from functools import lru_cache
from itertools import combinations, product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
DIRECTIONS = ["up", "right", "down", "left"]
FOUR = 0.1
N_VALUES = 12

sys.setrecursionlimit(100_000)


def slide_line(line):
    """The line after a slide to its first cell, and the points: each tile merges at most once."""
    tiles = [tile for tile in line if tile]
    result, points = [], 0
    while tiles:
        if len(tiles) > 1 and tiles[0] == tiles[1]:
            result.append(2 * tiles[0])
            points += 2 * tiles[0]
            tiles = tiles[2:]
        else:
            result.append(tiles[0])
            tiles = tiles[1:]
    return tuple(result) + (0,) * (len(line) - len(result)), points


def flip(board):
    return tuple(tuple(reversed(row)) for row in board)


def turn(board):
    """Rows become columns."""
    return tuple(zip(*board))


def slide(board, direction):
    """The after-state and the points of a direction."""
    if direction == "left":
        pairs = [slide_line(row) for row in board]
        return tuple(row for row, _ in pairs), sum(points for _, points in pairs)
    if direction == "right":
        after, points = slide(flip(board), "left")
        return flip(after), points
    after, points = slide(turn(board), "left" if direction == "up" else "right")
    return turn(after), points


def is_goal(board, target):
    return target is not None and any(tile >= target for row in board for tile in row)


def choices(board, target):
    """Directions that change the board, with after-state and points; none at the goal."""
    if is_goal(board, target):
        return []
    slid = [(direction, *slide(board, direction)) for direction in DIRECTIONS]
    return [(direction, after, points) for direction, after, points in slid if after != board]


def put(board, row, column, tile):
    rows = [list(line) for line in board]
    assert rows[row][column] == 0
    rows[row][column] = tile
    return tuple(tuple(line) for line in rows)


def outcomes(after):
    """What the new tile makes of an after-state, each with its probability."""
    empty = [(row, column) for row, line in enumerate(after) for column, tile in enumerate(line) if tile == 0]
    for row, column in empty:
        yield put(after, row, column, 2), (1 - FOUR) / len(empty)
        yield put(after, row, column, 4), FOUR / len(empty)


def drawn_starts(width, height):
    """Two tiles, one after the other, in cells that are drawn: each pair of cells in either order."""
    blank = ((0,) * width,) * height
    cells = list(product(range(height), range(width)))
    pairs = list(combinations(cells, 2))
    for first, second in pairs:
        for one, other in product([2, 4], repeat=2):
            chance = (FOUR if one == 4 else 1 - FOUR) * (FOUR if other == 4 else 1 - FOUR) / len(pairs)
            yield put(put(blank, *first, one), *second, other), chance


def reachable(starts, target):
    """All positions in which it is the player's turn, those with the target included; choices; outcomes."""
    seen, pending = set(starts), list(set(starts))
    n_choices = n_outcomes = 0
    while pending:
        board = pending.pop()
        for _, after, _ in choices(board, target):
            n_choices += 1
            for following, _ in outcomes(after):
                n_outcomes += 1
                if following not in seen:
                    seen.add(following)
                    pending.append(following)
    return seen, n_choices, n_outcomes


def perft(board, target, depth):
    """Sequences of moves of length 0, 1, …, each outcome counted as its own."""
    counts, layer = [1], {board: 1}
    for _ in range(depth):
        following = {}
        for position, ways in layer.items():
            for _, after, _ in choices(position, target):
                for outcome, _ in outcomes(after):
                    following[outcome] = following.get(outcome, 0) + ways
        layer = following
        counts.append(sum(layer.values()))
    return counts


def valuation(target):
    @lru_cache(maxsize=None)
    def value(board):
        return max((worth(after, points) for _, after, points in choices(board, target)), default=0.0)

    def worth(after, points):
        if is_goal(after, target):
            return float(points)
        return points + sum(chance * value(board) for board, chance in outcomes(after))

    return value, worth


def written(board):
    return " / ".join(" ".join(str(tile or ".") for tile in row) for row in board)


def board_of(text):
    return tuple(tuple(0 if cell == "." else int(cell) for cell in row.split()) for row in text.split("/"))


def level(name, size, target, start, depth, first, exact):
    """One entry: `start` is None where it is drawn; `first` is the position that paths are counted from."""
    width, height = size
    entry = {"level": name, "file": "data/2048/levels.txt", "rules": {}}
    board = board_of(first)
    entry["perft_from"] = written(board)
    entry["perft"] = perft(board, target, depth)
    if not exact:
        return entry
    starts = [(start, 1.0)] if start else list(drawn_starts(width, height))
    states, n_choices, n_outcomes = reachable([board for board, _ in starts], target)
    entry["n_states"] = len(states)
    entry["n_choices"] = n_choices
    entry["n_arcs"] = n_outcomes
    entry["n_goals"] = sum(is_goal(board, target) for board in states)
    entry["n_stuck"] = sum(not is_goal(board, target) and not choices(board, target) for board in states)
    value, worth = valuation(target)
    entry["value_start"] = sum(chance * value(board) for board, chance in starts)
    entry["values"] = []
    playable = sorted(board for board in states if choices(board, target))
    for at in range(N_VALUES):
        board = playable[at * (len(playable) - 1) // (N_VALUES - 1)]
        moves = {direction: worth(after, points) for direction, after, points in choices(board, target)}
        entry["values"].append({"state": written(board), "value": value(board), "moves": moves})
    return entry


def main():
    begun = board_of("2 4 2 / . 8 16 / . . 32")
    late = "1024 512 64 8 / 16 32 16 4 / 4 8 2 . / 2 . . ."
    levels = [
        level("two", (2, 2), None, None, 6, "2 . / . 2", True),
        level("two-to-16", (2, 2), 16, None, 6, "2 . / 4 .", True),
        level("two-by-three", (2, 3), None, None, 4, "2 . / . . / . 2", True),
        level("three-to-32", (3, 3), 32, None, 4, "2 . . / . . . / . 4 .", True),
        level("three-begun", (3, 3), 64, begun, 4, written(begun), False),
        level("classic", (4, 4), 2048, None, 4, "2 . . . / . . . . / . 2 . . / . . . .", False),
        level("classic-late", (4, 4), 2048, board_of(late), 4, late, False),
    ]
    out = ROOT / "crates" / "puzzles" / "tests" / "golden" / "games" / "2048.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({"game": "2048", "levels": levels}, indent=1) + "\n")


if __name__ == "__main__":
    main()
