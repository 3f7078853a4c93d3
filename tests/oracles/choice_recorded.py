"""Chance and lapse-optimal on recorded play, computed from the raw files in plain Python.

Independent of plymap: it reads the logs itself, plays them by the rules, searches each component of positions
by breadth-first search, and fits the lapse rate by scipy.

    pip install scipy
    python tests/oracles/choice_recorded.py

The recorded data are looked for as recorded.py says. Writes choice_recorded.json beside the script:
for each participant, by the identifier of the log, n (decisions), nll_chance = sum of ln n_legal, lambda (the
maximum likelihood estimate of the lapse rate), nll_lapse (minus that likelihood), and decisions (how often each
n_legal, n_optimal and quality occurs, from which the models can be fitted again without the logs), for

    p(move) = lambda / n_legal + (1 - lambda) [optimal] / n_optimal.

The likelihood is concave in lambda; where its slope at 0 is negative (every move is optimal, say) lambda is 0, where
its slope at 1 is positive it is 1. A move is optimal if it leads one nearer to the goal.

Rush Hour
    moves_34subj.csv.gz, 34 people, rule `path-clear`: a position is a goal if nothing stands between the red car and
    the exit. Positions beyond a goal are searched as any others. A slide over any number of cells is one move. Decisions
    are all moves up to the first that reaches a goal in the trial (one person at one puzzle, over all attempts). What is
    left out are the 21 moves behind a goal, made where the distance was 0 or after it, and nothing else.
    `rush_hour_at_goals` has n and nll_chance of those participants with all moves of the log.
    The script checks that n_legal, d_before and d_after of its own search equal those in the file (which has no
    d_after for 10 moves beyond a goal).

Tower of London
    jspsych/P*.csv.gz, 80 people; a move is a pick and its drop on another peg; problems of the test, and of practice
    under `tower_of_london_with_practice`. Put-backs are no moves. Every recorded game ends at its target.

What published_models_42subj.csv holds
    Of 42 people under other identifiers (S42_..), for each of 8 models the minus log-likelihood (nll), the same in a
    5-fold cross-validation over moves (cv_nll; not over levels), and the parameters. random_model's nll is the sum of
    ln n_legal, opt_rand_model the lapse-optimal model as above, fitted by Brent's method. Published are likelihoods
    with many digits, so that people can be told by them: `published` lists who is in both files.
    Five are found to all digits (nll of random_model within 1e-10) by their definition of a decision: puzzles that the
    person never solved are left out, and so are moves after the first solution of a puzzle. The first is where it differs
    from plymap's, which keeps unsolved trials. A sixth (Y10) is found if one of its puzzles is left out (prb68910, which
    the log shows as solved; the published data seem to have no end of it). For all six opt_rand_model's nll agrees within
    1e-10 as well, and its lambda within 4e-8, which is what their optimiser leaves. The other 28 people of the log and
    the other 36 published ones do not match, neither with all puzzles nor with any one puzzle left out.
"""

import csv
import gzip
import json
import math
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import scipy
from scipy import optimize

import tower_of_london_human as tower
from recorded import recorded_data

SIDE = 6


