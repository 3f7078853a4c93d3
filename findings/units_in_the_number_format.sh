#!/usr/bin/env bash
# Where cells of a workbook show a unit, such as 17 moves or 1.5 s, xlsx2csv writes the format in place of the number, the same text
# for everyone, and pylightxl reads midnight.
#
# Versions: xlsx2csv 0.8.6, pylightxl 1.61, polars 2.1.0, openpyxl 3.1.5, python-calamine 0.9.1, fastexcel 0.21.0, xlsxwriter 3.3.1.
# Input:    a workbook of two people with numbers in four columns: 17 and 34 with the format 0 "moves", 1.5 and 3 with 0.0" s",
#           12 and 24 with 0 "days", 8 and 16 with 0" points", as one makes them in the dialog for number formats.
# Guess:    17, 1.5, 12 and 8 are read, whatever is shown: the cells hold numbers, and text in quotes is no code of a date.
# Seen:     openpyxl and calamine: as guessed, and so with polars. xlsx2csv, alone and as an engine of read_excel in polars:
#           0 "01oves", 0.0" s", 0 "11ays" and 0" points" for the first, and the same or 0 "23ays" for the second, so that the
#           numbers are gone. pylightxl: 00:00:00 for 17, a date in 1900 for 12, 00:00:00 for 8; 1.5 is right. A letter of d, h,
#           m, s or y makes a date of the format, in quotes or not.
# So:       read with openpyxl or calamine, or with ignore_formats=["date"] in xlsx2csv, and take the format off the cells of data.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check xlsx2csv==0.8.6 pylightxl==1.61 polars==2.1.0 openpyxl==3.1.5 \
    python-calamine==0.9.1 fastexcel==0.21.0 xlsxwriter==3.3.1
cd "$folder"
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import csv
import io

import openpyxl
import polars
import pylightxl
import xlsxwriter
from python_calamine import CalamineWorkbook
from xlsx2csv import Xlsx2csv

formats = ('0 "moves"', '0.0" s"', '0 "days"', '0" points"')
people = [[17, 1.5, 12, 8], [34, 3, 24, 16]]
with xlsxwriter.Workbook("people.xlsx") as workbook:
    sheet = workbook.add_worksheet("people")
    sheet.write_row(0, 0, ["moves", "time", "delay", "points"])
    for row, numbers in enumerate(people, 1):
        for column, (number, shown) in enumerate(zip(numbers, formats)):
            sheet.write_number(row, column, number, workbook.add_format({"num_format": shown}))


def by_xlsx2csv(**settings):
    text = io.StringIO()
    Xlsx2csv("people.xlsx", **settings).convert(text)
    return list(csv.reader(text.getvalue().splitlines()))[1:]


found = {
    "openpyxl": [list(row) for row in openpyxl.load_workbook("people.xlsx").active.values][1:],
    "calamine": CalamineWorkbook.from_path("people.xlsx").get_sheet_by_index(0).to_python()[1:],
    "polars, calamine": [list(row) for row in polars.read_excel("people.xlsx", engine="calamine").rows()],
    "polars, xlsx2csv": [list(row) for row in polars.read_excel("people.xlsx", engine="xlsx2csv").rows()],
    "xlsx2csv": by_xlsx2csv(),
    "xlsx2csv without dates": [[float(cell) for cell in row] for row in by_xlsx2csv(ignore_formats=["date"])],
    "pylightxl": list(pylightxl.readxl("people.xlsx").ws("people").rows)[1:],
}
for name, rows in found.items():
    print(f"{name}: {rows}")
for name in ("openpyxl", "calamine", "polars, calamine", "xlsx2csv without dates"):
    assert found[name] == people
as_text = [['0 "01oves"', '0.0" s"', '0 "11ays"', '0" points"'], ['0 "02oves"', '0.0" s"', '0 "23ays"', '0" points"']]
assert found["xlsx2csv"] == found["polars, xlsx2csv"] == as_text, "xlsx2csv behaves otherwise now"
midnight = "00:00:00"
assert found["pylightxl"] == [
    [midnight, 1.5, f"1900/01/11 {midnight}", midnight],
    [midnight, 3, f"1900/01/23 {midnight}", midnight],
], "pylightxl behaves otherwise now"
PYTHON
