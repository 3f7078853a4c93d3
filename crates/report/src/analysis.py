#!/usr/bin/env python3
"""Redo the main results of this report with pandas and scipy (and lifelines, for the log-rank test).

    python analysis.py              one line for each result: plymap's number | the same number as computed here
    python analysis.py --short      only results that differ or could not be redone

The script reads the folder `tables` beside it. From the lower tables (moves, trials, levels) it computes again what
plymap wrote in the upper ones. Exit code 0: all agree; 1: something differs; 2: a package or a table is missing.
Take any section as the beginning of an analysis of your own. What each column means stands in the JSON file beside
its table.
"""

import itertools
import json
import sys
import warnings
from pathlib import Path

try:
    import numpy as np
    import pandas as pd
    from scipy import linalg, optimize, stats
except ImportError as error:
    print(f"MISSING {error}: this script needs pandas, numpy and scipy")
    sys.exit(2)

warnings.simplefilter("ignore", RuntimeWarning)  # the median of nothing is no news
warnings.filterwarnings("ignore", module="lifelines")  # its calls of pandas are not ours to mend
# Numbers are read to the last bit, which newer versions of pandas do by themselves.
IS_EXACT = tuple(int(part) for part in pd.__version__.split(".")[:2]) >= (3, 1)
EXACT = {} if IS_EXACT else {"float_precision": "round_trip"}
HERE = Path(__file__).resolve().parent
SHORT = "--short" in sys.argv[1:]
# Numbers agree if they differ by no more than this: a share of the larger one, or an absolute number (rounding).
TOLERANCE = {
    "count": (0, 0),  # numbers of things
    "value": (1e-9, 1e-11),  # closed formulas: medians, shares, coefficients, statistics
    "p": (1e-6, 1e-15),  # p values, sensitive to the last digits of the statistic
    "fit": (1e-4, 1e-8),  # what a search for the best parameters found
}
found, not_redone = {"agree": 0, "DIFFERS": 0, "empty": 0}, []

# ---------------------------------------------------------------------------------------------- tables and comparison


def stop(why):
    print(f"MISSING {why}")
    sys.exit(2)


def table(name, needed=False):
    """A table of the report; without rows if the study did not ask for it."""
    ending = next((ending for ending in ("csv", "parquet") if f"tables/{name}.{ending}" in files), None)
    if ending is None:
        return stop(f"tables/{name}: the report has no such table") if needed else pd.DataFrame(columns=["reason"])
    path = HERE / "tables" / f"{name}.{ending}"
    if not path.exists():
        stop(f"{path}: the manifest lists it")
    columns = next(entry["columns"] for entry in codebook["tables"] if entry["name"] == name)
    text = [column["name"] for column in columns if column["type"] == "text"]
    if ending == "csv":  # a participant 007 stays text, and one who is called None is not missing
        empty = {column["name"]: [""] for column in columns if column["type"] != "text"}
        types = dict.fromkeys(text, str)
        data = pd.read_csv(path, dtype=types, keep_default_na=False, na_values=empty, **EXACT)
    else:
        try:
            data = pd.read_parquet(path)
        except ImportError:
            stop("pyarrow: this report has its tables as Parquet only")
    data[text] = data[text].astype(object).fillna("")  # a missing text is an empty one here
    return data


def section(name):
    if not SHORT:
        print(f"\n{name}")


def compare(what, row, fit=False, **own):
    """One line: numbers of a row of plymap's table, each beside the same number as computed here."""
    verdict, said = "empty", []
    for name, here in own.items():
        plymap, here = (np.nan if value is None or pd.isna(value) else float(value) for value in (row[name], here))
        kind = "p" if name.startswith("p_") else "count" if name.startswith("n") else "fit" if fit else "value"
        relative, absolute = TOLERANCE[kind]
        said.append(f"{name} {plymap:.7g} | {here:.7g}")
        if np.isnan(plymap) and (np.isnan(here) or row.get("reason")):
            continue  # plymap has no value, and says why
        if abs(plymap - here) <= relative * max(abs(plymap), abs(here)) + absolute or plymap == here:
            verdict = "agree" if verdict == "empty" else verdict
        else:
            apart = abs(plymap - here)
            verdict = "DIFFERS"
            said[-1] += " DIFFERS, one is missing" if np.isnan(apart) else f" DIFFERS by {apart:.2g}"
    found[verdict] += 1
    if verdict == "DIFFERS" or not SHORT:
        print(f"  {what}: {', '.join(said)}: {verdict}")


def compare_column(what, plymap, here):
    """One line for a column of a table: the row of it that differs most."""
    here = here.reindex(plymap.index).astype(float)
    apart = (plymap - here).abs().where(plymap.isna() == here.isna(), np.inf).fillna(0)
    if len(plymap):
        row = apart.idxmax()
        own = {plymap.name: here[row]}
        compare(f"{what}, the worst of {len(plymap)} rows, {row}", {plymap.name: plymap[row]}, **own)