class Puzzle:
    """A Rush Hour board; a position is the sum of (place along its line) * 5 ** (number of the piece), red first."""

    def __init__(self, board):
        self.pieces, self.start = [], 0
        for number, letter in enumerate(sorted(set(board) - set("o."))):
            cells = [cell for cell in range(SIDE * SIDE) if board[cell] == letter]
            step = cells[1] - cells[0]
            line = cells[0] // SIDE if step == 1 else cells[0] % SIDE
            place = cells[0] % SIDE if step == 1 else cells[0] // SIDE
            self.pieces.append((step, line, len(cells)))
            self.start += place * 5**number
        assert self.pieces[0][0] == 1

    def cell(self, number, place):
        step, line, _ = self.pieces[number]
        return line * SIDE + place if step == 1 else place * SIDE + line

    def mask(self, number, places):
        return sum(1 << self.cell(number, place) for place in places)

    def occupied(self, codes):
        total = np.zeros(len(codes), np.int64)
        for number, (_, _, size) in enumerate(self.pieces):
            masks = np.array([self.mask(number, range(place, place + size)) for place in range(SIDE - size + 1)])
            total |= masks[codes // 5**number % 5]
        return total

    def slides(self, codes):
        """For each piece and place: which positions allow it, and where it leads."""
        occupied = self.occupied(codes)
        for number, (_, _, size) in enumerate(self.pieces):
            places = codes // 5**number % 5
            for target in range(SIDE - size + 1):
                passed = np.array([
                    self.mask(number, range(place + size, target + size) if target > place else range(target, place))
                    for place in range(SIDE - size + 1)
                ])
                allowed = (places != target) & (passed[places] & occupied == 0)
                yield allowed, codes + (target - places) * 5**number

    def component(self):
        """All positions, ascending."""
        known = frontier = np.array([self.start])
        while len(frontier):
            found = np.unique(np.concatenate([after[allowed] for allowed, after in self.slides(frontier)]))
            frontier = np.setdiff1d(found, known, assume_unique=True)
            known = np.union1d(known, frontier)
        return known

    def distances(self):
        codes = self.component()
        size = self.pieces[0][2]
        ahead = np.array([self.mask(0, range(place + size, SIDE)) for place in range(SIDE - size + 1)])
        is_goal = self.occupied(codes) & ahead[codes % 5] == 0
        distance = np.where(is_goal, 0, -1)
        frontier = codes[is_goal]
        while len(frontier):
            found = np.unique(np.concatenate([after[allowed] for allowed, after in self.slides(frontier)]))
            index = np.searchsorted(codes, found)
            index = index[distance[index] < 0]
            distance[index] = distance[np.searchsorted(codes, frontier[0])] + 1
            frontier = codes[index]
        assert (distance >= 0).all()
        return codes, distance

    def play(self, code, move):
        piece, target = move.split("@")
        number = 0 if piece == "r" else int(piece) + 1
        target = int(target)
        place = target % SIDE if self.pieces[number][0] == 1 else target // SIDE
        assert self.cell(number, place) == target
        return code + (place - code // 5**number % 5) * 5**number


def rush_hour(folder):
    """Decisions of each person as (n_legal, n_optimal, is_optimal, puzzle, is after a goal), in the order of the log."""
    with open(folder / "puzzles70.csv") as handle:
        boards = {row["puzzle"].split("_")[0]: row["board36"] for row in csv.DictReader(handle)}
    with gzip.open(folder / "moves_34subj.csv.gz", "rt") as handle:
        rows = list(csv.DictReader(handle))
    trials = defaultdict(list)
    for row in rows:
        trials[row["instance"], row["subject"]].append(row)
    decisions = defaultdict(list)
    solved = defaultdict(bool)
    by_puzzle = defaultdict(list)
    for (instance, subject), own in trials.items():
        by_puzzle[instance].append((subject, own))
    for instance, of_people in sorted(by_puzzle.items()):
        puzzle = Puzzle(boards[instance])
        codes, distance = puzzle.distances()
        before, after, at = [], [], []
        for subject, own in of_people:
            attempts = defaultdict(list)
            for row in own:
                attempts[int(row["trial"])].append(row)
            for _, attempt in sorted(attempts.items()):
                code = puzzle.start
                for row in sorted(attempt, key=lambda row: int(row["move_no"])):
                    before.append(code)
                    code = puzzle.play(code, row["move"])
                    after.append(code)
                    at.append((subject, row))
        before, after = np.array(before), np.array(after)
        d_before = distance[np.searchsorted(codes, before)]
        d_after = distance[np.searchsorted(codes, after)]
        n_legal, n_optimal, is_legal = (np.zeros(len(before), np.int64) for _ in range(3))
        for allowed, reached in puzzle.slides(before):
            index = np.minimum(np.searchsorted(codes, reached), len(codes) - 1)
            n_legal += allowed
            n_optimal += allowed & (distance[index] == d_before - 1)
            is_legal |= allowed & (reached == after)
        assert is_legal.all()
        for place, (subject, row) in enumerate(at):
            assert (int(row["d_before"]), int(row["n_legal"])) == (d_before[place], n_legal[place]), row
            # Beyond a goal the file has no distance for some positions.
            assert d_before[place] == 0 or int(float(row["d_after"])) == d_after[place], row
            decisions[subject].append((
                int(n_legal[place]), int(n_optimal[place]), bool(d_after[place] == d_before[place] - 1), instance,
                solved[subject, instance],
            ))
            solved[subject, instance] |= bool(d_after[place] == 0)
    return decisions, solved


def tower_of_london(folder, with_practice):
    decisions = defaultdict(list)
    for file in sorted((folder / "jspsych").glob("P*.csv.gz")):
        with gzip.open(file, "rt", encoding="utf-8", newline="") as handle:
            rows = list(csv.DictReader(handle))
        for clicks, _ in tower.games_of(rows):
            if clicks[0]["task"] == "tol_practice" and not with_practice:
                continue
            _, goal, moves, _ = tower.play(clicks)
            distance = tower.distances_to(goal)
            for before, after, _, _ in moves:
                reached = [distance[state] for state in tower.neighbours(before)]
                n_optimal = sum(d == distance[before] - 1 for d in reached)
                decisions[rows[0]["subject_id"]].append((len(reached), n_optimal, distance[after] == distance[before] - 1))
    return decisions


def summary(decisions):
    """n, the likelihood of chance, and the lapse-optimal model at its maximum likelihood."""
    shares = np.array([(1 / n, (1 / m if is_optimal else 0.0)) for n, m, is_optimal, *_ in decisions])
    uniform, seen = shares.T

    def slope(rate):
        with np.errstate(divide="ignore"):
            return math.fsum((uniform - seen) / (rate * uniform + (1 - rate) * seen))

    if slope(0.0) <= 0:
        rate = 0.0 if np.any(uniform != seen) else None
    elif slope(1.0) >= 0:
        rate = 1.0
    else:
        rate = optimize.brentq(slope, 1e-12, 1.0, xtol=1e-15, rtol=1e-14)
    mixed = uniform if rate is None else rate * uniform + (1 - rate) * seen
    return {
        "n": len(decisions),
        "nll_chance": math.fsum(math.log(n) for n, *_ in decisions),
        "lambda": rate,
        "nll_lapse": -math.fsum(np.log(mixed)),
    }


def counted(decisions):
    """How often each (n_legal, n_optimal, 1 if optimal) occurs: [n_legal, n_optimal, is_optimal, count]."""
    return [[n, m, int(o), count] for (n, m, o), count in sorted(Counter(d[:3] for d in decisions).items())]


def published(folder, decisions, solved):
    """Who is in the published file, by the likelihood of chance; and what the lapse-optimal model says of them."""
    with open(folder / "published_models_42subj.csv") as handle:
        rows = [row for row in csv.DictReader(handle) if row["model"] in ("random_model", "opt_rand_model")]
    nll = {(row["subject"], row["model"]): float(row["nll"]) for row in rows}
    rate = {row["subject"]: json.loads(row["params"])[0] for row in rows if row["model"] == "opt_rand_model"}
    found = []
    for subject, own in sorted(decisions.items()):
        own = [decision for decision in own if solved[subject, decision[3]] and not decision[4]]
        for left_out in [None, *sorted({decision[3] for decision in own})]:
            kept = [decision for decision in own if decision[3] != left_out]
            result = summary(kept) if kept else None
            for other in sorted(rate) if result else []:
                if abs(nll[other, "random_model"] - result["nll_chance"]) < 1e-8:
                    found.append({"id": subject, "published_id": other, "puzzle_left_out": left_out, **result,
                                  "decisions": counted(kept),
                                  "published_nll_random": nll[other, "random_model"],
                                  "published_nll_opt_rand": nll[other, "opt_rand_model"],
                                  "published_lambda": rate[other]})
    return found


def main():
    decisions, solved = rush_hour(recorded_data("rush_hour"))
    measured = {subject: [d for d in own if not d[4]] for subject, own in decisions.items()}
    tables = {
        "rush_hour": [{"id": who, **summary(own), "decisions": counted(own)} for who, own in sorted(measured.items())],
        "rush_hour_at_goals": [
            {"id": who, "n": len(own), "nll_chance": math.fsum(math.log(d[0]) for d in own)}
            for who, own in sorted(decisions.items()) if len(own) != len(measured[who])
        ],
        "published": published(recorded_data("rush_hour"), decisions, solved),
    }
    for name, with_practice in (("tower_of_london", False), ("tower_of_london_with_practice", True)):
        people = tower_of_london(recorded_data("tower_of_london"), with_practice)
        tables[name] = [
            {"id": who, **summary(own), **({} if with_practice else {"decisions": counted(own)})}
            for who, own in sorted(people.items())
        ]
    lines = ["{", '"script": "choice_recorded.py",', f'"made_with": {json.dumps({"numpy": np.__version__, "scipy": scipy.__version__})},']
    for number, (name, rows) in enumerate(tables.items()):
        lines += [f'"{name}": [', ",\n".join(map(json.dumps, rows)), "]," if number + 1 < len(tables) else "]"]
    Path(__file__).with_suffix(".json").write_text("\n".join(lines) + "\n}\n")
    for row in tables["published"]:
        print(row["id"], row["published_id"], row["puzzle_left_out"], row["nll_chance"] - row["published_nll_random"],
              row["nll_lapse"] - row["published_nll_opt_rand"], row["lambda"] - row["published_lambda"])


if __name__ == "__main__":
    main()
