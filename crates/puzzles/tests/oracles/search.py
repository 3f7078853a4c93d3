"""Counts of searches in the Tower of Hanoi, written from the definitions in src/search.rs in plain Python.

Run it from the folder of the project:

    python3 crates/puzzles/tests/oracles/search.py

It prints the table ORACLE of src/search/tests/oracle.rs: one line for each level, algorithm and heuristic with the
numbers of expanded, generated and reopened states, the largest numbers of open and closed ones, and the moves of the
way. No package is needed. A position is the peg of every disk, the smallest first.
"""

from collections import deque

INFINITE = float("inf")


def successors(pegs, n_pegs):
    """Positions after each legal move, ordered by the peg that a disk leaves and the peg that it comes to."""
    tops = [next((disk for disk, at in enumerate(pegs) if at == peg), len(pegs)) for peg in range(n_pegs)]
    for source in range(n_pegs):
        for target in range(n_pegs):
            if tops[source] < tops[target]:
                disk = tops[source]
                yield pegs[:disk] + (target,) + pegs[disk + 1 :]


class Costs:
    def __init__(self):
        self.expanded = self.generated = self.reopened = self.open = self.closed = self.moves = 0

    def look(self, n_open, n_closed):
        self.open, self.closed = max(self.open, n_open), max(self.closed, n_closed)

    def row(self):
        return (self.expanded, self.generated, self.reopened, self.open, self.closed, self.moves)


def breadth_first(start, goal, after, _):
    costs, depth, waiting, closed = Costs(), {start: 0}, deque([start]), set()
    costs.look(1, 0)
    while waiting:
        state = waiting.popleft()
        closed.add(state)
        costs.expanded += 1
        for child in after(state):
            costs.generated += 1
            if child == goal:
                costs.look(len(waiting), len(closed))
                costs.moves = depth[state] + 1
                return costs
            if child not in depth:
                depth[child] = depth[state] + 1
                waiting.append(child)
        costs.look(len(waiting), len(closed))


def depth_first(start, goal, after, _):
    costs, stack, closed = Costs(), [(start, 0)], set()
    costs.look(1, 0)
    while stack:
        state, depth = stack.pop()
        if state in closed:
            continue
        if state == goal:
            costs.moves = depth
            return costs
        closed.add(state)
        costs.expanded += 1
        children = list(after(state))
        costs.generated += len(children)
        stack += [(child, depth + 1) for child in reversed(children) if child not in closed]
        costs.look(len(stack), len(closed))


def best_first(start, goal, after, priority, may_reopen):
    """The open list as a plain dictionary that is searched for its best entry: slow, and easy to check."""
    costs, path, arrival, waiting, closed = Costs(), {start: 0}, 0, {start: 0}, set()
    costs.look(1, 0)
    while waiting:
        state = min(waiting, key=lambda one: (*priority(path[one], one), waiting[one]))
        del waiting[state]
        if state == goal:
            costs.moves = path[state]
            return costs
        closed.add(state)
        costs.expanded += 1
        for child in after(state):
            costs.generated += 1
            if child in path and not (may_reopen and path[state] + 1 < path[child]):
                continue
            if child in closed:
                closed.remove(child)
                costs.reopened += 1
            path[child] = path[state] + 1
            arrival += 1
            waiting[child] = arrival
        costs.look(len(waiting), len(closed))


def uniform_cost(start, goal, after, _):
    return best_first(start, goal, after, lambda path, state: (path,), True)


def greedy(start, goal, after, estimate):
    return best_first(start, goal, after, lambda path, state: (estimate(state),), False)


def a_star(start, goal, after, estimate):
    return best_first(start, goal, after, lambda path, state: (path + estimate(state), estimate(state)), True)


def ida_star(start, goal, after, estimate):
    costs = Costs()

    def deepen(path, threshold):
        """The moves of a path to the goal, or None and the lowest sum above the threshold."""
        costs.expanded += 1
        costs.look(len(path), 0)
        above = INFINITE
        for child in after(path[-1]):
            costs.generated += 1
            if child in path:
                continue
            total = len(path) + estimate(child)
            if total > threshold:
                above = min(above, total)
                continue
            if child == goal:
                costs.look(len(path) + 1, 0)
                return len(path), None
            moves, beyond = deepen(path + [child], threshold)
            if moves is not None:
                return moves, None
            above = min(above, beyond)
        return None, above

    threshold = estimate(start)
    while True:
        moves, threshold = deepen([start], threshold)
        if moves is not None:
            costs.moves = moves
            return costs


def bidirectional(start, goal, after, _):
    costs = Costs()
    depths, layers, n_closed = [{start: 0}, {goal: 0}], [[start], [goal]], 0
    costs.look(2, 0)
    while layers[0] and layers[1]:
        side = 0 if len(layers[0]) <= len(layers[1]) else 1
        mine, other, layer, following = depths[side], depths[1 - side], layers[side], []
        for number, state in enumerate(layer):
            costs.expanded += 1
            n_closed += 1
            for child in after(state):
                costs.generated += 1
                if child in other:
                    costs.look(len(layer) - number - 1 + len(following) + len(layers[1 - side]), n_closed)
                    costs.moves = mine[state] + 1 + other[child]
                    return costs
                if child not in mine:
                    mine[child] = mine[state] + 1
                    following.append(child)
            costs.look(len(layer) - number - 1 + len(following) + len(layers[1 - side]), n_closed)
        layers[side] = following


def distances(goal, after):
    found, queue = {goal: 0}, deque([goal])
    while queue:
        state = queue.popleft()
        for child in after(state):
            if child not in found:
                found[child] = found[state] + 1
                queue.append(child)
    return found


def weight(state):
    return sum(number * peg for number, peg in enumerate(state, start=1))


def main():
    for n_disks, n_pegs in [(3, 3), (5, 3), (6, 3), (5, 4)]:
        start, goal = (0,) * n_disks, (n_pegs - 1,) * n_disks

        def after(state):
            return successors(state, n_pegs)

        distance = distances(goal, after)
        assert len(distance) == n_pegs**n_disks
        heuristics = {
            "zero": lambda state: 0,
            "away": lambda state: sum(peg != n_pegs - 1 for peg in state),
            # Admissible and not consistent: the distance in about every fifth position.
            "uneven": lambda state: distance[state] if weight(state) % 5 == 1 else 0,
            "distance": lambda state: distance[state],
        }
        rows = [("breadth-first", breadth_first, "none"), ("depth-first", depth_first, "none")]
        rows += [("uniform-cost", uniform_cost, "none"), ("bidirectional", bidirectional, "none")]
        rows += [("greedy", greedy, name) for name in heuristics] + [("a-star", a_star, name) for name in heuristics]
        # Without guidance the paths are too many for more disks.
        guides = heuristics if n_disks == 3 else ["distance"]
        rows += [("ida-star", ida_star, name) for name in guides]
        for name, algorithm, heuristic in rows:
            costs = algorithm(start, goal, after, heuristics.get(heuristic))
            if name not in ("depth-first", "greedy"):
                assert costs.moves == distance[start], (name, heuristic)
            print(f'    ("{n_disks} disks {n_pegs} pegs", "{name}", "{heuristic}", {list(costs.row())}),')


if __name__ == "__main__":
    main()
