"""Levels, their positions and their maps."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import _native
from .errors import PlymapError, PlymapWarning
from .progress import shown
from .tables import Figure, Table

if TYPE_CHECKING:
    import igraph
    import networkx
    import scipy.sparse
    from numpy.typing import NDArray

#: Distance of a state from which no goal can be reached.
UNREACHABLE: int = _native.UNREACHABLE


def read_levels(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    game: str = "rush-hour",
    rules: Mapping[str, Any] | None = None,
    *,
    name: str = "level",
    id_column: str | None = None,
    board_column: str | None = None,
    max_states: int | None = None,
    expand_goals: bool = True,
) -> Levels:
    """Reads levels.

    Args:
        source: A file, a folder or several of them; or the text of levels, recognised by a line break.
        game: Name of the game, or the path of a script that ends in ``.lua``.
        rules: Options of the game, such as ``{"metric": "cell"}``; see the page of each game.
        name: Name of a level that is given as text.
        id_column: Column of a table of levels with their names; by default found by its name.
        board_column: Column of a table of levels with the boards; by default found by its name.
        max_states: Limit of the states of a level; by default 20,000,000.
        expand_goals: ``True`` includes positions beyond a goal in the map.

    Returns:
        The levels in the order of their files; ``levels["demo-11"]`` is the one with this name.

    Raises:
        PlymapError: Levels are faulty; it lists all faults of all levels.

    Warns:
        PlymapWarning: An assumption was made (which piece is red), or a column has no effect in this game.

    >>> import plymap
    >>> plymap.read_levels("AA.B\\n...B\\n...C\\n...C\\n", name="closed", rules={"metric": "cell"})
    [Level('closed', game='rush-hour')]
    >>> plymap.read_levels("AA.B\\n...B\\n...C\\n", name="short")
    Traceback (most recent call last):
    ...
    plymap.errors.PlymapError: short:...
    """
    text: str | None = None
    paths: list[str] = []
    if isinstance(source, str) and "\n" in source:
        text = source
    elif isinstance(source, (str, os.PathLike)):
        paths = [os.fspath(source)]
    else:
        paths = [os.fspath(path) for path in source]
    options = json.dumps(dict(rules or {}))
    read, remarks = _native.read_levels(
        paths, text, name, os.fspath(game), options, id_column, board_column, max_states, expand_goals
    )
    for remark in remarks:
        warnings.warn(remark, PlymapWarning, stacklevel=2)
    return Levels(Level(level, os.fspath(game), dict(rules or {})) for level in read)


@dataclass(frozen=True)
class Hint:
    """The value of a position, and its legal moves with theirs.

    Attributes:
        value: Fewest moves to a goal, ``None`` if none can be reached; expected points in games that count points.
        is_goal: ``True`` if the level is solved.
        optimal: The optimal moves, in the notation of logs.
        moves: All legal moves, the best first.
    """

    value: int | float | None
    is_goal: bool
    optimal: tuple[str, ...]
    moves: Table


@dataclass(frozen=True)
class Solution:
    """A shortest solution.

    Attributes:
        moves: Its moves in the notation of logs.
        states: Its positions: one more than moves.
        n_shortest: Number of shortest solutions; ``None`` if the level is not mapped, or there are 2**64 or more.
    """

    moves: tuple[str, ...]
    states: tuple[str, ...]
    n_shortest: int | None

    def __len__(self) -> int:
        return len(self.moves)


class Level:
    """A level of a game. It is mapped once, at first use of its map.

    >>> import plymap
    >>> level = plymap.read_levels("BB...G\\nE..H.G\\nEAAH.G>\\nE..H..\\nF...CC\\nF.DDD.\\n")[0]
    >>> level.hint().value, len(level.hint().optimal)
    (8, 4)
    >>> len(level.solve())
    8
    """

    def __init__(self, native: _native.Level, game: str, rules: dict[str, Any]):
        self._native = native
        # As given, for logs of this level.
        self._game, self._rules = game, rules

    @property
    def id(self) -> str:
        """Its name: that of its file, or its line in a file of several."""
        return self._native.id

    @property
    def game(self) -> str:
        """Name of its game."""
        return self._native.game

    @property
    def text(self) -> str:
        """The level as in its file."""
        return self._native.text

    @property
    def start(self) -> str:
        """The start in the notation of the game."""
        return self._native.start

    @property
    def unit(self) -> str:
        """Unit of values, such as ``moves``."""
        return self._native.unit

    def map(self, *, progress: bool | None = None) -> Map:
        """The map of all reachable states.

        Args:
            progress: ``True`` shows progress; ``None`` shows it in a terminal or notebook.

        Raises:
            PlymapError: The level has more states than ``max_states`` allows, or its game values positions without a
                map.
        """
        with shown(progress) as show:
            return Map(self.id, self._native.map(show))

    def hint(self, state: str | None = None, *, progress: bool | None = None) -> Hint:
        """The value of a position, and its legal moves with theirs.

        Args:
            state: The position in the notation of the game; by default the start.
            progress: ``True`` shows progress.
        """
        with shown(progress) as show:
            value, is_goal, optimal, moves = self._native.hint(state, show)
        if value is not None and self._native.is_distance:
            value = int(value)
        return Hint(value, is_goal, tuple(optimal), Table(moves))

    def solve(self, state: str | None = None, *, progress: bool | None = None) -> Solution | None:
        """A shortest solution from a position; ``None`` if no goal can be reached, or in games of chance.

        Of several optimal moves it takes the first in the order of the pieces.

        Args:
            state: The position in the notation of the game; by default the start.
            progress: ``True`` shows progress.
        """
        with shown(progress) as show:
            solved = self._native.solve(state, show)
        return None if solved is None else Solution(tuple(solved[0]), tuple(solved[1]), solved[2])

    def draw(self, state: str | None = None, *, width: str = "single") -> Figure:
        """A position as a figure.

        Args:
            state: The position in the notation of the game; by default the start.
            width: ``"single"`` (85 mm), ``"onehalf"`` (120 mm) or ``"double"`` (180 mm).
        """
        return Figure._of(self._native.draw(state, width, None)[0])

    def draw_solution(self, *, width: str = "double") -> list[Figure]:
        """A shortest solution as a storyboard, on as many pages as it needs."""
        return [Figure._of(page) for page in self._native.draw_solution(width, None)]

    def _repr_svg_(self) -> str:
        return self.draw().svg

    def __repr__(self) -> str:
        return f"Level({self.id!r}, game={self.game!r})"


class Levels(Sequence[Level]):
    """A sequence of levels, indexed by number or name."""

    def __init__(self, levels: Iterable[Level]):
        self._levels = list(levels)

    @overload
    def __getitem__(self, place: int | str) -> Level: ...

    @overload
    def __getitem__(self, place: slice) -> Levels: ...

    def __getitem__(self, place: int | str | slice) -> Level | Levels:
        if isinstance(place, slice):
            return Levels(self._levels[place])
        if not isinstance(place, str):
            return self._levels[place]
        for level in self._levels:
            if level.id == place:
                return level
        raise KeyError(f"there is no level {place!r}; there are {', '.join(level.id for level in self._levels)}")

    def __len__(self) -> int:
        return len(self._levels)

    def __repr__(self) -> str:
        return repr(self._levels)


class States(Sequence[str]):
    """The states of a map in the notation of the game, as a lazy sequence."""

    def __init__(self, native: _native.Map):
        self._native = native

    def __len__(self) -> int:
        return self._native.n_states

    @overload
    def __getitem__(self, number: int) -> str: ...

    @overload
    def __getitem__(self, number: slice) -> list[str]: ...

    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self._native.state(one) for one in range(*number.indices(len(self)))]
        number = int(number)
        return self._native.state(number + len(self) if number < 0 else number)

    def index(self, state: str, *_: int) -> int:
        """The number of a state.

        Raises:
            ValueError: The state is not on the map.
        """
        number = self._native.number(state)
        if number is None:
            raise ValueError(f"{state!r} is not on the map")
        return number

    def __contains__(self, state: object) -> bool:
        try:
            return isinstance(state, str) and self._native.number(state) is not None
        except PlymapError:
            # Not a state of the game.
            return False

    def __repr__(self) -> str:
        return f"<{len(self)} states, the first {self[0]!r}>"


class Map:
    """All states of a level that are reachable from its start, and the moves between them.

    States are numbered breadth first from the start, which is 0.

    >>> import plymap
    >>> map = plymap.read_levels("BB...G\\nE..H.G\\nEAAH.G>\\nE..H..\\nF...CC\\nF.DDD.\\n")[0].map()
    >>> map.n_states, int(map.distances[0]), map.distances.dtype
    (1247, 8, dtype('uint32'))
    >>> sources, targets = map.edges()
    >>> len(sources) == len(targets) == map.n_arcs
    True
    """

    def __init__(self, level: str, native: _native.Map):
        self._level = level
        self._native = native

    @property
    def n_states(self) -> int:
        """Number of states."""
        return self._native.n_states

    @property
    def n_arcs(self) -> int:
        """Number of legal moves, summed over all states."""
        return self._native.n_arcs

    @property
    def n_edges(self) -> int:
        """Number of pairs of states that a move connects in at least one direction."""
        return self._native.n_edges

    @cached_property
    def distances(self) -> NDArray[np.uint32]:
        """Fewest moves to the nearest goal, of each state: shape ``(n_states,)``, :data:`UNREACHABLE` if there is none.

        The array is a read-only view of the map.
        """
        return np.asarray(self._native.distances)

    @cached_property
    def depths(self) -> NDArray[np.uint32]:
        """Fewest moves from the start, of each state: shape ``(n_states,)``. A read-only view of the map."""
        return np.asarray(self._native.depths)

    @cached_property
    def goals(self) -> NDArray[np.uint32]:
        """The numbers of the goals, in ascending order."""
        return np.asarray(self._native.goals, dtype=np.uint32)

    @property
    def states(self) -> States:
        """The states in the notation of the game; ``states[5]`` returns one, ``states.index(text)`` its number."""
        return States(self._native)

    def edges(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """The moves as two arrays of shape ``(n_arcs,)``: the numbers of the states before and after.

        Each legal move is one entry; a move that can be undone occurs in both directions.
        """
        counts = np.diff(np.asarray(self._native.offsets))
        return np.repeat(np.arange(self.n_states, dtype=np.uint32), counts), np.asarray(self._native.targets)

    def to_networkx(self) -> networkx.DiGraph:
        """The map as a directed graph whose nodes have the attributes ``state`` and ``distance`` (``None`` if there is none).

        Needs networkx.
        """
        import networkx

        graph = networkx.DiGraph(level=self._level)
        distances = [None if value == UNREACHABLE else value for value in self.distances.tolist()]
        graph.add_nodes_from(
            (number, {"state": state, "distance": distance})
            for number, (state, distance) in enumerate(zip(self.states, distances))
        )
        sources, targets = self.edges()
        graph.add_edges_from(zip(sources.tolist(), targets.tolist()))
        return graph

    def to_igraph(self) -> igraph.Graph:
        """The map as a directed graph of igraph whose vertices have the attributes ``name`` (the state) and ``distance``.

        Needs igraph.
        """
        import igraph

        distances = [None if value == UNREACHABLE else value for value in self.distances.tolist()]
        attributes = {"name": list(self.states), "distance": distances}
        return igraph.Graph(
            n=self.n_states, edges=np.column_stack(self.edges()), directed=True, vertex_attrs=attributes
        )

    def to_scipy(self) -> scipy.sparse.csr_array:
        """The adjacency matrix: shape ``(n_states, n_states)``, at ``[before, after]`` the number of moves between them.

        Needs SciPy.
        """
        import scipy.sparse

        ones = np.ones(self.n_arcs, dtype=np.uint32)
        index = [np.asarray(numbers).astype(np.int64) for numbers in (self._native.targets, self._native.offsets)]
        matrix = scipy.sparse.csr_array((ones, *index), shape=(self.n_states, self.n_states))
        matrix.sum_duplicates()
        return matrix

    def table(self) -> Table:
        """One row for each state: its distance, its numbers of legal and optimal moves and of shortest solutions."""
        return Table(self._native.table())

    def moves(self) -> Table:
        """One row for each legal move of each state: positions, notation, cost and regret; about 150 bytes a row."""
        return Table(self._native.moves())

    def draw(self, *, colours: str = "distance", width: str = "double") -> Figure:
        """The state graph as a figure.

        Args:
            colours: ``"distance"`` colours states by their distance to the goal, ``"article"`` all but start and goals
                blue.
            width: ``"single"`` (85 mm), ``"onehalf"`` (120 mm) or ``"double"`` (180 mm).
        """
        return Figure._of(self._native.draw(colours, width)[0])

    def _repr_svg_(self) -> str:
        return self.draw().svg

    def __len__(self) -> int:
        return self.n_states

    def __repr__(self) -> str:
        return f"Map of {self._level!r}: {self.n_states} states, {self.n_edges} edges, {len(self.goals)} goals"
