"""Shared by the scripts of this folder: writes the reference values beside the script."""

import json
import math
import pathlib
import platform

import numpy
import scipy


def plain(value):
    """Numbers, lists and records as JSON has them; what is not finite becomes null."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, numpy.ndarray):
        return plain(value.tolist())
    if isinstance(value, numpy.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def write(script, cases, **versions):
    """Writes `cases` to the JSON file of the script's name, one case a line, with the versions that made them."""
    path = pathlib.Path(script).with_suffix(".json")
    made_with = {"python": platform.python_version(), "numpy": numpy.__version__, "scipy": scipy.__version__}
    lines = ["{", f'"script": {json.dumps(pathlib.Path(script).name)},', f'"made_with": {json.dumps(made_with | versions)},']
    lists = cases if isinstance(cases, dict) else {"cases": cases}
    for number, (name, items) in enumerate(lists.items()):
        rows = [json.dumps(plain(item), ensure_ascii=False, allow_nan=False) for item in items]
        lines += [f"{json.dumps(name)}: [", ",\n".join(rows), "]," if number + 1 < len(lists) else "]"]
    path.write_text("\n".join(lines) + "\n}\n", encoding="utf-8")
