#!/usr/bin/env bash
# Of a table that pandas writes to a workbook with constant memory, all columns but the first are lost, save their last row, and
# nothing is said.
#
# Versions: pandas 3.1.1, XlsxWriter 3.3.1, openpyxl 3.1.5.
# Input:    a log of 1,000 rows and four columns, written by to_excel(engine="xlsxwriter"), without options and with
#           "constant_memory", the option of the engine for tables of many rows.
# Guess:    the same table with less memory; or refused, as the engine does for add_table, of which it warns.
# Seen:     the first column has 1,000 values, the three others one each, in the last row; the names of the columns are there.
#           pandas writes column by column, and the option throws away what belongs to a row above the newest. No warning.
# So:       no constant_memory beneath to_excel: a table that looks whole in the first column and at its end has means of one
#           person. Read back what was written, and count.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 XlsxWriter==3.3.1 \
    openpyxl==3.1.5
cd "$folder"
"$folder/python/bin/python" -W error - <<'PYTHON'
import pandas

columns = {"person": [*range(1000)], "level": [i % 7 for i in range(1000)], "moves": [i % 31 for i in range(1000)],
           "seconds": [i / 8 for i in range(1000)]}
found = {}
for options in ({}, {"constant_memory": True}):
    pandas.DataFrame(columns).to_excel("log.xlsx", engine="xlsxwriter", engine_kwargs={"options": options}, index=False)
    found[bool(options)] = pandas.read_excel("log.xlsx", engine="openpyxl").count().to_dict()
    print(f"{options or 'without options'}: values in each column {found[bool(options)]}")
assert found[False] == dict.fromkeys(columns, 1000)
assert found[True] == {"person": 1000, "level": 1, "moves": 1, "seconds": 1}, "it behaves otherwise now"
PYTHON