def cannot(what, why):
    not_redone.append(why)
    print(f"  {what}: not redone, {why}")


if not (HERE / "manifest.json").exists():
    stop(f"{HERE / 'manifest.json'}: this script belongs into the folder of a report")
manifest = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
if not (HERE / "codebook.json").exists():
    stop(f"{HERE / 'codebook.json'}: it says what the columns of the tables are")
codebook = json.loads((HERE / "codebook.json").read_text(encoding="utf-8"))
files = {output["path"] for output in manifest["outputs"]}
CONFIDENCE = manifest["study"]["statistics"]["confidence"]
if manifest["counts"].get("rows_read", 0) == 0 and table("moves").empty:
    print("0 results agree, 0 differ, 0 could not be redone: the study has no log.")
    sys.exit(0)

# --------------------------------------------------------------------------------------------------- moves and trials
# A trial is one participant at one level in one session, until the level is solved for the first time.
TRIAL = ["participant", "session", "level"]
ATTEMPT = [*TRIAL, "attempt"]
trials, moves, levels = table("trials", True), table("moves", True), table("levels", True).set_index("level")
# true, false, or missing: not known. Where values are points (2048) a game is finished rather than solved.
trials["is_solved"] = trials["finished" if "finished" in trials else "solved"]
# Solved trials of which no row was left out: the sample of most results.
solved = trials[(trials["is_solved"] == True) & (trials["n_left_out"] == 0)]  # noqa: E712
# Rows without a quality are no moves (resets, hints). What was done after the first solution, or in an attempt after
# a give-up, is not measured.
gave_up = (moves["event"] == "give_up").groupby([moves[name] for name in ATTEMPT]).cumsum() > 0
# A move follows another in its attempt if it was made from the position after it, and no undo, reset or illegal move
# was logged between them. `from` is the quality of the move that it follows.
is_legal = ~moves["quality"].isin(["", "illegal"])
steps = moves[(moves["quality"] != "") | moves["event"].isin(["undo", "reset"])]
last = steps.groupby(ATTEMPT, sort=False)[["quality", "ply", "state_after"]].shift(1)
follows = ~last["quality"].isin(["", "illegal"]) & (steps["ply"] == last["ply"] + 1)
follows &= is_legal[steps.index] & (steps["state_before"] == last["state_after"])
moves["from"] = last["quality"].where(follows, "").reindex(moves.index, fill_value="")
# The condition of an attempt is that of its first row that has one.
of_attempt = moves[moves["condition"] != ""].drop_duplicates(ATTEMPT)[[*ATTEMPT, "condition"]]
of_attempt = of_attempt.rename(columns={"condition": "of_attempt"})
made = moves[(moves["quality"] != "") & (moves["is_after_goal"] != True) & ~gave_up]  # noqa: E712
made = made.merge(of_attempt, on=ATTEMPT, how="left")
made = made.merge(trials[[*TRIAL, "solved_in_attempt"]], on=TRIAL)
made = made[~(made["attempt"] > made["solved_in_attempt"])].astype({"is_optimal": float})
legal = made[made["quality"] != "illegal"]
timed = made[(made["ply"] > 0) & made["rt_s"].notna()]  # inter-move times: first moves of attempts left out

section("trials, participants and levels, from moves and trials")
own, of_trial = trials.set_index(TRIAL), made.groupby(TRIAL)
compare_column("trials", own["n_moves"], of_trial.size().reindex(own.index, fill_value=0))
compare_column("trials", own["share_optimal"], of_trial["is_optimal"].mean())
compare_column("trials", own["mean_regret"], of_trial["regret"].mean())
n_without = made["regret"].isna().groupby([made[name] for name in TRIAL]).sum()
compare_column("trials", own["n_without_regret"], n_without.reindex(own.index, fill_value=0))
compare_column("trials", own["median_inter_move_s"], timed.groupby(TRIAL)["rt_s"].median())
for name, key in (("participants", "participant"), ("level_play", "level")):
    upper, group = table(name, True).set_index(key), trials.groupby(key)
    compare_column(name, upper["n_trials"], group.size())
    compare_column(name, upper["share_optimal"], group["n_optimal"].sum() / group["n_moves"].sum())
    compare_column(name, upper["median_moves_of_solved"], solved.groupby(key)["n_moves"].median())
    compare_column(name, upper["median_time_of_solved_s"], solved.groupby(key)["time_s"].median())

# A long log is analysed by a sample of its participants, of whom all that follows is; the tables above are of everybody.
drawn = table("sample")
if "participant" in drawn:
    trials, solved, moves, made, legal, timed = (
        rows[rows["participant"].isin(drawn["participant"])] for rows in (trials, solved, moves, made, legal, timed)
    )

# -------------------------------------------------------------------------------------------------------- correlations


def p_of_r(r, df):
    """Two-sided p of t = r √(df / (1 − r²))."""
    if df < 1 or np.isnan(r):
        return np.nan
    return 2 * stats.t.sf(abs(r) * np.sqrt(df / (1 - r * r)), df) if abs(r) < 1 else 0.0


