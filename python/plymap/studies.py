"""Logs replayed, labelled and measured, and whole studies."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from . import _native
from .errors import PlymapWarning
from .levels import Level
from .progress import shown
from .tables import ByName, Figure, Table

PathLike: TypeAlias = "str | os.PathLike[str]"


class Played(ByName[Table]):
    """A measured log: the tables ``moves``, ``attempts``, ``trials``, ``participants``, ``conditions``, ``level_play``,
    ``levels``, and ``rejects``, which has every row that was left out and all notices.

    Attributes:
        notices: Notices about the log, one sentence for each kind.
        rows: Numbers of rows read, accepted, rejected, replayed, excluded, and left out by the settings.
        diagnostics: Diagnostics of rows, by kind: ``code``, ``consequence``, ``n``, and the first of them.
        anomalies: Diagnostics of the log as a whole.
    """

    def __init__(self, tables: Iterable[_native.Table], notices: list[str], account: Mapping[str, Any]):
        of_name = {table.name: Table(table) for table in tables}
        super().__init__(of_name, of_name.__getitem__)
        self.notices = notices
        self.rows: dict[str, int] = account["rows"]
        self.diagnostics: list[dict[str, Any]] = account["diagnostics"]
        self.anomalies: list[dict[str, Any]] = account["anomalies"]


def label(
    log: Any,
    levels: PathLike | Iterable[PathLike] | Iterable[Level] | None = None,
    *,
    game: str = "rush-hour",
    rules: Mapping[str, Any] | None = None,
    columns: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    progress: bool | None = None,
) -> Table:
    """Labels every logged move: its distance before and after, its regret, its quality.

    Args:
        log: A file, a folder or several of them; a table of pandas, polars, pyarrow or DuckDB; or, without ``levels``,
            a study.
        levels: Files and folders with levels, or levels of :func:`read_levels`.
        game: Name of the game, or the path of a script that ends in ``.lua``; ignored for levels of
            :func:`read_levels`.
        rules: Options of the game; ignored for levels of :func:`read_levels`.
        columns: Canonical columns and their names in the log, as in ``[columns]`` of a study: ``{"participant":
            "subject"}``. Columns with their canonical names need no entry.
        settings: Further sections of a study, such as ``{"log": {"illegal_moves": "keep"}, "exclude": [...]}``.
        progress: ``True`` shows progress; ``None`` shows it in a terminal or notebook.

    Returns:
        The table ``moves``, one row for each replayed row of the log. Other rows cause a warning, and are in the table
        ``rejects`` of :func:`measure`.

    Raises:
        PlymapError: The log cannot be read, or levels are faulty.

    >>> import pandas, plymap
    >>> log = pandas.DataFrame({"participant": ["p1", "p1"], "level": ["one", "one"], "action": ["B-2", "A+4"]})
    >>> levels = plymap.read_levels("......\\n......\\nAAB...>\\n..B...\\n......\\n......\\n", name="one")
    >>> plymap.label(log, levels).to_pandas()[["action", "quality", "value_before", "value_after"]]
      action quality  value_before  value_after
    0    B-2  better             2            1
    1    A+4  better             1            0
    """
    return _measured(log, levels, game, rules, columns, settings, progress)["moves"]


def measure(
    log: Any,
    levels: PathLike | Iterable[PathLike] | Iterable[Level] | None = None,
    *,
    game: str = "rush-hour",
    rules: Mapping[str, Any] | None = None,
    columns: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    progress: bool | None = None,
) -> Played:
    """Labels every logged move, and measures attempts, trials, participants and levels.

    Its arguments are those of :func:`label`.

    Returns:
        All tables by name: see :class:`Played`.

    Raises:
        PlymapError: The log cannot be read, or levels are faulty.
    """
    return _measured(log, levels, game, rules, columns, settings, progress)


def _measured(
    log: Any,
    levels: PathLike | Iterable[PathLike] | Iterable[Level] | None,
    game: str,
    rules: Mapping[str, Any] | None,
    columns: Mapping[str, Any] | None,
    settings: Mapping[str, Any] | None,
    progress: bool | None,
) -> Played:
    asked = request(log, levels, game, rules, columns, settings)
    with shown(progress) as show:
        tables, notices, account = _native.play(asked.file, asked.settings, asked.table, asked.levels, show)
    for notice in notices:
        warnings.warn(notice, PlymapWarning, stacklevel=3)
    return Played(tables, notices, json.loads(account))


@dataclass(frozen=True)
class Request:
    """A study or a log with its levels, as the extension module takes them."""

    file: str | None = None
    settings: str | None = None
    table: Any = None
    levels: list[_native.Level] | None = None


def request(
    log: Any,
    levels: PathLike | Iterable[PathLike] | Iterable[Level] | None,
    game: str,
    rules: Mapping[str, Any] | None,
    columns: Mapping[str, Any] | None,
    settings: Mapping[str, Any] | None,
) -> Request:
    """The study of a log, which may be a table or ``None``, or that of a file."""
    table = log if hasattr(log, "__arrow_c_stream__") else None
    if levels is None:
        if table is not None or not isinstance(log, (str, os.PathLike)):
            raise TypeError("levels are missing: give those that the log is about; only a study names its own")
        return Request(file=os.fspath(log))
    given = [levels] if isinstance(levels, (str, os.PathLike)) else list(levels)
    loaded = [level for level in given if isinstance(level, Level)]
    files = [os.fspath(path) for path in given if not isinstance(path, Level)]
    native: list[_native.Level] | None = None
    if loaded:
        if files:
            raise TypeError("give levels that were read, or files of levels, and not both")
        # They are not read again, but found by their names.
        game, rules = loaded[0]._game, loaded[0]._rules
        files, native = [level.id for level in loaded], [level._native for level in loaded]
    sections: dict[str, Any] = {name: _plain(section) for name, section in (settings or {}).items()}
    sections.setdefault("study", {}).setdefault("name", "python")
    sections["levels"] = {"game": os.fspath(game), "files": files} | sections.get("levels", {})
    sections.setdefault("rules", {}).update(_plain(rules or {}))
    if log is not None:
        sections.setdefault("columns", {}).update(_plain(columns or {}))
        named = ["table"] if table is not None else [os.fspath(path) for path in _several(log)]
        sections.setdefault("log", {})["files"] = named
    return Request(settings=json.dumps(sections), table=table, levels=native)


def run(
    study: PathLike,
    out: PathLike | None = None,
    *,
    only: Iterable[str] = (),
    fast: bool = False,
    memory: int | None = None,
    cache: bool = True,
    progress: bool | None = None,
) -> Run:
    """Runs a whole study: levels and logs in; tables, figures and a report out.

    Args:
        study: A ``study.toml``, or a folder with one in it.
        out: Folder to write to, by default ``reports/NAME``, or ``reports/NAME-preview`` with ``fast``. It appears, or
            replaces that of an earlier run, when the run is complete.
        only: The only sections of the report to make, with the tables and figures that they need.
        fast: ``True`` for a preview with a tenth of the resamples and few figures. The report says so.
        memory: Bytes that shards of a log may take, if it has more rows than the study analyses.
        cache: ``True`` uses results of earlier runs. The results are the same.
        progress: ``True`` shows progress; ``None`` shows it in a terminal or notebook.

    Raises:
        PlymapError: An input is faulty; nothing was written, and an earlier run is unchanged.
    """
    return _run(study, out, only, fast, memory, cache, None, progress)


def simulate(
    study: PathLike, out: PathLike | None = None, *, seed: int | None = None, progress: bool | None = None
) -> Simulated:
    """Simulates participants: every ``[[cohort]]`` of the study plays all of its levels.

    Args:
        study: A ``study.toml``, or a folder with one in it.
        out: Folder to write to, by default ``reports/NAME-simulated``.
        seed: Seed, instead of that of the study; the same seed gives the same log.
        progress: ``True`` shows progress; ``None`` shows it in a terminal or notebook.

    Raises:
        PlymapError: The study is faulty, or has no cohort; nothing was written.
    """
    with shown(progress) as show:
        folder, counts = _native.simulate(os.fspath(study), None if out is None else os.fspath(out), seed, show)
    return Simulated(Path(folder), *counts)


@dataclass(frozen=True)
class Simulated:
    """A simulated log, in a folder that is a study: :func:`run` and :func:`measure` take it.

    Attributes:
        folder: The folder.
        n_participants: Number of participants.
        n_trials: Number of trials.
        n_solved: Number of solved trials, or, where values are points, of games that came to their end.
        n_rows: Number of rows of the log.
    """

    folder: Path
    n_participants: int
    n_trials: int
    n_solved: int
    n_rows: int

    @property
    def log(self) -> Path:
        """The log."""
        return self.folder / "log.csv"

    @property
    def players(self) -> Table:
        """The true parameters of every participant."""
        kinds = [kind for kind in ("csv", "parquet") if (self.folder / f"players.{kind}").is_file()]
        return Table(_native.read_table(str(self.folder), "players", kinds[0]))

    def __fspath__(self) -> str:
        return str(self.folder)


def power(
    study: PathLike, out: PathLike | None = None, *, repeats: int | None = None, progress: bool | None = None
) -> Power:
    """Power analysis by simulation: how many participants the experiment of ``[power]`` of a study needs.

    Args:
        study: A ``study.toml``, or a folder with one in it.
        out: Folder to write to, by default ``reports/NAME-power``.
        repeats: Number of simulated experiments of each size, instead of that of the study.
        progress: ``True`` shows progress; ``None`` shows it in a terminal or notebook.

    Returns:
        The results, with the table and the figure ``power``.

    Raises:
        PlymapError: The study is faulty, or has no ``[power]``; nothing was written.
    """
    with shown(progress) as show:
        folder, needed = _native.power_curve(os.fspath(study), None if out is None else os.fspath(out), repeats, show)
    return Power(folder, needed)


def shard(
    study: PathLike, out: PathLike, *, n: int | None = None, memory: int | None = None, progress: bool | None = None
) -> list[tuple[int, int]]:
    """Divides the log of a study into shards: sets of participants, each with all their rows.

    Args:
        study: The study.
        out: Folder to write to.
        n: Number of shards; at most one for each participant.
        memory: Instead of ``n``: bytes in which each shard can be labelled.
        progress: ``True`` shows progress.

    Returns:
        Numbers of rows and of participants of each shard.
    """
    if (n is None) == (memory is None):
        raise TypeError("give n, the number of shards, or memory, the bytes that one may take")
    with shown(progress) as show:
        return _native.shard(os.fspath(study), os.fspath(out), n, memory, show)


def label_shard(
    study: PathLike, shards: PathLike, number: int, *, threads: int | None = None, progress: bool | None = None
) -> None:
    """Labels one shard, for :func:`merge`; it writes its results beside the shard.

    Args:
        study: The study.
        shards: Folder of the shards.
        number: The shard, from 1.
        threads: Number of threads; by default all cores.
        progress: ``True`` shows progress.
    """
    with shown(progress) as show:
        _native.label_shard(os.fspath(study), os.fspath(shards), number, threads, show)


def merge(
    study: PathLike,
    shards: PathLike,
    out: PathLike | None = None,
    *,
    only: Iterable[str] = (),
    fast: bool = False,
    cache: bool = True,
    progress: bool | None = None,
) -> Run:
    """Merges the labelled shards of a log into the results that :func:`run` has for the whole log."""
    return _run(study, out, only, fast, None, cache, shards, progress)


def _run(
    study: PathLike,
    out: PathLike | None,
    only: Iterable[str],
    fast: bool,
    memory: int | None,
    cache: bool,
    shards: PathLike | None,
    progress: bool | None,
) -> Run:
    sections = [only] if isinstance(only, str) else list(only)
    target = None if out is None else os.fspath(out)
    made = None if shards is None else os.fspath(shards)
    with shown(progress) as show:
        said = _native.run(os.fspath(study), target, sections, fast, memory, cache, made, show)
    summary = json.loads(said)
    return Run(summary["folder"], summary)


class Run:
    """The results of a study, in a folder.

    ``plymap.Run("reports/demo")`` opens those of an earlier run.

    Attributes:
        folder: The folder.
        summary: Numbers of levels, states, participants and rows, and notices.
    """

    def __init__(self, folder: PathLike, summary: Mapping[str, Any] | None = None):
        self.folder = Path(folder)
        if not (self.folder / "manifest.json").is_file():
            raise FileNotFoundError(f"{self.folder} holds no run: there is no manifest.json in it")
        self.summary = dict(summary or {})

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """Its tables by name, read at first use."""
        folder = self.folder / "tables"
        formats = {path.stem: path.suffix[1:] for kind in ("csv", "parquet") for path in folder.glob(f"*.{kind}")}
        return ByName(sorted(formats), lambda name: Table(_native.read_table(str(folder), name, formats[name])))

    @cached_property
    def figures(self) -> Mapping[str, Figure]:
        """Its figures by name; Jupyter shows them."""
        folder = self.folder / "figures"

        def figure(name: str) -> Figure:
            svg = (folder / f"{name}.svg").read_text(encoding="utf-8")
            return Figure(name, name.replace("-", " "), "", svg, files=folder.glob(f"{name}.*"))

        return ByName(sorted(path.stem for path in folder.glob("*.svg")), figure)

    @property
    def report(self) -> Report:
        """Its report, a page for a browser."""
        return Report(self.folder / "report.html")

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}): {len(self.tables)} tables, {len(self.figures)} figures, {self.report.path}"


class Power(Run):
    """The results of a power analysis, in a folder.

    Attributes:
        needed: Number of participants (in each cohort, where cohorts are compared) that reaches the power asked for;
            ``None`` if no number that was tried does.
    """

    def __init__(self, folder: PathLike, needed: int | None):
        super().__init__(folder)
        self.needed = needed


class Report:
    """The report of a run."""

    def __init__(self, path: Path):
        self.path = path

    def open(self) -> None:
        """Shows it in a browser."""
        import webbrowser

        webbrowser.open(self.path.absolute().as_uri())

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return f"Report({str(self.path)!r})"


def _several(paths: Any) -> list[PathLike]:
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


def _plain(section: Any) -> Any:
    """A section of settings as JSON, without entries that are ``None``, which a study cannot have."""
    if isinstance(section, Mapping):
        return {str(name): _plain(value) for name, value in section.items() if value is not None}
    if isinstance(section, (list, tuple)):
        return [_plain(value) for value in section]
    return os.fspath(section) if isinstance(section, os.PathLike) else section
