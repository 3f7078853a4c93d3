#!/usr/bin/env bash
# A text below the first hundred rows of numbers is gone when polars reads a workbook: it becomes null without a word. The same
# rows of a CSV file are refused.
#
# Versions: polars 2.1.0, fastexcel 0.21.0, pandas 3.1.1, openpyxl 3.1.5, python-calamine 0.9.1.
# Input:    a workbook of people and answers: n whole numbers, then "gave up" from five people, for n = 50 and 150; and the same
#           as CSV.
# Guess:    cells of a workbook carry their type, so that the column is text, or it is refused, as read_csv does.
# Seen:     n = 50: text. n = 150: the column is Int64, and the five answers are null; with a single column, the rows are gone too
#           (150 of 155). read_csv raises. pandas, with the same reader of workbooks beneath (engine="calamine"), keeps the text,
#           and polars does with engine="openpyxl", or with infer_schema_length=None.
# So:       read workbooks with infer_schema_length=None, or name the types; otherwise "gave up", "> 600" and "timeout" are
#           counted as if the person had not been asked.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check polars==2.1.0 fastexcel==0.21.0 pandas==3.1.1 \
    openpyxl==3.1.5 python-calamine==0.9.1
cd "$folder"
"$folder/python/bin/python" -W error - <<'PYTHON'
import pandas
import polars

found = {}
for n in (50, 150):
    table = pandas.DataFrame({"person": range(n + 5), "answer": [*range(n)] + ["gave up"] * 5})
    table.to_excel("log.xlsx", index=False)
    table[["answer"]].to_excel("answers.xlsx", index=False)
    table.to_csv("log.csv", index=False)
    default = polars.read_excel("log.xlsx")
    others = [
        polars.read_excel("log.xlsx", infer_schema_length=None)["answer"],
        polars.read_excel("log.xlsx", engine="openpyxl")["answer"],
        pandas.read_excel("log.xlsx", engine="calamine")["answer"],
    ]
    assert all(answers.to_list()[-1] == "gave up" for answers in others), "others behave otherwise now"
    try:
        csv = str(polars.read_csv("log.csv")["answer"].dtype)
    except polars.exceptions.ComputeError as error:
        csv = "refused"
    found[n] = (
        str(default["answer"].dtype), default["answer"].to_list()[-1], default["answer"].null_count(),
        polars.read_excel("answers.xlsx").height, csv,
    )
    print(f"{n} numbers: {found[n][0]}, last answer {found[n][1]}, {found[n][2]} null; alone {found[n][3]} rows; CSV: {csv}")
assert found == {50: ("String", "gave up", 0, 55, "String"), 150: ("Int64", None, 5, 150, "refused")}, "it behaves otherwise now"
PYTHON
