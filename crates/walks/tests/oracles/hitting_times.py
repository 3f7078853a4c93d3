"""Expected numbers of moves of players, and probabilities that they come to a goal, a second time.

Written from the rules of the games and the definitions of the players, not from the Rust code; the equations are solved by
SuperLU. Run it from the root of the repository; it writes crates/walks/tests/golden/hitting_times.json:

    pip install numpy scipy
    python3 crates/walks/tests/oracles/hitting_times.py

A random walk plays any legal move; a greedy player one to a position with the least estimate, a goal before all others; one
who looks ahead the first of a path with the least sum of moves and estimate at its end, by plain recursion. Ties are equally
likely, and so are all moves if the loss of each is infinite.
"""

import json
import math
from pathlib import Path

import numpy as np
from heuristics import RUSH_HOUR, STEPS, TILES, Cars, Tiles
from lights_out import press_masks
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import spsolve
from sliding_tiles import moves_in
from tower_of_hanoi import full, moves as moves_of_disks

GOLDEN = Path("crates/walks/tests/golden/hitting_times.json")
# The second has moves that are good by the estimate and lead nowhere.
BOARDS = (RUSH_HOUR["small"], "..B..C/..B..C/AAB.D./....D./EEE.../...FF.")


def slides(level, state):
    """The boards of Rush Hour after each slide of a piece, of any length."""
    taken = level.walls | {cell for cells in state.values() for cell in cells}
    for name, cells in state.items():
        is_upright = len({r for r, _ in cells}) > 1
        for way in (-1, 1):
            moved = cells
            while True:
                moved = frozenset((r + way, c) if is_upright else (r, c + way) for r, c in moved)
                if not moved <= level.cells or (moved - cells) & taken:
                    break
                yield {**state, name: moved}


def explore(start, after, is_goal):
    """Successors by number of each state that can be reached, and which are goals."""
    numbers, queue, successors = {start: 0}, [start], []
    for state in queue:
        row = []
        for other in after(state):
            if other not in numbers:
                numbers[other] = len(queue)
                queue.append(other)
            row.append(numbers[other])
        successors.append(row)
    return queue, successors, [is_goal(state) for state in queue]


def distances(successors, goals):
    """Fewest moves to a goal, by relaxation until nothing changes."""
    distance = [0 if goal else math.inf for goal in goals]
    changed = True
    while changed:
        changed = False
        for state, row in enumerate(successors):
            best = min((distance[other] + 1 for other in row), default=math.inf)
            if best < distance[state]:
                distance[state], changed = best, True
    return distance


def best(losses, row):
    least = min(losses, default=math.inf)
    return [other for loss, other in zip(losses, row) if math.isinf(least) or loss - least <= 1e-9 * max(1, abs(least))]


def greedy(successors, goals, estimate):
    return [best([-1 if goals[other] else estimate[other] for other in row], row) for row in successors]


def look_ahead(successors, goals, estimate, depth):
    def rest(state, left):
        if goals[state]:
            return 0
        if left == 0:
            return max(1, estimate[state])
        return min((1 + rest(other, left - 1) for other in successors[state]), default=math.inf)

    return [best([1 + rest(other, depth - 1) for other in row], row) for row in successors]


def leads_to(choices, goals, marked):
    """Whoever has a way to a marked state, the marked among them; goals go nowhere."""
    marked, changed = set(marked), True
    while changed:
        changed = False
        for state, row in enumerate(choices):
            if state not in marked and not goals[state] and any(other in marked for other in row):
                marked.add(state)
                changed = True
    return marked


def solve(choices, states, each, known):
    """Values of `states`: `each` for each move and the mean of the values after them, known for all other states."""
    places = {state: place for place, state in enumerate(states)}
    rows, columns, entries, right = [], [], [], np.zeros(len(states))
    for place, state in enumerate(states):
        rows.append(place), columns.append(place), entries.append(1.0)
        right[place] += each
        for other in choices[state]:
            if other in places:
                rows.append(place), columns.append(places[other]), entries.append(-1.0 / len(choices[state]))
            else:
                right[place] += known[other] / len(choices[state])
    if not states:
        return []
    return spsolve(csc_matrix((entries, (rows, columns)), shape=(len(states), len(states))), right).tolist()


