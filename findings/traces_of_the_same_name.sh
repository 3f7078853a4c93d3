#!/usr/bin/env bash
# Two traces of one name in an event log (XES): pm4py makes three different sets of cases of them, and one of the sequences it
# reports is of nobody.
#
# Versions: pm4py 2.7.23.11, lxml 6.1.3, numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, networkx 3.6.1.
# Input:    three traces: anna does A B, ben does A E, anna comes again and does C D. Traces are named by the person; the
#           standard does not ask for names that differ.
# Guess:    three cases, as in the file, or two, with A B C D of anna: one of them everywhere.
# Seen:     get_variants of what read_xes returns says A E and A B A E: it takes as many rows as the name has, from its first
#           one on, so that two events of ben are in the case of anna and C D are in none. discover_dfg of the same table has
#           two cases, of A B C D and A E. With return_legacy_log_object=True both have three. No warning anywhere.
# So:       name a trace by person, session, level and attempt; after read_xes, sort by case and time before anything else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check pm4py==2.7.23.11 lxml==6.1.3 numpy==2.4.6 pandas==3.1.1 \
    scipy==1.17.1 networkx==3.6.1
"$folder/python/bin/python" -W ignore - "$folder/log.xes" <<'PYTHON'
import contextlib
import io
import sys

with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):  # a welcome
    import pm4py

traces = [("anna", "AB", 10), ("ben", "AE", 11), ("anna", "CD", 12)]
with open(sys.argv[1], "w") as file:
    file.write('<?xml version="1.0" encoding="UTF-8"?>\n<log xes.version="2.0" xmlns="http://www.xes-standard.org/">\n')
    for name, actions, hour in traces:
        file.write(f'<trace><string key="concept:name" value="{name}"/>\n')
        for minute, action in enumerate(actions):
            file.write(f'<event><string key="concept:name" value="{action}"/>')
            file.write(f'<date key="time:timestamp" value="2026-01-01T{hour}:0{minute}:00+00:00"/></event>\n')
        file.write("</trace>\n")
    file.write("</log>\n")


def of(log):
    variants = sorted("".join(variant) for variant in pm4py.get_variants(log))
    follows, starts, _ = pm4py.discover_dfg(log)
    return variants, sorted("".join(pair) for pair in follows), sum(starts.values())


with contextlib.redirect_stderr(io.StringIO()):  # bars of progress
    table = pm4py.read_xes(sys.argv[1])
    found = {
        "as a table": of(table),
        "as a table, sorted": of(table.sort_values(["case:concept:name", "time:timestamp"])),
        "as a log": of(pm4py.read_xes(sys.argv[1], return_legacy_log_object=True)),
    }
for name, (variants, follows, cases) in found.items():
    print(f"{name}: variants {variants}; discover_dfg: {cases} cases, {follows}")
merged = ["AB", "AE", "BC", "CD"]
assert found == {
    "as a table": (["ABAE", "AE"], merged, 2),
    "as a table, sorted": (["ABCD", "AE"], merged, 2),
    "as a log": (["AB", "AE", "CD"], ["AB", "AE", "CD"], 3),
}, "it behaves otherwise now"
PYTHON
