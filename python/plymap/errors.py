"""What goes wrong, with its faults as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with an input.

    Attributes:
        code: Short stable name of the rule that is broken, such as ``"bent-piece"``.
        severity: ``"error"``, or ``"warning"`` where the input is used as it is.
        message: What is wrong, naming the value.
        file: The file, or the name of what was given in its place.
        line: Line in the file, from 1; ``None`` where the fault is about the whole file.
        column: Where in the line it is, from 1; of a table, the name of the column.
        value: What stands there.
        help: What to do about it.
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
    """An input is at fault, or something could not be done. Nothing was written.

    ``str`` of it says all of it in words; :attr:`faults` has the same as data, as far as single places are at fault.

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

    def __reduce__(self):
        # As it goes from one process to another.
        return type(self), (self.message, self.faults)


class PlymapWarning(UserWarning):
    """Something about the data is worth knowing, such as rows that could not be used."""
