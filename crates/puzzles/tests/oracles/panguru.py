"""Panguru, written from its rules a second time, to check the Rust program against.

Run from anywhere:  python3 crates/puzzles/tests/oracles/panguru.py
It reads data/panguru/levels.txt and writes crates/puzzles/tests/golden/games/panguru.json (about half a minute, 1 GB of memory).
Plain Python 3.9 or later, no packages; the same input gives the same output.

For every level: `perft` (how many sequences of 0, 1, 2, ... moves there are from the start), `n_states`,
`n_arcs`, `n_goals`, `max_distance` and `histogram` where the whole level is small enough for a plain
breadth-first search; `first_layers` (states at distance 0, 1, 2, ... from all goals) where it is not;
`start_distance` and `optimal_first_moves` from searches of both ends, breadth-first, without any heuristic.
"""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[4]
LEVELS = "data/panguru/levels.txt"
WHOLE = 400_000  # Levels with more arrangements are not mapped.
LAYERS = 6  # Distance up to which the states of the other levels are counted.
PERFT = 6


def read_levels(path):
    """The levels of the file: blocks between blank lines."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        level = {"lines": None, "plates": "", "pebbles": ""}
        letters = ""
        for line in block.splitlines():
            text = line.lstrip("# ").strip()
            key, colon, value = text.partition(":")
            key = key.strip().lower()
            if colon and key in ("id", "plates", "pebbles"):
                level[key] = "".join(value.split())
            elif colon and key == "lines":
                chains = [chain.split("-") for chain in value.split(",")]
                level["lines"] = (level["lines"] or []) + [[int(plate) for plate in chain] for chain in chains]
            elif not line.startswith("#"):
                letters += "".join(text.split())
        if letters and not level["plates"]:
            half = len(letters) // 2
            level["plates"], level["pebbles"] = letters[:half], letters[half:]
        elif letters:
            level["pebbles"] = letters
        if level["plates"]:
            yield level


def triangle_neighbours(n_plates):
    """Plates are joined if they lie on one straight line of the triangle, or on the one from its top down.

    A plate has row r and place p. The middle of a row is at x = 2p - r, so straight lines are those of equal
    r, equal p, equal r - p, and x = 0.
    """
    places = [(row, place) for row in range(n_plates) for place in range(row + 1)][:n_plates]
    kinds = [lambda r, p: r, lambda r, p: p, lambda r, p: r - p]

    def joined(one, other):
        if any(kind(*one) == kind(*other) for kind in kinds):
            return True
        return all(2 * p - r == 0 for r, p in (one, other))

    return [[b for b in range(n_plates) if a != b and joined(places[a], places[b])] for a in range(n_plates)]


def neighbours_of(level):
    n_plates = len(level["plates"])
    if level["lines"] is None:
        return triangle_neighbours(n_plates)
    joined = [set() for _ in range(n_plates)]
    for line in level["lines"]:
        for plate in line:
            joined[plate].update(other for other in line if other != plate)
    return [sorted(plates) for plates in joined]


def goals_of(level):
    """The plates' own colours with the hole on a plate of the colour that has one pebble too few."""
    plates, pebbles = level["plates"], level["pebbles"]
    short = [colour for colour in set(plates) if plates.count(colour) > pebbles.count(colour)]
    assert len(short) == 1 and plates.count(short[0]) == pebbles.count(short[0]) + 1, level["id"]
    homes = [plate for plate, colour in enumerate(plates) if colour == short[0]]
    return [plates[:home] + "-" + plates[home + 1:] for home in homes]


def moves(board, neighbours):
    """Each plate whose pebble can move, and the board after it."""
    hole = board.index("-")
    for plate in neighbours[hole]:
        low, high = min(plate, hole), max(plate, hole)
        yield plate, board[:low] + board[high] + board[low + 1:high] + board[low] + board[high + 1:]


def layers(first, neighbours):
    """The sets of boards at distance 0, 1, 2, ... from the first ones."""
    layer, before = set(first), set()
    while layer:
        yield layer
        after = {board for old in layer for _, board in moves(old, neighbours)}
        before, layer = layer, after - layer - before


def perft(board, neighbours):
    """Only the place of the hole matters for which moves there are."""
    counts, ways = [], {board.index("-"): 1}
    for _ in range(PERFT + 1):
        counts.append(sum(ways.values()))
        after = {}
        for hole, number in ways.items():
            for plate in neighbours[hole]:
                after[plate] = after.get(plate, 0) + number
        ways = after
    return counts


def n_arrangements(level):
    number = 1
    counts = {}
    for place, pebble in enumerate(level["pebbles"], start=1):
        counts[pebble] = counts.get(pebble, 0) + 1
        number = number * place // counts[pebble]
    return number


def both_ends(start, goals, neighbours):
    """The fewest moves from the start to a goal, and the first moves of all shortest ways."""
    from_start, from_goals = [{start}], [set(goals)]
    start_layers, goal_layers = layers([start], neighbours), layers(goals, neighbours)
    next(start_layers), next(goal_layers)
    while not from_start[-1] & from_goals[-1]:
        if len(from_start[-1]) <= len(from_goals[-1]):
            from_start.append(next(start_layers))
        else:
            from_goals.append(next(goal_layers))
    # Back from where the searches met, along shortest ways only.
    on_way = from_start[-1] & from_goals[-1]
    for layer in reversed(from_start[1:-1]):
        on_way = {board for old in on_way for _, board in moves(old, neighbours)} & layer
    distance = len(from_start) + len(from_goals) - 2
    if len(from_start) == 1:
        # The search never left the start: its neighbours nearer to the goal are known from the other side.
        on_way = from_goals[-2] if distance else set()
    return distance, [plate for plate, board in moves(start, neighbours) if board in on_way]


def whole(start, neighbours, goals):
    """Counts over all boards that can be reached from the start."""
    reached = set().union(*layers([start], neighbours))
    distances = [layer & reached for layer in layers([goal for goal in goals if goal in reached], neighbours)]
    distances = [layer for layer in distances if layer]
    return {
        "n_states": len(reached),
        "n_arcs": sum(len(neighbours[board.index("-")]) for board in reached),
        "n_goals": sum(goal in reached for goal in goals),
        "max_distance": len(distances) - 1,
        "histogram": [len(layer) for layer in distances],
    }


def first_layers(goals, neighbours):
    sizes = []
    for layer in layers(goals, neighbours):
        sizes.append(len(layer))
        if len(sizes) > LAYERS:
            return sizes
    return sizes


def record(level):
    neighbours, goals, start = neighbours_of(level), goals_of(level), level["pebbles"]
    result = {"level": level["id"], "file": LEVELS, "rules": {}, "perft": perft(start, neighbours)}
    distance, first = both_ends(start, goals, neighbours)
    result["start_distance"] = distance
    result["optimal_first_moves"] = first
    if n_arrangements(level) <= WHOLE:
        result.update(whole(start, neighbours, goals))
    else:
        result["n_goals"] = len(goals)
        result["first_layers"] = first_layers(goals, neighbours)
    return result


def main():
    records = [record(level) for level in read_levels(ROOT / LEVELS)]
    rows = ",\n".join("    " + json.dumps(row) for row in records)
    target = ROOT / "crates/puzzles/tests/golden/games/panguru.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text('{\n  "game": "panguru",\n  "levels": [\n' + rows + "\n  ]\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
