"""AND-OR trees of the Tower of London, and the choice models built on them, computed from the raw jsPsych files.

Independent of plymap: it reads the logs itself, plays them by the rules, builds the trees from the definitions below, and
fits each model by numpy and scipy.

    pip install numpy scipy
    python tests/oracles/and_or_tower_of_london.py
    python tests/oracles/and_or_tower_of_london.py --variants

The recorded data are looked for as recorded.py says. Writes and_or_tower_of_london.json beside the script: `people`, the 78
whose likelihoods are published (minus log-likelihoods and the parameters at which they are least), and `positions`, trees
of single positions. With --variants nothing is written; the likelihoods under other definitions are printed.

Which decisions. Problems of the test; a move is a pick and its drop on another peg; put-backs are no moves. All moves count.

The tree, after Olieslagers, Bnaya and Ma. A place is a peg and a height on it, from 1; all places are those of the position
as it is, nothing is moved in thought. A wish (AND node) is (is it a placing, place from, place to). A subgoal (OR node) is
(ball, kind, place). Nodes are told by their depth and by what they are.

    Roots: at depth 1, for each ball that is not at its place in the target, the placing of it there.
    Subgoals of a wish, in this order, at its depth + 1:
        `off`    for each ball above the place it is to leave, from below: this ball away from its place;
        `away`   if a ball is at the place it is to go to: this ball away from there. For placings only, mixed with it by
                 height along the peg it is to go to:
        `place`  for each height below the place to go to, whose content is not that of the target: the target's ball there.
    A wish without subgoals is a leaf; it is a legal move.
    Wishes that reach a subgoal, at the subgoal's depth:
        `place`  the placing of the ball, from where it is;
        `off`    a shift of the ball onto each other peg, to the lowest empty place, or to the uppermost place if it is full;
        `away`   a shift of the ball to the lowest empty place of each peg that is neither the one the wish above comes from
                 nor the one it goes to. If that is full there is no wish.
    A shift is no placing, even if it goes where the ball belongs. A subgoal that the chain of subgoals above holds already
    (without regard to depth) is a node as well, but nothing is added below it there. As nodes with equal depth are one, an
    `away` reached from two wishes has the wishes of both, and a subgoal that closes a circle in one chain may have the
    wishes that another chain gave it. (For three balls on 3, 2, 1 it makes no difference to where thought ends.)

How thought spreads. Each root is as likely as the others. At a wish one of its subgoals is taken, each as likely; at a
subgoal one of its wishes. It ends at a leaf, at the leaf's depth; or at a subgoal that has no wish, or that is known
already, in a circle, at the depth of that subgoal. Known are the subgoals of the chain above and also, as published, the
subgoals that come before in the list of each wish on the way (`Spread.siblings`).

The probability of a move. An end at depth d is come to with (1 - gamma)^d times its share; the rest, of all ends together,
has stopped. Moves of the ball that the last move in the same game took count as circles (they leave from the peg it went
to). Circles are shared among the other ends and having stopped, in proportion; if these have no probability, all legal
moves are as likely as each other. Who has stopped makes any legal move, those of the last ball too:

    p(move) = (m + stopped / n_legal) / (1 - circles),    or 1 / n_legal where circles = 1.

The models
    gamma_only_model     as above.
    gamma_no_same_model  as above, where the last ball may move. It is not published for this game.
    gamma_0_model        lambda / n_legal + (1 - lambda) times the above at gamma = 0.
    opt_rand_model       lambda / n_legal + (1 - lambda) [optimal] / n_optimal.
    eureka_model         the same up to the distance d (whole; the least of those that are as good), and chance beyond.
                         The published fits are stuck at another d for 26 people, and worse by up to 15.8.
    hill_climbing_model  exp(b1 right + b2 wrong), over its sum: `right`, balls in their place after the move, and `wrong`,
                         balls in a place where the target has another ball.
    random_model         1 / n_legal.

gamma is searched on a grid of [0, 1], and each of the grid's minima is refined; for each d, the likelihoods of the others
have one maximum. No decision has probability 0 there.
"""

import csv
import json
import math
import sys
from collections import Counter
from functools import cache
from gzip import open as open_gzip
from pathlib import Path

import numpy as np
import scipy
from scipy import optimize

import tower_of_london_human as tower
from recorded import recorded_data

LETTERS = "-GRB"
DEPTHS = 40
TREE_MODELS = ("gamma_only_model", "gamma_no_same_model", "gamma_0_model")


