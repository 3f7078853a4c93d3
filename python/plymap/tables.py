"""Tables with the meaning of their columns, and figures."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from . import _native

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: Number of rows that a printed table shows.
SHOWN = 10


@dataclass(frozen=True)
class Column:
    """The meaning of a column of a table.

    Attributes:
        name: Its name.
        meaning: The meaning of its values.
        unit: The unit of its values; empty for counts, names and flags.
        levels: The possible values, if they are few.
    """

    name: str
    meaning: str
    unit: str = ""
    levels: tuple[str, ...] = ()


class Table:
    """A table with the meaning of each of its columns.

    Other libraries read it through the Arrow C data interface: ``polars.DataFrame(table)``, ``pyarrow.table(table)``,
    DuckDB's ``SELECT * FROM table``. Missing values are missing there too, and never 0.

    >>> import plymap
    >>> level = plymap.read_levels("BB...G\\nE..H.G\\nEAAH.G>\\nE..H..\\nF...CC\\nF.DDD.\\n")[0]
    >>> table = level.map().table()
    >>> len(table), table.column("distance").meaning
    (1247, 'fewest moves to the nearest goal; empty where no goal can be reached')
    >>> table.to_pandas()["distance"].max()
    np.int64(9)
    """

    def __init__(self, native: _native.Table):
        self._native = native

    @property
    def name(self) -> str:
        """Its name, such as ``"trials"``."""
        return self._native.name

    @property
    def caption(self) -> str:
        """The meaning of a row, and the purpose of the table."""
        return self._native.caption

    @property
    def columns(self) -> list[Column]:
        """Its columns in their order, with their meanings."""
        return [Column(name, meaning, unit, tuple(levels)) for name, meaning, unit, levels in self._native.columns]

    def column(self, name: str) -> Column:
        """The column of this name, with its meaning.

        Raises:
            KeyError: There is no such column.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(f"{name!r}; there are {', '.join(column.name for column in self.columns)}")

    def select(self, *names: str) -> Table:
        """The table with these columns only, in this order.

        Raises:
            KeyError: There is no such column.
        """
        for name in names:
            self.column(name)
        return Table(self._native.select(list(names)))

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return len(self), len(self._native.columns)

    def __len__(self) -> int:
        return self._native.n_rows

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._native.__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas data frame. Counts are signed, so that differences may be negative; truth values that may be
        missing have the type ``boolean``, and numbers that may be missing are floats.

        Needs pandas and pyarrow.
        """
        import pandas
        import pyarrow
        import pyarrow.compute

        frame = self.to_arrow()
        for number, field in enumerate(frame.schema):
            column = frame.column(number)
            if pyarrow.types.is_unsigned_integer(field.type):
                largest = pyarrow.compute.max(column).as_py()
                if largest is None or largest < 2**63:
                    frame = frame.set_column(number, field.name, column.cast(pyarrow.int64()))
        own: pandas.DataFrame = frame.to_pandas()
        for field in frame.schema:
            if pyarrow.types.is_boolean(field.type) and own[field.name].dtype == object:
                own[field.name] = own[field.name].astype(pandas.BooleanDtype())
        return own

    def to_polars(self) -> polars.DataFrame:
        """The table as a polars data frame. Needs polars."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> pyarrow.Table:
        """The table as a pyarrow table, without copying numbers. Needs pyarrow."""
        import pyarrow

        return pyarrow.table(self)

    def to_csv(self, path: str | Path | None = None) -> str | None:
        """The table as CSV with all digits, written to ``path``, or returned without one."""
        return _written(self._native.render("csv"), path)

    def to_markdown(self) -> str:
        """The table in Markdown, with numbers to three significant digits."""
        return self._native.render("markdown")

    def to_latex(self) -> str:
        """The table in LaTeX, with numbers to three significant digits."""
        return self._native.render("latex")

    def __repr__(self) -> str:
        n_rows, n_columns = self.shape
        return f"{self.name}: {n_rows} rows × {n_columns} columns\n{self._native.text(SHOWN)}"

    def _repr_html_(self) -> str:
        import pyarrow

        def cell(value: object) -> str:
            text = "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
            return html.escape(text)

        head = pyarrow.table(self).slice(0, SHOWN).to_pylist()
        header = "".join(
            f'<th title="{html.escape(column.meaning + (f", in {column.unit}" if column.unit else ""))}">'
            f"{html.escape(column.name)}</th>"
            for column in self.columns
        )
        rows = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row.values()) + "</tr>" for row in head)
        n_rows, n_columns = self.shape
        return (
            f"<p><b>{html.escape(self.name)}</b>: {html.escape(self.caption)}</p>"
            f"<table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>"
            f"<p>{n_rows} rows × {n_columns} columns</p>"
        )


T = TypeVar("T")


class ByName(Mapping[str, T]):
    """A mapping from names to objects, each made at first use."""

    def __init__(self, names: Iterable[str], make: Callable[[str], T]):
        self._names = list(names)
        self._make = make
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise KeyError(f"{name!r}; there are {', '.join(self._names)}")
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<{len(self)}: {', '.join(self._names)}>"


class Figure:
    """A figure for print: a drawing in SVG, which notebooks show."""

    def __init__(
        self,
        name: str,
        title: str,
        caption: str,
        svg: str,
        native: _native.Figure | None = None,
        files: Iterable[Path] = (),
    ):
        #: Stem of its files.
        self.name = name
        #: Its title.
        self.title = title
        #: What it shows and how to read it; empty for a figure of a run, whose report has it.
        self.caption = caption
        #: The drawing.
        self.svg = svg
        self._native = native
        self._files: dict[str, Path] = {file.suffix: file for file in files}

    @classmethod
    def _of(cls, native: _native.Figure) -> Figure:
        return cls(native.name, native.title, native.caption, native.svg, native)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Figure({self.name!r}: {self.title})"

    def save(self, path: str | Path, dpi: float = 600) -> Path:
        """Writes the figure as SVG, PDF, PNG or CSV (its numbers), by the ending of the name, and returns the path.

        Args:
            path: A file that ends in ``.svg``, ``.pdf``, ``.png`` or ``.csv``.
            dpi: Dots per inch of PNG files.

        Raises:
            ValueError: Another ending, or the figure is of a run that did not write this format.
        """
        path = Path(path)
        if path.suffix == ".svg":
            content = self.svg.encode()
        elif path.suffix in self._files:
            content = self._files[path.suffix].read_bytes()
        elif self._native is None or path.suffix not in {".pdf", ".png", ".csv"}:
            known = ".svg, .pdf, .png or .csv" if self._native is not None else ", ".join(sorted({".svg", *self._files}))
            raise ValueError(f"{path}: the name must end in {known}; a run writes the formats of [figures] of its study")
        elif path.suffix == ".csv":
            content = self._native.csv().encode()
        else:
            content = self._native.convert(dpi if path.suffix == ".png" else None)
        path.write_bytes(content)
        return path


def _written(text: str, path: str | Path | None) -> str | None:
    if path is None:
        return text
    Path(path).write_text(text, encoding="utf-8")
    return None
