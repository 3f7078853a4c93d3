"""Forward search by random rollouts, fitted to recorded play: a second program beside plymap's.

Independent of plymap: the logs are read, played and searched by the scripts imported below, and what is added here is the
probability that a rollout reaches a goal, on the whole graph of each level, and the fit of two parameters.

    pip install numpy scipy
    python tests/oracles/forward_search.py

The recorded data are looked for as recorded.py says. Writes forward_search.json beside the script; it takes some minutes.

The model (forward_search of Olieslagers, Bnaya and Ma)
    A rollout takes legal moves at random, each as likely as the others, and gives up with probability gamma before each move
    but its first. It is a success if it comes to a goal. V(s) is the probability of a success from s on, the choice to give
    up being the first thing that happens there:

        V = 1 at goals,    V(s) = (1 - gamma) * mean of V over what the legal moves lead to,    elsewhere.

    Goals end a rollout, whether it would have gone on or not; what lies behind them does not matter. A position that was
    there before may be come to again. A move leads to one position; two moves to one position do not occur.
    With n legal moves, s_m = V(after m) / n is the probability that a rollout starts with m and succeeds; f = 1 - sum of s_m.
    There are at most k rollouts. The first to succeed gives the move; if none does, each legal move is as likely:

        p(m) = s_m (1 - f^k) / (1 - f) + f^k / n,    or 1 / n if f = 1.

    gamma = exp(-log_gamma). Bounds as published: log_gamma in [0, 10], k a whole number from 1 to 1e10. Here k may be all
    of these; the authors try floor(10^x) for 1000 values of x, `K_THEIRS`. For k = 1 p(m) = s_m + f / n.
    At log_gamma = 0 a rollout is one move: V = 0 but at goals.

How it is computed
    All levels of a game are one system of equations. For gamma >= 0.03 V is the limit of V <- (1 - gamma) (Q V + R) from 0, sums
    of what is not negative, so that small values have all their digits (they are below 1e-16 at some minima, where k is 1e9).
    For smaller gamma it is by conjugate gradients (each move can be taken back; multiplied by the number of moves the equations
    are symmetric), and some such steps after. 1 - f^k is by expm1 and log1p.
    The authors solve for the probability of failing, F = 1 - V, and put p together from f = 1 - sum of (1 - F) / n, so that what
    is below 1e-16 is lost. `rounded` likelihoods are computed so from F to the next double; the rounding inside their
    solver is not repeated here. This is why differences of 1e-5 to 1e-12 of either sign are left at their parameters.

The fit
    A grid (LOG_GAMMAS, K_THEIRS), then from the 3 lowest of its valleys (none that is higher by 5) a search in log_gamma whose
    values are minima over real k; last, k is one of the whole numbers beside it. If the likelihood is flat in k to 1e-9 the
    least k of K_THEIRS that is as good to 1e-9 is given, and `flat_to` the greatest.

The published fits
    Of the Tower of London, `their_search` (Brent's method over [0, 10] with a relative tolerance of 1e-3, over K_THEIRS, with
    `rounded` likelihoods) comes to the published nll within 1.3e-4 for all 78, for 47 within 1e-6: this search is what they
    come from. They are up to 2.4e-4 above the minimum, and in another valley for two (P045 by 0.22, P080 by 0.026). For P065
    and P071 they are below it, by 6e-7 and 2.5e-6; that is rounding, which in a solver by elimination moves the likelihoods of
    these two by 2e-6 and 7e-6 (standard deviation; k is 1e10).
    Of Rush Hour it is so for Y08, Y10 and Y18 (up to 2.2e-4). The fits of Y06, Y11, Y15 and Y31 are no minima, by 54.1, 1.06,
    8.03 and 1.59, though the likelihood at their parameters is the published one (to 1e-5 for Y11, 2e-6 for the others),
    and their k is the best of K_THEIRS there. These four log_gamma are points of golden sections alone of [0, 10], to which Brent's
    method comes if the function has no value at places where it was tried. For Y06, Y15 and Y31 they are where the least sum
    of s of a decision sinks to 1e-16, so that f is 1 and (1 - f^k) / (1 - f) is 0 / 0. The published code has a branch
    for that; the fits look as if made without it, but this is a guess. `their_search` of Rush Hour is without, and stops near
    theirs for Y15 and Y31, further on for Y06, and not at all there for Y11: it hangs on rounding.

Keys
    people of each game: n, `at` ([log_gamma, k, nll] at fixed parameters), nll, log_gamma (to 1e-6) and k at the minimum,
    `published` (nll), `their_search` ([log_gamma, k, nll]), and for Rush Hour `published_parameters`, `nll_at_published`,
    `rounded_at_published`.
    Rush Hour: who they are and which decisions are taken is as in and_or_rush_hour.py. Of Y11 the last three moves of one
    attempt (prb54506) are left out as in the published data, though they are moves; of Y10 the puzzle prb68910.
    Tower of London: the 78 of and_or_tower_of_london.py; practice and put-backs left out. Parameters are not in the csv file.
    Hill climbing and eureka of the same people are in and_or_rush_hour.json and and_or_tower_of_london.json.
    by_hand: levels of few positions, by elimination in fractions: `v` has [gamma, V of each of `positions`] (all that are no
    goals), `p` has [gamma, k, probability of each of `moves` at the start]. Moves are [piece, cells] and [from peg, to peg].
"""

