"""AND-OR trees of Rush Hour and the choice models that rest on them, computed from the raw files in plain Python.

Independent of plymap. The models are those of Olieslagers, Bnaya and Ma; minus their published log-likelihoods of seven
people (published_models_42subj.csv) come out to all digits at the published parameters, so that the definition below
is the one that was used, wherever `variants` says that another gives another number.

    pip install scipy
    python tests/oracles/and_or_rush_hour.py

The recorded data are looked for as recorded.py says. Writes and_or_rush_hour.json beside the script.

The tree of a position
    A move is a piece and a signed number of cells (right and down are positive). What is in the way of a move are the
    pieces on the cells that it passes or enters, each once, nearest first.
    A thought is a piece that is in the way of a move, with the list of its moves that would clear that move's cells, were
    nothing else in the way: all those that take the piece off the cells, backwards (1, 2, ..) and then forwards (1, 2, ..),
    as far as the board and the summed lengths of the pieces that share its line leave room. A piece on the same line as
    the move can only flee ahead of it, until it is beyond the last cell the move enters.
    Two thoughts are equal if piece and list are. A move is impossible if one of the pieces in its way has an empty list.
    Depth 1 is the root: the thought of moving the red car to the edge of the board, and that move. The children of a move
    (AND: all are needed) at depth d are the thoughts of what is in its way, at depth d + 1; the children of a thought (OR:
    any will do) at depth d are its moves that are not impossible, at depth d. A move with nothing in its way is a leaf.
    A thought is not expanded under itself; it is a cycle there. So is one whose moves all are impossible. Nodes are told
    apart by (depth, move) and (depth, thought).

Reasoning down the tree
    Probability 1 starts at the root move. A move hands its share to its thoughts in equal parts, a thought to its possible
    moves in equal parts. A thought that is a cycle keeps its part, as do leaves. What counts as a cycle here are thoughts
    in the train of thought, and these are not only the ancestors: the thoughts of one move are taken in their order, and
    each that is expanded joins the train for what follows, so that neither later siblings nor anything below them is free
    to think it again. What is below a sibling does not join. (`popped` is the tree without that: ancestors only.)
    Every part is then multiplied by (1 - gamma) ** depth, leaves and cycles by their own depth (2 at least).
    What is lost that way is S, the probability of giving up.

    With A_m the sum of the leaves of move m, C the sum of the cycles:
    gamma_no_same_model   p(m) = (A_m + S / n_legal) / (1 - C): cycles start again.
    gamma_only_model      the same, with the leaves of the piece that moved last in this attempt counted as cycles; at the
                          start of each attempt there is none.
    gamma_0_model         gamma = 0 and a lapse: p(m) = lambda / n_legal + (1 - lambda) A_m / sum of A, and 1 / n_legal in
                          place of the quotient if all leaves are of the piece that moved last.
    In gamma_only_model the lower bound of gamma, 1e-6, keeps all probabilities above 0.
    eureka_model          lambda / n_legal + (1 - lambda) times [optimal] / n_optimal if the distance is at most d, times
                          1 / n_legal if it is more.
    hill_climbing_model   softmax over the legal moves of b1 (number of pieces between red car and edge) + b2 (number of
                          cells between them), after the move. (The published b0 cancels.)
    opt_rand_model, random_model as in choice_recorded.py.

people
    The seven of moves_34subj.csv.gz that are in published_models_42subj.csv, by the authors' definition of a decision:
    puzzles never solved and moves after the first solution are left out, and so are drags whose number is that of the
    event after them, which the authors take for drags back to where they began. In the log of these people that is so
    of the last three moves of one attempt (Y11, prb54506), which are moves nevertheless. Of Y10 the published data lack
    prb68910. For each model `nll` and `parameters` at the maximum of the likelihood, `published`, `published_parameters`,
    and `nll_at_published`, which is minus the log-likelihood here at their parameters. only_cycles: how many decisions
    have no leaf but of the piece that moved last. For eureka_model d is a whole number: all d in [d, d + 1) are the same.
    Published eureka parameters are those of a gradient search that sees no slope in d; of Y08 and Y15 alone they are at
    the maximum.
variants
    For each variant ("as defined" is none) of the definition and each person, nll_at_published minus published, of the three models of trees;
    least_gamma_only is the same at the maximum of the variant's own likelihood of gamma_only_model. Of no variant are all
    differences 0 but of that; "the root's thought is not in the train" is nearest. Nodes need not be merged for this: a thought that
    is not in the train is expanded at its depth unless it has no possible moves, and equal leaves add up.
positions
    `board`: 36 cells by rows, A the red car. and, or: numbers of distinct nodes (or: expanded thoughts and the root's;
    or_unexpanded: (depth, thought) that occur as cycles only). leaves: distinct (depth, move). leaf_moves: distinct moves
    of leaves. cycles: how many (depth, thought) are a cycle somewhere. deepest: the greatest depth of a leaf. parts: where
    the probability goes, [depth, piece, cells, probability], with `null` for cycles. moves: for gamma = 0.05 and no
    previous move the probability of each legal move, [piece, cells, probability]; moves_popped: the same for the tree
    without siblings in the train; after: the same as moves if `piece` (that of the likeliest move) moved last, and
    moves_gamma_0 that for gamma 0 (gamma_0_model without its lapse).
"""

