#!/usr/bin/env bash
# pandas reads a time in an OpenDocument spreadsheet from the text that the cell shows, not from its value: 1 minute and 2
# seconds, shown as 01:02, become 1 hour and 2 minutes.
#
# Versions: pandas 3.1.1, odfpy 1.4.1, python-calamine 0.9.1, polars 2.1.0, fastexcel 0.21.0, numpy 2.4.6.
# Input:    an .ods file with four times to solve, of 62, 75, 190 and 1380 seconds, in cells with the format MM:SS: each has its
#           value (PT00H01M02S) and its text (01:02), as a spreadsheet program stores it.
# Guess:    a number in the same file comes from its value, with all digits, though two are shown; so does a time, and the
#           engine does not matter.
# Seen:     read_excel makes 01:02:00 of 62 seconds: minutes become hours, and the mean time is 7 hours instead of 7 minutes, with
#           nothing said. A time of 24 minutes or more is refused, as an hour must be below 24. With engine="calamine" and
#           in polars all times are right. The number next to them is 0.123456 in all, where 0.12 is shown.
# So:       engine="calamine" for .ods files, or keep times as numbers of seconds; look at the largest time after reading.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 odfpy==1.4.1 python-calamine==0.9.1 \
    polars==2.1.0 fastexcel==0.21.0 numpy==2.4.6
"$folder/python/bin/python" -W ignore - "$folder" <<'PYTHON'
import datetime
import sys

import pandas as pd
import polars as pl
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

SECONDS = [62, 75, 190, 1380]


def cell(text, **value):
    made = TableCell(**value)
    made.addElement(P(text=text))
    return made


def sheet(name, times):
    document = OpenDocumentSpreadsheet()
    table = Table(name="times")
    document.spreadsheet.addElement(table)
    rows = [[cell(column, valuetype="string") for column in ("time", "share")]]
    for time in times:
        minutes, seconds = divmod(time, 60)
        value = f"PT00H{minutes:02}M{seconds:02}S"
        rows.append([
            cell(f"{minutes:02}:{seconds:02}", valuetype="time", timevalue=value),
            cell("0.12", valuetype="float", value="0.123456"),
        ])
    for cells in rows:
        row = TableRow()
        table.addElement(row)
        for made in cells:
            row.addElement(made)
    path = f"{sys.argv[1]}/{name}.ods"
    document.save(path)
    return path


def seconds(value):
    if isinstance(value, datetime.timedelta):
        return int(value.total_seconds())
    return value.hour * 3600 + value.minute * 60 + value.second


path = sheet("short", SECONDS)
tables = {
    "pandas, odf": pd.read_excel(path),
    "pandas, calamine": pd.read_excel(path, engine="calamine"),
    "polars": pl.read_excel(path),
}
found = {}
for name, table in tables.items():
    found[name] = [seconds(value) for value in table["time"]]
    print(f"{name}: {found[name]} seconds, mean {sum(found[name]) / 4:.2f}")
    assert set(table["share"]) == {0.123456}
try:
    pd.read_excel(sheet("long", [1440]))
    refused = False
except ValueError as error:
    refused = True
    print(f"24 minutes: {error}")
assert found == {
    "pandas, odf": [60 * time for time in SECONDS], "pandas, calamine": SECONDS, "polars": SECONDS
} and refused, f"it behaves otherwise now: {found}"
PYTHON
