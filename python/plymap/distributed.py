"""Studies whose logs are labelled on a Dask cluster.

A log is divided into shards, sets of participants with all their rows, by the process that calls :func:`run`, the
driver. Each shard is one task of the cluster; its result is a part. The driver merges the parts. Tables are, byte for
byte, those of ``plymap.run``.

A part counts once its account exists, which is written last, and files get their names atomically. So a task may run
twice, or its worker may be killed at any time, and no row is lost or doubled; an interrupted run continues where it
stopped.

This module needs ``pip install 'plymap[distributed]'``.
"""

from __future__ import annotations

import contextlib
import dataclasses
import glob
import hashlib
import json
import logging
import os
import posixpath
import re
import shutil
import socket
import sys
import tempfile
import uuid
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import plymap
from plymap import PlymapError, _native
from plymap.progress import is_watched

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

try:
    from distributed import Client, KilledWorker, as_completed, get_worker
    from fsspec import AbstractFileSystem
    from fsspec.core import url_to_fs
    from fsspec.implementations.local import LocalFileSystem
    from tqdm.auto import tqdm
except ImportError as error:
    raise ImportError(f"{error}; pip install 'plymap[distributed]' brings what plymap.distributed needs") from error

__all__ = ["run"]

logger = logging.getLogger(__name__)

#: Manifest of the shards; a folder with it has shards.
_SHARDS = "shards.json"
#: The key of the codes of participants, beside the study.
_KEY = "study.key"
#: Hash of the inputs of the shards, by the driver. In a storage it is written last.
_MARK = "distributed.json"
#: The study, its levels and scripts, for workers that do not see its folder.
_STUDY = "study.zip"
#: Digits of the hash of the inputs in the default name of a folder of shards.
_LENGTH = 16
_OWN_FOLDERS = re.compile(rf"[0-9a-f]{{{_LENGTH}}}|\.[0-9a-f]{{{_LENGTH}}}-.+")
_OWN_NAMES = re.compile(r"(shard|part)-\d+\..+|shards\.json|distributed\.json|study\.zip|\..+")
#: The files of a part; it exists once its account does.
_PART = ("moves", "attempts", "account")
#: The sections of a study that labelling depends on; ``keep_personal`` of ``[output]`` is one more entry.
_LABELLING = ("levels", "rules", "map", "log", "columns")
#: Shards for each thread of the cluster: tasks of different length even out, and a killed worker loses little.
_SHARDS_PER_THREAD = 4
#: Against momentary failures of a storage; faulty data are not tried again.
_RETRIES = 2


