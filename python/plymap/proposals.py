"""Studies proposed from the files of an experiment."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _native
from .progress import shown
from .studies import PathLike, Played, _plain, _several, measure


@dataclass(frozen=True)
class Note:
    """The reason for an entry of a proposal.

    Attributes:
        entry: The entry of ``study.toml``.
        certainty: ``"sure"``, ``"likely"``, or ``"QUESTION"``, if only somebody who knows the experiment can tell.
        reason: Why it is proposed.
    """

    entry: str
    certainty: str
    reason: str


class Proposal:
    """A proposed reading of the files of an experiment.

    Nothing is written before :meth:`save`, and a run guesses nothing: it reads the ``study.toml`` that is saved.
    """

    def __init__(self, native: _native.Proposal):
        self._native = native

    @property
    def toml(self) -> str:
        """The text of the ``study.toml``, with a comment above each entry, as it would lie in the current folder."""
        return self._native.toml(os.curdir)

    @property
    def game(self) -> str:
        """Name of the game."""
        return self._native.game

    @property
    def source(self) -> str:
        """Format of the files, or the program that wrote them."""
        return self._native.source

    @property
    def notes(self) -> list[Note]:
        """What was found, how sure it is, and why."""
        return [Note(*note) for note in self._native.notes]

    @property
    def questions(self) -> list[Note]:
        """The notes that ask for a decision."""
        return [note for note in self.notes if note.certainty == "QUESTION"]

    @property
    def n_moves(self) -> int:
        """Number of rows that are moves which the rules allow."""
        return self._native.n_moves

    @property
    def n_unused(self) -> int:
        """Number of rows that cannot be used."""
        return self._native.n_unused

    @property
    def share(self) -> float:
        """Share of the rows that can be replayed, from 0 to 1."""
        return self._native.share

    @property
    def is_doubtful(self) -> bool:
        """``True`` if so few rows can be replayed that something is likely read wrongly."""
        return self._native.is_doubtful

    @property
    def diagnostics(self) -> list[str]:
        """What is to be said of rows, one sentence for each kind."""
        return self._native.diagnostics

    def save(self, folder: PathLike) -> Path:
        """Writes the proposal as ``study.toml`` into a folder, which is made if need be, and returns the file.

        Raises:
            FileExistsError: There is a ``study.toml`` already, which may have been edited since.
        """
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "study.toml"
        with file.open("x", encoding="utf-8") as written:
            written.write(self._native.toml(os.fspath(folder)))
        return file

    def apply(self, *, progress: bool | None = None) -> Played:
        """Reads, replays and measures the log as proposed: the tables of :func:`plymap.measure`."""
        with tempfile.TemporaryDirectory(prefix="plymap-") as folder:
            return measure(self.save(folder), progress=progress)

    def __repr__(self) -> str:
        notes = "".join(f"\n  {note.certainty:<8} {note.entry}: {note.reason}" for note in self.notes)
        return f"Proposal({self.game}, {self.source}): {self.n_moves} moves, {self.n_unused} rows unused{notes}"


def propose(
    files: PathLike | Iterable[PathLike],
    levels: PathLike | Iterable[PathLike],
    *,
    game: str | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    progress: bool | None = None,
) -> Proposal:
    """Proposes a study for the files of an experiment: finds out what their columns mean, by names, contents and replay.

    Args:
        files: Files, folders, or patterns such as ``"raw/*.csv"``.
        levels: Files and folders with the levels that were played.
        game: Name of the game, or the path of a script that ends in ``.lua``; ``None`` tries all.
        rules: Options of the game.
        preset: What wrote the files, such as ``"jspsych"``; ``None`` finds out.
        progress: ``True`` shows progress; ``None`` shows it in a terminal or notebook.

    Raises:
        PlymapError: A file cannot be read, or nothing in the files looks like play at the levels.
    """
    named = [os.fspath(path) for path in _several(files)]
    played = [os.fspath(path) for path in _several(levels)]
    with shown(progress) as show:
        return Proposal(_native.propose(named, played, game, json.dumps(_plain(rules or {})), preset, show))
