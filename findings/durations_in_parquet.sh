#!/usr/bin/env bash
# Durations that pandas writes to Parquet are read back as durations, as times of day with gaps, or as numbers in one of two
# units, by who wrote and who reads.
#
# Versions: pandas 3.1.1, pyarrow 26.0.1, fastparquet 2026.9.0, polars 2.1.0, numpy 2.4.6.
# Input:    a column of durations (timedelta64): 0.5 s, 25 h (from the invitation to the answer) and -2 s (a clock put back),
#           written by to_parquet with either engine of pandas, read with fastparquet and with polars.
# Guess:    the engine does not matter: both write for pandas that the column is timedelta64, and Parquet holds whole numbers.
# Seen:     polars reads what pyarrow wrote as durations. Of what fastparquet wrote it makes times of day: half a second past
#           midnight, and null for 25 h and for -2 s, with no word; the three numbers are in the file. fastparquet reads its
#           own file as durations, and the file of pyarrow as numbers: half a second is 500000 where pandas made the column of
#           timedelta, and 500000000 where it made it of seconds.
# So:       write times as numbers, with the unit in the name of the column.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 pyarrow==26.0.1 fastparquet==2026.9.0 \
    polars==2.1.0 numpy==2.4.6
cd "$folder"
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import json
from datetime import time, timedelta

import pandas
import polars
import pyarrow.parquet

durations = [timedelta(seconds=0.5), timedelta(hours=25), timedelta(seconds=-2)]
found = {}
for writer in ("pyarrow", "fastparquet"):
    for made, column in (("of timedelta", durations), ("of seconds", [one.total_seconds() for one in durations])):
        pandas.DataFrame({"answered": pandas.to_timedelta(column, unit="s")}).to_parquet("log.parquet", engine=writer)
        metadata = json.loads(pyarrow.parquet.read_schema("log.parquet").metadata[b"pandas"])
        assert metadata["columns"][0]["numpy_type"].startswith("timedelta64"), "pandas does not say that these are durations"
        stored = pyarrow.parquet.read_table("log.parquet")["answered"].cast("int64").to_pylist()
        by_polars = polars.read_parquet("log.parquet")["answered"].to_list()
        by_fastparquet = pandas.read_parquet("log.parquet", engine="fastparquet")["answered"].tolist()
        found[writer, made] = (stored, by_polars, by_fastparquet)
        print(f"{made}, written by {writer}: in the file {stored}")
        print(f"    polars: {[str(value) for value in by_polars]}")
        print(f"    fastparquet: {[str(value) for value in by_fastparquet]}")
micro = [500_000, 90_000_000_000, -2_000_000]
nano = [1000 * value for value in micro]
of_day = [time(0, 0, 0, 500_000), None, None]
assert found == {
    ("pyarrow", "of timedelta"): (micro, durations, micro),
    ("pyarrow", "of seconds"): (nano, durations, nano),
    ("fastparquet", "of timedelta"): (micro, of_day, durations),
    ("fastparquet", "of seconds"): (micro, of_day, durations),
}, "it behaves otherwise now"
PYTHON
