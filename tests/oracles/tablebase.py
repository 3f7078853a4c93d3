"""Reads a tablebase of pebbles on a graph, and finds every distance by a breadth-first search of its own."""

import json
import sys
import zlib
from itertools import combinations, permutations

HEAD = 2 << 16
PART = 1 << 16


def head(data):
    """The newer of the two heads."""
    heads = []
    for start in (0, HEAD // 2):
        magic, number, checksum, text = data[start : start + HEAD // 2].rstrip(b"\0").decode().rstrip("\n").split("\n")
        assert magic == "plymap tablebase 1" and int(checksum, 16) == zlib.crc32(text.encode())
        heads.append((int(number), json.loads(text)))
    return max(heads, key=lambda entry: entry[0])[1]


def places(said):
    """The place in the file of each position: block and place in it."""
    n = len(said["neighbours"])
    pebbles = [kind for kind in said["goals"][0] if kind]
    outer = said["outer_kinds"]
    orders = sorted(set(permutations([kind for kind in sorted(pebbles) if kind not in outer])))
    ranks = {order: rank for rank, order in enumerate(orders)}

    def subsets(vertices, k):
        return sorted(combinations(range(vertices), k), key=lambda subset: subset[::-1])

    def place(position):
        block, left = position.index(0), [vertex for vertex in range(n) if position[vertex]]
        for kind in outer:
            of_kind = tuple(at for at, vertex in enumerate(left) if position[vertex] == kind)
            all_subsets = known.setdefault((len(left), len(of_kind)), subsets(len(left), len(of_kind)))
            block = block * len(all_subsets) + all_subsets.index(of_kind)
            left = [vertex for vertex in left if position[vertex] != kind]
        return block, ranks[tuple(position[vertex] for vertex in left)]

    known = {}
    return place


def main(path):
    data = open(path, "rb").read()
    said = head(data)
    place = places(said)
    distances = {tuple(goal): 0 for goal in said["goals"]}
    layer, layers = list(distances), []
    while layer:
        layers.append(len(layer))
        following = []
        for position in layer:
            free = position.index(0)
            for vertex in said["neighbours"][free]:
                after = list(position)
                after[free], after[vertex] = after[vertex], 0
                after = tuple(after)
                if after not in distances:
                    distances[after] = len(layers)
                    following.append(after)
        layer = following
    assert said["layers"] == layers and said["is_complete"], (said["layers"], layers)
    for position, distance in distances.items():
        block, inner = place(position)
        start = HEAD + block * said["block_bytes"]
        if said["bits"] == 8:
            assert data[start + inner] == distance + 1, position
        else:
            assert data[start + inner // 4] >> inner % 4 * 2 & 3 == distance % 3 + 1, position
    # No other position has one.
    end = HEAD + said["n_blocks"] * said["block_bytes"]
    if said["bits"] == 8:
        n_reached = sum(byte > 0 for byte in data[HEAD:end])
    else:
        n_reached = sum((byte >> shift & 3) > 0 for byte in data[HEAD:end] for shift in (0, 2, 4, 6))
    assert n_reached == len(distances)
    parts = range(HEAD, end, PART)
    assert data[end:] == b"".join(zlib.crc32(data[part : min(part + PART, end)]).to_bytes(4, "little") for part in parts)
    print(f"{n_reached} distances agree")


main(sys.argv[1])
