#!/usr/bin/env python3
"""Executes the blocks of R in docs/r.md, in their order, in one fresh session of R.

    python3 tests/r/vignette.py --plymap target/debug/plymap [--update]

The session runs in a temporary folder that holds a copy of data/demo, where the page expects it, with the package of `r`,
and takes the program that --plymap names. Ends with 1 if a block fails, if one prints something else than the page shows below it, or if
something was written outside the temporary folder of R. --update writes what is printed into the page instead; look at
the difference before you commit it. What cannot be done, because R or a package is missing, is skipped and said.
"""

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "r.md"
PACKAGES = ["lme4", "lmerTest", "emmeans", "jsonlite"]
PARQUET = ["nanoparquet", "arrow"]

# A page that takes longer has gone wrong.
MOST_SECONDS = 900

# A block of R, and what the page says that it prints.
BLOCK = re.compile(r"^```r\n(?P<code>.*?)^```\n(?:\n```text\n(?P<shown>.*?)^```\n)?", re.MULTILINE | re.DOTALL)

# Checks are counted where they are made, as those within functions are made more than once. The call is made anew in
# the place that it came from, so that its message names the condition that does not hold.
SESSION = r"""
blocks <- commandArgs(trailingOnly = TRUE)
checks <- 0
stopifnot <- function(...) {
  call <- sys.call()
  call[[1]] <- quote(base::stopifnot)
  eval.parent(call)
  assign("checks", get("checks", globalenv()) + ...length(), globalenv())
  invisible()
}
for (block in blocks) {
  sink(paste0(block, ".out"))
  source(block, print.eval = TRUE, encoding = "UTF-8")
  sink()
}
writeLines(as.character(checks), "checks")
"""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--plymap", default=os.environ.get("PLYMAP", "plymap"), help="the program")
    options.add_argument("--update", action="store_true", help="write what is printed into the page")
    options = options.parse_args()

    program = shutil.which(options.plymap)
    if not program:
        print(f"there is no program {options.plymap}", file=sys.stderr)
        return 1
    rscript = shutil.which("Rscript")
    if not rscript:
        print("SKIPPED: docs/r.md, for there is no Rscript")
        return 0
    installed = installed_of(rscript, PACKAGES + PARQUET)
    if missing := [package for package in PACKAGES if package not in installed]:
        print(f"SKIPPED: docs/r.md, for R has no {', '.join(missing)}")
        return 0
    if not any(package in installed for package in PARQUET):
        print("SKIPPED: tables as Parquet in docs/r.md, for R has neither nanoparquet nor arrow; they are read as CSV")

    text = PAGE.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    if len(blocks) != len(re.findall(r"^ *```r\b", text, re.MULTILINE)):
        print("docs/r.md: a block of R is not closed, or is not at the beginning of its lines", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="plymap-r-") as folder:
        return executes(blocks, text, Path(folder), os.path.abspath(program), rscript, options.update)


def installed_of(rscript, packages):
    """Those of the packages that R can load."""
    names = ", ".join(f'"{package}"' for package in packages)
    ask = f"for (p in c({names})) if (suppressMessages(requireNamespace(p, quietly = TRUE))) cat(p, '')"
    return subprocess.run([rscript, "-e", ask], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout.split()


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def executes(blocks, text, folder, program, rscript, update):
    """Executes all blocks, compares what they print, and says how it went; the exit code."""
    session = folder / "session"
    here = session / "work"
    shutil.copytree(ROOT / "data" / "demo", here / "data" / "demo")
    files_before = files_of(here)
    (session / "session.R").write_text(SESSION, encoding="utf-8")
    scripts = [session / f"block-{number:02}.R" for number in range(1, len(blocks) + 1)]
    for script, block in zip(scripts, blocks):
        script.write_text(block["code"], encoding="utf-8")

    library = folder / "library"
    library.mkdir()
    install = ["R", "CMD", "INSTALL", "--no-docs", f"--library={library}", str(ROOT / "r")]
    installed = subprocess.run(install, capture_output=True, encoding="utf-8")
    if installed.returncode != 0:
        print(f"{installed.stderr}\ndocs/r.md: FAILED: the package for R cannot be installed", file=sys.stderr)
        return 1

    # The cache of plymap and the temporary folder of R go where they are removed; messages are in English.
    (folder / "tmp").mkdir()
    environment = os.environ | {
        "PLYMAP": program,
        "R_LIBS": str(library),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "TMPDIR": str(folder / "tmp"),
        "LC_ALL": "C.UTF-8",
        "LANGUAGE": "en",
        "R_PROFILE_USER": os.devnull,
    }
    began = time.monotonic()
    command = [rscript, "--no-save", "--no-restore", str(session / "session.R"), *map(str, scripts)]
    try:
        run = subprocess.run(
            command, cwd=here, env=environment, capture_output=True, encoding="utf-8", timeout=MOST_SECONDS
        )
    except subprocess.TimeoutExpired:
        print(f"docs/r.md: FAILED: it takes more than {MOST_SECONDS} s", file=sys.stderr)
        return 1
    seconds = time.monotonic() - began
    outputs = [Path(f"{script}.out") for script in scripts]
    if run.returncode != 0:
        number = sum(output.exists() for output in outputs)
        line = line_of(text, blocks[number - 1].start("code")) if number else 1
        print(run.stderr[-6000:], file=sys.stderr)
        print(f"docs/r.md: FAILED: block {number} of {len(blocks)}, which begins at line {line}", file=sys.stderr)
        return 1
    checks = (here / "checks").read_text().strip()
    (here / "checks").unlink()
    if changed := files_before ^ files_of(here):
        names = sorted(str(file) for file, _ in changed)
        print(f"docs/r.md: FAILED: the page writes into the folder that it is in: {names[:5]}", file=sys.stderr)
        return 1

    printed = [output.read_text(encoding="utf-8") for output in outputs]
    if update:
        PAGE.write_text(with_outputs(text, blocks, printed), encoding="utf-8")
    else:
        differences = [of for block, says in zip(blocks, printed) for of in differing(text, block, says)]
        if differences:
            print("\n".join(differences), file=sys.stderr)
            print("docs/r.md: FAILED: blocks print something else than the page shows", file=sys.stderr)
            return 1
    compared = sum(block["shown"] is not None for block in blocks)
    print(
        f"docs/r.md: {len(blocks)} blocks executed, {checks} checks passed, {compared} outputs as shown "
        f"({seconds:.0f} s)"
    )
    return 0


def files_of(folder):
    """All files in it, with what they hold."""
    return {(file.relative_to(folder), file.read_bytes()) for file in folder.rglob("*") if file.is_file()}


def tidy(text):
    """Without blanks at the ends of lines, which R prints and editors remove."""
    return "".join(f"{line.rstrip()}\n" for line in text.rstrip().splitlines())


def differing(text, block, says):
    """Where a block prints something else than the page shows."""
    shown, says = tidy(block["shown"] or ""), tidy(says)
    if shown == says:
        return []
    name = f"docs/r.md, block at line {line_of(text, block.start('code'))}"
    lines = difflib.unified_diff(shown.splitlines(), says.splitlines(), f"{name}: shown", "printed", lineterm="")
    return list(lines)


def with_outputs(text, blocks, printed):
    """The page with what its blocks print."""
    parts, end = [], 0
    for block, says in zip(blocks, printed):
        code_end = block.end("code") + len("```\n")
        parts.append(text[end:code_end])
        if says.strip():
            parts.append(f"\n```text\n{tidy(says)}```\n")
        end = block.end()
    return "".join([*parts, text[end:]])


if __name__ == "__main__":
    sys.exit(main())
