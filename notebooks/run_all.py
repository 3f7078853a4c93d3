#!/usr/bin/env python3
"""Executes the notebooks of this folder, in their order.

    python notebooks/run_all.py [FOLDER]

Prints `name: ok (N cells, S s)` for each, and ends with 1 if one of them fails or is stored with outputs. With FOLDER,
executed copies are written there, also of a notebook that failed, up to the cell that did. The notebooks themselves
are not touched. Needs nbclient, ipykernel and what requirements.txt lists.
"""

import os
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError

HERE = Path(__file__).resolve().parent

# A notebook that takes longer has gone wrong.
MOST_SECONDS = 600


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0 if arguments in (["-h"], ["--help"]) else 2
    copies = Path(arguments[0]) if arguments else None
    if copies:
        copies.mkdir(parents=True, exist_ok=True)
    if "PLYMAP" in os.environ:
        # Notebooks run in their own folder: a path from here must be one from there too.
        os.environ["PLYMAP"] = absolute(os.environ["PLYMAP"])
    files = sorted(HERE.glob("*.ipynb"))
    if not files:
        print(f"no notebooks in {HERE}", file=sys.stderr)
        return 1
    return 0 if all([executes(file, copies) for file in files]) else 1


def absolute(program):
    """A program that is named by a path, by its absolute one; a bare name is left to the PATH."""
    return os.path.abspath(program) if os.path.dirname(program) else program


def executes(file, copies):
    """Executes one notebook and says how it went; whether it went well."""
    notebook = nbformat.read(file, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if any(cell.outputs or cell.execution_count for cell in code):
        print(f"{file.stem}: FAILED: it is stored with outputs; clear them before you save it", flush=True)
        return False
    deadline = time.monotonic() + MOST_SECONDS

    def seconds_left(_cell):
        return max(1, int(deadline - time.monotonic()))

    client = NotebookClient(
        notebook, timeout_func=seconds_left, kernel_name="python3", resources={"metadata": {"path": str(HERE)}}
    )
    began = time.monotonic()
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError) as error:
        print(f"{file.stem}: FAILED\n{error}", flush=True)
        return False
    finally:
        if copies:
            nbformat.write(notebook, copies / file.name)
    print(f"{file.stem}: ok ({len(code)} cells, {time.monotonic() - began:.0f} s)", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
