#!/usr/bin/env bash
# The list of legal moves of 2048 in OpenSpiel lacks moves that the game has, and that the same library plays when it is told to:
# those that do nothing but merge into a tile that the move before has made.
#
# Version:  open-spiel 2.0.2.
# Input:    two tiles of 2 side by side in a corner; they are merged, and a 4 appears beside the 4. Then 200 games of a player
#           who draws among the legal moves (seed 2).
# Guess:    legal is what changes the board; "merged once" holds within one move.
# Seen:     of the row 4 4 . . in the first row Right and Down are legal, Left is not, though Left played by `apply_action` gives
#           8 . . . and the 8 points. In the 200 games 1,498 of 83,457 moves that change the board are missing, in 6 of 100
#           positions: all of them merge into a tile that was made by the move before, where no tile slides and no other pair
#           merges. Such a mark of the last move is not part of the board that is printed.
# So:       numbers of legal moves, chances to do well by chance, and whether a logged move was legal are not to be taken from this
#           list; a move changes the board or it is none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check open-spiel==2.0.2
"$folder/python/bin/python" - <<'PYTHON'
import random

import pyspiel

UP, RIGHT, DOWN, LEFT = range(4)
game = pyspiel.load_game("2048")


def board_of(state):
    numbers = [int(word) for word in str(state).split()]
    return [numbers[first : first + 4] for first in range(0, 16, 4)]


def lines_towards(board, move):
    """Its lines, each from the wall to which the move goes."""
    lines = board if move in (LEFT, RIGHT) else [list(column) for column in zip(*board)]
    return lines if move in (LEFT, UP) else [line[::-1] for line in lines]


def pushed(line):
    """A line after the move, and at which places of it a tile was made."""
    tiles, after, made = [tile for tile in line if tile], [], []
    while tiles:
        is_pair = len(tiles) > 1 and tiles[0] == tiles[1]
        after.append(2 * tiles[0] if is_pair else tiles[0])
        made.append(is_pair)
        del tiles[: 1 + is_pair]
    rest = 4 - len(after)
    return after + [0] * rest, made + [False] * rest


def made_by(board, move):
    lines = [pushed(line)[1] for line in lines_towards(board, move)]
    lines = lines if move in (LEFT, UP) else [line[::-1] for line in lines]
    return lines if move in (LEFT, RIGHT) else [list(row) for row in zip(*lines)]


def changes(line):
    return pushed(line)[0] != line


def changes_without_new_tiles(line, new):
    """Whether a tile slides, or merges into one that was there before the last move."""
    return any(far and (near == 0 or (near == far and not is_new)) for near, far, is_new in zip(line, line[1:], new))


state = game.new_initial_state()
for action in (0, 2, LEFT, 3):  # a 2 in the first cell, a 2 beside it, Left, a 4 beside what was merged
    state.apply_action(action)
legal = [state.action_to_string(action) for action in state.legal_actions()]
after = state.clone()
after.apply_action(LEFT)
print(f"{board_of(state)[0]}: legal are {legal}; Left gives {board_of(after)[0]} and {after.returns()[0]:.0f} points in all")
assert (board_of(state)[0], legal, board_of(after)[0], after.returns()) == ([4, 4, 0, 0], ["Right", "Down"], [8, 0, 0, 0], [12])

chance = random.Random(2)
n_moves = n_missing = n_explained = n_positions = n_short = 0
for _ in range(200):
    state, new = game.new_initial_state(), [[False] * 4] * 4
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes())
            state.apply_action(chance.choices(outcomes, weights)[0])
            continue
        board, listed = board_of(state), state.legal_actions()
        possible = [move for move in range(4) if any(map(changes, lines_towards(board, move)))]
        assert set(listed) <= set(possible)
        missing = set(possible) - set(listed)
        explained = [
            move
            for move in possible
            if not any(map(changes_without_new_tiles, lines_towards(board, move), lines_towards(new, move)))
        ]
        n_moves += len(possible)
        n_missing += len(missing)
        n_explained += set(explained) == missing and len(missing)
        n_positions += 1
        n_short += bool(missing)
        move = chance.choice(listed)
        new = made_by(board, move)
        state.apply_action(move)
print(f"{n_missing:,} of {n_moves:,} moves are missing, in {n_short:,} of {n_positions:,} positions; {n_explained:,} of them merge into a tile of the move before")
assert (n_missing, n_moves, n_positions, n_explained) == (1498, 83457, 23685, 1498), "it behaves otherwise now"
PYTHON