def run(
    study: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    client: Client | None = None,
    n: int | None = None,
    memory: int | None = None,
    shards: str | os.PathLike[str] | None = None,
    storage: str | None = None,
    threads: int = 1,
    resources: Mapping[str, float] | None = None,
    fast: bool = False,
    only: Iterable[str] = (),
    cache: bool = True,
    progress: bool | None = None,
) -> plymap.Run:
    """Runs a study, with its shards labelled by the workers of a Dask cluster.

    Args:
        study: A ``study.toml``, a folder with one in it, or the URL of either, in any file system of fsspec. Files of
            its ``[log]`` may be URLs too. The driver downloads them.
        out: Folder to write to, on the machine of the driver; by default ``reports/NAME``, or ``reports/NAME-preview``
            with ``fast``. It appears, or replaces that of an earlier run, when the run is complete.
        client: Client of the cluster; by default the current one.
        n: Number of shards; without ``n`` and ``memory``, four for each thread of the cluster. Existing shards are used
            as they are.
        memory: Instead of ``n``: bytes in which each shard can be labelled.
        shards: Folder of the shards and their parts, which all workers see under the same path; by default
            ``OUT.shards``. It may hold those of :func:`plymap.shard` or of an earlier call. A folder that is named here
            is kept; ``OUT.shards`` is removed at the end.
        storage: Instead of ``shards``, the URL of a folder in any file system of fsspec, such as ``s3://bucket/study``,
            from which workers download their inputs and to which they upload their parts. It is kept.
        threads: Threads of each task. A worker with k threads runs k tasks at once, so that one thread for each keeps
            its cores busy; use more only for workers with one thread, or together with ``resources``.
        resources: The resources of each task, as in ``Client.submit``.
        fast: As in :func:`plymap.merge`, like ``only`` and ``cache``.
        progress: ``True`` shows a bar with the shards that are done; ``None`` shows it in a terminal or notebook. The
            logger ``plymap.distributed`` lists them at level INFO, and the dashboard of Dask as
            ``shard-0003-of-0016-…``.

    Raises:
        PlymapError: A faulty input; a worker with another version of plymap, or without access to the folder; a shard
            on which several workers died. Nothing was written to ``out``; finished parts are kept for the next call.
        KeyboardInterrupt: On Ctrl-C. Tasks that have not begun are cancelled; running ones finish their parts.

    >>> from dask.distributed import Client, LocalCluster
    >>> with LocalCluster(n_workers=2) as cluster, Client(cluster) as client:  # doctest: +SKIP
    ...     results = run("data/demo/study.toml", client=client)
    """
    if n is not None and memory is not None:
        raise PlymapError("give either n, the number of shards, or memory, the bytes for each of them")
    if n is not None and n < 1:
        raise PlymapError(f"n is a number of shards from 1, not {n}")
    if shards is not None and storage is not None:
        raise PlymapError("give either shards, a folder that all workers see, or storage, a URL that they reach")
    if storage is not None and "://" not in storage:
        raise PlymapError(f"storage is a URL such as s3://bucket/folder, not {storage!r}; a folder is given by shards")
    client = _client(client)
    with contextlib.ExitStack() as stack:
        scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="plymap-"))
        stack.enter_context(_elsewhere({f"{scratch}/study/": ""}))
        file, entries, home = _local_study(os.fspath(study), f"{scratch}/study")
        name = str(entries.get("study", {}).get("name", "study"))
        out = Path(out or Path("reports", f"{name}-preview" if fast else name))
        inputs = _inputs(file, entries)
        if storage is not None:
            place, local = _Place(storage, is_shared=False), Path(scratch, "shards")
        else:
            # In a folder of its own, what tasks of an interrupted run still write is not taken for parts of other inputs.
            own = out.with_name(f"{out.name}.shards").absolute()
            local = Path(os.path.abspath(shards)) if shards else own / inputs[:_LENGTH]
            local.parent.mkdir(parents=True, exist_ok=True)
            stack.callback(_remove_if_empty, own)
            place = _Place(str(local), is_shared=True)
        _check_workers(client, local.parent if place.is_shared else None)
        if n is None and memory is None:
            n = _SHARDS_PER_THREAD * sum(client.nthreads().values())
            if n == 0:
                raise PlymapError("the cluster has no workers yet that would tell how many shards to make: give n")
        is_seen = place.is_shared and not file.startswith(scratch)
        if not place.has_shards(inputs):
            with _new_folder(local) as made:
                plymap.shard(file, made, n=n, memory=memory, progress=progress)
                _keep_key(file, home)
                if not is_seen:
                    _pack(file, entries, made / _STUDY)
                (made / _MARK).write_text(json.dumps({"inputs": inputs}))
            place.bring(local)
        task = _Task(place.where, place.is_shared, file if is_seen else None, threads, plymap.__version__)
        _label_all(client, place, task, resources, progress)
        place.fetch(local)
        results = plymap.merge(file, local, out, only=only, fast=fast, cache=cache, progress=progress)
        if place.is_shared and not shards:
            for left in own.iterdir():
                if _OWN_FOLDERS.fullmatch(left.name):
                    shutil.rmtree(left, ignore_errors=True)
        return results


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


