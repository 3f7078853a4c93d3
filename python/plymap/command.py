"""The command ``plymap``: the same program that Rust builds."""

from __future__ import annotations

import signal
import sys

from . import _native


def main() -> int:
    """Runs the command line that the process was called with; its exit code."""
    # The program has handlers of its own, which end it in an orderly way.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.main(["plymap", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
