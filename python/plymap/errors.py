"""Errors, with their faults as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A fault of an input.

    Attributes:
        code: Short stable name of the rule that is broken, such as ``"bent-piece"``.
        severity: ``"error"``, or ``"warning"`` if the input is used anyway.
        message: Description of the fault, with the value.
        file: The file, or the name of the text or table given instead.
        line: Line in the file, from 1; ``None`` for a fault of the whole file.
        column: Column in the line, from 1; of a table, the name of the column.
        value: The faulty value.
        help: The remedy.
    """

    code: str
    severity: str
    message: str
    file: str | None = None
    line: int | None = None
    column: str | None = None
    value: str | None = None
    help: str | None = None


class PlymapError(Exception):
    """An input is faulty, or an operation failed. Nothing was written.

    ``str`` is the whole message; :attr:`faults` has the faults with a place as data.

    >>> import plymap
    >>> try:
    ...     plymap.read_levels("AA.\\n.B.\\n", game="rush-hour")
    ... except plymap.PlymapError as error:
    ...     sorted({fault.code for fault in error.faults})
    ['single-cell-piece']
    """

    def __init__(self, message: str, faults: tuple[Fault, ...] | list[Fault] = ()):
        super().__init__(message)
        self.message = message
        self.faults: tuple[Fault, ...] = tuple(faults)

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[type, tuple[str, tuple[Fault, ...]]]:
        # For pickling between processes.
        return type(self), (self.message, self.faults)


class PlymapWarning(UserWarning):
    """A notice about the data, such as rows that could not be used."""
