"""Progress of long work, in a terminal and in notebooks."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Stages that take fewer seconds are not shown.
DELAY = 0.3

Show = Callable[[int, str, "int | None", int], None]


def is_watched() -> bool:
    """Whether standard error is visible: a terminal, or a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


@contextmanager
def shown(wanted: bool | None) -> Iterator[Show | None]:
    """A callback for the number of a stage, its name, its number of steps if known, and the steps done.

    ``None`` shows a bar in a terminal or notebook, ``True`` always, ``False`` never.
    """
    if wanted is False or (wanted is None and not is_watched()):
        yield None
        return
    with warnings.catch_warnings():
        # Without ipywidgets a bar is text in a notebook too.
        warnings.simplefilter("ignore")
        from tqdm.auto import tqdm
    bar, stage = None, 0

    def show(number: int, name: str, total: int | None, done: int) -> None:
        nonlocal bar, stage
        if number == 0:
            return
        if bar is None or number != stage:
            if bar is not None:
                bar.close()
            bar, stage = tqdm(total=total, desc=name, leave=False, delay=DELAY, file=sys.stderr), number
        bar.update(done - bar.n)

    try:
        yield show
    finally:
        if bar is not None:
            bar.close()