import csv
import gzip
import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import scipy
from scipy import optimize, sparse
from scipy.sparse import linalg

import and_or_rush_hour as rush_hour
import and_or_tower_of_london as london
import tower_of_london_human as tower
from choice_recorded import Puzzle
from recorded import recorded_data

K_MOST = 10**10
K_THEIRS = np.unique(np.floor(10 ** np.linspace(0, 10, 1000)))
LOG_GAMMAS = np.concatenate(
    [[0.0], np.geomspace(1e-4, 0.1, 22), np.arange(0.15, 1, 0.05), np.arange(1, 3, 0.1), np.arange(3, 10.01)]
)
AT = [(0.5, 1), (0.5, 1000), (2.0, 1), (2.0, 10), (2.0, 1000), (4.0, 1), (4.0, 10), (4.0, 1000), (1.0, 10**6), (1.0, 10**10)]


class Graph:
    """Levels side by side. `adjacency` has a 1 for each move from a position that is no goal to another that is none,
    `to_goal` the number of moves into goals, `degree` that of all moves. Goals have index -1 and V = 1."""

    def __init__(self, adjacency, to_goal):
        self.adjacency, self.to_goal = adjacency.tocsr(), np.asarray(to_goal, float)
        self.degree = np.asarray(adjacency.sum(1)).ravel() + self.to_goal
        self.known = {}
        self.q = sparse.diags(1 / self.degree) @ self.adjacency
        self.r = self.to_goal / self.degree

    def value(self, log_gamma):
        """V of all positions, and 1 at the end, so that index -1 is a goal."""
        go_on = -math.expm1(-log_gamma)
        v = np.zeros(len(self.r))
        if 1 - go_on < 0.03:
            root = np.sqrt(self.degree)
            of_root = sparse.diags(1 / root) @ self.adjacency @ sparse.diags(1 / root)
            system = sparse.identity(len(v)) - go_on * of_root
            v, failed = linalg.cg(system, go_on * root * self.r, rtol=1e-13, atol=0, maxiter=20000)
            assert failed == 0
            v = v / root
            for _ in range(100):
                v = go_on * (self.q @ v + self.r)
        elif go_on > 0:
            done = False
            while not done:
                for _ in range(8):
                    before, v = v, go_on * (self.q @ v + self.r)
                done = (v > 0).all() and (np.abs(v - before) <= 1e-15 * v).all()
        return np.append(v, 1.0)