class _Place:
    """The place of shards and parts: a shared folder, or a storage."""

    def __init__(self, where: str, *, is_shared: bool) -> None:
        self.where, self.is_shared = where, is_shared
        self.fs, self.root = _file_system(where)

    def names(self) -> set[str]:
        """Names of the existing files.

        They are listed, not looked up one by one, because network file systems cache absent names.
        """
        self.fs.invalidate_cache()
        try:
            paths = self.fs.ls(self.root, detail=False)
        except FileNotFoundError:
            return set()
        # Some storages list the folder itself.
        return {posixpath.basename(path) for path in paths if path.rstrip("/") != self.root}

    def has_shards(self, inputs: str) -> bool:
        """Whether shards of these inputs exist; those of others are an error."""
        names = self.names()
        foreign = sorted(name for name in names if not _OWN_NAMES.fullmatch(name))
        if foreign:
            raise PlymapError(f"{self.where}: this is no place for shards, it holds {foreign[0]}")
        if _MARK not in names:
            # Without a mark a folder is of plymap shard, and plymap merge says if it is of another log; a storage was
            # left before everything was there.
            return self.is_shared and _SHARDS in names
        if self._entry(_MARK, "inputs") == inputs:
            return True
        raise PlymapError(
            f"{self.where}: the shards there are of other levels, rules or logs, or of another version of plymap; delete "
            "them, or name another place"
        )

    def missing(self, n: int) -> list[int]:
        """Numbers of the shards without a part, from 1 to n."""
        names = self.names()
        return [number for number in range(1, n + 1) if f"part-{number:04}.account" not in names]

    def n_shards(self) -> int:
        return len(self._entry(_SHARDS, "shards"))

    def _entry(self, name: str, key: str) -> Any:
        """An entry of a JSON file; plymap verifies its checksum later."""
        try:
            return json.loads(self.fs.cat_file(f"{self.root}/{name}"))[key]
        except (ValueError, KeyError, TypeError) as error:
            raise PlymapError(
                f"{self.where}/{name}: the file is damaged ({error!r}); delete the shards, and they are made anew"
            ) from None

    def bring(self, local: Path) -> None:
        """Uploads shards from the driver into a storage; they are complete with their mark, which comes last."""
        if self.is_shared:
            return
        self.fs.makedirs(self.root, exist_ok=True)
        names = sorted(file.name for file in local.iterdir() if file.name != _MARK)
        self.fs.put([str(local / name) for name in names], [f"{self.root}/{name}" for name in names])
        self.fs.put_file(str(local / _MARK), f"{self.root}/{_MARK}")

    def fetch(self, local: Path) -> None:
        """Downloads the inputs of plymap merge to the driver."""
        if self.is_shared:
            return
        local.mkdir(exist_ok=True)
        names = self.names()
        for name in names:
            if name.endswith(".tmp"):
                # A worker was killed during an upload.
                with contextlib.suppress(OSError):
                    self.fs.rm_file(f"{self.root}/{name}")
        wanted = sorted(name for name in names if re.fullmatch(r"(shard|part)-\d+\.\w+|shards\.json", name))
        wanted = [name for name in wanted if not (local / name).exists()]
        self.fs.get([f"{self.root}/{name}" for name in wanted], [str(local / name) for name in wanted])


@contextlib.contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """A folder that gets its name when it is complete."""
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as beside:
        made = Path(beside, folder.name)
        yield made
        made.rename(folder)