def notation(state):
    return "/".join("".join(LETTERS[ball] for ball in balls) or "-" for balls in state)


class Thoughts:
    """What is in the way of wishes in a position, and the wishes that take it away."""

    def __init__(self, state, goal):
        self.state, self.goal = state, goal
        self.place_of = {ball: (peg, height) for peg, balls in enumerate(state) for height, ball in enumerate(balls)}
        target = {ball: (peg, height) for peg, balls in enumerate(goal) for height, ball in enumerate(balls)}
        self.roots = [
            (True, self.place_of[ball], target[ball]) for ball in sorted(target) if target[ball] != self.place_of[ball]
        ]

    @staticmethod
    def content(state, peg, height):
        return state[peg][height] if height < len(state[peg]) else None

    def subgoals(self, wish):
        is_placing, (source, low), (peg, place) = wish
        found = [(ball, "off", source, height) for height, ball in enumerate(self.state[source]) if height > low]
        for height in range(place + 1):
            here, wanted = (self.content(state, peg, height) for state in (self.state, self.goal))
            if height == place:
                if here is not None:
                    found.append((here, "away", peg, height))
            elif is_placing and here != wanted:
                found.append((wanted, "place", peg, height))
        return found

    def wishes(self, subgoal, above):
        ball, kind, peg, height = subgoal
        if kind == "place":
            return [(True, self.place_of[ball], (peg, height))]
        found = []
        for other, room in enumerate(tower.ROOM):
            top = len(self.state[other])
            if other == peg:
                continue
            if kind == "off":
                found.append((False, (peg, height), (other, min(top, room - 1))))
            elif top < room and other not in (above[1][0], above[2][0]):
                found.append((False, (peg, height), (other, top)))
        return found


class Tree:
    """`below_wish` has the subgoals of each (depth, wish), `below_subgoal` the wishes of each (depth, subgoal)."""

    def __init__(self, state, goal):
        self.thoughts = Thoughts(state, goal)
        self.below_wish, self.below_subgoal = {}, {}
        for wish in self.thoughts.roots:
            self.grow(1, wish, frozenset())

    def grow(self, depth, wish, chain):
        # Dictionaries, for they keep the order in which they were filled.
        own = self.below_wish.setdefault((depth, wish), {})
        for subgoal in self.thoughts.subgoals(wish):
            own[subgoal] = None
            ways = self.below_subgoal.setdefault((depth + 1, subgoal), {})
            if subgoal not in chain:
                for way in self.thoughts.wishes(subgoal, wish):
                    ways[way] = None
                    self.grow(depth + 1, way, chain | {subgoal})

    def leaves(self):
        return [node for node, subgoals in self.below_wish.items() if not subgoals]

    def summary(self):
        leaves = self.leaves()
        return {
            "n_and": len(self.below_wish),
            "n_or": len(self.below_subgoal),
            "n_and_with_subgoals": len(self.below_wish) - len(leaves),
            "n_or_with_wishes": sum(bool(ways) for ways in self.below_subgoal.values()),
            "n_leaves": len(leaves),
            "n_leaf_moves": len({wish[1:] for _, wish in leaves}),
            "least_leaf_depth": min((depth for depth, _ in leaves), default=None),
            "greatest_leaf_depth": max((depth for depth, _ in leaves), default=None),
        }


class Spread:
    """Where thought ends: shares by depth, of each move (peg, peg) and of circles."""

    def __init__(self, tree, siblings=True, merged=True, backwards=False):
        self.tree, self.siblings, self.merged, self.backwards = tree, siblings, merged, backwards
        self.moves, self.circles = {}, np.zeros(DEPTHS)
        roots = tree.thoughts.roots
        for wish in roots:
            self.follow(1, wish, 1 / len(roots), frozenset())

    def follow(self, depth, wish, share, known):
        subgoals = list(self.tree.below_wish[depth, wish])
        if not subgoals:
            move = wish[1][0], wish[2][0]
            self.moves.setdefault(move, np.zeros(DEPTHS))[depth] += share
        share = share / max(len(subgoals), 1)
        for subgoal in reversed(subgoals) if self.backwards else subgoals:
            ways = self.tree.below_subgoal[depth + 1, subgoal] if self.merged else self.tree.thoughts.wishes(subgoal, wish)
            if subgoal in known or not ways:
                self.circles[depth + 1] += share
                continue
            below = known | {subgoal}
            for way in ways:
                self.follow(depth + 1, way, share / len(ways), below)
            if self.siblings:
                known = below