class Person:
    """All decisions of a person: `after` has the indices of what the legal moves lead to (padded), `own` the one taken."""

    def __init__(self, decisions):
        self.n = np.array([len(after) for after, _ in decisions], float)
        widest = int(self.n.max())
        self.after = np.array([after + [after[0]] * (widest - len(after)) for after, _ in decisions])
        self.present = np.arange(widest) < self.n[:, None]
        self.own = np.array([own for _, own in decisions])

    def shares(self, v, rounded=False):
        """s of the move taken, and sum of s."""
        s = np.where(self.present, (1 - (1 - v) if rounded else v)[self.after], 0.0) / self.n[:, None]
        return s[np.arange(len(s)), self.own], s.sum(1)

    def nll(self, v, ks, rounded=False):
        """One number for each k."""
        ks = np.atleast_1d(np.asarray(ks, float))
        own, total = self.shares(v, rounded)
        rows = np.unique(np.stack([own, total, self.n]), axis=1, return_counts=True)
        (own, total, n), count = rows[0][:, :, None], rows[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            if rounded:
                f = 1 - total
                p = np.where(f == 1, 1 / n, own * (1 - f**ks) / (1 - f) + f**ks / n)
            else:
                power = ks * np.log1p(-total)
                p = np.where(total == 0, 1 / n, own * -np.expm1(power) / total + np.exp(power) / n)
            return -(count @ np.log(p))


def valleys(values):
    """Places that are no higher than the four around them, the lowest first."""
    padded = np.pad(values, 1, constant_values=np.inf)
    around = np.min([padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]], axis=0)
    places = np.argwhere(np.isfinite(values) & (values <= around))
    return sorted(map(tuple, places), key=lambda place: values[place])


def best_k(person, v, around):
    """The least minus log-likelihood over real k in [1, K_MOST], which is near K_THEIRS[around] if it can be."""
    most = len(K_THEIRS)
    low, high = max(around - 40, 0), min(around + 40, most)
    values = person.nll(v, K_THEIRS[low:high])
    place = int(np.argmin(values)) + low
    if place in (low, high - 1) and place not in (0, most - 1):
        low, values = 0, person.nll(v, K_THEIRS)
        place = int(np.argmin(values))
    values = dict(enumerate(values, low))
    low, high = (math.log(K_THEIRS[min(max(place + step, 0), most - 1)]) for step in (-1, 1))
    found = optimize.minimize_scalar(
        lambda x: person.nll(v, math.exp(x))[0], bounds=(low, high), method="bounded", options={"xatol": 1e-9}
    )
    return min((float(found.fun), math.exp(found.x)), (float(values[place]), float(K_THEIRS[place])))


def fit(person, value, grid):
    values = np.array([person.nll(v, K_THEIRS) for v in grid])
    found = []
    started = []
    for row, column in valleys(values):
        # Valleys side by side are one.
        if any(abs(row - other) < 3 for other in started) or values[row, column] > values.min() + 5:
            continue
        started.append(row)
        bounds = [LOG_GAMMAS[min(max(row + step, 0), len(LOG_GAMMAS) - 1)] for step in (-1, 1)]
        search = {"bounds": bounds, "method": "bounded", "options": {"xatol": 1e-5 * (bounds[1] - bounds[0])}}
        x = optimize.minimize_scalar(lambda x: best_k(person, value(x), column)[0], **search).x
        k = best_k(person, value(x), column)[1]
        for whole in {min(max(k + step, 1), K_MOST) for step in (math.floor(k) - k, math.ceil(k) - k)}:
            whole = round(whole)
            if k < 1e5:
                x = optimize.minimize_scalar(lambda x: person.nll(value(x), whole)[0], **search).x
            found.append((float(person.nll(value(x), whole)[0]), float(x), whole))
        found.append((float(values[row, column]), float(LOG_GAMMAS[row]), int(K_THEIRS[column])))
        if len(started) == 3:
            break
    nll, x, k = min(found)
    row = {"nll": nll, "log_gamma": x, "k": k}
    as_good = K_THEIRS[person.nll(value(x), K_THEIRS) < nll + 1e-9]
    if len(as_good) > 2 and as_good[-1] > 1.5 * as_good[0]:
        row.update(k=int(as_good[0]), flat_to=int(as_good[-1]), nll=float(person.nll(value(x), as_good[0])[0]))
    return row