def _label_all(
    client: Client, place: _Place, task: _Task, resources: Mapping[str, float] | None, progress: bool | None
) -> None:
    """Labels every shard without a part. On an error, tasks that have not begun are cancelled."""
    n, token = place.n_shards(), uuid.uuid4().hex[:8]
    missing = place.missing(n)
    is_shown = is_watched() if progress is None else progress
    bar = tqdm(total=n, initial=n - len(missing), desc="labelling", unit="shard", disable=not is_shown)
    futures = {}
    try:
        with bar:
            for number in missing:
                # Keys are those of one call alone: Dask takes equal keys for the same task, also of others.
                key = f"shard-{number:04}-of-{n:04}-{token}"
                futures[client.submit(task, number, key=key, retries=_RETRIES, resources=resources)] = number
            for future in as_completed(futures):
                shard = f"shard {futures[future]} of {n}"
                error = _outcome(future)
                if error is not None:
                    raise PlymapError(f"{shard}: {error}", error.faults)
                logger.info("%s is labelled", shard)
                bar.set_postfix_str(shard)
                bar.update()
    except BaseException:
        client.cancel(list(futures), force=True)
        raise
    if lost := place.missing(n):
        raise PlymapError(f"{place.where}: shard {lost[0]} of {n} was labelled, and its part is not there")


def _outcome(future: Any) -> PlymapError | None:
    """The error of a finished task.

    A result that was lost with its worker is waited for: the task runs again, and finds its part.
    """
    try:
        return future.result()
    except KilledWorker as error:
        return PlymapError(
            f"{error.allowed_failures + 1} workers died that had it to do; mostly that is memory, of which more shards (n) "
            "or workers of fewer threads take less"
        )
    except Exception as error:
        return PlymapError(f"{type(error).__name__}: {error}")


@dataclasses.dataclass(frozen=True)
class _Task:
    """Labels one shard, in a worker. Errors are returned, not raised, so that the cluster does not retry."""

    where: str
    is_shared: bool
    study: str | None
    threads: int
    version: str

    def __call__(self, number: int) -> PlymapError | None:
        host = socket.gethostname()
        if plymap.__version__ != self.version:
            return PlymapError(f"a worker on {host} has plymap {plymap.__version__}, and the driver has {self.version}")
        place = _Place(self.where, is_shared=self.is_shared)
        if _SHARDS not in place.names():
            return PlymapError(f"{self.where}: a worker on {host} does not see the shards there")
        if number not in place.missing(number):
            return None
        with tempfile.TemporaryDirectory(prefix="plymap-", dir=_worker_folder()) as own:
            try:
                with _elsewhere({f"{own}/shards": self.where, f"{own}/study/": ""}):
                    study = self.study or _unpack(place, f"{own}/study")
                    folder = place.root if self.is_shared else _fetch_shard(place, number, f"{own}/shards")
                    plymap.label_shard(study, folder, number, threads=self.threads)
            except PlymapError as error:
                return error
            for kind in () if self.is_shared else _PART:
                name = f"part-{number:04}.{kind}"
                _put(place, f"{folder}/{name}", name)
        return None


def _worker_folder() -> str | None:
    """The folder in which Dask removes files of killed workers."""
    try:
        return get_worker().local_directory
    except ValueError:
        return None


def _fetch_shard(place: _Place, number: int, folder: str) -> str:
    os.mkdir(folder)
    for name in (_SHARDS, f"shard-{number:04}.rows"):
        place.fs.get_file(f"{place.root}/{name}", f"{folder}/{name}")
    return folder


def _put(place: _Place, source: str, name: str) -> None:
    """Uploads a file into a storage, where it gets its name when it is complete."""
    temporary = f"{place.root}/{name}.{uuid.uuid4().hex[:8]}.tmp"
    try:
        place.fs.put_file(source, temporary)
        place.fs.mv(temporary, f"{place.root}/{name}")
    except BaseException:
        with contextlib.suppress(Exception):
            place.fs.rm_file(temporary)
        raise


@contextlib.contextmanager
def _elsewhere(places: Mapping[str, str]) -> Iterator[None]:
    """Replaces names of temporary folders in errors."""

    def told(text: str) -> str:
        for inside, outside in places.items():
            text = text.replace(inside, outside)
        return text

    try:
        yield
    except PlymapError as error:
        faults = (
            dataclasses.replace(fault, file=fault.file and told(fault.file), message=told(fault.message))
            for fault in error.faults
        )
        raise PlymapError(told(str(error)), tuple(faults)) from None


