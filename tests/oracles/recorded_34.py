"""Numbers of the 34-person log, computed from the file by pandas and scipy alone.

An attempt is solved if a move reaches distance 0 as the file records it; moves after that do not count.
A trial is one person at one puzzle.

    pip install pandas scipy
    python tests/oracles/recorded_34.py > tests/oracles/recorded_34.json
"""

import json

import pandas as pd
from scipy import stats

from recorded import recorded_data

log = pd.read_csv(recorded_data("rush_hour/moves_34subj.csv.gz"))
log["line"] = range(len(log))
log = log.sort_values(["subject", "instance", "trial", "move_no", "line"], kind="stable")
attempt = log.groupby(["subject", "instance", "trial"], sort=False)
log["ply"] = attempt.cumcount()
log["solved_before"] = attempt["d_after"].transform(lambda d: (d == 0).cumsum().shift(fill_value=0)) > 0
measured = log[~log["solved_before"]]
table = measured.groupby(["subject", "instance", "trial"], sort=False).agg(
    moves=("rt_ms", "size"), time_ms=("rt_ms", "sum"), last=("d_after", "last")
)
solved = table[table["last"] == 0]
print(
    json.dumps(
        {
            "n_attempts": len(table),
            "n_solved_attempts": len(solved),
            "n_trials": len(log.groupby(["subject", "instance"])),
            "sum_moves_solved": float(solved["moves"].sum()),
            "sum_time_solved_s": float(solved["time_ms"].sum() / 1000),
            "spearman_moves_time": float(stats.spearmanr(solved["moves"], solved["time_ms"]).statistic),
            "median_first_s": float(log.loc[log["ply"] == 0, "rt_ms"].median() / 1000),
            "median_later_s": float(log.loc[log["ply"] > 0, "rt_ms"].median() / 1000),
        },
        indent=1,
    )
)
