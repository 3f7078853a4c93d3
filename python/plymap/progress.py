"""Progress of long work, in a terminal and in notebooks."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Show = Callable[[int, str, "int | None", int], None]


def is_watched() -> bool:
    """Whether somebody sees what is written to standard error: in a terminal, or in a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


@contextmanager
def shown(wanted: bool | None) -> Iterator[Show | None]:
    """What the work calls with the number of its stage, its name, its steps if they are known, and those that are done.

    ``None`` shows a bar where somebody is watching, ``True`` always, and ``False`` never.
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
            bar, stage = tqdm(total=total, desc=name, leave=False, delay=0.3, file=sys.stderr), number
        bar.update(done - bar.n)

    try:
        yield show
    finally:
        if bar is not None:
            bar.close()
