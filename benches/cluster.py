"""How well two workers of a Dask cluster label a log, beside one, and what each step costs on one core.

The demo, made larger, is divided once. Its shards are labelled by one and by two workers of one thread each, in turn, in
the same run; what a run takes when all parts are there is measured too, and is taken off. Prints seconds, the efficiency
of two workers (seconds of one, divided by two times the seconds of two), and for each million rows the seconds of
dividing, labelling and merging and the sizes of shards and parts. The tables of all runs are compared.

    pip install 'plymap[distributed]' polars
    python3 benches/cluster.py --rows 2000000
"""

import argparse
import hashlib
import random
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import plymap
import polars as pl
from distributed import Client, LocalCluster
from plymap import distributed

DEMO = Path(__file__).parent.parent / "data" / "demo"
# Fewer moves are analysed than there are, as in large studies: then tables of all people come from the parts.
STUDY = """
[study]
name = "large"
[levels]
game = "rush-hour"
files = ["levels"]
[log]
files = ["log.csv"]
[statistics]
max_moves = 1000
analyses = []
[figures]
only = ["participant"]
levels = []
[output]
tables = ["parquet"]
"""


def write_study(folder, rows):
    """The demo's people, copied until there are so many rows. Returns how many there are."""
    shutil.copytree(DEMO / "levels", folder / "levels")
    demo = pl.read_csv(DEMO / "logs" / "moves.csv", infer_schema_length=None)
    copies = -(-rows // demo.height)
    log = pl.concat(demo.with_columns(participant=f"c{copy:05}" + pl.col("participant")) for copy in range(copies))
    # Times differ, as those of people do: copies alone would compress as no log does.
    random.seed(1)
    noise = pl.Series(random.lognormvariate(0, 0.5) for _ in range(1 << 16))
    noise = noise.sample(log.height, with_replacement=True, seed=1)
    log.with_columns(rt_s=(pl.col("rt_s") * noise).round(3)).write_csv(folder / "log.csv")
    (folder / "study.toml").write_text(STUDY)
    return log.height


def seconds_of(work):
    begin = time.monotonic()
    work()
    return time.monotonic() - begin


def sums(folder):
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return [(str(file.relative_to(folder)), hashlib.sha256(file.read_bytes()).digest()) for file in files]


def megabytes(folder, pattern):
    return sum(file.stat().st_size for file in folder.glob(pattern)) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--shards", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        n_rows = write_study(folder, arguments.rows)
        shards, out = folder / "shards", folder / "out"
        divide = seconds_of(lambda: plymap.shard(folder, shards, n=arguments.shards, progress=False))
        seconds, tables = {1: [], 2: []}, None
        for _ in range(arguments.repeats):
            for n_workers in seconds:
                for part in shards.glob("part-*"):
                    part.unlink()
                shutil.rmtree(out, ignore_errors=True)
                workers = LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=":0")
                with workers, Client(workers) as client:

                    def run(client=client):
                        distributed.run(folder, out, client=client, shards=shards, cache=False, progress=False)

                    whole = seconds_of(run)
                    if tables is None:
                        tables = sums(out / "tables")
                    assert sums(out / "tables") == tables, "tables do not depend on workers"
                    # All parts are there: what is left is to look at the inputs and to merge.
                    shutil.rmtree(out)
                    rest = seconds_of(run)
                    seconds[n_workers].append(whole - rest)
                    print(f"{n_workers} workers: {whole:.2f} s, {rest:.2f} s of them not labelling", flush=True)
        alone = folder / "alone"
        shutil.copytree(shards, alone, ignore=shutil.ignore_patterns("part-*"))
        label = seconds_of(lambda: [plymap.label_shard(folder, alone, k + 1, threads=1) for k in range(arguments.shards)])
        merge = seconds_of(lambda: plymap.merge(folder, alone, folder / "merged", cache=False, progress=False))
        assert sums(folder / "merged" / "tables") == tables
        one, two = (statistics.median(seconds[n]) for n in (1, 2))
        efficiencies = [a / (2 * b) for a, b in zip(seconds[1], seconds[2], strict=True)]
        million = n_rows / 1e6
        print(f"{n_rows} rows in {len(list(shards.glob('shard-*.rows')))} shards")
        print(f"labelled by one worker in {one:.2f} s, by two in {two:.2f} s (medians of {arguments.repeats})")
        print(f"efficiency of two workers {one / two / 2:.2f}, {min(efficiencies):.2f} to {max(efficiencies):.2f}")
        print(
            f"each million rows: divide {divide / million:.2f} s, label {label / million:.2f} s on one thread, "
            f"merge {merge / million:.2f} s"
        )
        print(
            f"each million rows: log {megabytes(folder, 'log.csv') / million:.1f} MB, "
            f"shards {megabytes(shards, 'shard-*.rows') / million:.1f} MB, "
            f"parts {megabytes(shards, 'part-*') / million:.1f} MB"
        )


if __name__ == "__main__":
    main()