def orders(n, known={}):
    """All n! orders of n things."""
    return known[n] if n in known else known.setdefault(n, np.array(list(itertools.permutations(range(n)))))


def correlate(method, x, y):
    """The coefficient and its two-sided p."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan, np.nan
    if method != "pearson":  # what differs by rounding alone is tied
        x, y = ([float(f"{value:.14g}") for value in values] for values in (x, y))
    if method == "kendall":  # exact up to 33 pairs without ties, up to 9 with ties
        is_exact = len(x) <= 33 and len(set(x)) == len(set(y)) == len(x)
        tau, p = stats.kendalltau(x, y, method="exact" if is_exact else "asymptotic")
        if not is_exact and len(x) <= 9:
            first, second = np.triu_indices(len(x), 1)
            x, y = np.asarray(x), np.asarray(y)[orders(len(x))]
            score = np.abs((np.sign(x[first] - x[second]) * np.sign(y[:, first] - y[:, second])).sum(axis=1))
            p = np.mean(score >= score[0])
        return tau, p
    if method == "spearman":
        x, y = stats.rankdata(x), stats.rankdata(y)
    r = stats.pearsonr(x, y)[0]
    r = np.sign(r) if 1 - abs(r) < 1e-14 else r
    if method == "spearman" and len(x) <= 9:  # exact: the share of all orders with so large a coefficient
        x, y = x - x.mean(), y - y.mean()
        return r, np.mean(np.abs(y[orders(len(y))] @ x) >= abs(x @ y) - 1e-9)
    return r, p_of_r(r, len(x) - 2)


def lower_end(method, r, n):
    """Lower end of the interval by Fisher's z; for Spearman with the standard error of Bonett and Wright (2000)."""
    if n < 4 or abs(r) == 1 or np.isnan(r):
        return np.nan
    error = np.sqrt((1 + r * r / 2 if method == "spearman" else 1) / (n - 3))
    return np.tanh(np.arctanh(r) - stats.norm.ppf((1 + CONFIDENCE) / 2) * error)


section("correlations over solved trials, pooled and by level")
for _, row in table("correlations").iterrows():
    sample = solved if row["scope"] == "pooled" else solved[solved["level"] == row["level"]]
    sample = sample.reindex(columns=[row["x"], row["y"]]).dropna()  # points have no excess_moves
    (r, p), n = correlate(row["method"], sample[row["x"]], sample[row["y"]]), len(sample)
    what = f"{row['method']} of {row['x']} and {row['y']}, {row['level'] or 'pooled'}"
    # Trials of one person are not independent: pooled, there is neither an interval nor a p value.
    own = {"lower": lower_end(row["method"], r, n), "p_value": p} if row["scope"] == "level" else {}
    compare(what, row, n=n, estimate=r, **own)

section("correlations within and between participants and levels")
def mean_of_levels(method, sample, columns):
    """The mean of the coefficients of levels: Fisher's z with random effects (Viechtbauer, 2005)."""
    pairs = []
    for _, own in sample.groupby("level"):
        r = correlate(method, own[columns[0]], own[columns[1]])[0] if len(own) > 3 else np.nan
        if np.abs(r) < 1:
            scale = 1 + r**2 / 2 if method == "spearman" else 1  # ranks: Bonett and Wright (2000)
            pairs.append([np.arctanh(r), scale / (len(own) - 3)])
    if len(pairs) < 2:
        return {"estimate": np.nan}
    z, error = np.array(pairs).T

    def loss(between):  # minus twice the restricted likelihood
        weights = 1 / (error + between)
        mean = np.average(z, weights=weights)
        return np.log(error + between).sum() + np.log(weights.sum()) + (weights * (z - mean) ** 2).sum()

    most = 10 * (np.var(z) + error.max())
    between = optimize.minimize_scalar(loss, bounds=(0, most), method="bounded", options={"xatol": 1e-12}).x
    between = min([0.0, between], key=loss)
    weights, df = 1 / (error + between), len(z) - 1
    mean, sure = np.average(z, weights=weights), 1 / error
    typical = df * sure.sum() / (sure.sum() ** 2 - (sure**2).sum())
    factor = max(1, (weights * (z - mean) ** 2).sum() / df)  # Röver, Knapp and Friede (2015)
    spread = factor / weights.sum() + between
    half = stats.t.ppf((1 + CONFIDENCE) / 2, df) * np.sqrt(spread)
    return {"estimate": np.tanh(mean), "tau": np.sqrt(between), "i_squared": between / (between + typical),
            "prediction_lower": np.tanh(mean - half), "prediction_upper": np.tanh(mean + half)}