def legal_moves(state):
    return [
        (source, peg) for source in range(3) for peg in range(3)
        if source != peg and state[source] and len(state[peg]) < tower.ROOM[peg]
    ]


def played(state, move):
    source, peg = move
    lifted = tuple(balls[:-1] if number == source else balls for number, balls in enumerate(state))
    return tower.with_ball(lifted, state[source][-1], peg)


def probability(ends, move, left_out, n_legal, gamma):
    own, circles, reached = ((1 - gamma) ** np.arange(DEPTHS) @ part for part in shares(ends, move, left_out))
    return float(chosen(own, circles, 1 - reached, n_legal))


def shares(ends, move, left_out):
    """By depth: shares of the move, of circles, and of all ends."""
    none = np.zeros(DEPTHS)
    out = [ends.moves[other] for other in ends.moves if other in left_out]
    own = none if move in left_out else ends.moves.get(move, none)
    return own, sum(out, ends.circles), sum(ends.moves.values(), ends.circles)


def chosen(own, circles, stopped, n_legal):
    rest = 1 - circles
    is_open = rest > 1e-12
    return np.where(is_open, (own + stopped / n_legal) / np.where(is_open, rest, 1.0), 1 / n_legal)


@cache
def ends_of(state, goal, **options):
    return Spread(tree_of(state, goal), **options)


@cache
def tree_of(state, goal):
    return Tree(state, goal)


distances_to = cache(tower.distances_to)


def decisions_of(rows):
    """(state, goal, move, last move in the game or None) of each move of the test."""
    for clicks, _ in tower.games_of(rows):
        if clicks[0]["task"] == "tol_practice":
            continue
        _, goal, moves, _ = tower.play(clicks)
        last = None
        for before, after, _, _ in moves:
            move = next(move for move in legal_moves(before) if played(before, move) == after)
            yield before, goal, move, last
            last = move


def of_last_ball(state, last):
    return [move for move in legal_moves(state) if last and move[0] == last[1]]


def back(state, last):
    return [move for move in legal_moves(state) if last and move == last[::-1]]


def nothing(state, last):
    return []


class Stopping:
    """The likelihood of decisions by gamma. `shift` is taken off each depth, `circles` says what becomes of circles:
    `shared` (published), `stopped` (as if one had stopped), or `shallow` (shared, but not weighted by depth)."""

    def __init__(self, decisions, left_out, shift=0, circles="shared", **options):
        self.shift, self.circles = shift, circles
        counted = Counter(decisions)
        self.count = np.array(list(counted.values()), float)
        rows = []
        for state, goal, move, last in counted:
            rows.append(shares(ends_of(state, goal, **options), move, left_out(state, last)))
        self.own, self.ends_circles, self.reached = (np.array(part) for part in zip(*rows))
        self.n_legal = np.array([len(legal_moves(state)) for state, *_ in counted], float)

    def probabilities(self, gamma):
        weights = (1 - gamma) ** np.maximum(np.arange(DEPTHS) - self.shift, 0)
        own, circles, reached = (part @ weights for part in (self.own, self.ends_circles, self.reached))
        if self.circles == "stopped":
            return own + (1 - reached + circles) / self.n_legal
        if self.circles == "shallow":
            unweighted = self.ends_circles.sum(axis=1)
            reached, circles = reached - circles + unweighted, unweighted
        return chosen(own, circles, np.maximum(1 - reached, 0), self.n_legal)

    def nll(self, gamma):
        with np.errstate(divide="ignore"):
            return -float(self.count @ np.log(self.probabilities(gamma)))

    def fit(self):
        grid = np.unique(np.concatenate([np.linspace(0, 1, 401), np.logspace(-6, -2, 41)]))
        values = np.array([self.nll(gamma) for gamma in grid])
        candidates = [(values[place], grid[place]) for place in (0, len(grid) - 1)]
        for place in range(1, len(grid) - 1):
            if values[place] <= min(values[place - 1], values[place + 1]):
                found = optimize.minimize_scalar(
                    self.nll, bounds=(grid[place - 1], grid[place + 1]), method="bounded", options={"xatol": 1e-11}
                )
                candidates.append((found.fun, found.x))
        for low, high in ((grid[0], grid[1]), (grid[-2], grid[-1])):
            found = optimize.minimize_scalar(self.nll, bounds=(low, high), method="bounded", options={"xatol": 1e-12})
            candidates.append((found.fun, found.x))
        nll, gamma = min(candidates)
        return {"nll": float(nll), "gamma": float(gamma)}


