"""Studies on a Dask cluster of processes on this machine: same tables, whatever the cluster does."""

import contextlib
import csv
import functools
import io
import logging
import os
import pickle
import re
import shutil
import signal
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("distributed")
pytest.importorskip("tqdm")

import fsspec
import plymap
from dask import config
from distributed import Client, LocalCluster, WorkerPlugin
from plymap import distributed

DEMO = Path(__file__).resolve().parents[2] / "data" / "demo"
SETTINGS = """
[study]
name = "people"
title = "People"
[levels]
game = "rush-hour"
files = ["levels"]
[log]
files = [LOG]
[statistics]
max_moves = 3000
analyses = ["description"]
[figures]
formats = ["svg"]
only = ["participant"]
levels = []
[output]
tables = ["csv"]
"""


@contextlib.contextmanager
def cluster(n_workers, **settings):
    """A cluster of worker processes, of one thread each."""
    settings = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": logging.CRITICAL, **settings}
    with LocalCluster(n_workers=n_workers, **settings) as workers, Client(workers) as client:
        yield client


@pytest.fixture(scope="module")
def client():
    with cluster(2) as client:
        yield client


def write_study(folder, copies=1, log='"logs/moves.csv"'):
    """The demo, with so many copies of its 36 people: more moves than it analyses, so that tables of all come from parts."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(DEMO / "levels", folder / "levels")
    (folder / "logs").mkdir()
    header, *rows = (DEMO / "logs" / "moves.csv").read_text().splitlines()
    with (folder / "logs" / "moves.csv").open("w") as file:
        file.write(header + "\n")
        for copy in range(copies):
            file.writelines(f"c{copy:03}{row}\n" for row in rows)
    (folder / "study.toml").write_text(SETTINGS.replace("LOG", log))
    return folder


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return write_study(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def alone(study, tmp_path_factory):
    """The files of a run without Dask."""
    return files(plymap.run(study, tmp_path_factory.mktemp("alone") / "out", progress=False, cache=False))


def files(results):
    folder = Path(results.folder)
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    assert [name for name in expected if found[name] != expected[name]] == []


def run(study, out, client, **settings):
    return distributed.run(study, out, client=client, **{"progress": False, "cache": False, "n": 6, **settings})


@pytest.mark.parametrize("n_workers", [1, 2, 4])
def test_tables_do_not_depend_on_the_number_of_workers(n_workers, study, alone, tmp_path):
    with cluster(n_workers) as client:
        results = distributed.run(study, tmp_path / "out", client=client, progress=False, cache=False)
    assert_same(files(results), alone)
    assert [file.name for file in tmp_path.iterdir()] == ["out"], "shards are gone"


def executing(dask_worker):
    return os.getpid(), [task.key for task in dask_worker.state.executing]


def kill_amid_a_shard(client, folder):
    """Kills a process that has begun a shard, when another is done; tells the process and the part it left."""
    for _ in range(10_000):
        done = any(folder.glob("part-*.account"))
        for process, keys in client.run(executing, on_error="ignore").values() if done else ():
            for part in (folder / f"part-{key.split('-')[1]}.account" for key in keys if key.startswith("shard-")):
                # Held, so that it is the same when it is killed.
                os.kill(process, signal.SIGSTOP)
                if not part.exists():
                    os.kill(process, signal.SIGKILL)
                    return process, part
                os.kill(process, signal.SIGCONT)
        time.sleep(0.005)
    raise AssertionError("no worker is at work")


@pytest.mark.parametrize("in_storage", [False, True])
def test_a_worker_killed_amid_a_shard_loses_nothing_and_doubles_nothing(in_storage, tmp_path):
    study = write_study(tmp_path / "study", copies=12)
    expected = plymap.run(study, tmp_path / "alone", progress=False, cache=False)
    place = tmp_path / "place"
    given = {"storage": f"file://{place}"} if in_storage else {"shards": place}
    with cluster(2, local_directory=str(tmp_path / "workers")) as client:
        with ThreadPoolExecutor(1) as driver:
            running = driver.submit(run, study, tmp_path / "out", client, n=4, **given)
            process, part = kill_amid_a_shard(client, place)
            results = running.result()
        assert part.exists() and process not in {process for process, _ in client.run(executing).values()}
    assert_same(files(results), files(expected))
    # Each row of the log is in one table, once.
    moves, rejects = (
        (tmp_path / "out" / "tables" / f"{name}.csv").read_text().splitlines() for name in ("moves", "rejects")
    )
    replayed = [int(row["source_row"]) for row in csv.DictReader(moves)]
    unused = {int(row["row"]) for row in csv.DictReader(rejects)}
    n_rows = len((study / "logs" / "moves.csv").read_text().splitlines()) - 1
    assert len(replayed) == len(set(replayed)) > 130_000
    assert unused.isdisjoint(replayed) and len(unused) + len(replayed) == n_rows
    # Nothing is left of what was begun, but for a hidden folder that the next run in that place removes after a minute.
    left = {file.name for file in place.iterdir() if not file.name.startswith(".plymap.")}
    whole = [f"{kind}-{number:04}" for number in range(1, 5) for kind in ("part", "shard")]
    assert {re.sub(r"\.\w+$", "", name) for name in left} == {*whole, "shards", "distributed"} | (
        {"study"} if in_storage else set()
    )
    assert not any(name.endswith(".tmp") for name in left) and not list((tmp_path / "workers").rglob("plymap-*"))


def damage(file):
    file.write_bytes(file.read_bytes()[:1000])


def test_faults_of_a_shard_are_data_and_the_rest_is_kept(client, study, alone, tmp_path):
    shards = tmp_path / "shards"
    plymap.shard(study, shards, n=6, progress=False)
    whole = (shards / "shard-0003.rows").read_bytes()
    damage(shards / "shard-0003.rows")
    with pytest.raises(plymap.PlymapError, match="shard 3 of 6: .*shard-0003.rows.*damaged or cut off") as caught:
        run(study, tmp_path / "out", client, shards=shards)
    assert "distributed/worker.py" not in "".join(traceback.format_exception(caught.value))
    assert isinstance(caught.value.faults, tuple)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert not (tmp_path / "out").exists()
    # What was done by then is not done again.
    before = {file.name: file.stat().st_mtime_ns for file in shards.glob("part-*.account")}
    (shards / "shard-0003.rows").write_bytes(whole)
    assert_same(files(run(study, tmp_path / "out", client, shards=shards)), alone)
    assert before == {name: (shards / name).stat().st_mtime_ns for name in before}


@pytest.mark.parametrize("in_storage", [False, True])
def test_a_level_at_fault_is_named_as_the_study_names_it(in_storage, client, tmp_path):
    study = write_study(tmp_path / "study")
    level = study / "levels" / "demo-01.txt"
    good = level.read_text()
    level.write_text(good + "..BB@@\n")
    storage = f"file://{tmp_path}/place" if in_storage else None
    with pytest.raises(plymap.PlymapError, match=r"levels/demo-01\.txt:7:3") as caught:
        run(study, tmp_path / "out", client, storage=storage)
    assert caught.value.faults and not re.search(r"plymap-\w+/study", str(caught.value))
    # Shards that nobody named are of these levels, and those of others are in nobody's way.
    level.write_text(good)
    if in_storage:
        with pytest.raises(plymap.PlymapError, match="of other levels, rules or logs"):
            run(study, tmp_path / "out", client, storage=storage)
    else:
        run(study, tmp_path / "out", client)
        assert not (tmp_path / "out.shards").exists()


class Deadly(WorkerPlugin):
    """Kills each process that is to label the second shard, as a machine without memory does."""

    def setup(self, worker):
        import plymap

        label = plymap.label_shard

        def deadly(study, shards, number, **settings):
            if number == 2:
                os.kill(os.getpid(), signal.SIGKILL)
            label(study, shards, number, **settings)

        plymap.label_shard = deadly


def test_a_shard_that_kills_every_worker_is_named(study, tmp_path):
    with config.set({"distributed.scheduler.allowed-failures": 1}), cluster(1) as client:
        client.register_plugin(Deadly())
        # Dask blames all that lay with the worker, what it had done and what waited for it too.
        with pytest.raises(plymap.PlymapError, match="shard [123] of 3: 2 workers died that had it to do; mostly"):
            run(study, tmp_path / "out", client, n=3)
    assert not (tmp_path / "out").exists()


def test_progress_and_the_dashboard_name_shards(client, study, tmp_path, caplog, monkeypatch):
    shown = io.StringIO()
    monkeypatch.setattr(distributed, "tqdm", functools.partial(distributed.tqdm, file=shown, mininterval=0))
    client.get_task_stream()
    with caplog.at_level(logging.INFO, "plymap.distributed"):
        distributed.run(study, tmp_path / "out", client=client, n=3, progress=True, cache=False)
    said = [record.getMessage() for record in caplog.records if record.name == "plymap.distributed"]
    assert sorted(said) == [f"shard {number} of 3 is labelled" for number in (1, 2, 3)]
    assert "labelling: 100%" in shown.getvalue() and "shard 2 of 3" in shown.getvalue()
    # What the dashboard draws.
    keys = {record["key"] for record in client.get_task_stream(count=3)}
    assert {key.rsplit("-", 1)[0] for key in keys} == {f"shard-{number:04}-of-0003" for number in (1, 2, 3)}


def test_what_was_interrupted_goes_on_where_it_stood(client, study, alone, tmp_path):
    def interrupt(_):
        raise KeyboardInterrupt

    logger = logging.getLogger("plymap.distributed")
    level = logger.level
    logger.setLevel(logging.INFO)
    logger.addFilter(interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            run(study, tmp_path / "out", client, n=12)
    finally:
        logger.removeFilter(interrupt)
        logger.setLevel(level)
    assert not (tmp_path / "out").exists()
    for _ in range(1000):
        if not any(keys for _, keys in client.run(executing).values()):
            break
        time.sleep(0.01)
    (shards,) = (tmp_path / "out.shards").iterdir()
    parts = {file.name: file.stat().st_mtime_ns for file in shards.glob("part-*.account")}
    assert 1 <= len(parts) < 12, "some shards were cancelled"
    os.utime(shards / min(parts), ns=(1, 1))
    # Half of a part, as of a worker that was killed.
    first = min({f"part-{number:04}.account" for number in range(1, 13)} - parts.keys())
    (shards / first).with_suffix(".moves").write_bytes(b"half")
    kept = tmp_path / "kept"
    os.link(shards / min(parts), kept)
    assert_same(files(run(study, tmp_path / "out", client, n=5)), alone)
    assert kept.stat().st_mtime_ns == 1 and [file.name for file in tmp_path.iterdir() if "shards" in file.name] == []


@pytest.fixture(scope="module")
def threads():
    """A cluster of threads, which see what this process has in memory."""
    with cluster(2, processes=False) as client:
        yield client


def upload(study, url):
    fs, path = fsspec.url_to_fs(url)
    for file in study.rglob("*"):
        if file.is_file():
            fs.pipe_file(f"{path}/{file.relative_to(study)}", file.read_bytes())


def test_study_and_shards_in_a_storage(threads, study, alone, tmp_path):
    upload(study, "memory://lab/people")
    # In fsspec 2026.9.0 all who read a file of memory:// at once share one position in it: threads need another storage.
    shards, storage = tmp_path / "shards", (tmp_path / "shards").as_uri()
    results = run("memory://lab/people", tmp_path / "out", threads, storage=storage)
    assert_same(files(results), alone)
    assert (shards / "part-0006.account").exists() and not list(shards.glob("*.tmp"))
    # Everything is there: nothing is labelled, and results are the same.
    before = (shards / "part-0001.account").stat().st_mtime_ns
    assert_same(files(run(study, tmp_path / "again", threads, storage=storage)), alone)
    assert (shards / "part-0001.account").stat().st_mtime_ns == before


@pytest.mark.parametrize("entry", ['"memory://far/logs/moves.csv"', "'memory://far/logs/*.csv'", '"memory://far/logs"'])
def test_log_behind_a_url(entry, threads, study, tmp_path):
    upload(study / "logs", "memory://far/logs")
    far = write_study(tmp_path / "far", log=entry)
    near = write_study(tmp_path / "near", log=entry.replace("memory://", ""))
    shutil.copytree(study / "logs", near / "far" / "logs")
    expected = files(plymap.run(near, tmp_path / "expected", progress=False, cache=False))
    tables = {name: table for name, table in files(run(far, tmp_path / "out", threads)).items() if name.startswith("tables")}
    assert_same(tables, {name: table for name, table in expected.items() if name.startswith("tables")})


def test_the_key_of_codes_stays_where_the_study_is(threads, tmp_path):
    study = write_study(tmp_path / "study")
    text = (study / "study.toml").read_text().replace("[statistics]", "pseudonymise = true\n[statistics]")
    (study / "study.toml").write_text(text)
    upload(study, "memory://coded/people")
    memory = fsspec.filesystem("memory")
    storages = [(tmp_path / name).as_uri() for name in ("shards", "others")]
    first = files(run("memory://coded/people", tmp_path / "out", threads, storage=storages[0]))
    key = memory.cat_file("coded/people/study.key")
    # Parts that are there are taken, and shards that are made anew give the same codes.
    for storage in storages:
        assert_same(files(run("memory://coded/people", tmp_path / f"out-{storage[-6:]}", threads, storage=storage)), first)
    assert memory.cat_file("coded/people/study.key") == key


def set_environment(settings):
    os.environ.update(settings)


def test_shards_in_s3(client, study, alone, tmp_path, monkeypatch):
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server").ThreadedMotoServer(port=0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        settings = {
            "AWS_ACCESS_KEY_ID": "x",
            "AWS_SECRET_ACCESS_KEY": "x",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        }
        client.run(set_environment, settings)
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        fsspec.filesystem("s3").mkdir("lab")
        upload(study, "s3://lab/people")
        results = run("s3://lab/people", tmp_path / "out", client, storage="s3://lab/shards")
        assert_same(files(results), alone)
        assert fsspec.filesystem("s3").glob("lab/shards/*.tmp") == []
    finally:
        server.stop()


@pytest.mark.parametrize("in_storage", [False, True])
def test_a_task_done_twice_at_once_gives_one_part(in_storage, study, alone, tmp_path):
    shards = tmp_path / "shards"
    plymap.shard(study, shards, n=3, progress=False)
    place = distributed._Place(f"file://{shards}" if in_storage else str(shards), is_shared=not in_storage)
    task = distributed._Task(place.where, place.is_shared, str(study / "study.toml"), 1, plymap.__version__)
    said = []
    twice = [threading.Thread(target=lambda n=number: said.append(task(n))) for number in (1, 2, 3) for _ in range(3)]
    for thread in twice:
        thread.start()
    for thread in twice:
        thread.join()
    assert said == [None] * 9
    assert len(list(shards.iterdir())) == 1 + 3 + 3 * 3
    assert_same(files(plymap.merge(study, shards, tmp_path / "out", progress=False, cache=False)), alone)


def test_workers_of_another_version_are_told(client, study, tmp_path, monkeypatch):
    monkeypatch.setattr(plymap, "__version__", "99.0")
    with pytest.raises(plymap.PlymapError, match=r"worker tcp://\S+ has plymap \S+, and the driver has 99\.0"):
        run(study, tmp_path / "out", client)
    assert not list(tmp_path.iterdir())
    # A worker that comes later is found by its task.
    monkeypatch.setattr(distributed, "_check_workers", lambda *_: None)
    with pytest.raises(plymap.PlymapError, match=r"a worker on \S+ has plymap \S+, and the driver has 99\.0"):
        run(study, tmp_path / "out", client)


def test_shards_of_other_inputs_are_refused(client, study, tmp_path):
    own = write_study(tmp_path / "study")
    run(own, tmp_path / "out", client, shards=tmp_path / "shards")
    # What labelling does not depend on may change.
    text = (own / "study.toml").read_text()
    (own / "study.toml").write_text(text.replace('title = "People"', 'title = "Others"'))
    run(own, tmp_path / "out", client, shards=tmp_path / "shards")
    with (own / "logs" / "moves.csv").open("a") as log:
        log.write("?\n")
    with pytest.raises(plymap.PlymapError, match="the shards there are of other levels, rules or logs"):
        run(own, tmp_path / "out", client, shards=tmp_path / "shards")
    with pytest.raises(plymap.PlymapError, match="this is no place for shards, it holds levels"):
        run(own, tmp_path / "out", client, shards=own)


def test_what_is_asked_for_wrongly(client, study, tmp_path):
    def said(study=study, **settings):
        with pytest.raises(plymap.PlymapError) as caught:
            run(study, tmp_path / "out", client, **settings)
        return str(caught.value)

    assert "give either n" in said(memory=1 << 30)
    assert "from 1, not 0" in said(n=0)
    assert "give either shards" in said(shards="here", storage="memory://there")
    assert "a folder is given by shards" in said(storage="there")
    assert "the study cannot be read" in said(study="memory://nowhere")
    assert "nowhere" in said(study=tmp_path / "nowhere")
    assert "fsspec does not open this" in said(storage="nowhere://there")
    with pytest.raises(plymap.PlymapError, match="not Sized|not list"):
        run(study, tmp_path / "out", [])
    assert "standard input" in said(study=write_study(tmp_path / "input", log='"-"'))
    broken = write_study(tmp_path / "broken", log='"logs/moves.csv"]]')
    with pytest.raises(plymap.PlymapError, match=r"study\.toml:9:") as caught:
        run(broken, tmp_path / "out", client)
    assert caught.value.faults[0].code == "bad-study"
    with pytest.raises(plymap.PlymapError, match="gone.csv"):
        run(write_study(tmp_path / "gone", log='"gone.csv"'), tmp_path / "out", client)
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.shards").exists()


def test_a_cluster_without_workers_needs_a_number_of_shards(study, tmp_path):
    with cluster(0) as client, pytest.raises(plymap.PlymapError, match="no workers yet.*give n"):
        distributed.run(study, tmp_path / "out", client=client)
