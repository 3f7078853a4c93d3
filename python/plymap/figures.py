"""One figure of a log or a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import _native
from .progress import shown
from .studies import PathLike, request
from .tables import Figure, Table


def figure(
    kind: str,
    data: Any = None,
    levels: PathLike | Iterable[PathLike] | None = None,
    *,
    game: str = "rush-hour",
    rules: Mapping[str, Any] | None = None,
    columns: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    width: str = "double",
    progress: bool | None = None,
) -> Figure:
    """Draws one figure of a log or a study; what it does not need is not computed.

    Args:
        kind: A kind of :func:`figure_kinds`, or the whole name of a figure, such as ``"learning-time-s"`` or
            ``"state-graph-demo-06"``. Of several figures of a kind the first is drawn.
        data: A log: a table of pandas, polars, pyarrow or DuckDB with one row for each move and the columns of
            docs/logs.md, a file, or several; or, without ``levels``, a study. ``None`` for figures of levels alone.
        levels: Files and folders with levels.
        game: Name of the game, or the path of a script that ends in ``.lua``.
        rules: Options of the game.
        columns: Canonical columns and their names in the log, as for :func:`plymap.label`.
        settings: Further sections of a study, such as ``{"figures": {"language": "de"}}``.
        width: Width in print: ``"single"`` (85 mm), ``"onehalf"`` (120 mm) or ``"double"`` (180 mm).
        progress: ``True`` shows progress; ``None`` shows it in a terminal or notebook.

    Returns:
        The figure, which notebooks show; :meth:`Figure.save` writes it as SVG, PDF, PNG or CSV.

    Raises:
        PlymapError: There is no such kind, or the data have nothing that it could show.

    >>> import pandas, plymap
    >>> log = pandas.read_csv("../data/tower_of_london/log.csv")
    >>> levels = "../data/tower_of_london/levels.txt"
    >>> plymap.figure("quality", log, levels, game="tower-of-london")
    Figure('quality-by-level': Quality of moves by level)
    """
    asked = request(data, levels, game, rules, columns, settings)
    if asked.levels is not None:
        raise TypeError("figures are drawn from files of levels: give their paths")
    with shown(progress) as show:
        drawn = _native.figures(kind, asked.file, asked.settings, asked.table, width, show)
    if not drawn:
        raise ValueError(f"the data have nothing that a figure {kind!r} could show")
    return Figure._of(drawn[0])


def figure_kinds() -> Table:
    """All kinds of figures: names, what they show, and the command that draws them. ``figure`` draws those of
    ``plymap figures``."""
    return Table(_native.figure_kinds())
