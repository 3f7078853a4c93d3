"""Maps of Rush Hour beside graph libraries: the distance of every state to its nearest goal.

plymap maps each board from its text, the process as a whole, on one thread: with all numbers of the level, and with
distances alone. The peers get the ready graph, as two arrays of numbers, and are timed from there: construction of the
graph, and a search from all goals at once. Numbers of states, edges and states at each distance are asserted to be equal.
Prints processor seconds, memory, exponents of growth with states, and instructions where valgrind is installed. The peer
that is written in Rust, petgraph with a hash map, is in `cargo bench -p plymap-puzzles --bench map`.

    pip install polars numpy igraph networkx rustworkx
    python3 benches/maps.py target/release/plymap
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

# Boards with their states and edges, and the largest distance.
BOARDS = [
    ("IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", 2_332, 7_733, 60),
    ("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.", 4_780, 18_691, 51),
    ("B..CDDBEEC.F.G.AAF.GHHIJKKL.IJ..L.MM", 278_666, 1_881_606, 24),
    ("BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ...", 541_934, 4_174_704, 15),
]

# Each reads `graph.npz` and prints processor seconds and the number of states at each distance.
PEERS = {
    "igraph": """
begun = time.process_time()
graph = igraph.Graph(n=n + 1, edges=np.concatenate([edges, np.stack([goals, np.full_like(goals, n)], 1)]))
distances = np.array(graph.distances(source=n)[0][:n]) - 1
""",
    "rustworkx": """
begun = time.process_time()
graph = rustworkx.PyGraph(multigraph=False)
graph.add_nodes_from(range(n + 1))
graph.extend_from_edge_list([*map(tuple, edges.tolist()), *((goal, n) for goal in goals.tolist())])
lengths = rustworkx.graph_dijkstra_shortest_path_lengths(graph, n, lambda _: 1.0)
distances = np.array([lengths[node] - 1 for node in range(n)], dtype=int)
""",
    "networkx": """
begun = time.process_time()
graph = networkx.Graph()
graph.add_nodes_from(range(n))
graph.add_edges_from(edges.tolist())
lengths = networkx.multi_source_dijkstra_path_length(graph, set(goals.tolist()))
distances = np.array([lengths[node] for node in range(n)], dtype=int)
""",
}
AROUND = """
import sys, time, json, numpy as np, {name}
graph = np.load(sys.argv[1])
edges, goals, n = graph["edges"], graph["goals"], int(graph["n"])
{work}
print(json.dumps([time.process_time() - begun, np.bincount(distances).tolist()]))
"""


# The memory of a process counts that of the one it was begun from, which therefore is a small one.
MEASURE = """
import json, os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(json.dumps([usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024]))
sys.exit(os.waitstatus_to_exitcode(status))
"""


def timed(command):
    """Processor seconds and memory in MB of a command, and what it prints."""
    command = [sys.executable, "-S", "-c", MEASURE, *command]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    *printed, usage = printed.splitlines()
    return *json.loads(usage), "\n".join(printed)


def instructions(command):
    """Millions of instructions of a command, where valgrind is installed."""
    if not shutil.which("valgrind"):
        return None
    options = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    said = subprocess.run(["valgrind", *options, *command], capture_output=True, text=True, check=True).stderr
    return int(re.search(r"I\s+refs:\s+([\d,]+)", said).group(1).replace(",", "")) / 1e6


def graph_of(plymap, board, folder):
    """The graph of a board as plymap writes it, and the number of states at each distance."""
    subprocess.run([plymap, "--quiet", "map", board, "--edges", "--out", folder / "graph"], check=True)
    distances = pl.read_parquet(folder / "graph/distances/board.parquet")
    edges = pl.read_parquet(folder / "graph/edges/board.parquet", columns=["from", "to"])
    number = distances.select("state", "state_id")
    for end in ("from", "to"):
        edges = edges.join(number, left_on=end, right_on="state").rename({"state_id": f"{end}_id"})
    edges = edges.select("from_id", "to_id").filter(pl.col("from_id") < pl.col("to_id")).to_numpy().astype(np.int64)
    goals = distances.filter("is_goal")["state_id"].to_numpy().astype(np.int64)
    shutil.rmtree(folder / "graph")
    np.savez(folder / "graph.npz", edges=edges, goals=goals, n=distances.height)
    return len(edges), np.bincount(distances["distance"].to_numpy()).tolist()


def measure(plymap, board, repeats, folder):
    """A row for each program: seconds, memory, instructions."""
    (folder / "board.txt").write_text(board[0] + "\n")
    path = folder / "board.txt"
    n_edges, layers = graph_of(plymap, path, folder)
    assert (sum(layers), n_edges, len(layers) - 1) == board[1:], (sum(layers), n_edges, len(layers) - 1)
    rows = {}
    for name, options in {"plymap, all numbers": [], "plymap, distances": ["--numbers", "distances"]}.items():
        command = [plymap, "--quiet", "--threads", "1", "map", path, "--no-distances", "--format", "csv"]
        command += [*options, "--out", folder / "maps"]
        runs = []
        for _ in range(repeats):
            runs.append(timed(command)[:2])
            written = pl.read_csv(folder / "maps/tables/levels.csv")["distance_histogram"][0]
            assert [int(count) for count in str(written).split()] == layers
            shutil.rmtree(folder / "maps")
        count = instructions([str(part) for part in command])
        shutil.rmtree(folder / "maps", ignore_errors=True)
        rows[name] = (min(run[0] for run in runs), max(run[1] for run in runs), count)
    for name, work in PEERS.items():
        text = AROUND.format(name=name, work=work)
        runs = []
        for _ in range(1 if board[1] > 100_000 else repeats):
            _, memory, printed = timed([sys.executable, "-c", text, folder / "graph.npz"])
            seconds, found = json.loads(printed)
            assert found == layers, name
            runs.append((seconds, memory))
        rows[name] = (min(run[0] for run in runs), max(run[1] for run in runs), None)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plymap", type=lambda path: str(Path(path).absolute()))
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    table = {}
    for board in BOARDS:
        with tempfile.TemporaryDirectory() as folder:
            rows = measure(arguments.plymap, board, arguments.repeats, Path(folder))
        best = rows["plymap, distances"][0]
        print(f"\n{board[0]}: {board[1]} states, {board[2]} edges")
        for name, (seconds, memory, count) in rows.items():
            table.setdefault(name, []).append((board[1], seconds))
            counted = f", {count:,.0f} million instructions" if count else ""
            print(f"  {name:20} {seconds:8.3f} s, {seconds / best:7.1f} times, {memory:6.0f} MB{counted}")
    print("\nexponents of processor seconds with states, of the two largest boards:")
    for name, points in table.items():
        (states, seconds), (most, longest) = points[-2:]
        print(f"  {name:20} {np.log(longest / seconds) / np.log(most / states):.2f}")


if __name__ == "__main__":
    main()
