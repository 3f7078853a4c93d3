"""The extension module; the package around it has the documentation and the types."""

from collections.abc import Callable
from typing import Any

__version__: str
UNREACHABLE: int

_Show = Callable[[int, str, int | None, int], None] | None

class Numbers:
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

class Table:
    name: str
    caption: str
    n_rows: int
    columns: list[tuple[str, str, str, list[str]]]
    def select(self, names: list[str]) -> Table: ...
    def text(self, n_rows: int) -> str: ...
    def render(self, format: str) -> str: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

class Figure:
    name: str
    title: str
    caption: str
    svg: str
    def convert(self, dpi: float | None = None) -> bytes: ...
    def csv(self) -> str: ...

class Level:
    id: str
    game: str
    text: str
    unit: str
    is_distance: bool
    start: str
    def map(self, show: _Show = None) -> Map: ...
    def hint(
        self, state: str | None = None, show: _Show = None
    ) -> tuple[float | None, bool, list[str], Table]: ...
    def solve(
        self, state: str | None = None, show: _Show = None
    ) -> tuple[list[str], list[str], int | None] | None: ...
    def draw(self, state: str | None = None, width: str = "single", show: _Show = None) -> list[Figure]: ...
    def draw_solution(self, width: str = "double", show: _Show = None) -> list[Figure]: ...

class Map:
    n_states: int
    n_arcs: int
    n_edges: int
    distances: Numbers
    depths: Numbers
    offsets: Numbers
    targets: Numbers
    goals: list[int]
    def state(self, number: int) -> str: ...
    def number(self, state: str) -> int | None: ...
    def table(self) -> Table: ...
    def moves(self) -> Table: ...
    def draw(self, colours: str = "distance", width: str = "double") -> list[Figure]: ...

class Proposal:
    game: str
    source: str
    notes: list[tuple[str, str, str]]
    n_moves: int
    n_unused: int
    share: float
    is_doubtful: bool
    diagnostics: list[str]
    def toml(self, folder: str) -> str: ...

def main(arguments: list[str]) -> int: ...
def read_levels(
    paths: list[str],
    text: str | None,
    name: str,
    game: str,
    options: str,
    id_column: str | None,
    board_column: str | None,
    max_states: int | None,
    expand_goals: bool,
) -> tuple[list[Level], list[str]]: ...
def play(
    file: str | None, settings: str | None, table: Any, levels: list[Level] | None, show: _Show = None
) -> tuple[list[Table], list[str], str]: ...
def figures(
    name: str, file: str | None, settings: str | None, table: Any, width: str, show: _Show = None
) -> list[Figure]: ...
def figure_kinds() -> Table: ...
def propose(
    files: list[str], levels: list[str], game: str | None, rules: str, preset: str | None, show: _Show = None
) -> Proposal: ...
def simulate(
    study: str, out: str | None, seed: int | None, show: _Show = None
) -> tuple[str, tuple[int, int, int, int]]: ...
def power_curve(
    study: str, out: str | None, repeats: int | None, show: _Show = None
) -> tuple[str, int | None]: ...
def estimate(table: Any, estimator: str, asked: str, show: _Show = None) -> Table: ...
def estimators() -> Table: ...
def run(
    study: str,
    out: str | None,
    only: list[str],
    is_fast: bool,
    memory: int | None,
    is_cached: bool,
    shards: str | None,
    show: _Show = None,
) -> str: ...
def study_files(study: str) -> list[str]: ...
def shard(study: str, out: str, n: int | None, memory: int | None, show: _Show = None) -> list[tuple[int, int]]: ...
def label_shard(study: str, shards: str, number: int, threads: int | None, show: _Show = None) -> None: ...
def read_table(folder: str, stem: str, format: str) -> Table: ...