def summary(player, choices, goals):
    everybody = set(range(len(goals)))
    arrives = leads_to(choices, goals, [state for state in everybody if goals[state]])
    uncertain = leads_to(choices, goals, everybody - arrives)
    moves = {state: 0.0 if goals[state] else math.inf for state in everybody}
    certain = sorted(state for state in everybody - uncertain if not goals[state])
    moves.update(zip(certain, solve(choices, certain, 1.0, moves)))
    arrival = {state: 0.0 if state in uncertain else 1.0 for state in everybody}
    possible = sorted(arrives & uncertain)
    arrival.update(zip(possible, solve(choices, possible, 0.0, arrival)))
    finite = [number for number in moves.values() if math.isfinite(number)]
    return {
        "player": player,
        "start": moves[0] if math.isfinite(moves[0]) else None,
        "start_arrival": arrival[0],
        "n_infinite": len(goals) - len(finite),
        "mean": math.fsum(finite) / len(finite),
        "largest": max(finite),
        "mean_arrival": math.fsum(arrival.values()) / len(goals),
    }


def level(game, text, start, after, is_goal, heuristics):
    """What a level has to say; `heuristics` are functions of a state by their names."""
    states, successors, goals = explore(start, after, is_goal)
    estimates = {"distance": distances(successors, goals)}
    estimates |= {name: [float(estimate(state)) for state in states] for name, estimate in heuristics.items()}
    players = [summary("random-walk", successors, goals)]
    for name, estimate in estimates.items():
        players.append(summary(f"greedy:{name}", greedy(successors, goals, estimate), goals))
        players.append(summary(f"look-ahead:2:{name}", look_ahead(successors, goals, estimate, 2), goals))
    nothing = [0.0] * len(goals)
    players.append(summary("look-ahead:3:", look_ahead(successors, goals, nothing, 3), goals))
    print(game, len(goals), players)
    return {"game": game, "text": text, "n_states": len(goals), "players": players}


def rush_hour(board):
    cars = Cars(board)
    freeze = lambda state: tuple(sorted(state.items()))
    in_front = lambda state: (max(dict(state)["A"])[1] == cars.width - 1)
    blocking = lambda state: cars.blocking_cars(dict(state), "exit")
    after = lambda state: [freeze(other) for other in slides(cars, dict(state))]
    text = board.replace("/", "\n") + "\n"
    return level("rush-hour", text, freeze(cars.start), after, in_front, {"blocking-cars": blocking})


def match_the_tiles(board):
    tiles = Tiles(board)
    after = lambda state: [other for other in (tiles.swipe(state, step) for step in STEPS.values()) if other != state]
    is_goal = lambda state: all((r, c) in tiles.goals[colour] for colour, r, c in state)
    names = ("manhattan-max-min", "collinear")
    heuristics = {name: (lambda state, name=name: tiles.heuristics(state)[name]) for name in names}
    return level("match-the-tiles", board.replace("/", "\n") + "\n", tiles.start, after, is_goal, heuristics)


def sliding_tiles():
    start, width = (0, 2, 5, 1, 3, 4), 3
    goal = {tile: place for place, tile in enumerate((1, 2, 3, 4, 5))}
    away = lambda place, tile: abs(place // width - goal[tile] // width) + abs(place % width - goal[tile] % width)
    manhattan = lambda state: sum(away(place, tile) for place, tile in enumerate(state) if tile)
    is_goal = lambda state: state == (1, 2, 3, 4, 5, 0)
    return level("sliding-tiles", ".25\n134\n", start, moves_in(width), is_goal, {"manhattan": manhattan})


def tower_of_hanoi():
    is_goal = lambda state: state == full(4, 4, 3)
    return level("tower-of-hanoi", "4 disks 4 pegs\n", full(4, 4, 0), moves_of_disks, is_goal, {})


def lights_out():
    masks = press_masks(3, 3, "plus")
    after = lambda state: [state ^ mask for mask in masks]
    return level("lights-out", "***\n.*.\n*..\n", 0b001010111, after, lambda state: state == 0, {})


def main():
    levels = [rush_hour(board) for board in BOARDS]
    levels += [match_the_tiles(board) for board in (TILES["two-colours"], "..a.x/...x./x..../...A./.....")]
    levels += [sliding_tiles(), tower_of_hanoi(), lights_out()]
    GOLDEN.write_text(json.dumps(levels, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
