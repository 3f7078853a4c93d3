"""What a program of its own format reads in an export of plymap, as one JSON object.

    python tests/oracles/read_export.py graphml LEVEL.graphml
    python tests/oracles/read_export.py gexf LEVEL.gexf
    python tests/oracles/read_export.py xes LOG.xes
    python tests/oracles/read_export.py bids FOLDER
    python tests/oracles/read_export.py psych-ds FOLDER
    python tests/oracles/read_export.py parquet TABLE.parquet

Readers: networkx; rustxes; the validator of BIDS (PyPI bids-validator-deno) with pandas; rdflib, which reads the JSON-LD of
Psych-DS, with pandas, and the validator of Psych-DS where PLYMAP_PSYCHDS_VALIDATOR gives its command. Ends with exit code
77 where one of them is absent.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ABSENT = 77


def absent(what):
    print(what, file=sys.stderr)
    sys.exit(ABSENT)


def graph(path, read):
    import networkx

    graph = getattr(networkx, read)(path)
    nodes = dict(graph.nodes(data=True))
    steps = {(a, b): 0 for a, b in graph.edges()}
    start = next(name for name, data in nodes.items() if data["is_start"])
    goals = [name for name, data in nodes.items() if data["is_goal"]]
    to_start = networkx.single_source_shortest_path_length(graph, start)
    return {
        "directed": graph.is_directed(),
        "n_nodes": len(nodes),
        "n_edges": graph.number_of_edges(),
        "n_pairs": len(steps),
        "start": nodes[start]["state"],
        "n_goals": len(goals),
        # By networkx itself, not as the file has it.
        "start_distance": min(to_start[goal] for goal in goals),
        "sum_of_distances": sum(data["distance"] for data in nodes.values() if "distance" in data),
        "n_visits": sum(data["n_visits"] for data in nodes.values()),
        "moves": sorted({data["move"] for _, _, data in graph.edges(data=True)}),
        "costs": sorted({data["cost"] for _, _, data in graph.edges(data=True)}),
    }


def xes(path):
    import rustxes

    log, _ = rustxes.import_xes(path)
    first = log.row(0, named=True)
    times = log["time:timestamp"].drop_nulls()
    return {
        "n_traces": log["case:concept:name"].n_unique(),
        "n_events": len(log),
        "first_trace": first["case:concept:name"],
        "first_event": first["concept:name"],
        "first_time": times[0].isoformat(),
        "first_quality": first.get("quality"),
        "resources": sorted(log["org:resource"].unique().to_list()),
        "n_optimal": int(log["is_optimal"].sum() or 0),
        "sum_of_times": float(log["rt_s"].sum()),
    }


def parquet(path):
    import pandas

    table = pandas.read_parquet(path)
    return {"n_rows": len(table), "dtypes": {name: str(dtype) for name, dtype in table.dtypes.items()}}


def bids(folder):
    import pandas

    validator = shutil.which("bids-validator-deno", path=str(Path(sys.executable).parent)) or shutil.which(
        "bids-validator-deno"
    )
    if not validator:
        absent("there is no bids-validator-deno")
    command = [validator, "--format", "json", str(folder)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    issues = json.loads(said.stdout)["issues"]["issues"]
    files = sorted(Path(folder).glob("sub-*/**/*_beh.tsv"))
    rows = [pandas.read_csv(file, sep="\t", na_values=["n/a"], keep_default_na=False) for file in files]
    participants = pandas.read_csv(Path(folder) / "participants.tsv", sep="\t", dtype=str)
    return {
        "errors": sorted({issue["code"] for issue in issues if issue["severity"] == "error"}),
        "warnings": sorted({issue["code"] for issue in issues if issue["severity"] == "warning"}),
        "files": [file.relative_to(folder).as_posix() for file in files],
        "n_rows": sum(len(table) for table in rows),
        "n_missing_conditions": int(sum(table["condition"].isna().sum() for table in rows)),
        "participants": participants.to_dict("records"),
        "participants_of_rows": sorted({str(name) for table in rows for name in table["participant"]}),
    }


def psych_ds(folder):
    import pandas
    import rdflib

    (file,) = sorted(Path(folder).glob("data/*_data.csv"))
    table = pandas.read_csv(file)
    description = json.loads((Path(folder) / "dataset_description.json").read_text(encoding="utf-8"))
    # The context of schema.org is some hundred kilobytes behind a network; all it says of these terms is where they belong.
    context = description.pop("@context")
    description["@context"] = {"@vocab": context}
    graph = rdflib.Graph().parse(data=json.dumps(description), format="json-ld")
    schema = rdflib.Namespace(context)
    dataset = graph.value(predicate=rdflib.RDF.type, object=schema.Dataset)
    variables = list(graph.objects(dataset, schema.variableMeasured))
    read = {
        "name": str(graph.value(dataset, schema.name)),
        "variables": sorted(str(graph.value(one, schema.name) or one) for one in variables),
        "columns": sorted(table.columns),
        "file": file.name,
        "n_rows": len(table),
        "validator": None,
    }
    if command := os.environ.get("PLYMAP_PSYCHDS_VALIDATOR"):
        command = [*shlex.split(command), "--json", str(folder)]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
        errors = sorted({issue["key"] for issue in found["issues"] if issue["severity"] == "error"})
        read["validator"] = {"valid": found["valid"], "errors": errors}
    return read


def main():
    what, path = sys.argv[1:]
    readers = {
        "graphml": lambda path: graph(path, "read_graphml"),
        "gexf": lambda path: graph(path, "read_gexf"),
        "xes": xes,
        "bids": bids,
        "psych-ds": psych_ds,
        "parquet": parquet,
    }
    try:
        read = readers[what](path)
    except ModuleNotFoundError as error:
        absent(str(error))
    # Programs print banners of their own: the last line is the answer.
    print(json.dumps(read), flush=True)
    # All is said. Threads of the readers sometimes abort while the interpreter ends, on a busy machine.
    os._exit(0)


if __name__ == "__main__":
    main()
