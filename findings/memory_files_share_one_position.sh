#!/usr/bin/env bash
# Two readers of one file of fsspec's memory:// are one: each takes the position of the other along, and both get half of the file.
#
# Version:  fsspec 2026.9.0.
# Input:    a file of 8 bytes in memory://, opened twice to be read, as two tasks do that fetch the same table; the same file on
#           disk.
# Guess:    each open file has its own position, as on every other file system of the library.
# Seen:     on disk both read the 8 bytes. In memory the second reads from the position that the first has come to: "abcd" and
#           "efgh". Opening the file again sets the position of the first reader back to the beginning.
# So:       what reads in threads is not to be tried on memory://; a test of it fails now and then with files that are cut off.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check fsspec==2026.9.0
"$folder/python/bin/python" - "$folder" <<'PYTHON'
import sys

import fsspec

found = {}
for name, path in (("file", f"{sys.argv[1]}/table"), ("memory", "/table")):
    fs = fsspec.filesystem(name)
    fs.pipe_file(path, b"abcdefgh")
    one, other = fs.open(path, "rb"), fs.open(path, "rb")
    halves = one.read(4), other.read(4)
    again = fs.open(path, "rb").read(2), one.read(2)
    found[name] = (*halves, *again)
    print(f"{name}: the two read {halves[0]!r} and {halves[1]!r}; a third then {again[0]!r}, and the first goes on with {again[1]!r}")
assert found == {"file": (b"abcd", b"abcd", b"ab", b"ef"), "memory": (b"abcd", b"efgh", b"ab", b"cd")}, "it behaves otherwise now"
PYTHON