def their_search(person, value, lost):
    """Brent's search as published: over [0, 10], to 1e-3 of the place. With `lost` the function has no value where f is 1
    for some decision, by rounding; comparisons with it fail."""
    golden, low, high = (3 - math.sqrt(5)) / 2, 0.0, 10.0
    tried = {}

    def function(x):
        values = person.nll(value(x), K_THEIRS, rounded=True)
        place = int(np.argmin(values))
        tried[x] = int(K_THEIRS[place])
        is_lost = lost and (1 - person.shares(value(x), rounded=True)[1] == 1).any()
        return math.nan if is_lost else float(values[place])

    best = second = third = low + golden * (high - low)
    f_best = f_second = f_third = function(best)
    step = before = 0.0
    for _ in range(1000):
        middle, near = (low + high) / 2, 1e-3 * abs(best) + np.finfo(float).eps
        if abs(best - middle) <= 2 * near - (high - low) / 2:
            break
        p = q = 0.0
        if abs(before) > near:
            r = (best - second) * (f_best - f_third)
            q = (best - third) * (f_best - f_second)
            p = (best - third) * q - (best - second) * r
            q = 2 * (q - r)
            p, q = (-p, q) if q > 0 else (p, -q)
        if abs(p) < abs(q * before / 2) and p < q * (high - best) and -p < q * (best - low):
            before, step = step, p / q
            if best + step - low < 2 * near or high - best - step < 2 * near:
                step = near if best < middle else -near
        else:
            before = (high if best < middle else low) - best
            step = golden * before
        new = best + (step if abs(step) >= near else math.copysign(near, step))
        f_new = function(new)
        if f_new <= f_best:
            low, high = (low, best) if new < best else (best, high)
            third, f_third, second, f_second, best, f_best = second, f_second, best, f_best, new, f_new
        else:
            low, high = (new, high) if new < best else (low, new)
            if f_new <= f_second or second == best:
                third, f_third, second, f_second = second, f_second, new, f_new
            elif f_new <= f_third or third in (best, second):
                third, f_third = new, f_new
    return [float(best), tried[best], f_best]


def rush_hour_level(puzzle):
    """Codes of the positions that are no goals, and the moves between them; -1 is a goal."""
    codes, distance = puzzle.distances()
    inner = codes[distance > 0]
    rows, columns, to_goal = [], [], np.zeros(len(inner))
    for allowed, after in puzzle.slides(inner):
        row, after = np.nonzero(allowed)[0], after[allowed]
        is_goal = distance[np.searchsorted(codes, after)] == 0
        np.add.at(to_goal, row[is_goal], 1)
        rows.append(row[~is_goal])
        columns.append(np.searchsorted(inner, after[~is_goal]))
    rows, columns = np.concatenate(rows), np.concatenate(columns)
    return inner, sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(inner),) * 2), to_goal


def index_in(inner, codes):
    place = np.minimum(np.searchsorted(inner, codes), len(inner) - 1)
    return np.where(inner[place] == codes, place, -1)


def rush_hour_people(folder):
    with open(folder / "puzzles70.csv") as handle:
        boards = {row["puzzle"].split("_")[0]: row["board36"] for row in csv.DictReader(handle)}
    decisions, puzzles, _ = rush_hour.decisions_of(folder, boards)
    names = sorted({d.puzzle for own in decisions.values() for d in own})
    levels, offset, parts = {}, 0, []
    for name in names:
        inner, adjacency, to_goal = rush_hour_level(puzzles[name])
        levels[name] = inner, offset
        offset += len(inner)
        parts.append((adjacency, to_goal))
    graph = Graph(sparse.block_diag([a for a, _ in parts], format="csr"), np.concatenate([g for _, g in parts]))
    people, legal = {}, {}
    for person, own in decisions.items():
        rows = []
        for d in own:
            if (d.puzzle, d.code) not in legal:
                inner, start = levels[d.puzzle]
                moves = rush_hour.position_of(puzzles[d.puzzle], d.code).legal()
                index = index_in(inner, np.array([d.code + cells * 5**number for number, cells in moves]))
                legal[d.puzzle, d.code] = moves, np.where(index < 0, -1, index + start).tolist()
            moves, after = legal[d.puzzle, d.code]
            rows.append((after, moves.index(d.move)))
        people[person] = Person(rows)
    return graph, people