for _, row in table("within_correlations").iterrows():
    columns, df, r = [row["x"], row["y"]], 0, np.nan
    sample = solved[TRIAL].join(solved.reindex(columns=columns)).dropna().join(levels["start_distance"], on="level")
    group = "level" if row["scope"].endswith("levels") else "participant"
    if row["scope"] == "each-level":
        own = mean_of_levels(row["method"], sample, columns)
        compare(f"each-level, {row['method']} of {row['x']} and {row['y']}", row, fit=True, n=len(sample), **own)
        continue
    if row["scope"] == "pooled":  # plymap's interval is from resampled participants and levels, and not redone
        r = correlate(row["method"], sample[row["x"]], sample[row["y"]])[0]
    elif row["scope"].startswith("within"):  # deviations from the means of groups (Bakdash and Marusich, 2017)
        sample = sample[sample.groupby(group)["level"].transform("size") > 1]
        rest = sample[columns] - sample.groupby(group)[columns].transform("mean")
        df = len(sample) - sample[group].nunique() - 1
        r = rest.corr().iloc[0, 1] if df > 0 and rest.std().min() > 1e-12 else np.nan
    elif row["scope"].startswith("between"):  # the means of groups
        means = sample.groupby(group)[columns].mean()
        r, df = correlate("pearson", means[row["x"]], means[row["y"]])[0], len(means) - 2
    else:  # what is left of both where the start distance of the level is held constant
        sample = sample.dropna()
        values = sample[[*columns, "start_distance"]]
        values = (values.rank() if row["method"] == "spearman" else values).to_numpy(float)
        held, df = np.column_stack([np.ones(len(values)), values[:, 2]]), len(values) - 3
        if df >= 0 and np.ptp(values[:, 2]) > 0:
            rest = values[:, :2] - held @ np.linalg.lstsq(held, values[:, :2], rcond=None)[0]
            r = correlate("pearson", rest[:, 0], rest[:, 1])[0]
    # Trials are not independent: only means of groups have a p value.
    own = {"p_value": p_of_r(r, df)} if row["scope"].startswith("between") else {}
    compare(f"{row['scope']}, {row['method']} of {row['x']} and {row['y']}", row, n=len(sample), estimate=r, **own)

# ------------------------------------------------------------------------------------------------- times and qualities

section("time by quality")
for _, row in table("time_by_quality").iterrows():
    times = np.sort(timed.loc[timed["quality"] == row["quality"], "rt_s"])
    q1, median, q3 = np.quantile(times, [0.25, 0.5, 0.75]) if len(times) else [np.nan] * 3
    # Interval of the median: from one time to another, so many from either end that the binomial coverage suffices.
    outside = np.sum(stats.binom.cdf(np.arange(len(times)), len(times), 0.5) <= (1 - CONFIDENCE) / 2)
    lower = times[outside - 1] if outside else np.nan
    compare(row["quality"], row, n=len(times), median_s=median, lower_s=lower, q1_s=q1, q3_s=q3)

section("time and quality, participant by participant")


def moves_of(factor, group):
    """The timed legal moves of a group; groups of distance and n_legal are named by smallest and largest value."""
    later = timed[timed["quality"] != "illegal"]
    if factor == "quality":
        return later[later["quality"] == group]
    if factor == "optimal":
        return later[later["is_optimal"] == (group == "optimal")]
    ends = [float(end) for end in group.split(" to ")] if group != "(none)" else [np.nan]
    return later[later["value_before" if factor == "distance" else "n_legal"].between(ends[0], ends[-1])]


def signed_ranks(d):
    """Wilcoxon's sum of the positive ranks of differences that are not 0; its p, up to 50 exact, with ties too."""
    d = np.round(d, 12)  # 0.3 - 0.2 is 0.8 - 0.7
    d = d[d != 0]
    ranks, counts = stats.rankdata(np.abs(d)), np.ones(1)
    plus = ranks[d > 0].sum()
    if len(d) == 0 or len(d) > 50:
        return (plus, stats.wilcoxon(d, method="asymptotic").pvalue) if len(d) else (np.nan, np.nan)
    for rank in (2 * ranks).astype(int):  # in how many ways signs make each sum
        counts = np.convolve(counts, [1, *[0] * (rank - 1), 1])
    return plus, min(1, 2 * counts[: int(2 * min(plus, ranks.sum() - plus)) + 1].sum() / 2 ** len(d))


for _, row in table("time_medians").iterrows():
    own = moves_of(row["factor"], row["group"])
    medians = own.groupby("participant")["rt_s"].median()
    compare(f"{row['factor']} {row['group']}", row, n=len(medians), n_moves=len(own), median_s=medians.median())
for _, row in table("time_tests").iterrows():
    groups = [moves_of(row["factor"], group) for group in row["groups"].split("; ") if group]
    medians = pd.DataFrame({place: own.groupby("participant")["rt_s"].median() for place, own in enumerate(groups)})
    medians, own = medians.dropna(), {"statistic": np.nan, "p_value": np.nan}
    if row["test"] == "friedman" and len(groups) > 2 and len(medians) > 1:
        test = stats.friedmanchisquare(*medians.to_numpy().T)
        own = {"n": len(medians), "statistic": test.statistic, "p_value": test.pvalue}
    elif row["test"] == "wilcoxon" and len(medians):
        d = (medians[0] - medians[1]).to_numpy()
        shift = np.median(np.add.outer(d, d)[np.triu_indices(len(d))] / 2)  # Hodges and Lehmann
        own = dict(zip(("statistic", "p_value"), signed_ranks(d))) | {"n": len(d), "estimate": shift}
    compare(f"{row['test']} of {row['factor']}: {row['groups']}", row, **own)



