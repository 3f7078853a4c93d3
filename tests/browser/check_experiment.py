"""The way of an experiment from the page to the report: the demo's, played by simulated people in a browser, in both forms.

    python check_experiment.py --plymap target/debug/plymap [--chromium PATH] [--keep FOLDER]

What the page saved is imported, labelled and run; each event of the files that belongs to a level that counts must be a row of
the log, in order, with its condition and its time. Opened from a folder, the page says what to do. Needs a Chromium, and npm for
the form of jsPsych, which is skipped without.
"""

import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from harness import KEYS, ROOT, Check, chromium, parser

N_PEOPLE = 3


def plymap(program, *arguments):
    found = subprocess.run([program, "--quiet", *map(str, arguments)], capture_output=True, text=True)
    if found.returncode != 0:
        raise SystemExit(f"plymap {' '.join(map(str, arguments))}: {found.stderr}")


def saved(path):
    """The events of a file with all that stands beside them."""
    text = path.read_text()
    if path.suffix == ".ndjson":
        return [json.loads(line) for line in text.splitlines()]
    beside = ("participant", "session", "condition", "level", "block", "trial")
    return [{**{key: row[key] for key in beside if key in row}, **event} for row in json.loads(text) for event in row["events"]]


def check_form(check, program, chromium, folder, form):
    site = folder / form
    more = ["--jspsych"] if form == "jspsych" else []
    browser = ["--browser", chromium] if chromium else []
    plymap(program, "experiment", ROOT / "data/demo/study.toml", "--out", site, "--simulate", N_PEOPLE, *more, *browser)
    files = sorted(path for path in pathlib.Path(f"{site}-simulated").iterdir() if path.name.startswith("simulated-"))
    check.that(len(files) == N_PEOPLE, f"{form}: {len(files)} files of {N_PEOPLE} people")
    events = [event for path in files for event in saved(path)]
    conditions = {event["participant"]: event["condition"] for event in events}
    check.that(sorted(conditions.values()) == ["accuracy", "speed", "speed"], f"{form}: the conditions are {conditions}")
    kinds = {event["event"] for event in events}
    check.that({"assign", "page", "answer", "start", "move", "solved"} <= kinds, f"{form}: there are but {sorted(kinds)}")
    played = [event for event in events if event["event"] not in ("assign", "page", "answer") and event["block"] != "practice"]

    study = folder / f"{form}-study"
    plymap(program, "import", *files, "--levels", ROOT / "data/demo/levels", "--out", study)
    table = folder / f"{form}.csv"
    plymap(program, "label", study, "--out", table)
    with table.open() as file:
        rows = list(csv.DictReader(file))
    # Rows come by participant and level; those of a person stand in their order already.
    key = lambda row: (row["participant"], row["level"])
    what = lambda row: (*key(row), row["condition"], row["event"], row["action"] or "")
    check.that(len(rows) == len(played), f"{form}: {len(played)} events were saved, and the log has {len(rows)} rows")
    pairs = list(zip(sorted(played, key=key), sorted(rows, key=key)))
    for event, row in pairs:
        check.that(what(event) == what(row), f"{form}: {what(event)} became {what(row)}")
    for (before, _), (event, row) in zip(pairs, pairs[1:]):
        if event["event"] == "move" and key(before) == key(event):
            time = (event["time_ms"] - before["time_ms"]) / 1000
            check.that(abs(float(row["rt_s"]) - time) < 1e-3, f"{form}: {what(event)} took {time} s, and the log says {row['rt_s']}")

    report = folder / f"{form}-report"
    plymap(program, "run", study, "--out", report, "--fast")
    check.that((report / "report.html").stat().st_size > 100_000, f"{form}: there is no report")
    with (report / "tables/participants.csv").open() as file:
        people = {row["participant"] for row in csv.DictReader(file)}
    check.that(people == set(conditions), f"{form}: the report is of {people}")
    return len(rows)


def check_folder(check, program, site):
    """A site that is opened from its folder says so, with the command that serves it, and nothing else."""
    with chromium(program) as browser:
        page = browser.new_page(viewport={"width": 400, "height": 800})
        page.goto((site / "index.html").as_uri())
        said = page.locator(".session-unserved")
        said.wait_for(state="visible", timeout=10_000)
        words, left = said.inner_text(), page.locator("#session").inner_text()
        check.that("opened from a folder" in words and "python3 -m http.server 8000" in words, f"a site in a folder says {words!r}")
        check.same(left, words, "all that a site in a folder says")
        check.that(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a site in a folder is wider than its window")
    # What comes before the levels is read on telephones, too.
    for text in (ROOT / "data/demo/experiment").glob("*.md"):
        check.same(KEYS.findall(text.read_text()), [], f"keys that {text.name} names")


def main():
    options = parser(__doc__, needs_plymap=True)
    options.add_argument("--keep", type=pathlib.Path)
    options = options.parse_args()
    check = Check()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        n_rows = {"page": check_form(check, options.plymap, options.chromium, folder, "page")}
        check.run("a site in a folder", check_folder, check, options.chromium, folder / "page")
        if shutil.which("npm"):
            n_rows["jspsych"] = check_form(check, options.plymap, options.chromium, folder, "jspsych")
            check.that(n_rows["page"] == n_rows["jspsych"], f"the same people leave {n_rows} rows")
        else:
            print("SKIPPED: the form of jsPsych, for there is no npm")
    sys.exit(check.end(" of an experiment from its page to its report"))


if __name__ == "__main__":
    main()
