"""What 80 people did in the Tower of London task, computed from the raw jsPsych files in plain Python.

Independent of plymap: it reads the raw rows itself, plays them by the rules, searches the 36 positions by
breadth-first search, and counts. Run it from the folder of the project; no package is needed:

    python3 tests/oracles/tower_of_london_human.py

The raw files are looked for as recorded.py says. Writes tests/golden/tower_of_london_human.json. Times are in milliseconds.

Definitions. A move is a pick and its drop on another peg. A pick and its drop on the same peg is a put-back, no move.
A move is better, same or worse by the distance to the target after it. A game is optimal if its moves are as many as
the distance of its start. A first move's time runs from the display of the problem to the first drop on another peg.
"""

import csv
import gzip
import json
import statistics
from collections import Counter, deque

from recorded import ROOT, recorded_data

ROOM = (3, 2, 1)


def pegs(text):
    """A recorded position as tuples of balls, bottom first."""
    places = json.loads(text)
    assert tuple(len(peg) for peg in places) == ROOM
    for peg in places:
        assert peg == [ball for ball in peg if ball] + [0] * peg.count(0), text
    return tuple(tuple(ball for ball in peg if ball) for peg in places)


def with_ball(state, ball, peg):
    assert len(state[peg]) < ROOM[peg]
    return tuple(balls + (ball,) if number == peg else balls for number, balls in enumerate(state))


def neighbours(state):
    for source in range(3):
        for target in range(3):
            if source != target and state[source] and len(state[target]) < ROOM[target]:
                lifted = tuple(balls[:-1] if number == source else balls for number, balls in enumerate(state))
                yield with_ball(lifted, state[source][-1], target)


def distances_to(goal):
    distance, queue = {goal: 0}, deque([goal])
    while queue:
        state = queue.popleft()
        for after in neighbours(state):
            if after not in distance:
                distance[after] = distance[state] + 1
                queue.append(after)
    return distance


def games_of(rows):
    """Each game: the rows of its clicks, and its feedback."""
    clicks = []
    for row in rows:
        if row["task"] in ("tol_tohand", "tol_toboard", "tol_practice"):
            clicks.append(row)
        elif row["task"] == "tol_feedback":
            yield clicks, row
            clicks = []
        else:
            assert not clicks, row
    assert not clicks


def play(clicks):
    """Start, goal, moves as (before, after, time since the last move, recorded number), and number of put-backs."""
    goal = pegs(clicks[0]["tol_target"])
    state, start, waiting, moves, put_backs = None, None, 0, [], 0
    assert len(clicks) % 2 == 0
    for pick, drop in zip(clicks[::2], clicks[1::2]):
        lifted, after = pegs(pick["current_position"]), pegs(drop["current_position"])
        source, target = (int(row["mouse_click"][-1]) - 1 for row in (pick, drop))
        (ball,) = {1, 2, 3} - {ball for peg in lifted for ball in peg}
        before = with_ball(lifted, ball, source)
        assert state in (None, before)
        assert after == with_ball(lifted, ball, target)
        start = start or before
        state = after
        waiting += int(pick["rt"]) + int(drop["rt"])
        if source == target:
            put_backs += 1
        else:
            moves.append((before, after, waiting, int(pick["tol_num_moves_made"])))
            waiting = 0
    assert state == goal
    return start, goal, moves, put_backs


def main():
    files = sorted(recorded_data("tower_of_london/jspsych").glob("P*.csv.gz"))
    conditions = {
        name: Counter(games=0, optimal_games=0, moves=0, put_backs=0, better=0, same=0, worse=0, time_ms=0)
        for name in ("practice", "test")
    }
    n_rows, tasks, problems, persons = 0, Counter(), {}, {}
    first_times, later_times, with_put_backs = [], [], 0
    recorded = Counter()
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8", newline="") as handle:
            rows = list(csv.DictReader(handle))
        n_rows += len(rows)
        tasks.update(row["task"] for row in rows)
        person = persons.setdefault(rows[0]["subject_id"], Counter(games=0, optimal_games=0, moves=0))
        for clicks, feedback in games_of(rows):
            condition = "practice" if clicks[0]["task"] == "tol_practice" else "test"
            counts = conditions[condition]
            start, goal, moves, put_backs = play(clicks)
            distance = distances_to(goal)
            counts.update(games=1, moves=len(moves), put_backs=put_backs)
            counts["optimal_games"] += len(moves) == distance[start]
            counts["time_ms"] += sum(time for _, _, time, _ in moves)
            for before, after, _, _ in moves:
                step = distance[after] - distance[before]
                counts["better" if step < 0 else "same" if step == 0 else "worse"] += 1
            if condition == "practice":
                continue
            with_put_backs += len(moves) + put_backs == distance[start]
            first_times.append(moves[0][2])
            later_times.extend(time for _, _, time, _ in moves[1:])
            person.update(games=1, optimal_games=int(len(moves) == distance[start]), moves=len(moves))
            problem = problems.setdefault(
                clicks[0]["tol_problem_id"], {"min_moves": distance[start], "games": 0, "moves": 0, "optimal_games": 0}
            )
            problem["games"] += 1
            problem["moves"] += len(moves)
            problem["optimal_games"] += len(moves) == distance[start]
            # What the task recorded, against what the rows say.
            picks = clicks[::2]
            recorded["tol_min_moves equals the distance of the start"] += all(
                int(row["tol_min_moves"]) == distance[start] for row in clicks
            )
            recorded["last tol_num_moves_made equals moves + put-backs"] += (
                int(clicks[-1]["tol_num_moves_made"]) == len(moves) + put_backs
            )
            recorded["last tol_num_moves_made equals moves"] += int(clicks[-1]["tol_num_moves_made"]) == len(moves)
            recorded["tol_rt_per_trial equals the sum of picks"] += (
                int(feedback["tol_rt_per_trial"]) == sum(int(row["rt"]) for row in picks)
            )
            recorded["preplanning equals the first pick"] += int(feedback["preplanning"]) == int(picks[0]["rt"])
            recorded["tol_correct is true"] += feedback["tol_correct"].lower() == "true"
    result = {
        "files": len(files),
        "rows": n_rows,
        "tasks": dict(sorted(tasks.items())),
        "conditions": {name: dict(counts) for name, counts in conditions.items()},
        "optimal_games_if_put_backs_count_as_moves": with_put_backs,
        "median_first_move_ms": statistics.median(first_times),
        "median_later_move_ms": statistics.median(later_times),
        "recorded": dict(recorded),
        "problems": {name: problems[name] for name in sorted(problems)},
        "persons": {name: dict(persons[name]) for name in sorted(persons)},
    }
    out = ROOT / "tests/golden/tower_of_london_human.json"
    out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    counts = conditions["test"]
    shares = " ".join(f"{counts[name] / counts['moves']:.4f}" for name in ("better", "same", "worse"))
    print(f"optimal {counts['optimal_games'] / counts['games']:.4f}  better/same/worse {shares}")


if __name__ == "__main__":
    main()
