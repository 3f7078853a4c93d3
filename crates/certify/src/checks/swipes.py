class Level:
    """Match-the-Tiles: a swipe moves all blocks at once, each as far as walls, edges and other blocks let it."""

    def __init__(self, row):
        self.goals = row["goals"]

    def read(self, board):
        return tuple(board.split("/"))

    def is_goal(self, state):
        return all(cell in ".x" or cell.lower() == goal for cell, goal in zip("".join(state), self.goals))

    def after_moves(self, state):
        turned = ["".join(column) for column in zip(*state)]
        for lines, is_turned in ((state, False), (turned, True)):
            for to_end in (False, True):
                after = ["x".join(self.pushed(part, to_end) for part in line.split("x")) for line in lines]
                after = tuple("".join(column) for column in zip(*after)) if is_turned else tuple(after)
                if after != state:
                    yield after

    def pushed(self, part, to_end):
        blocks = part.replace(".", "")
        return blocks.rjust(len(part), ".") if to_end else blocks.ljust(len(part), ".")
