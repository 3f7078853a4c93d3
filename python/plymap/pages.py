"""The page of the program, in which a log is opened by hand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import webbrowser
from queue import Empty, Queue

from .studies import PathLike

#: Seconds within which the program says where its page is.
PATIENCE = 30.0


class Page:
    """A page that the program serves on this machine until :meth:`close`, or the end of a ``with`` block.

    Attributes:
        address: Its address.
    """

    def __init__(self, process: subprocess.Popen[str], address: str):
        self._process = process
        self.address = address

    @property
    def is_open(self) -> bool:
        """``True`` as long as it is served."""
        return self._process.poll() is None

    def close(self) -> None:
        """Ends the program."""
        self._process.terminate()
        self._process.wait()

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Page({self.address!r}), {'open' if self.is_open else 'closed'}"

    def _repr_html_(self) -> str:
        return f'<a href="{self.address}" target="_blank">{self.address}</a>'


def _program() -> list[str]:
    """The command line of the program that is part of this package."""
    return [sys.executable, "-m", "plymap.command"]


def open(*files: PathLike, browser: bool = True) -> Page:
    """Starts the page of ``plymap open``, in which files of an experiment are chosen, proposed as a study and run.

    Args:
        files: Files of an experiment, or a study; none to choose them in the page.
        browser: ``True`` shows it in a browser.

    Raises:
        RuntimeError: The program ended, or did not say where its page is; with its messages.
    """
    # The browser is started from here, once the page is there.
    command = [*_program(), "open", "--no-browser", *(os.fspath(file) for file in files)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    lines: Queue[str | None] = Queue()

    def listen() -> None:
        # Read to the end, so that the program never waits for a reader.
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=listen, daemon=True).start()
    said: list[str] = []
    while True:
        try:
            line = lines.get(timeout=PATIENCE)
        except Empty:
            line = None
        if line is None:
            process.kill()
            process.wait()
            raise RuntimeError("plymap open gave no address: " + "".join(said).strip())
        said.append(line)
        if found := re.search(r"https?://[^\s,;]+", line):
            break
    page = Page(process, found[0])
    if browser:
        webbrowser.open(page.address)
    return page