def over_participants(is_such, participants):
    """Interval of a share of moves: Wilson's at the effective number of moves, participants being the clusters."""
    own = is_such.groupby(participants).agg(["sum", "size"])
    k, n, df = own["sum"].sum(), own["size"].sum(), len(own) - 1
    if df < 1:
        return np.nan, np.nan
    share, z = k / n, stats.norm.ppf((1 + CONFIDENCE) / 2)
    if 0 < k < n:
        variance = (df + 1) / df * ((own["sum"] - share * own["size"]) ** 2).sum() / n**2
        effective = share * (1 - share) / variance * (z / stats.t.ppf((1 + CONFIDENCE) / 2, df)) ** 2
        effective = min(effective, n)
    else:
        effective = n**2 / (own["size"] ** 2).sum()
    centre, shrink = share + z**2 / (2 * effective), 1 + z**2 / effective
    half = z * np.sqrt(share * (1 - share) / effective + z**2 / (4 * effective**2))
    return (centre - half) / shrink, (centre + half) / shrink


section("quality by level")
for _, row in table("quality_by_level").iterrows():
    own = made[made["level"] == row["level"]]
    is_such = own["quality"] == row["quality"]
    k, n, ends = is_such.sum(), len(own), over_participants(is_such, own["participant"])
    share = k / n if n else np.nan
    compare(f"{row['quality']} at {row['level']}", row, n=k, n_moves=n, share=share, lower=ends[0], upper=ends[1])

section("which quality follows which; moves from positions without an optimal move are left out")
for _, row in table("transitions").iterrows():
    owner = "of_attempt" if row["scope"] == "condition" else row["scope"]
    own = legal if row["scope"] == "all" else legal[legal[owner] == row["group"]]
    n_lost, own = (own["n_optimal"] == 0).sum(), own[own["n_optimal"] > 0]
    own, what = own[own["from"] == row["from"]], f"{row['scope']} {row['group']}".strip()
    is_such, n_from = own["quality"] == row["to"], len(own)
    n, ends = is_such.sum(), over_participants(is_such, own["participant"])
    if row["scope"] == "participant":
        ends = stats.binomtest(n, n_from).proportion_ci(CONFIDENCE, "wilson")
    numbers = {"n": n, "n_from": n_from, "share": n / n_from if n_from else np.nan, "n_left_out": n_lost}
    numbers |= {"lower": ends[0], "upper": ends[1]}
    compare(f"{what}: {row['from']}, then {row['to']}", row, **numbers)

# --------------------------------------------------------------------------------------------- levels and participants

section("difficulty of levels")
difficulty = table("difficulty")
for place, row in difficulty.iterrows():
    every, own = trials[trials["level"] == row["level"]], solved[solved["level"] == row["level"]]
    n, n_known = (every["is_solved"] == True).sum(), every["is_solved"].notna().sum()  # noqa: E712
    of_level = legal[legal["level"] == row["level"]]
    human = {"share_solved": n / n_known if n_known else np.nan, "median_moves": own["n_moves"].median()}
    human |= {"median_time_s": own["time_s"].median(), "share_optimal": of_level["is_optimal"].mean()}
    human |= {"mean_excess_moves": own["excess_moves"].mean()} if "excess_moves" in own else {}
    compare(row["level"], row, n_trials=len(every), n_solved=n, n_moves=len(of_level), **human)
    difficulty.loc[place, list(human)] = list(human.values())  # from here on as computed here
for _, row in table("level_correlations").iterrows():
    sample = difficulty.reindex(columns=[row["x"], row["y"]]).dropna()
    r, p = correlate(row["method"], sample[row["x"]], sample[row["y"]])
    compare(f"{row['method']} of {row['x']} and {row['y']}", row, n=len(sample), estimate=r, p_value=p)

section("reliability of measures, means over solved trials")
# The order of a participant's trials is that of their first rows in the files of the log, in the order of these.
places = {name: place for place, name in enumerate(manifest["study"]["log"]["files"])}
order = moves.assign(file=moves["source_file"].map(places)).sort_values(["file", "source_row"])
order = order.drop_duplicates(TRIAL)[TRIAL].merge(solved, on=TRIAL)
random, N_SPLITS = np.random.default_rng(1), 2000


def spearman_brown(r):
    return 2 * r / (1 + np.abs(r))