def lapse(uniform, seen):
    """Maximum likelihood of rate * uniform + (1 - rate) * seen, which is concave in the rate."""
    if np.all(uniform == seen):
        return {"nll": -math.fsum(np.log(uniform)), "lambda": None}

    def slope(rate):
        with np.errstate(divide="ignore"):
            return math.fsum((uniform - seen) / (rate * uniform + (1 - rate) * seen))

    if slope(0.0) <= 0:
        rate = 0.0
    elif slope(1.0) >= 0:
        rate = 1.0
    else:
        rate = optimize.brentq(slope, 1e-12, 1.0, xtol=1e-15, rtol=1e-14)
    return {"nll": -math.fsum(np.log(rate * uniform + (1 - rate) * seen)), "lambda": rate}


def eureka(uniform, seen, distance):
    fits = [{**lapse(uniform, np.where(distance <= d, seen, uniform)), "d": d} for d in range(int(distance.max()) + 1)]
    least = min(fit["nll"] for fit in fits)
    return next(fit for fit in fits if fit["nll"] <= least + 1e-9)


def features(state, goal):
    pairs = [(ball, wanted) for own, target in zip(state, goal) for ball, wanted in zip(own, target)]
    right = sum(ball == wanted for ball, wanted in pairs)
    return right, len(pairs) - right


def hill_climbing(decisions):
    groups = []
    for (state, goal, move, _), count in Counter((s, g, m, None) for s, g, m, _ in decisions).items():
        moves = legal_moves(state)
        groups.append((np.array([features(played(state, own), goal) for own in moves], float), moves.index(move), count))

    def value(b):
        nll, gradient, hessian = 0.0, np.zeros(2), np.zeros((2, 2))
        for table, own, count in groups:
            score = table @ b
            weight = np.exp(score - score.max())
            total = weight.sum()
            weight /= total
            mean = weight @ table
            nll += count * (math.log(total) + score.max() - score[own])
            gradient += count * (mean - table[own])
            hessian += count * (table.T @ (weight[:, None] * table) - np.outer(mean, mean))
        return nll, gradient, hessian

    b = np.zeros(2)
    nll, gradient, hessian = value(b)
    for _ in range(100):
        if np.abs(gradient).max() < 1e-10:
            break
        step, size = np.linalg.lstsq(hessian, -gradient, rcond=None)[0], 1.0
        # Near the minimum values differ by rounding only.
        while (tried := value(b + size * step))[0] > nll + 1e-9 and size > 1e-6:
            size /= 2
        b, (nll, gradient, hessian) = b + size * step, tried
    assert np.abs(gradient).max() < 1e-6, gradient
    return {"nll": nll, "b1": b[0], "b2": b[1]}


def fits_of(decisions):
    n_legal, n_optimal, is_optimal, distance = [], [], [], []
    for state, goal, move, _ in decisions:
        to_goal = distances_to(goal)
        better = [own for own in legal_moves(state) if to_goal[played(state, own)] < to_goal[state]]
        n_legal.append(len(legal_moves(state)))
        n_optimal.append(len(better))
        is_optimal.append(move in better)
        distance.append(to_goal[state])
    uniform = 1 / np.array(n_legal, float)
    seen = np.where(is_optimal, 1 / np.array(n_optimal, float), 0.0)
    tree = np.array([
        probability(ends_of(state, goal), move, of_last_ball(state, last), n, 0.0)
        for (state, goal, move, last), n in zip(decisions, n_legal)
    ])
    # Shares are sums of fractions: what differs from 0 by rounding is 0.
    tree = np.where(np.abs(tree) < 1e-12, 0.0, tree)
    return {
        "gamma_only_model": Stopping(decisions, of_last_ball).fit(),
        "gamma_no_same_model": Stopping(decisions, nothing).fit(),
        "gamma_0_model": lapse(uniform, tree),
        "opt_rand_model": lapse(uniform, seen),
        "eureka_model": eureka(uniform, seen, np.array(distance)),
        "hill_climbing_model": hill_climbing(decisions),
        "random_model": {"nll": math.fsum(np.log(n_legal))},
    }


def position(state, goal, gamma=0.05):
    moves = legal_moves(state)
    ends = ends_of(state, goal)
    return {
        "state": notation(state),
        "target": notation(goal),
        "distance": distances_to(goal)[state],
        **tree_of(state, goal).summary(),
        "circles": float(ends.circles.sum()),
        "gamma": gamma,
        "moves": [[a + 1, b + 1, probability(ends, (a, b), [], len(moves), gamma)] for a, b in moves],
    }


