"""Logs and studies: the same from files, from tables, and by the command line."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import duckdb
import pandas
import plymap
import polars
import polars.testing
import pytest

# What depends on what the log is called.
PLACES = ["source_file", "source_row"]


@pytest.fixture(scope="module")
def log(demo):
    return polars.read_csv(demo / "logs" / "moves.csv", infer_schema_length=None)


@pytest.fixture(scope="module")
def from_files(demo):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", plymap.PlymapWarning)
        return plymap.measure(demo / "logs" / "moves.csv", demo / "levels")


@pytest.mark.parametrize("library", ["polars", "pyarrow", "pandas", "duckdb"])
def test_a_log_may_be_a_table(library, log, demo, from_files):
    arrow = log.to_arrow()
    table = {"polars": log, "pyarrow": arrow, "pandas": log.to_pandas(), "duckdb": duckdb.sql("SELECT * FROM arrow")}[library]
    levels = plymap.read_levels(demo / "levels")
    with pytest.warns(plymap.PlymapWarning, match="1 × illegal-move"):
        played = plymap.measure(table, levels)
    assert list(played) == list(from_files)
    for name in ("trials", "attempts", "participants", "levels", "conditions"):
        polars.testing.assert_frame_equal(played[name].to_polars(), from_files[name].to_polars())
    moves = [one["moves"].to_polars().drop(PLACES) for one in (played, from_files)]
    polars.testing.assert_frame_equal(*moves)
    rejects = played["rejects"].to_polars()
    assert rejects["code"].to_list() == from_files["rejects"].to_polars()["code"].to_list()


def test_columns_have_other_names(log, demo, from_files):
    other = log.rename({"participant": "subject", "rt_s": "rt"}).with_columns(polars.col("rt") * 1000)
    columns = {"participant": "subject", "rt": {"column": "rt", "unit": "ms"}}
    with pytest.warns(plymap.PlymapWarning):
        moves = plymap.label(other, demo / "levels", columns=columns)
    assert moves.to_polars()["quality"].to_list() == from_files["moves"].to_polars()["quality"].to_list()


def test_settings_are_those_of_a_study(log, demo):
    settings = {"exclude": [{"attempts": "level == 'demo-01'", "reason": "practice"}]}
    with pytest.warns(plymap.PlymapWarning):
        played = plymap.measure(log, demo / "levels", settings=settings)
    assert "demo-01" not in set(played["trials"].to_polars()["level"])
    with pytest.raises(plymap.PlymapError) as raised:
        plymap.label(log, demo / "levels", settings={"log": {"ilegal_moves": "keep"}})
    assert "ilegal_moves" in str(raised.value) and raised.value.faults[0].file == "settings"
    with pytest.raises(TypeError, match="levels are missing"):
        plymap.label(log)


def test_a_log_at_fault_tells_where(demo, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("participant,level\np1,demo-01\n")
    with pytest.raises(plymap.PlymapError) as raised:
        plymap.label(path, demo / "levels")
    (fault,) = raised.value.faults
    assert fault.file == str(path) and "action" in fault.message
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and again.faults == raised.value.faults
    with pytest.raises(plymap.PlymapError) as raised:
        plymap.label(tmp_path / "nothing.csv", demo / "levels")
    assert raised.value.faults[0].file == str(tmp_path / "nothing.csv")


def test_a_run_has_tables_figures_and_report(finished, from_files):
    assert finished.summary["n_participants"] == 36 and finished.summary["rows"]["read"] == 11139
    assert "trials" in finished.tables and len(finished.figures) > 3
    polars.testing.assert_frame_equal(finished.tables["trials"].to_polars(), from_files["trials"].to_polars(), check_dtypes=False)
    assert finished.tables["trials"].column("time_s").unit == "s"
    with pytest.raises(KeyError, match="there are "):
        finished.tables["nothing"]
    figure = finished.figures[next(iter(finished.figures))]
    assert "<svg" in figure._repr_svg_()
    assert os.fspath(finished.report).endswith("report.html") and os.path.isfile(finished.report)
    again = plymap.Run(finished.folder)
    assert list(again.tables) == list(finished.tables)


def test_runs_are_told_apart(demo, tmp_path):
    with pytest.raises(FileNotFoundError, match="no run"):
        plymap.Run(tmp_path)
    with pytest.raises(plymap.PlymapError, match='no section "nothing"; there are'):
        plymap.run(demo, tmp_path / "out", only="nothing")
    assert not (tmp_path / "out").exists()


def test_shards_are_put_together_to_the_same(demo, tmp_path, finished):
    shards = tmp_path / "shards"
    sizes = plymap.shard(demo / "study.toml", shards, n=3)
    assert len(sizes) == 3 and sum(rows for rows, _ in sizes) == 11139 and sum(people for _, people in sizes) == 36
    for number in range(1, 4):
        plymap.label_shard(demo / "study.toml", shards, number, threads=1)
    merged = plymap.merge(demo / "study.toml", shards, tmp_path / "out", fast=True, cache=False)
    for name in ("trials", "moves", "correlations"):
        ours, theirs = (run.folder / "tables" / f"{name}.csv" for run in (merged, finished))
        assert ours.read_bytes() == theirs.read_bytes()
    with pytest.raises(plymap.PlymapError, match="no shard 4"):
        plymap.label_shard(demo / "study.toml", shards, 4)


def test_other_threads_go_on(demo):
    stage = "before"

    def work():
        nonlocal stage
        stage = "during"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plymap.measure(demo / "study.toml")
        stage = "after"

    n_turns = 0
    thread = threading.Thread(target=work)
    thread.start()
    while stage != "after":
        n_turns += stage == "during"
        time.sleep(0.001)
    thread.join()
    assert n_turns > 10, "the lock of the interpreter was held"


def test_progress_is_shown(demo, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("plymap.progress.DELAY", 0)
    plymap.run(demo / "study.toml", tmp_path / "out", only=["moves-and-time"], fast=True, cache=False, progress=True)
    said = capsys.readouterr().err
    assert "writing" in said or "levels" in said or "moves" in said, said
    plymap.run(demo / "study.toml", tmp_path / "out", only=["moves-and-time"], fast=True, cache=False)
    assert capsys.readouterr().err == "", "nobody is watching"


INTERRUPTED = """
import sys, threading, os, signal, plymap
threading.Timer(2.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    plymap.run(sys.argv[1], sys.argv[2], cache=False)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_the_work_and_leaves_nothing(demo, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(demo / "study.toml"), str(tmp_path / "out")], capture_output=True, text=True
    )
    assert done.stdout == "interrupted\n", done
    assert list(tmp_path.iterdir()) == []