def london_level(goal):
    states = [state for state in sorted(tower.distances_to(goal)) if state != goal]
    index = {state: number for number, state in enumerate(states)}
    table, to_goal = np.zeros((len(states),) * 2), np.zeros(len(states))
    for state in states:
        for after in tower.neighbours(state):
            if after == goal:
                to_goal[index[state]] += 1
            else:
                table[index[state], index[after]] += 1
    return index, sparse.csr_matrix(table), to_goal


def london_people(folder, names):
    decisions = {}
    for who in sorted(names):
        with gzip.open(folder / f"jspsych/{who}.csv.gz", "rt", encoding="utf-8", newline="") as handle:
            decisions[who] = list(london.decisions_of(csv.DictReader(handle)))
    levels, offset, parts = {}, 0, []
    for goal in sorted({goal for own in decisions.values() for _, goal, _, _ in own}):
        index, adjacency, to_goal = london_level(goal)
        levels[goal] = index, offset
        offset += len(index)
        parts.append((adjacency, to_goal))
    graph = Graph(sparse.block_diag([a for a, _ in parts], format="csr"), np.concatenate([g for _, g in parts]))
    people = {}
    for who, own in decisions.items():
        rows = []
        for state, goal, move, _ in own:
            index, start = levels[goal]
            moves = london.legal_moves(state)
            after = [london.played(state, one) for one in moves]
            rows.append(([-1 if one == goal else index[one] + start for one in after], moves.index(move)))
        people[who] = Person(rows)
    return graph, people


def exact(adjacency, to_goal, gamma):
    """V by elimination in fractions."""
    size = len(to_goal)
    table = adjacency.toarray().astype(int)
    rows = []
    for i in range(size):
        degree = int(table[i].sum() + to_goal[i])
        row = [Fraction(int(i == j)) - (1 - gamma) * Fraction(int(table[i, j]), degree) for j in range(size)]
        rows.append([*row, (1 - gamma) * Fraction(int(to_goal[i]), degree)])
    for i in range(size):
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(size):
            if j != i and rows[j][i]:
                rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i])]
    return [row[-1] for row in rows]


def by_hand():
    """Few positions: Rush Hour boards of two or three pieces, and one target of the Tower of London."""
    found = []
    for board in ("oooBoooooBooAAoBoooooooooooooooooooo", "ooooooooooooAAoBooooCBooooCBooooCooo"):
        puzzle = Puzzle(board)
        inner, adjacency, to_goal = rush_hour_level(puzzle)
        letters = sorted(set(board) - set("o"))

        def text(code):
            at = rush_hour.position_of(puzzle, int(code)).at
            return "".join(letters[at[cell]] if cell in at else "o" for cell in range(36))

        moves = rush_hour.position_of(puzzle, puzzle.start).legal()
        after = index_in(inner, np.array([puzzle.start + cells * 5**number for number, cells in moves])).tolist()
        found.append(small_level("rush_hour", board, [text(code) for code in inner], adjacency, to_goal,
                                 [[letters[number], cells] for number, cells in moves], after))
    start, goal = ((1, 2), (3,), ()), ((), (3, 2), (1,))
    index, adjacency, to_goal = london_level(goal)
    moves = london.legal_moves(start)
    after = [index.get(london.played(start, move), -1) for move in moves]
    found.append({"target": london.notation(goal), **small_level(
        "tower_of_london", london.notation(start), [london.notation(state) for state in index], adjacency, to_goal,
        [[a + 1, b + 1] for a, b in moves], after)})
    return found