rows = table("reliability")
for measure, rows in rows.groupby("measure", sort=False) if len(rows) else ():
    rows = rows.set_index("coefficient")
    values = [own.to_numpy(float) for _, own in order.dropna(subset=[measure]).groupby("participant")[measure]]
    halved = [own for own in values if len(own) > 1]
    if len(halved) > 2:  # halves of each participant's trials, at random; of an odd number the second gets one more
        mixed = [random.permuted(np.tile(own, (N_SPLITS, 1)), axis=1) for own in halved]
        first = np.array([own[:, : own.shape[1] // 2].mean(axis=1) for own in mixed]).T
        second = np.array([own[:, own.shape[1] // 2 :].mean(axis=1) for own in mixed]).T
        splits = spearman_brown(np.array([np.corrcoef(*halves)[0, 1] for halves in zip(first, second)]))
        # plymap's splits are others: five standard errors of the difference of the two means are allowed.
        row, here = rows.loc["split-half"], np.nanmean(splits)
        allowed = 5 * np.nanstd(splits) * np.sqrt(1 / N_SPLITS + 1 / row["n_splits"])
        near = row["estimate"] if abs(row["estimate"] - here) <= allowed else here
        compare(f"{measure}, split-half, {here:.4f} ± {allowed:.4f}", row, n=len(halved), estimate=near)
        r = correlate("pearson", *([own[place::2].mean() for own in halved] for place in (0, 1)))[0]
        compare(f"{measure}, odd-even", rows.loc["odd-even"], n=len(halved), estimate=spearman_brown(r))
    n, k = sum(map(len, values)), len(values)
    if n > k > 1:  # one-way analysis of variance of participants; n0 stands for their numbers of trials
        f, n0 = stats.f_oneway(*values).statistic, (n - sum(len(own) ** 2 for own in values) / n) / (k - 1)
        compare(f"{measure}, ICC(1)", rows.loc["ICC(1)"], n=k, estimate=(f - 1) / (f + n0 - 1), statistic=f)
        compare(f"{measure}, ICC(1,n0)", rows.loc["ICC(1,n0)"], n=k, estimate=1 - 1 / f)
    # Participants by levels: levels at which half of the participants have a value, and who has one at all of these.
    grid = order.dropna(subset=[measure]).drop_duplicates(["participant", "level"])
    grid = grid.pivot(index="participant", columns="level", values=measure)
    grid = grid.loc[:, 2 * grid.notna().sum() >= len(grid)].dropna().to_numpy(float)
    n, k = grid.shape
    if n > 1 and k > 1 and np.ptp(grid) > 0:  # mean squares (Shrout and Fleiss, 1979)
        of_rows, of_columns = grid.mean(axis=1, keepdims=True), grid.mean(axis=0, keepdims=True)
        bms, jms = k * of_rows.var(ddof=1), n * of_columns.var(ddof=1)
        ems = ((grid - of_rows - of_columns + grid.mean()) ** 2).sum() / ((n - 1) * (k - 1))
        agreement = (bms - ems) / (bms + (k - 1) * ems + k * (jms - ems) / n)
        compare(f"{measure}, ICC(2,1)", rows.loc["ICC(2,1)"], n=n, n_levels=k, estimate=agreement)
        single, f = (bms - ems) / (bms + (k - 1) * ems), bms / ems
        compare(f"{measure}, ICC(3,1)", rows.loc["ICC(3,1)"], n=n, estimate=single, statistic=f)
        compare(f"{measure}, ICC(3,k)", rows.loc["ICC(3,k)"], n=n, estimate=1 - 1 / f)

# --------------------------------------------------------------------------------------------------- curves and models

section("time to solve (Kaplan-Meier); trials that ended without a solution are censored")
lasted = trials[(trials["n_left_out"] == 0) & trials["time_s"].notna()].astype({"is_solved": bool})
first = moves[moves["condition"] != ""].drop_duplicates(TRIAL)[[*TRIAL, "condition"]]  # the condition of a trial
lasted = lasted.drop(columns="condition").merge(first, on=TRIAL, how="left")
rows, curves = table("survival"), table("survival_curves")
for _, row in rows.iterrows():
    own = lasted if row["scope"] == "all" else lasted[lasted[row["scope"]] == row["group"]]
    what, median = f"{row['scope']} {row['group']}".strip(), np.nan
    if len(own):
        curve = stats.ecdf(stats.CensoredData.right_censored(own["time_s"], ~own["is_solved"])).sf
        theirs = curves[(curves["scope"] == row["scope"]) & (curves["group"] == row["group"])].set_index("time_s")
        compare_column(f"curve of {what}", theirs["unsolved"], pd.Series(curve.probabilities, curve.quantiles))
        # Where the curve is one half for a while, the median is the middle of that stretch.
        at = [curve.quantiles[curve.probabilities < half] for half in (0.5 + 1e-9, 0.5 - 1e-9)]
        median = np.mean([times[0] for times in at if len(times)]) if len(at[0]) else np.nan
    compare(what, row, n=len(own), n_solved=own["is_solved"].sum(), median_s=median)
lasted = lasted.dropna(subset=["condition"])
for _, row in table("survival_differences").iterrows():  # areas under the curves until the end of the shorter one
    ends = [lasted[lasted["condition"] == row[which]]["time_s"].max() for which in ("first", "second")]
    until, means = min(ends), []
    for which in ("first", "second"):
        own = lasted[lasted["condition"] == row[which]]
        is_solved, times = own["is_solved"] | (row["unsolved"] == "at once"), own["time_s"]
        if row["unsolved"] == "never":
            times = times.where(is_solved, 1e9)
        is_solved, times = is_solved & (times <= until), times.clip(upper=until)
        curve = stats.ecdf(stats.CensoredData.right_censored(times, ~is_solved)).sf
        steps = np.concatenate([[0], curve.quantiles, [until]])
        means.append(np.diff(steps) @ np.concatenate([[1], curve.probabilities]))
    what = f"{row['second']} less {row['first']}, unsolved {row['unsolved']}"
    compare(what, row, until_s=until, mean_first_s=means[0], mean_second_s=means[1], estimate=means[1] - means[0])
if len(rows) and lasted["condition"].nunique() > 1:
    try:
        from lifelines.statistics import multivariate_logrank_test

        test = multivariate_logrank_test(lasted["time_s"], lasted["condition"], lasted["is_solved"])
        row = rows[rows["scope"] == "condition"].iloc[0]
        compare("log-rank statistic of conditions", row, log_rank=test.test_statistic)
    except ImportError:
        cannot("log-rank test of conditions", "lifelines is not installed")

section("linear mixed models, at the standard deviations of random effects that plymap found")
# y = X b + Z u + e, with u and e normal: for given standard deviations of u and e, the effects and the restricted
# likelihood are those of generalised least squares (Bates et al., 2015, sections 3.2 and 3.4). No other standard
# deviations may be better. docs/outputs.md has the same in R, from lme4 with the p values of lmerTest.


def restricted_likelihood(y, x, blocks, sds, correlations, residual):
    """The restricted log-likelihood, the fixed effects and their standard errors; each of `blocks` has an effect's columns."""
    n, p = x.shape
    # Correlated effects are sums of independent ones; a correlation of 1 is one to twelve digits.
    mixed = sds[:, None] * linalg.cholesky(correlations + 1e-12 * np.eye(len(sds)), lower=True) / residual
    columns = range(len(sds))
    scaled = np.hstack([sum(mixed[row, column] * blocks[row] for row in columns if mixed[row, column] != 0)
                        for column in columns if mixed[:, column].any()] or [np.zeros((n, 1))])
    root = linalg.cholesky(scaled.T @ scaled + np.eye(scaled.shape[1]), lower=True)

    def left(columns):  # what the random effects leave of the products of columns with x and y
        taken = linalg.solve_triangular(root, scaled.T @ columns, lower=True)
        return columns.T @ columns - taken.T @ taken

    products = left(np.column_stack([x, y]))
    xx, xy = products[:-1, :-1], products[:-1, -1]
    beta = linalg.solve(xx, xy, assume_a="pos")
    squares = products[-1, -1] - beta @ xy
    determinants = 2 * np.log(np.diag(root)).sum() + np.linalg.slogdet(xx)[1]
    likelihood = -0.5 * (determinants + squares / residual**2 + (n - p) * np.log(2 * np.pi * residual**2))
    return likelihood, beta, residual * np.sqrt(np.diag(linalg.inv(xx)))


def names_of(term):
    """The column that a term is made of, its label if it has one, and what is applied to it, the last first."""
    (name, *label), applied = term.split(" = "), []
    while name.endswith(")"):
        function, _, name = name[:-1].partition("(")
        applied.append(function)
    return name, label, applied


def column_of(term, sample):
    """The column of a term: ones, the indicator of a label, a centred number or logarithm, or a product of such."""
    if term == "intercept":
        return np.ones(len(sample))
    if " : " in term:
        return np.prod([column_of(part, sample) for part in term.split(" : ")], axis=0)
    name, label, applied = names_of(term)
    if label:
        return (sample[name] == label[0]).to_numpy(float)
    values = np.log(sample[name]) if "log" in applied else sample[name].astype(float)
    if "within" not in applied:
        return (values - values.mean()).to_numpy()
    # What is left when the effects of participants and levels are estimated by least squares; one of them follows from the
    # others, which rounding must not hide.
    both = pd.get_dummies(sample[["participant", "level"]].astype(str), dtype=float).to_numpy()
    return values.to_numpy() - both @ linalg.lstsq(both, values.to_numpy(), cond=1e-10)[0]


effects, parts, fits = table("models"), table("model_variances"), table("model_fits")
for _, row in fits[fits["family"] == "normal"].iterrows() if len(fits) else ():
    name, response = row["model"], names_of(row["formula"].split(" ~ ")[0])
    own, random = effects[effects["model"] == name], parts[parts["model"] == name]
    if row["reason"]:
        continue
    if row["n_participants_not_drawn"] > 0:
        cannot(f"model {name}", "the tables do not tell which participants were drawn")
        continue
    has_choice = (legal["n_optimal"] > 0) & (legal["n_optimal"] < legal["n_legal"])
    kinds = {"trials": trials, "solved-trials": solved, "moves": legal, "later-moves": legal[legal["ply"] > 0],
             "choices": legal[has_choice]}
    sample, parts_of_terms = kinds[row["rows"]], [part for term in own["term"] for part in term.split(" : ")]
    columns = {response[0], *(names_of(part)[0] for part in parts_of_terms)} - {"intercept"}
    # Columns of other tables are not in the sample.
    factors = {factor for factor in random["factor"] if factor != "residual"}
    if not (columns | factors) <= set(sample.columns):
        cannot(f"model {name}", "the tables do not have all that it needs")
        continue
    # Rows with all columns of the formula are used.
    for column in columns:
        sample = sample[sample[column].notna()]
    if response[2]:
        sample = sample[sample[response[0]] > 0]
    y = sample[response[0]].astype(float).to_numpy()
    y, x = np.log(y) if response[2] else y, np.column_stack([column_of(term, sample) for term in own["term"]])
    of_effects = random[(random["factor"] != "residual") & (random["with"] == "")]
    sds, correlations = of_effects["sd"].to_numpy(), np.eye(len(of_effects))
    blocks = [pd.get_dummies(sample[factor], dtype=float).to_numpy() * column_of(effect, sample)[:, None]
              for factor, effect in zip(of_effects["factor"], of_effects["effect"])]
    places = {effect: place for place, effect in enumerate(zip(of_effects["factor"], of_effects["effect"]))}
    for _, pair in random[random["with"] != ""].iterrows():
        one, other = places[pair["factor"], pair["effect"]], places[pair["factor"], pair["with"]]
        correlations[one, other] = correlations[other, one] = np.nan_to_num(pair["correlation"])
    residual = random.loc[random["factor"] == "residual", "sd"].iloc[0]
    at = lambda sds, residual: restricted_likelihood(y, x, blocks, sds, correlations, residual)  # noqa: E731
    likelihood, beta, errors = at(sds, residual)
    compare(f"{name}", row, fit=True, n=len(sample), log_likelihood=likelihood)
    for (_, effect), estimate, error in zip(own.iterrows(), beta, errors):
        compare(f"{name}, {effect['term']}", effect, fit=True, estimate=estimate, standard_error=error)
    # A little more and a little less of each must be worse.
    step = 0.05 * residual / np.sqrt(len(sample))
    others = [at(np.abs(sds + sign * step * (np.arange(len(sds)) == k)), residual)[0]
              for k in range(len(sds)) for sign in (1, -1)]
    better = max(others + [at(sds, residual * scale)[0] for scale in (0.99, 1.01)]) - likelihood
    if better > 1e-6:
        compare(f"{name}: other standard deviations are better by {better:.2g}", row, log_likelihood=likelihood + better)
del effects, parts, fits

section("models of choice: ln of the probability of the moves that were made")
rows, parameters = table("choice_models"), table("choice_parameters")
for _, row in rows[rows["model"].isin(["chance", "lapse-optimal"])].iterrows() if len(rows) else ():
    own, what = legal[legal["participant"] == row["participant"]], f"{row['participant']}, {row['model']}"
    if row["n_unknown"] > 0 or len(own) == 0:
        cannot(what, "the table moves does not tell which positions plymap could not evaluate")
        continue
    if row["model"] == "chance":  # each of n legal moves has the probability 1 / n
        compare(what, row, n=len(own), log_likelihood=-np.log(own["n_legal"]).sum())
        continue
    # With the probability λ (a lapse) any legal move, else one of the k optimal ones; all are alike where none is.
    any_move, k = 1 / own["n_legal"].to_numpy(float), own["n_optimal"].to_numpy(float)
    best_move = np.where(k > 0, own["is_optimal"] / np.maximum(k, 1), any_move)
    with np.errstate(divide="ignore"):
        loss = lambda lapse: -np.log(lapse * any_move + (1 - lapse) * best_move).sum()  # noqa: E731
        inside = optimize.minimize_scalar(loss, bounds=(0, 1), method="bounded", options={"xatol": 1e-10}).x
        lapse = min([0.0, 1.0, inside], key=loss)
        compare(what, row, fit=True, n=len(own), log_likelihood=-loss(lapse))
    of = (parameters["participant"] == row["participant"]) & (parameters["model"] == row["model"])
    compare(f"{what}, probability of a lapse", parameters[of].iloc[0], fit=True, estimate=lapse)

why = f" ({'; '.join(dict.fromkeys(not_redone))})" if not_redone else ""
totals = f"{found['agree']} results agree, {found['DIFFERS']} differ, {len(not_redone)} could not be redone{why}"
print(f"\n{totals}; {found['empty']} have no value in plymap's tables.")
sys.exit(1 if found["DIFFERS"] else 0)
