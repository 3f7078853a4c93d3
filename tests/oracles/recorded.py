"""Where the recorded data are: docs/recorded_data.md."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def recorded_data(name):
    """A file or folder of the recorded data, below PLYMAP_RECORDED_DATA or ../shared/data, seen from the repository."""
    folder = ROOT / (os.environ.get("PLYMAP_RECORDED_DATA") or "../shared/data")
    path = folder / name
    if not path.exists():
        raise SystemExit(f"{name} is not in {folder}; PLYMAP_RECORDED_DATA may name another folder (docs/recorded_data.md)")
    return path
