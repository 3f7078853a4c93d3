"""Golden counts of the Tower of Hanoi, written from its rules in plain Python.

Run it from the folder of the project:

    python3 crates/puzzles/tests/oracles/tower_of_hanoi.py

It reads data/tower_of_hanoi/levels.txt and writes crates/puzzles/tests/golden/games/tower_of_hanoi.json. No package is needed. It
also checks the known lengths of full transfers: 2^n - 1 on three pegs (Lucas, 1883), Frame and Stewart's (1941) on four.
"""

import re

from tower_of_london import ROOT, blocks, count, write


def position(text):
    """The pegs as tuples of disks, bottom first."""
    dotted = "." in text
    pegs = []
    for peg in text.split("/"):
        peg = peg.strip()
        names = [] if peg == "-" else peg.split(".") if dotted else list(peg)
        pegs.append(tuple(int(name) for name in names))
    return tuple(pegs)


def moves(state):
    """Positions after each legal move: the last disk of a peg goes to an empty peg or onto a larger disk."""
    for source, disks in enumerate(state):
        for target, others in enumerate(state):
            if disks and source != target and (not others or others[-1] > disks[-1]):
                after = list(state)
                after[source] = disks[:-1]
                after[target] = others + disks[-1:]
                yield tuple(after)


def full(n_disks, n_pegs, peg):
    """All disks on one peg."""
    tower = tuple(range(n_disks, 0, -1))
    return tuple(tower if number == peg else () for number in range(n_pegs))


def frame_stewart(n_disks):
    """Moves of a full transfer on four pegs: the cheapest split over the number of disks put aside."""
    if n_disks == 0:
        return 0
    return min(2 * frame_stewart(aside) + 2 ** (n_disks - aside) - 1 for aside in range(n_disks))


def check_known_lengths():
    for n_disks in range(1, 8):
        transfer = count(full(n_disks, 3, 0), full(n_disks, 3, 2), moves)
        assert transfer["n_states"] == 3**n_disks
        assert transfer["start_distance"] == transfer["max_distance"] == 2**n_disks - 1
    for n_disks in range(1, 7):
        transfer = count(full(n_disks, 4, 0), full(n_disks, 4, 3), moves)
        assert transfer["n_states"] == 4**n_disks
        assert transfer["start_distance"] == frame_stewart(n_disks)


def main():
    check_known_lengths()
    file = "data/tower_of_hanoi/levels.txt"
    levels = []
    for name, settings, line in blocks(ROOT / file):
        assert not settings, settings
        size = re.fullmatch(r"(\d+) disks (\d+) pegs", line)
        if size:
            n_disks, n_pegs = int(size[1]), int(size[2])
            start, goal = full(n_disks, n_pegs, 0), full(n_disks, n_pegs, n_pegs - 1)
        else:
            start, goal = (position(side.strip()) for side in line.split(">"))
        levels.append((name, count(start, goal, moves)))
    write("tower-of-hanoi", file, levels, "crates/puzzles/tests/golden/games/tower_of_hanoi.json")


if __name__ == "__main__":
    main()
