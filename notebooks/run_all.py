#!/usr/bin/env python3
"""Executes the notebooks of this folder, in their order.

    python notebooks/run_all.py [FOLDER]

Prints `name: ok (N cells, S s)` for each, and ends with 1 if one of them fails or is stored with outputs. With FOLDER,
executed copies are written there, also of a notebook that failed, up to the cell that did. The notebooks themselves
are not touched. Needs plymap, nbclient, ipykernel and what requirements.txt lists.
"""

import subprocess
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
    # From the folder of the notebooks, as they do: a relative PYTHONPATH would lead elsewhere from there.
    tried = subprocess.run([sys.executable, "-c", "import plymap"], cwd=HERE, capture_output=True, text=True)
    if tried.returncode:
        why = (tried.stderr.strip() or "no reason was given").splitlines()[-1]
        print(f"{sys.executable} cannot import plymap: {why}", file=sys.stderr)
        print(f"Install the package into this environment: {sys.executable} -m pip install {HERE.parent / 'python'}", file=sys.stderr)
        print("This builds it, which needs Rust; docs/install.md has wheels, which do not.", file=sys.stderr)
        return 1
    files = sorted(HERE.glob("*.ipynb"))
    if not files:
        print(f"no notebooks in {HERE}", file=sys.stderr)
        return 1
    return 0 if all([executes(file, copies) for file in files]) else 1


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