import csv
import gzip
import json
import math
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import scipy
from scipy import optimize

from choice_recorded import SIDE, Puzzle
from recorded import recorded_data

PEOPLE = {
    "Y06": "S42_04", "Y08": "S42_08", "Y10": "S42_16", "Y11": "S42_18", "Y15": "S42_21", "Y18": "S42_23", "Y31": "S42_41"
}
LEFT_OUT = {("Y10", "prb68910")}
CYCLE = (-1, 0)
GAMMA = 0.05


class Position:
    """A position and what its moves need. Pieces are numbers, red is 0; a move is (piece, signed number of cells)."""

    def __init__(self, pieces, places):
        self.pieces, self.places = pieces, places
        self.at = {}
        for number, place in enumerate(places):
            for offset in range(pieces[number][2]):
                self.at[self.cell(number, place + offset)] = number
        # (backwards, forwards): cells that a piece could go if those on its line were pushed to the ends.
        self.room = []
        for number, (step, line, size) in enumerate(pieces):
            back, front = places[number], SIDE - places[number] - size
            for other, (its_step, its_line, its_size) in enumerate(pieces):
                if other != number and (its_step, its_line) == (step, line):
                    if places[other] < places[number]:
                        back -= its_size
                    else:
                        front -= its_size
            self.room.append((back, front))
        self.numbers, self.thoughts, self.known = {}, [], {}

    def cell(self, number, place):
        step, line, _ = self.pieces[number]
        return line * SIDE + place if step == 1 else place * SIDE + line

    def entered(self, move):
        number, cells = move
        place, size = self.places[number], self.pieces[number][2]
        return range(place + size, place + size + cells) if cells > 0 else range(place - 1, place - 1 + cells, -1)

    def in_the_way(self, move):
        found = []
        for place in self.entered(move):
            number = self.at.get(self.cell(move[0], place))
            if number is not None and number not in found:
                found.append(number)
        return found

    def clearing(self, move, number):
        """The moves of a piece in the way that clear the cells of the move."""
        step, line, size = self.pieces[number]
        place, (back, front) = self.places[number], self.room[number]
        if step == self.pieces[move[0]][0]:
            last = self.entered(move)[-1]
            backwards, forwards = (place + size - last, None) if move[1] < 0 else (None, last + 1 - place)
        else:
            crossing = self.pieces[move[0]][1]
            backwards, forwards = place + size - crossing, crossing + 1 - place
        cells = [] if backwards is None else [-k for k in range(backwards, back + 1)]
        return tuple(cells + ([] if forwards is None else list(range(forwards, front + 1))))

    def number_of(self, thought):
        if thought not in self.numbers:
            self.numbers[thought] = len(self.thoughts)
            self.thoughts.append(thought)
        return self.numbers[thought]

    def needs(self, move):
        """Numbers of the thoughts that a move needs, or None if it is impossible."""
        if move not in self.known:
            thoughts = [(number, self.clearing(move, number)) for number in self.in_the_way(move)]
            possible = all(cells for _, cells in thoughts)
            self.known[move] = [self.number_of(thought) for thought in thoughts] if possible else None
        return self.known[move]

    def possible(self, thought):
        number, cells = self.thoughts[thought]
        return [(number, k) for k in cells if self.needs((number, k)) is not None]

    def dead_ends(self):
        """Thoughts that were met and have no possible moves."""
        return [self.thoughts[thought] for thought in range(len(self.thoughts)) if not self.possible(thought)]

    def legal(self):
        moves = []
        for number, (back, front) in enumerate(self.room):
            for way, most in ((-1, back), (1, front)):
                for k in range(1, most + 1):
                    if self.in_the_way((number, way * k)):
                        break
                    moves.append((number, way * k))
        return moves

    def root(self):
        size = self.pieces[0][2]
        move = (0, SIDE - size - self.places[0])
        return move, self.number_of((0, (move[1],)))

    def counts(self):
        """Distinct nodes. Trains of the same thoughts in another order are the same."""
        move, thought = self.root()
        moves, expanded, cycles, leaves = {(1, move)}, {(1, thought)}, set(), set()
        layer, depth, width = {(move, 1 << thought)}, 1, 0
        while layer:
            width += len(layer)
            depth += 1
            following = set()
            for move, train in layer:
                for thought in self.needs(move):
                    chances = [] if train >> thought & 1 else self.possible(thought)
                    (expanded if chances else cycles).add((depth, thought))
                    for chance in chances:
                        moves.add((depth, chance))
                        if self.needs(chance):
                            following.add((chance, train | 1 << thought))
                        else:
                            leaves.add((depth, chance))
            layer = following
        return {
            "and": len(moves), "or": len(expanded), "or_unexpanded": len(cycles - expanded), "leaves": len(leaves),
            "leaf_moves": len({move for _, move in leaves}), "cycles": len(cycles),
            "deepest": max(depth for depth, _ in leaves) if leaves else None,
        }

    def parts(self, popped=False, backwards=False, same=None, dead_end=CYCLE, root_thought=True, impossible=False):
        """{(depth, leaf or CYCLE): probability}; `same` says which thoughts are the same, all by themselves if None."""
        bits = (lambda thought: 1 << thought) if same is None else (lambda thought: 1 << same(self.thoughts[thought]))
        move, thought = self.root()
        found = defaultdict(float)
        layer, depth = {(move, bits(thought) if root_thought else 0): 1.0}, 1
        while layer:
            depth += 1
            following = defaultdict(float)
            for (move, above), share in layer.items():
                needed = self.needs(move)
                train = above
                for thought in reversed(needed) if backwards else needed:
                    part = share / len(needed)
                    bit = bits(thought)
                    chances = self.possible(thought)
                    if train & bit or not chances:
                        found[depth, CYCLE if train & bit else dead_end] += part
                        continue
                    below = (above if popped else train) | bit
                    if impossible:
                        number, cells = self.thoughts[thought]
                        found[depth, CYCLE] += part * (1 - len(chances) / len(cells))
                        part *= len(chances) / len(cells)
                    for chance in chances:
                        if self.needs(chance):
                            following[chance, below] += part / len(chances)
                        else:
                            found[depth, chance] += part / len(chances)
                    if not popped:
                        train |= bit
            layer = following
        return dict(found)


