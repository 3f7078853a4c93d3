"""The command ``plymap``: the same program that Rust builds."""

from __future__ import annotations

import signal
import sys

from . import _native


def main() -> int:
    """Runs the command line of the process, and returns the exit code."""
    # The program has its own handlers, which remove partial output.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.main(["plymap", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
