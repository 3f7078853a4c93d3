"""The games of 80 people in the Tower of London, had they been stopped after 20 s: when they ended, and how long levels take.

The recorded task has no limit of time; the published one (Sochat et al., 2016) stops each problem after 20 s. Whoever
needed less than that solved it, all others are censored at 20 s: that is known of each game without any log of a limit.
plymap reads files that are written as the task would have written them (tests/it/limits.rs), and has to find this.

Independent of plymap; games are those of tower_of_london_human.py. Needs lifelines. From the folder of the project:

    python3 tests/oracles/tower_of_london_limit.py

Writes tests/golden/tower_of_london_limit.json. Times are in seconds. `median` is the Kaplan-Meier median of lifelines' curve, or
null where it is not reached; `median_of_last_moves` is what it would be if games were taken to end with their last move.
"""

import csv
import gzip
import json
import statistics

from lifelines import KaplanMeierFitter

from recorded import ROOT, recorded_data
from tower_of_london_human import games_of, play

LIMIT_MS = 20_000


def cut(moves):
    """When a game ended, whether it was solved, the time of its last move, and the number of its moves."""
    time, last, n_moves = 0, 0, 0
    for _, _, rt, _ in moves:
        time += rt
        if time >= LIMIT_MS:
            return LIMIT_MS, False, last, n_moves
        last, n_moves = time, n_moves + 1
    return time, True, last, n_moves


def median(games, of):
    curve = KaplanMeierFitter().fit([game[of] / 1000 for game in games], [game[1] for game in games])
    curve = curve.survival_function_["KM_estimate"]
    # The first time at which no more than a half is left. lifelines' own median compares without a tolerance, and misses
    # that time where the product of its factors is a half but for rounding. Where a half is left for a while, lifelines
    # would take its beginning; R and plymap take the middle.
    reached, later = curve.index[curve <= 0.5 + 1e-9], curve.index[curve < 0.5 - 1e-9]
    if len(reached) == 0:
        return None
    is_half = curve[reached[0]] >= 0.5 - 1e-9 and len(later) > 0
    return float(reached[0] + later[0]) / 2 if is_half else float(reached[0])


def main():
    levels = {}
    for file in sorted(recorded_data("tower_of_london/jspsych").glob("P*.csv.gz")):
        with gzip.open(file, "rt", encoding="utf-8", newline="") as handle:
            rows = list(csv.DictReader(handle))
        for clicks, _ in games_of(rows):
            if clicks[0]["task"] != "tol_practice":
                levels.setdefault(clicks[0]["tol_problem_id"], []).append(cut(play(clicks)[2]))
    games = [game for level in levels.values() for game in level]
    unsolved = [game for game in games if not game[1]]
    moved = [game for game in unsolved if game[3] > 0]
    result = {
        "games": len(games),
        "solved": len(games) - len(unsolved),
        "without_a_move": len(unsolved) - len(moved),
        "mean_time_from_last_move_to_limit": statistics.mean((LIMIT_MS - game[2]) / 1000 for game in moved),
        "median": median(games, 0),
        "levels": {
            name: {
                "solved": sum(game[1] for game in own),
                "median": median(own, 0),
                "median_of_last_moves": median(own, 2),
            }
            for name, own in sorted(levels.items())
        },
    }
    out = ROOT / "tests/golden/tower_of_london_limit.json"
    out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({name: value for name, value in result.items() if name != "levels"}))
    reached = [name for name, own in result["levels"].items() if own["median"] is None and own["median_of_last_moves"]]
    print("not reached, and would be with last moves:", reached)


if __name__ == "__main__":
    main()
