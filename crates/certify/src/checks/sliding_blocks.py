class Level:
    """Rush Hour: pieces slide along their lines, until the target stands at its exit or, by its goal, can go there."""

    def __init__(self, row):
        self.row, self.width = row, int(row["width"])
        start = self.read(row["start"])
        # What leads from a cell to the next one on the line of each piece: to the right, or down.
        cells = {piece: [cell for cell, other in enumerate(start) if other == piece] for piece in start}
        self.steps = {piece: cells[piece][1] - cells[piece][0] for piece in cells if piece not in ".x#"}

    def read(self, board):
        """The board with a frame of # around it, row after row: nothing slides out of it."""
        rows = [f"#{board[first:first + self.width]}#" for first in range(0, len(board), self.width)]
        return "#" * (self.width + 2) + "".join(rows) + "#" * (self.width + 2)

    def is_goal(self, state):
        target, is_forward = self.row["target"], self.row["exit"] in ("right", "bottom")
        step = self.steps[target] * (1 if is_forward else -1)
        cell = (state.rindex(target) if is_forward else state.index(target)) + step
        while self.row["goal"] == "path-clear" and state[cell] == ".":
            cell += step
        return state[cell] == "#"

    def after_moves(self, state):
        for piece, along in self.steps.items():
            for step in (along, -along):
                cells, (back, front) = list(state), sorted((state.index(piece), state.rindex(piece)), reverse=step < 0)
                while cells[front + step] == ".":
                    cells[front + step], cells[back], front, back = piece, ".", front + step, back + step
                    yield "".join(cells)
                    if self.row["metric"] == "cell":
                        break
