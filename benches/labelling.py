"""From a log to labelled moves, beside what polars takes to scan and write a table with the columns of these moves.

For each format of logs, three times each in turn: `plymap label` reads the log, replays and labels it, and writes `moves`
as Parquet; polars scans `moves` in that format and writes it as Parquet. Prints seconds, memory and their ratio.

    pip install polars
    python3 benches/labelling.py target/release/plymap --rows 10000000
"""

import argparse
import multiprocessing
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

DEMO = Path(__file__).parent.parent / "data" / "demo"
SCAN = {"csv": pl.scan_csv, "ndjson": pl.scan_ndjson, "parquet": pl.scan_parquet}
PEER = """
import sys, polars as pl
kind, source, target = sys.argv[1:]
options = {} if kind == "parquet" else {"infer_schema_length": 10_000}
getattr(pl, "scan_" + kind)(source, **options).sink_parquet(target, compression="zstd")
"""


def write(table, path, kind):
    {"csv": table.write_csv, "ndjson": table.write_ndjson, "parquet": table.write_parquet}[kind](path)


def make(folder, rows, formats):
    """Writes a log of so many rows in each format, and a study of it."""
    random.seed(1)
    demo = pl.read_csv(DEMO / "logs" / "moves.csv", infer_schema_length=None)
    copies = -(-rows // demo.height)
    shutil.copytree(DEMO / "levels", folder / "levels")
    people = (demo.with_columns(participant=f"c{copy:05}" + pl.col("participant")) for copy in range(copies))
    # Times differ, as those of people do: copies alone would compress as no log does.
    noise = pl.Series(random.lognormvariate(0, 0.5) for _ in range(1 << 16))
    log = pl.concat(people).head(rows)
    noise = noise.sample(log.height, with_replacement=True, seed=1)
    log = log.with_columns(rt_s=(pl.col("rt_s") * noise).round(3))
    for kind in formats:
        write(log, folder / f"log.{kind}", kind)
        study = (DEMO / "study.toml").read_text().replace("logs/moves.csv", f"log.{kind}")
        (folder / f"{kind}.toml").write_text(study)


def rewrite(table, path, kind):
    write(pl.read_parquet(table), path, kind)


def apart(work, *arguments):
    """Works in a process of its own: what this one took at most would count for each that it begins."""
    process = multiprocessing.get_context("spawn").Process(target=work, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        sys.exit(f"{work.__name__} failed")


def measured(command):
    """Wall-clock seconds and the most memory of a process, in megabytes."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--formats", nargs="+", default=list(SCAN), choices=list(SCAN))
    arguments = parser.parse_args()
    os.environ["PLYMAP_NO_CACHE"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        apart(make, folder, arguments.rows, arguments.formats)
        first = folder / "first" / "moves.parquet"
        measured([arguments.program, "label", folder / f"{arguments.formats[0]}.toml", "--out", first])
        for kind in arguments.formats:
            source = folder / f"moves.{kind}"
            apart(rewrite, first, source, kind)
            ours, theirs = [], []
            for _ in range(arguments.repeats):
                out = folder / "labelled" / "moves.parquet"
                ours.append(measured([arguments.program, "label", folder / f"{kind}.toml", "--out", out]))
                theirs.append(measured([sys.executable, "-c", PEER, kind, source, folder / "peer.parquet"]))
            source.unlink()
            (seconds, memory), (of_peer, memory_of_peer) = (
                [statistics.median(values) for values in zip(*runs)] for runs in (ours, theirs)
            )
            print(
                f"{kind:8} {arguments.rows} rows: plymap {seconds:.1f} s, {memory:.0f} MB; polars {of_peer:.1f} s, "
                f"{memory_of_peer:.0f} MB; ratio {seconds / of_peer:.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
