"""Counts of the puzzles whose Lua scripts plymap ships, from the rules of the puzzles alone.

Run in the root of the repository, with any Python 3.9 or later and nothing else:

    python3 crates/puzzles/tests/oracles/lua_puzzles.py

It reads data/lua/*_levels.txt and writes crates/puzzles/tests/golden/games/lua.json. It shares nothing with the scripts but
the level files: boards are tuples, grids and bit masks here, and text and tables there.
"""

import json
from collections import deque

PERFT_DEPTH = 5


def levels(path):
    """Name, rows and settings of each level of a file. A line with a name begins a level."""
    found = []
    for line in open(path, encoding="utf-8").read().splitlines():
        bare = line.lstrip("# ")
        key, colon, value = bare.partition(":")
        if colon and key.strip().isidentifier():
            if key.strip() == "id":
                found.append((value.strip(), [], {}))
            elif not line.startswith("#"):
                found[-1][2][key.strip()] = value.strip()
        elif line.strip() and not line.startswith("#"):
            found[-1][1].append(line.rstrip())
    return found


def sliding(rows, _settings):
    height, width = len(rows), len(rows[0])
    start = tuple(int(mark) if mark != "." else 0 for row in rows for mark in row)
    home = tuple(range(1, width * height)) + (0,)

    def successors(state):
        row, column = divmod(state.index(0), width)
        for other_row, other_column in (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1):
            if 0 <= other_row < height and 0 <= other_column < width:
                tile = state[other_row * width + other_column]
                yield tuple(tile if one == 0 else 0 if one == tile else one for one in state)

    return start, lambda state: state == home, successors


def jugs(_rows, settings):
    capacities = tuple(map(int, settings["capacities"].split()))
    start = tuple(map(int, settings["start"].split())) if "start" in settings else (0,) * len(capacities)
    wanted = settings["goal"].split()
    tap = settings.get("tap") == "yes"

    def is_goal(state):
        if len(wanted) == 1:
            return int(wanted[0]) in state
        return all(one == "-" or int(one) == amount for one, amount in zip(wanted, state))

    def successors(state):
        for jug, (amount, capacity) in enumerate(zip(state, capacities)):
            if tap and amount != capacity:
                yield state[:jug] + (capacity,) + state[jug + 1:]
            if tap and amount != 0:
                yield state[:jug] + (0,) + state[jug + 1:]
            for other in range(len(state)):
                flow = min(amount, capacities[other] - state[other])
                if other != jug and flow:
                    after = list(state)
                    after[jug] -= flow
                    after[other] += flow
                    yield tuple(after)

    return start, is_goal, successors


def pegs(rows, settings):
    holes = [(row, column) for row, line in enumerate(rows) for column, mark in enumerate(line) if mark in "o."]
    bit = {hole: 1 << number for number, hole in enumerate(holes)}
    start = sum(bit[hole] for hole in holes if rows[hole[0]][hole[1]] == "o")
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    if settings.get("shape") == "triangle":
        steps += [(1, 1), (-1, -1)]
    jumps = []
    for row, column in holes:
        for down, right in steps:
            path = [(row + n * down, column + n * right) for n in range(3)]
            if all(hole in bit for hole in path):
                jumps.append([bit[hole] for hole in path])
    last = settings.get("last")
    ends = set(bit.values()) if not last else {bit[(int(last[1:]) - 1, ord(last[0]) - ord("a"))]}

    def successors(state):
        for first, over, to in jumps:
            if state & first and state & over and not state & to:
                yield state - first - over + to

    return start, lambda state: state in ends, successors


