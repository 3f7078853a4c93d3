"""Golden counts of the Tower of London and the Tower of Hanoi, written from their rules in plain Python.

Run it from the folder of the project:

    python3 crates/puzzles/tests/oracles/tower_of_london.py

It reads data/tower_of_london/levels.txt and writes crates/puzzles/tests/golden/games/tower_of_london.json. The Tower of Hanoi has
its own script, tower_of_hanoi.py, which takes the counting from here. No package is needed.
"""

import json
from collections import Counter, deque
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
PERFT_DEPTH = 6


def blocks(path):
    """The levels of a file: name, settings, and the line that is the level."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        settings, content = {}, []
        for line in block.splitlines():
            key, colon, value = line.lstrip("# ").partition(":")
            if line.startswith("#"):
                if colon and key.isalpha():
                    settings[key] = value.strip()
            elif line.strip():
                content.append(line.strip())
        if content:
            assert len(content) == 1, content
            yield settings.pop("id"), settings, content[0]


def position(text):
    """The pegs as texts, bottom first."""
    return tuple("" if peg.strip() == "-" else peg.strip() for peg in text.split("/"))


def moves(state, room):
    """Positions after each legal move: the last ball of a peg goes to the end of another that has room."""
    for source, balls in enumerate(state):
        for target, other in enumerate(state):
            if balls and source != target and len(other) < room[target]:
                after = list(state)
                after[source] = balls[:-1]
                after[target] = other + balls[-1]
                yield tuple(after)


def count(start, goal, successors):
    """What a golden file says of a level; `successors` gives the positions after each legal move."""
    seen, queue = {start}, deque([start])
    n_arcs = 0
    while queue:
        for after in successors(queue.popleft()):
            n_arcs += 1
            if after not in seen:
                seen.add(after)
                queue.append(after)
    # Every move can be taken back, so distances from the goal are distances to it.
    distance, queue = {goal: 0}, deque([goal])
    while queue:
        state = queue.popleft()
        for after in successors(state):
            if after not in distance:
                distance[after] = distance[state] + 1
                queue.append(after)
    histogram = Counter(distance[state] for state in seen if state in distance)
    perft, layer = [1], Counter({start: 1})
    for _ in range(PERFT_DEPTH):
        following = Counter()
        for state, ways in layer.items():
            for after in successors(state):
                following[after] += ways
        layer = following
        perft.append(sum(layer.values()))
    return {
        "perft": perft,
        "n_states": len(seen),
        "n_arcs": n_arcs,
        "n_goals": int(goal in seen),
        "start_distance": distance.get(start),
        "max_distance": max(histogram, default=None),
        "histogram": [histogram[moves] for moves in range(max(histogram, default=-1) + 1)],
    }


def write(game, file, levels, golden):
    out = ROOT / golden
    out.parent.mkdir(parents=True, exist_ok=True)
    levels = [{"level": name, "file": file, "rules": {}, **counts} for name, counts in levels]
    lines = ",\n".join("    " + json.dumps(level) for level in levels)
    out.write_text(f'{{\n  "game": "{game}",\n  "levels": [\n{lines}\n  ]\n}}\n', encoding="utf-8")


def main():
    file = "data/tower_of_london/levels.txt"
    levels = []
    for name, settings, line in blocks(ROOT / file):
        start, goal = (position(side.strip()) for side in line.split(">"))
        room = [int(number) for number in settings.get("capacities", "3 2 1").split()]
        assert sorted("".join(start)) == sorted("".join(goal)), name
        levels.append((name, count(start, goal, lambda state, room=room: moves(state, room))))
    write("tower-of-london", file, levels, "crates/puzzles/tests/golden/games/tower_of_london.json")


if __name__ == "__main__":
    main()
