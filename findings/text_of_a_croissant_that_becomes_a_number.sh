#!/usr/bin/env bash
# A column that a Croissant file declares as text loses its leading zeros, and changes with what is in the other rows: level 07
# is b"7", or b"7.0" where one level is missing.
#
# Versions: mlcroissant 1.1.1, pandas 3.1.1, numpy 2.4.6.
# Input:    a data set with a CSV file of four plays, described as Croissant 1.0 wants it (the package's own check has no
#           errors): person, level, board and hint are sc:Text, session is an sc:Integer of 17 digits that is missing once. Read
#           with Dataset(...).records(...); then the same without the row in which level and session are missing.
# Guess:    text is what stands in the file: "007", "07", "1e3", "None"; whole numbers are exact; a missing level changes no
#           other.
# Seen:     persons 007, 008, 010, 011 are b"7", b"8", b"10", b"11". Levels 07 and 10 are b"7.0" and b"10.0", without the fourth
#           row b"7" and b"10". The board 1e3 is b"1000.0", and 2E1 b"20.0". A hint of "None" is missing, as is "NA". Session
#           20260501093000017 is ...016, and so is ...018; without the fourth row both are right. The file is read by pandas,
#           which guesses types, and the declared types are applied to what is left of the text.
# So:       give ids a letter (p007, L07) in data that are shared as Croissant, keep sessions below 2^53, and compare the records
#           with the file before the ids are joined to anything.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check mlcroissant==1.1.1 pandas==3.1.1 numpy==2.4.6
cd "$folder"
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import hashlib
import json
import logging
from pathlib import Path

from mlcroissant import Dataset

logging.disable(logging.WARNING)
TYPES = {"person": "Text", "level": "Text", "board": "Text", "hint": "Text", "session": "Integer"}
ROWS = [
    "007,07,1e3,None,20260501093000017",
    "008,07,2E1,arrow,20260501093000018",
    "010,10,5e0,NA,20260501093000019",
    "011,,1e1,arrow,",
]
CONTEXT = {
    "@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/", "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/", "conformsTo": "dct:conformsTo", "column": "cr:column", "extract": "cr:extract",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "field": "cr:field", "fileObject": "cr:fileObject",
    "recordSet": "cr:recordSet", "source": "cr:source",
}


def records(rows):
    text = "\n".join([",".join(TYPES), *rows]) + "\n"
    Path("plays.csv").write_text(text)
    file = {
        "@type": "cr:FileObject", "@id": "plays.csv", "name": "plays.csv", "contentUrl": "plays.csv",
        "encodingFormat": "text/csv", "sha256": hashlib.sha256(text.encode()).hexdigest(),
    }
    fields = [
        {
            "@type": "cr:Field", "@id": f"plays/{name}", "name": name, "dataType": f"sc:{kind}",
            "source": {"fileObject": {"@id": "plays.csv"}, "extract": {"column": name}},
        }
        for name, kind in TYPES.items()
    ]
    described = {
        "@context": CONTEXT, "@type": "sc:Dataset", "name": "plays", "conformsTo": "http://mlcommons.org/croissant/1.0",
        "distribution": [file], "recordSet": [{"@type": "cr:RecordSet", "@id": "plays", "name": "plays", "field": fields}],
    }
    Path("croissant.json").write_text(json.dumps(described))
    dataset = Dataset("croissant.json")
    assert not dataset.metadata.ctx.issues.errors
    return [tuple(record[f"plays/{name}"] for name in TYPES) for record in dataset.records("plays")]


whole, shorter = records(ROWS), records(ROWS[:3])
for written, read in zip(ROWS, whole):
    print(f"{written} is read as {read}")
print(f"without the last row the first is read as {shorter[0]}")
assert [row[0] for row in whole] == [b"7", b"8", b"10", b"11"], "persons are otherwise now"
assert [row[1] for row in whole] == [b"7.0", b"7.0", b"10.0", None] and [row[1] for row in shorter] == [b"7", b"7", b"10"]
assert [row[2] for row in whole] == [b"1000.0", b"20.0", b"5.0", b"10.0"] and whole[0][3] is None and whole[2][3] is None
assert whole[0][4] == whole[1][4] == 20260501093000016 and shorter[0][4] == 20260501093000017, "it behaves otherwise now"
PYTHON