def test_the_command_is_the_program(demo, tmp_path):
    def command(*arguments):
        return subprocess.run([sys.executable, "-m", "plymap.command", *arguments], capture_output=True, text=True)

    assert command("--version").stdout == f"plymap {plymap.__version__}\n"
    assert command("nonsense").returncode == 2 and command("--help").returncode == 0
    hint = command("hint", str(demo / "levels" / "article-1.txt"), "--format", "json")
    assert json.loads(hint.stdout)["distance"] == 8
    failed = command("run", str(tmp_path / "nothing.toml"))
    assert failed.returncode == 1 and "nothing.toml" in failed.stderr


def test_pandas_takes_measures(from_files):
    trials = from_files["trials"].to_pandas()
    assert isinstance(trials, pandas.DataFrame) and trials["solved"].mean() > 0.9


def test_scripts_are_games(demo):
    folder = demo.parent / "lua"
    levels = plymap.read_levels(folder / "river_levels.txt", game=folder / "river.lua")
    assert levels[0].hint().value == len(levels[0].solve())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", plymap.PlymapWarning)
        of_levels = plymap.measure(folder / "river_log.csv", levels)
        of_study = plymap.measure(folder / "river.toml")
    for name in ("trials", "levels"):
        polars.testing.assert_frame_equal(of_levels[name].to_polars(), of_study[name].to_polars())
