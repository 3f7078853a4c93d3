#!/usr/bin/env bash
# A duration in an SPSS file is read by pyreadstat without its whole days: 25 hours become 1 hour, and -5 seconds become nearly a
# day. polars-readstat writes and reads the same durations whole, but nothing longer than a day, and no fractions, in TIME.
#
# Versions: pyreadstat 1.3.7, polars-readstat 0.25.0, polars 2.1.0, pandas 3.1.1, numpy 2.4.6.
# Input:    delays of five people in seconds, from the invitation to the first move: 90000 (25 hours), 259205 (three days and 5
#           seconds), 62.5, -5 (a clock put back) and 0. Written by polars-readstat as durations, and by pyreadstat as numbers
#           with the formats TIME11.2 and DTIME13.2, which in SPSS are numbers of seconds with days and hours as shown.
# Guess:    what one writes the other reads; DTIME, "days and time", becomes a timedelta, and TIME one too, or a number, where
#           it is a day or more.
# Seen:     polars-readstat makes DTIME of durations. pyreadstat reads that, and both formats of its own, as times of day: 01:00,
#           00:00:05, 00:01:02.5, 23:59:55 and 00:00, with no word. polars-readstat reads DTIME as durations, and of TIME null,
#           null, 00:01:02, null and 00:00: with a mean of 31 seconds instead of 69852. The numbers in the files are
#           right: disable_datetime_conversion=True shows them.
# So:       read SPSS files with disable_datetime_conversion=True, and write durations as plain numbers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check pyreadstat==1.3.7 polars-readstat==0.25.0 polars==2.1.0 \
    pandas==3.1.1 numpy==2.4.6
"$folder/python/bin/python" -W ignore - "$folder" <<'PYTHON'
import datetime
import sys

import pandas as pd
import polars as pl
import polars_readstat
import pyreadstat

SECONDS = [90000.0, 259205.0, 62.5, -5.0, 0.0]


def seconds(value):
    if isinstance(value, datetime.time):
        return value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6
    return value.total_seconds() if isinstance(value, datetime.timedelta) else value


files = {name: f"{sys.argv[1]}/{name}.sav" for name in ("by polars-readstat", "TIME", "DTIME")}
durations = [datetime.timedelta(seconds=second) for second in SECONDS]
polars_readstat.write_readstat(pl.DataFrame({"delay": durations}), files["by polars-readstat"])
for name, shown in (("TIME", "TIME11.2"), ("DTIME", "DTIME13.2")):
    pyreadstat.write_sav(pd.DataFrame({"delay": SECONDS}), files[name], variable_format={"delay": shown})
found = {}
for name, path in files.items():
    table, meta = pyreadstat.read_sav(path)
    numbers, _ = pyreadstat.read_sav(path, disable_datetime_conversion=True)
    assert numbers["delay"].tolist() == SECONDS
    other = polars_readstat.scan_readstat(path).collect()["delay"]
    found[name] = ([seconds(value) for value in table["delay"]], [seconds(value) for value in other])
    print(f"{name}, shown as {meta.original_variable_types['delay']}: in the file {SECONDS}")
    print(f"  pyreadstat {found[name][0]}, polars-readstat {found[name][1]}")
    known = [value for value in found[name][1] if value is not None]
    print(f"  means {sum(SECONDS) / 5:.1f}, {sum(found[name][0]) / 5:.1f}, {sum(known) / len(known):.1f}")
of_the_day = [second % 86400 for second in SECONDS]
assert found == {
    "by polars-readstat": (of_the_day, SECONDS),
    "TIME": (of_the_day, [None, None, 62.0, None, 0.0]),
    "DTIME": (of_the_day, SECONDS),
}, f"it behaves otherwise now: {found}"
PYTHON
