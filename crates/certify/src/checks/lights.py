class Level:
    """Lights Out: a press inverts the lamps at some places from the pressed one; a lamp that is on is `*`."""

    def __init__(self, row):
        self.offsets = [tuple(map(int, offset.split(","))) for offset in row["offsets"].split()]
        self.has_edges = row["edges"] == "yes"

    def read(self, board):
        return board

    def is_goal(self, state):
        return "*" not in state

    def after_moves(self, state):
        rows = state.split("/")
        height, width = len(rows), len(rows[0])
        for number in range(height * width):
            lamps = [list(row) for row in rows]
            places = {(number // width + down, number % width + right) for down, right in self.offsets}
            if not self.has_edges:
                places = {(row % height, column % width) for row, column in places}
            for row, column in places:
                if 0 <= row < height and 0 <= column < width:
                    lamps[row][column] = "." if lamps[row][column] == "*" else "*"
            yield "/".join(map("".join, lamps))