def _client(client: Client | None) -> Client:
    if client is None:
        try:
            client = Client.current()
        except ValueError:
            raise PlymapError("there is no Dask client: give client=Client(cluster)") from None
    if not isinstance(client, Client):
        raise PlymapError(f"client is a dask.distributed.Client, not {type(client).__name__}")
    if client.asynchronous:
        raise PlymapError("the client is asynchronous: call run from a thread of its own, with a client that is not")
    return client


def _check_workers(client: Client, folder: Path | None) -> None:
    """Finds workers that could not label: of the workers that are there now; tasks look for themselves."""
    with contextlib.ExitStack() as stack:
        probe = stack.enter_context(tempfile.NamedTemporaryFile(prefix=".plymap-", dir=folder)).name if folder else None
        said = client.run(_look, probe, on_error="return")
    for worker, seen in said.items():
        if isinstance(seen, BaseException):
            raise PlymapError(
                f"worker {worker} has no plymap.distributed ({seen}); on every worker, "
                f"pip install 'plymap[distributed]=={plymap.__version__}'"
            )
        version, sees_folder = seen
        if version != plymap.__version__:
            raise PlymapError(
                f"worker {worker} has plymap {version}, and the driver has {plymap.__version__}; results of two versions "
                "are not put together"
            )
        if not sees_folder:
            raise PlymapError(
                f"worker {worker} does not see the folder {folder}: give shards, a folder that all workers see, or storage"
            )


def _look(probe: str | None) -> tuple[str, bool]:
    return plymap.__version__, probe is None or os.path.exists(probe)


def _file_system(url: str) -> tuple[AbstractFileSystem, str]:
    try:
        fs, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise PlymapError(f"{url}: fsspec does not open this: {error}") from None
    return fs, path.rstrip("/")


def _local_study(study: str, folder: str) -> tuple[str, dict[str, Any], tuple[AbstractFileSystem, str] | None]:
    """A study as a local file, its entries, and its origin, if it was downloaded.

    It is downloaded, with the key of its codes, if it or its log has a URL.
    """
    fs, path = _file_system(study)
    try:
        path = f"{path}/study.toml" if fs.isdir(path) else path
        text = fs.cat_file(path).decode()
        entries = tomllib.loads(text)
    except (OSError, ValueError) as error:
        if isinstance(fs, LocalFileSystem):
            # This error has the place of each fault.
            _native.study_files(path)
        raise PlymapError(f"{study}: the study cannot be read: {error}") from None
    logs = _logs(entries)
    if "-" in logs:
        raise PlymapError(f"{study}: a log from standard input cannot be divided for others; write it into a file")
    urls = [log for log in logs if "://" in log]
    if isinstance(fs, LocalFileSystem) and not urls:
        return path, entries, None
    key = f"{posixpath.dirname(path)}/{_KEY}"
    found = {path, *([key] if fs.isfile(key) else []), *_named(fs, posixpath.dirname(path), entries)}
    root = posixpath.commonpath([posixpath.dirname(file) for file in found])
    copies = [(fs, file, f"{folder}/{posixpath.relpath(file, root)}") for file in sorted(found)]
    target = f"{folder}/{posixpath.relpath(path, root)}"
    for log in urls:
        there, pattern = _file_system(log)
        files = there.glob(pattern) if glob.has_magic(pattern) else there.find(pattern, maxdepth=1)
        if not files:
            raise PlymapError(f"{study}: there is no log at {log}")
        beside = posixpath.dirname(target)
        copies += [(there, file, f"{beside}/{_local_name(there.unstrip_protocol(file))}") for file in files]
        for quote in "\"'":
            text = text.replace(f"{quote}{log}{quote}", f"{quote}{_local_name(log)}{quote}")
    entries = tomllib.loads(text)
    if _logs(entries) != [_local_name(log) if "://" in log else log for log in logs]:
        raise PlymapError(f"{study}: write URLs of logs without escapes")
    for there, file, copy in copies:
        os.makedirs(posixpath.dirname(copy), exist_ok=True)
        there.get_file(file, copy)
    Path(target).write_text(text)
    return target, entries, (fs, key)