def small_level(game, start, positions, adjacency, to_goal, moves, after):
    values, choices = [], []
    graph = Graph(adjacency, to_goal)
    for gamma in (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)):
        v = exact(adjacency, to_goal, gamma)
        other = graph.value(-math.log(gamma))[:-1]
        assert max(abs(a - float(b)) / float(b) for a, b in zip(other, v)) < 1e-11
        values.append([float(gamma), [float(x) for x in v]])
        for k in (1, 10, 1000):
            s = [(Fraction(1) if place < 0 else v[place]) / len(moves) for place in after]
            f = 1 - sum(s)
            p = [x * (1 - f**k) / (1 - f) + f**k / len(moves) for x in s]
            assert sum(p) == 1
            choices.append([float(gamma), k, [float(x) for x in p]])
    return {"game": game, "start": start, "positions": positions, "v": values, "moves": moves, "p": choices}


def people_of(graph, people, published, lost):
    def value(x):
        if x not in graph.known:
            if len(graph.known) > 400:
                graph.known.clear()
            graph.known[x] = graph.value(x)[used]
        return graph.known[x]

    # Only values that someone met are kept, renumbered.
    used = np.unique(np.concatenate([person.after.ravel() for person in people.values()] + [[-1]]))
    for person in people.values():
        person.after = np.searchsorted(used, person.after)
    grid = [value(x) for x in LOG_GAMMAS]
    for who, person in people.items():
        theirs, parameters = published[who]
        row = {"id": who, "n": len(person.n), "at": [[x, k, float(person.nll(value(x), k)[0])] for x, k in AT]}
        row.update(fit(person, value, grid), published=theirs)
        row["their_search"] = their_search(person, value, lost)
        if parameters:
            x, k = parameters
            row["published_parameters"] = parameters
            row["nll_at_published"] = float(person.nll(value(x), k)[0])
            row["rounded_at_published"] = float(person.nll(value(x), k, rounded=True)[0])
        print(who, f"{row['nll']:.8f} - published {row['nll'] - theirs:+.2e}", row["log_gamma"], row["k"], row.get("flat_to"),
              "theirs", row["their_search"], f"{row['their_search'][2] - theirs:+.2e}", parameters,
              [f"{row[key] - theirs:+.2e}" for key in ("nll_at_published", "rounded_at_published") if key in row], flush=True)
        yield row


def main():
    tables = {"by_hand": by_hand()}
    folder = recorded_data("tower_of_london")
    with open(folder / "published_models_78.csv", encoding="utf-8", newline="") as handle:
        rows = [row for row in csv.DictReader(handle) if row["model"] == "forward_search"]
    published = {row["participant_file"]: (float(row["nll"]), None) for row in rows}
    tables["tower_of_london"] = list(people_of(*london_people(folder, published), published, lost=False))
    folder = recorded_data("rush_hour")
    with open(folder / "published_models_42subj.csv") as handle:
        rows = [row for row in csv.DictReader(handle) if row["model"] == "forward_search"]
    found = {row["subject"]: (float(row["nll"]), json.loads(row["params"])) for row in rows}
    published = {person: found[name] for person, name in rush_hour.PEOPLE.items()}
    tables["rush_hour"] = [
        {"published_id": rush_hour.PEOPLE[row["id"]], **row}
        for row in people_of(*rush_hour_people(folder), published, lost=True)
    ]
    lines = ["{", '"script": "forward_search.py",',
             f'"made_with": {json.dumps({"numpy": np.__version__, "scipy": scipy.__version__})},']
    for number, (name, rows) in enumerate(tables.items()):
        lines += [f'"{name}": [', ",\n".join(map(json.dumps, rows)), "]," if number + 1 < len(tables) else "]"]
    Path(__file__).with_suffix(".json").write_text("\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