def probabilities(parts, legal, gamma, previous=None):
    """The definition, move by move: p of every legal move."""
    leaves = dict.fromkeys(legal, 0.0)
    cycle = lost = 0.0
    for (depth, move), part in parts.items():
        kept = part * (1 - gamma) ** depth
        lost += part - kept
        if move == CYCLE or move[0] == previous:
            cycle += kept
        else:
            leaves[move] += kept
    known = sum(leaves.values()) + lost
    if known == 0:
        return [1 / len(legal) for _ in legal]
    again = 1 + cycle / known
    return [(leaves[move] + lost / len(legal)) * again for move in legal]


class Decision:
    def __init__(self, puzzle, code, move, previous, kept_previous):
        self.puzzle, self.code, self.move = puzzle, code, move
        self.previous, self.kept_previous = previous, kept_previous


def decisions_of(folder, boards):
    """For each of the people, all moves up to the first goal, of puzzles that were solved; and all distances."""
    with gzip.open(folder / "moves_34subj.csv.gz", "rt") as handle:
        rows = [row for row in csv.DictReader(handle) if row["subject"] in PEOPLE]
    by_puzzle = defaultdict(list)
    for row in rows:
        by_puzzle[row["instance"]].append(row)
    decisions = {person: [] for person in PEOPLE}
    puzzles, distances = {}, {}
    for instance, own in sorted(by_puzzle.items()):
        puzzle = puzzles[instance] = Puzzle(boards[instance])
        codes, distance = distances[instance] = puzzle.distances()
        for person in PEOPLE:
            mine = [row for row in own if row["subject"] == person and (person, instance) not in LEFT_OUT]
            mine.sort(key=lambda row: (int(row["trial"]), int(row["move_no"])))
            times = Counter((row["trial"], row["move_no"]) for row in mine)
            ends = {row["trial"]: row["move_no"] for row in mine}
            # A repeated number in the middle of an attempt would call for the authors' positions, which miss those moves.
            assert all(ends[trial] == number for (trial, number), count in times.items() if count > 1)
            mine = [row for row in mine if times[row["trial"], row["move_no"]] == 1]
            played, attempt, solved, before_that = [], None, False, None
            for row in mine:
                if row["trial"] != attempt:
                    attempt, code, previous = row["trial"], puzzle.start, None
                after = puzzle.play(code, row["move"])
                piece = row["move"].split("@")[0]
                number = 0 if piece == "r" else int(piece) + 1
                move = (number, (after - code) // 5**number)
                assert move[1] and abs(move[1]) < 5
                played.append(Decision(instance, code, move, previous, before_that))
                code, previous, before_that = after, number, number
                if distance[np.searchsorted(codes, code)] == 0:
                    solved = True
                    break
            if solved:
                decisions[person] += played
    return decisions, puzzles, distances


def position_of(puzzle, code):
    return Position(puzzle.pieces, [code // 5**number % 5 for number in range(len(puzzle.pieces))])


def minimum(function, low, high):
    """The smallest value on a fine grid, and from there the smallest at all."""
    grid = np.concatenate([[low], np.linspace(low, high, 400)[1:-1], np.geomspace(low, 0.1, 100)[1:], [high]])
    grid.sort()
    values = [function(x) for x in grid]
    best = int(np.argmin(values))
    result = optimize.minimize_scalar(
        function, bounds=(grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]), method="bounded",
        options={"xatol": 1e-13},
    )
    return min((result.fun, float(result.x)), (values[best], float(grid[best])))


def minus_log(p):
    return -math.fsum(np.log(np.where(p == 0, 1e-8, p)))


class TreeModels:
    """The three models of trees over all decisions of a person, each decision three polynomials in 1 - gamma."""

    def __init__(self, decisions, parts_of, n_legal, exclude=lambda decision: decision.previous,
                 leaf_depth=0, cycle_depth=0, discount_cycles=True):
        deepest = 64
        self.n = np.array(n_legal, float)
        self.at_zero = {}
        self.of = {}
        for name in ("same", "no_same"):
            chosen, other, cycle = (np.zeros((len(decisions), deepest)) for _ in range(3))
            for row, decision in enumerate(decisions):
                previous = exclude(decision) if name == "same" else None
                for (depth, move), part in parts_of[decision.puzzle, decision.code].items():
                    if move == CYCLE:
                        cycle[row, depth + cycle_depth if discount_cycles else 0] += part
                    elif move == "stop":
                        pass
                    elif move[0] == previous:
                        cycle[row, depth + leaf_depth] += part
                    else:
                        (chosen if move == decision.move else other)[row, depth + leaf_depth] += part
            self.of[name] = chosen, other, cycle

    def gamma(self, name, gamma):
        chosen, other, cycle = self.of[name]
        powers = (1 - gamma) ** np.arange(chosen.shape[1])
        mine, leaves, again = chosen @ powers, (chosen + other) @ powers, cycle @ powers
        stop = 1 - leaves - again
        return minus_log((mine + stop / self.n) * (1 + again / (leaves + stop)))

    def quotient(self):
        chosen, other, cycle = (table.sum(1) for table in self.of["same"])
        stop = np.maximum(1 - chosen - other - cycle, 0)
        stop[stop < 1e-9] = 0
        some = chosen + other + stop > 0
        p = (chosen + stop / self.n) / np.where(some, chosen + other + stop, 1)
        return np.where(some, p, 1 / self.n), int((~some).sum())

    def gamma_0(self, lapse):
        return minus_log(lapse / self.n + (1 - lapse) * self.quotient()[0])

    def at(self, model, x):
        if model == "gamma_0_model":
            return self.gamma_0(x)
        return self.gamma("same" if model == "gamma_only_model" else "no_same", x)


class OtherModels:
    def __init__(self, decisions, puzzles, distances, legal):
        self.features = []
        rows = []
        for decision in decisions:
            puzzle = puzzles[decision.puzzle]
            codes, distance = distances[decision.puzzle]
            moves = legal[decision.puzzle, decision.code]
            after = np.array([decision.code + cells * 5**number for number, cells in moves])
            mine = moves.index(decision.move)
            d = int(distance[np.searchsorted(codes, decision.code)])
            better = distance[np.searchsorted(codes, after)] == d - 1
            rows.append((len(moves), better.sum(), better[mine], d))
            table = []
            for code in after.tolist():
                position = position_of(puzzle, code)
                move, _ = position.root()
                table.append((len(position.in_the_way(move)) if move[1] else 0, move[1]))
            table = np.array(table, float)
            self.features.append(table - table[mine])
        n, m, is_optimal, d = (np.array(column, float) for column in zip(*rows))
        self.uniform, self.seen, self.d = 1 / n, is_optimal / m, d
        self.widest = int(n.max())
        self.padded = np.zeros((len(rows), self.widest, 2))
        self.present = np.zeros((len(rows), self.widest))
        for row, table in enumerate(self.features):
            self.padded[row, : len(table)] = table
            self.present[row, : len(table)] = 1

    def random(self):
        return -math.fsum(np.log(self.uniform))

    def lapse(self, rate, seen):
        return minus_log(rate * self.uniform + (1 - rate) * seen)

    def eureka(self, d, rate):
        return self.lapse(rate, np.where(self.d <= d, self.seen, self.uniform))

    def hill(self, weights):
        return math.fsum(np.log((self.present * np.exp(self.padded @ weights)).sum(1)))

    def best_hill(self):
        """Newton's method; the function is convex."""
        weights = np.zeros(2)
        for _ in range(50):
            p = self.present * np.exp(self.padded @ weights)
            p /= p.sum(1, keepdims=True)
            mean = np.einsum("ij,ijk->ik", p, self.padded)
            slope = mean.sum(0)
            curve = np.einsum("ij,ijk,ijl->kl", p, self.padded, self.padded) - mean.T @ mean
            step = np.linalg.solve(curve, slope)
            weights = weights - step
            if abs(step).max() < 1e-13:
                break
        return self.hill(weights), weights.tolist()

    def best_eureka(self):
        found = []
        for d in range(int(self.d.max()) + 1):
            nll, rate = minimum(lambda rate: self.eureka(d, rate), 1e-9, 1.0)
            found.append((nll, d, rate))
        nll, d, rate = min(found)
        return nll, [d, rate]


TREE_MODELS = ("gamma_only_model", "gamma_0_model", "gamma_no_same_model")
VARIANTS = {
    "as defined": ({}, {}),
    "siblings do not join the train (popped)": ({"popped": True}, {}),
    "siblings in the opposite order": ({"backwards": True}, {}),
    "one thought per piece, whatever its moves": ({"same": lambda thought: thought[0]}, {}),
    "the root's thought is not in the train": ({"root_thought": False}, {}),
    "no possible move: stop, not cycle": ({"dead_end": "stop"}, {}),
    "impossible moves keep their part, as cycles": ({"impossible": True}, {}),
    "depth of the root 0": ({}, {"leaf_depth": -1, "cycle_depth": -1}),
    "cycles one depth less": ({}, {"cycle_depth": -1}),
    "cycles not discounted": ({}, {"discount_cycles": False}),
    "previous move kept over restarts": ({}, {"exclude": lambda decision: decision.kept_previous}),
}


def choose(positions, only):
    """Some 30 of the positions: by size, by what the train's siblings change, with cycles and without."""
    rows = []
    for key, position in positions.items():
        counts = position.counts()
        legal = position.legal()
        usual, popped = (probabilities(position.parts(popped=p), legal, GAMMA) for p in (False, True))
        apart = sum(abs(a - b) for a, b in zip(usual, popped)) / 2
        rows.append((counts["and"] + counts["or"], apart, counts["cycles"], key))
    rows.sort(key=lambda row: (row[0], row[3]))
    chosen = {}

    def add(some, reason):
        for row in some:
            chosen.setdefault(row[3], reason)

    sizes = [row[0] for row in rows]
    for size in (0, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 120, 180):
        add(rows[int(np.searchsorted(sizes, size)):][:1], "size")
    add(rows[-1:], "largest")
    add([row for row in rows if row[2] and not row[1]][:3], "cycle, siblings do not matter")
    differing = [row for row in rows if row[1] > 1e-9]
    add(differing[:4], "siblings matter, smallest")
    add(sorted(differing, key=lambda row: (-row[1], row[3]))[:4], "siblings matter, most")
    dead = [row for row in rows if positions[row[3]].dead_ends()]
    few = [row for row in rows if row[3] in only]
    add(few[:1] + few[-1:], "all leaves are of the piece that moved before")
    add(dead[:2], "a thought without possible moves")
    return chosen, rows, len(differing), len(dead)


def main():
    folder = recorded_data("rush_hour")
    with open(folder / "puzzles70.csv") as handle:
        boards = {row["puzzle"].split("_")[0]: row["board36"] for row in csv.DictReader(handle)}
    published = {}
    with open(folder / "published_models_42subj.csv") as handle:
        for row in csv.DictReader(handle):
            published[row["subject"], row["model"]] = float(row["nll"]), json.loads(row["params"])
    decisions, puzzles, distances = decisions_of(folder, boards)
    keys = sorted({(d.puzzle, d.code) for own in decisions.values() for d in own})
    positions = {key: position_of(puzzles[key[0]], key[1]) for key in keys}
    legal = {key: position.legal() for key, position in positions.items()}
    began = time.process_time()
    parts_of = {key: position.parts() for key, position in positions.items()}
    took = time.process_time() - began
    print(f"{len(keys)} positions, {len(keys) / took:.0f} a second")
    assert all(abs(sum(parts.values()) - 1) < 1e-12 for parts in parts_of.values())

    people, models, others = [], {}, {}
    for person, name in PEOPLE.items():
        own = decisions[person]
        n_legal = [len(legal[d.puzzle, d.code]) for d in own]
        trees = models[person] = TreeModels(own, parts_of, n_legal)
        other = others[person] = OtherModels(own, puzzles, distances, legal)
        # The polynomials are the definition, move by move.
        x = published[name, "gamma_only_model"][1][0]
        for row in range(0, len(own), 50):
            d = own[row]
            p = probabilities(parts_of[d.puzzle, d.code], legal[d.puzzle, d.code], x, d.previous)
            chosen, rest, cycle = (table[row] @ (1 - x) ** np.arange(64) for table in trees.of["same"])
            assert abs(sum(p) - 1) < 1e-12
            same = (chosen + (1 - chosen - rest - cycle) / len(p)) / (1 - cycle)
            assert abs(p[legal[d.puzzle, d.code].index(d.move)] - same) < 1e-12
        fits = {}
        for model in TREE_MODELS:
            nll, x = minimum(lambda x: trees.at(model, x), 1e-6, 0.999999)
            fits[model] = nll, [x], trees.at(model, published[name, model][1][0])
        fits["eureka_model"] = *other.best_eureka(), other.eureka(*published[name, "eureka_model"][1])
        nll, x = minimum(lambda x: other.lapse(x, other.seen), 1e-6, 0.999999)
        fits["opt_rand_model"] = nll, [x], other.lapse(published[name, "opt_rand_model"][1][0], other.seen)
        weights = np.array(published[name, "hill_climbing_model"][1][1:])
        fits["hill_climbing_model"] = *other.best_hill(), other.hill(weights)
        fits["random_model"] = other.random(), [], other.random()
        row = {"id": person, "published_id": name, "n": len(own), "only_cycles": trees.quotient()[1], "models": {}}
        for model, (nll, x, at) in fits.items():
            theirs, parameters = published[name, model]
            row["models"][model] = {
                "nll": nll, "parameters": x, "published": theirs,
                "published_parameters": [] if model == "random_model" else parameters, "nll_at_published": at,
            }
            print(person, model, f"{nll:.6f} {theirs:.6f} {nll - theirs:.2e} at theirs {at - theirs:.2e}", x, parameters)
            assert nll < theirs + 1e-6
        people.append(row)

    only = {
        (d.puzzle, d.code) for own in decisions.values() for d in own
        if d.previous is not None and all(m == CYCLE or m[0] == d.previous for _, m in parts_of[d.puzzle, d.code])
    }
    variants = []
    for label, (of_tree, of_model) in VARIANTS.items():
        parts_then = {key: position.parts(**of_tree) for key, position in positions.items()} if of_tree else parts_of
        row = {"variant": label}
        for person, name in PEOPLE.items():
            own = decisions[person]
            trees = TreeModels(own, parts_then, [len(legal[d.puzzle, d.code]) for d in own], **of_model)
            row[person] = {
                model: trees.at(model, published[name, model][1][0]) - published[name, model][0] for model in TREE_MODELS
            }
            best = minimum(lambda x: trees.at("gamma_only_model", x), 1e-6, 0.999999)[0]
            row[person]["least_gamma_only"] = best - published[name, "gamma_only_model"][0]
        variants.append(row)
        print(label, {person: [round(float(v), 6) for v in row[person].values()] for person in PEOPLE})

    chosen, rows, n_differing, n_dead = choose(positions, only)
    print(f"{len(chosen)} chosen; {n_differing} positions where siblings matter; {n_dead} with a thought without possible "
          f"moves; largest {rows[-1]}")
    listed = []
    for key in sorted(chosen, key=lambda key: (sum(positions[key].counts()[k] for k in ("and", "or")), key)):
        position, moves = positions[key], legal[key]
        letters = sorted(set(boards[key[0]]) - set("o."))
        board = "".join(letters[position.at[cell]] if cell in position.at else "o" for cell in range(SIDE * SIDE))

        def table(parts, previous=None, gamma=GAMMA):
            return [[letters[m[0]], m[1], p] for m, p in zip(moves, probabilities(parts, moves, gamma, previous))]

        usual = table(parts_of[key])
        piece = max(usual, key=lambda entry: entry[2])[0]
        listed.append({
            "level": key[0], "board": board, "chosen_for": chosen[key], **position.counts(),
            "parts": [[depth, *((None, None) if move == CYCLE else (letters[move[0]], move[1])), part]
                      for (depth, move), part in sorted(parts_of[key].items())],
            "moves": usual, "moves_popped": table(position.parts(popped=True)),
            "after": {
                "piece": piece, "moves": table(parts_of[key], letters.index(piece)),
                "moves_gamma_0": table(parts_of[key], letters.index(piece), 0.0),
            },
        })
    with_versions = {"numpy": np.__version__, "scipy": scipy.__version__}
    lines = ["{", '"script": "and_or_rush_hour.py",', f'"made_with": {json.dumps(with_versions)},', f'"gamma": {GAMMA},']
    tables = {"people": people, "variants": variants, "positions": listed}
    for number, (name, entries) in enumerate(tables.items()):
        lines += [f'"{name}": [', ",\n".join(map(json.dumps, entries)), "]," if number + 1 < len(tables) else "]"]
    Path(__file__).with_suffix(".json").write_text("\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