def _keep_key(file: str, home: tuple[AbstractFileSystem, str] | None) -> None:
    """Uploads the key of codes that sharding made to the origin of a downloaded study."""
    made = Path(file).with_name(_KEY)
    if home is None or not made.is_file():
        return
    fs, key = home
    try:
        if not fs.isfile(key):
            fs.put_file(str(made), key)
    except (OSError, NotImplementedError, ValueError) as error:
        raise PlymapError(
            f"{key}: the key of the codes cannot be put beside the study ({error}); take the study from a place that can be "
            "written to"
        ) from None


def _local_name(url: str) -> str:
    return url.split("://", 1)[-1].lstrip("/")


def _logs(entries: dict[str, Any]) -> list[str]:
    return list(_texts(entries.get("log", {}).get("files", [])))


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value of a TOML file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(inner)


def _named(fs: AbstractFileSystem, folder: str, entries: dict[str, Any]) -> list[str]:
    """The files that entries of a study name: files, those in folders, and logs that match a pattern."""
    logs, found = _logs(entries), set()
    for text in _texts(entries):
        if not text or "\n" in text or "://" in text:
            continue
        path = posixpath.normpath(posixpath.join(folder, text))
        if text in logs and glob.has_magic(text):
            found.update(fs.glob(path))
        elif fs.isfile(path):
            found.add(path)
        elif fs.isdir(path):
            found.update(fs.find(path, maxdepth=1))
    return sorted(found)


def _inputs(study: str, entries: dict[str, Any]) -> str:
    """SHA-256 of everything that labelling depends on: entries of the study, and the files that they name."""
    chosen = {name: entries.get(name) for name in _LABELLING}
    chosen["keep_personal"] = entries.get("output", {}).get("keep_personal")
    text = json.dumps([plymap.__version__, chosen], sort_keys=True, default=str)
    sum_of_all = hashlib.sha256(text.encode())
    # The study itself has entries that labelling does not depend on; whoever reads a file says that it is not there.
    files = {Path(file) for file in _native.study_files(study)} - {Path(study)}
    for file in sorted(file for file in files if file.is_file()):
        sum_of_all.update(f"{os.path.relpath(file, Path(study).parent)}\0{file.stat().st_size}\n".encode())
        with file.open("rb") as opened:
            while block := opened.read(1 << 20):
                sum_of_all.update(block)
    return sum_of_all.hexdigest()


def _pack(study: str, entries: dict[str, Any], target: Path) -> None:
    """Packs the inputs of a worker: the study, its levels, scripts and presets."""
    chosen = {name: entries.get(name, {}) for name in ("levels", "rules")}
    chosen["preset"] = entries.get("log", {}).get("preset", "")
    folder = os.path.dirname(study)
    absolute = [text for text in _texts(chosen) if os.path.isabs(text)]
    if absolute:
        raise PlymapError(f"{study}: workers do not have the path {absolute[0]}; write it relative to the study")
    files = [study, *_named(LocalFileSystem(), folder, chosen)]
    root = os.path.commonpath([os.path.dirname(file) for file in files])
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.comment = os.path.relpath(study, root).encode()
        for file in files:
            packed.write(file, os.path.relpath(file, root))


def _unpack(place: _Place, folder: str) -> str:
    """Unpacks a study into a new folder, and returns its path."""
    with place.fs.open(f"{place.root}/{_STUDY}", "rb") as file, zipfile.ZipFile(file) as packed:
        packed.extractall(folder)
        return f"{folder}/{packed.comment.decode()}"