def difference(state, goal):
    """How much it matters that siblings know each other, at gamma = 0.05 and without a last move."""
    moves = legal_moves(state)
    one, other = (
        [probability(ends_of(state, goal, siblings=siblings), move, [], len(moves), 0.05) for move in moves]
        for siblings in (True, False)
    )
    return float(np.abs(np.subtract(one, other)).sum())


def chosen_positions(decisions):
    """The starts of all problems, and of the other positions met those with the most circles, where siblings that know each
    other matter most, and with the most nodes."""
    starts = sorted({(state, goal) for own in decisions.values() for state, goal, _, last in own if last is None})
    others = {(state, goal) for own in decisions.values() for state, goal, _, _ in own} - set(starts)
    found = list(starts)
    for rank in (
        lambda one: ends_of(*one).circles.sum(),
        lambda one: difference(*one),
        lambda one: len(tree_of(*one).below_wish) + len(tree_of(*one).below_subgoal),
    ):
        ordered = sorted(others - set(found), key=lambda one: (-round(float(rank(one)), 9), one))
        found += ordered[:3]
    return found


VARIANTS = {
    "as published": {},
    "siblings do not know each other": {"siblings": False},
    "subgoals in reverse order": {"backwards": True},
    "nodes not merged by depth": {"merged": False},
    "depth from 0": {"shift": 1},
    "circles not weighted by depth": {"circles": "shallow"},
    "circles as if stopped": {"circles": "stopped"},
    "only the way back is left out": {"left_out": back},
    "nothing is left out": {"left_out": nothing},
}


def variants(decisions, published):
    """Least and greatest difference, their sum, and how many people are within 1e-6 of the published likelihood."""
    for name, options in VARIANTS.items():
        options = {"left_out": of_last_ball, **options}
        deltas = np.array([
            Stopping(own, **options).fit()["nll"] - published[who]["gamma_only_model"] for who, own in decisions.items()
        ])
        print(f"{name:34} {deltas.min():+.3e} {deltas.max():+.3e} sum {deltas.sum():+.4f} "
              f"equal {np.sum(np.abs(deltas) < 1e-6)} lower {np.sum(deltas < -1e-6)} higher {np.sum(deltas > 1e-6)}")


def main():
    folder = recorded_data("tower_of_london")
    published = {}
    with open(folder / "published_models_78.csv", encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle):
            published.setdefault(row["participant_file"], {})[row["model"]] = float(row["nll"])
    decisions = {}
    for file in sorted((folder / "jspsych").glob("P*.csv.gz")):
        who = file.name.split(".")[0]
        if who in published:
            with open_gzip(file, "rt", encoding="utf-8", newline="") as handle:
                decisions[who] = list(decisions_of(csv.DictReader(handle)))
    assert sorted(decisions) == sorted(published)
    if "--variants" in sys.argv[1:]:
        variants(decisions, published)
        return
    people = []
    for who, own in decisions.items():
        fits = fits_of(own)
        people.append({"id": who, "n": len(own), **{
            model: {**fit, "published": published[who].get(model)} for model, fit in fits.items()
        }})
    positions = [position(*one) for one in chosen_positions(decisions)]
    tables = {"people": people, "positions": positions}
    lines = ["{", '"script": "and_or_tower_of_london.py",',
             f'"made_with": {json.dumps({"numpy": np.__version__, "scipy": scipy.__version__})},']
    for number, (name, rows) in enumerate(tables.items()):
        lines += [f'"{name}": [', ",\n".join(map(json.dumps, rows)), "]," if number + 1 < len(tables) else "]"]
    Path(__file__).with_suffix(".json").write_text("\n".join(lines) + "\n}\n", encoding="utf-8")
    for model in people[0]:
        pairs = [one[model] for one in people if isinstance(one[model], dict) and one[model]["published"] is not None]
        if pairs:
            deltas = np.array([pair["nll"] - pair["published"] for pair in pairs])
            print(f"{model:20} n {len(deltas)} mean {np.mean([pair['nll'] for pair in pairs]):.4f} "
                  f"difference {deltas.min():+.3e} to {deltas.max():+.3e}, within 1e-6: {np.sum(np.abs(deltas) < 1e-6)}")


if __name__ == "__main__":
    main()