def sokoban(rows, settings):
    cells = {(row, column): mark for row, line in enumerate(rows) for column, mark in enumerate(line)}
    free = {cell for cell, mark in cells.items() if mark != "x"}
    goals = frozenset(cell for cell, mark in cells.items() if mark in ".+*")
    boxes = frozenset(cell for cell, mark in cells.items() if mark in "$*")
    player = next(cell for cell, mark in cells.items() if mark in "@+")
    by_step = settings.get("moves") == "step"
    steps = [(-1, 0), (1, 0), (0, -1), (0, 1)]

    def region(player, boxes):
        seen, stack = {player}, [player]
        while stack:
            row, column = stack.pop()
            for down, right in steps:
                cell = (row + down, column + right)
                if cell in free and cell not in boxes and cell not in seen:
                    seen.add(cell)
                    stack.append(cell)
        return frozenset(seen)

    def place(player, boxes):
        return player if by_step else region(player, boxes)

    def successors(state):
        place_now, boxes = state
        for row, column in [place_now] if by_step else place_now:
            for down, right in steps:
                ahead, behind = (row + down, column + right), (row + 2 * down, column + 2 * right)
                if ahead in boxes:
                    if behind in free and behind not in boxes:
                        moved = boxes - {ahead} | {behind}
                        yield place(ahead, moved), moved
                elif by_step and ahead in free:
                    yield ahead, boxes

    return (place(player, boxes), boxes), lambda state: state[1] == goals, successors


def river(_rows, settings):
    pairs, seats = int(settings.get("pairs", 3)), int(settings.get("seats", 2))

    def successors(state):
        (hobbits, orcs), boat = state
        here = (hobbits, orcs) if boat == 0 else (pairs - hobbits, pairs - orcs)
        loads = {(h, o) for h in range(here[0] + 1) for o in range(here[1] + 1) if 1 <= h + o <= seats}
        for h, o in loads:
            left = (hobbits - h, orcs - o) if boat == 0 else (hobbits + h, orcs + o)
            right = (pairs - left[0], pairs - left[1])
            if all(bank[0] == 0 or bank[1] <= bank[0] for bank in (left, right)):
                yield left, 1 - boat

    return ((pairs, pairs), 0), lambda state: state[0] == (0, 0), successors


def counted(start, is_goal, successors):
    number, order, arcs = {start: 0}, [start], []
    for state in order:
        after = []
        for other in successors(state):
            if other not in number:
                number[other] = len(order)
                order.append(other)
            after.append(number[other])
        arcs.append(after)
    before = [[] for _ in order]
    for source, after in enumerate(arcs):
        for target in after:
            before[target].append(source)
    goals = [node for node, state in enumerate(order) if is_goal(state)]
    distance = {node: 0 for node in goals}
    queue = deque(goals)
    while queue:
        node = queue.popleft()
        for other in before[node]:
            if other not in distance:
                distance[other] = distance[node] + 1
                queue.append(other)
    histogram = [0] * (max(distance.values(), default=-1) + 1)
    for value in distance.values():
        histogram[value] += 1
    perft, ways = [1], {0: 1}
    for _ in range(PERFT_DEPTH):
        following = {}
        for node, count in ways.items():
            for target in arcs[node]:
                following[target] = following.get(target, 0) + count
        ways = following
        perft.append(sum(ways.values()))
    return {
        "perft": perft,
        "n_states": len(order),
        "n_arcs": sum(map(len, arcs)),
        "n_goals": len(goals),
        "start_distance": distance.get(0),
        "max_distance": max(distance.values(), default=None),
        "histogram": histogram,
    }


PUZZLES = {"eight_puzzle": sliding, "water_jugs": jugs, "peg_solitaire": pegs, "sokoban": sokoban, "river": river}


def main():
    results = []
    for name, puzzle in PUZZLES.items():
        file = f"data/lua/{name}_levels.txt"
        for level, rows, settings in levels(file):
            head = {"level": level, "file": file, "rules": {"script": f"data/lua/{name}.lua"}}
            results.append({**head, **counted(*puzzle(rows, settings))})
            keys = ("n_states", "n_arcs", "n_goals", "start_distance", "max_distance")
            print(name, level, {key: results[-1][key] for key in keys})
    lines = ",\n".join(json.dumps(result) for result in results)
    with open("crates/puzzles/tests/golden/games/lua.json", "w", encoding="utf-8") as out:
        out.write(f'{{"game": "lua", "levels": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
