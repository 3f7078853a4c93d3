class Level:
    """Towers: the top item of a peg moves to another one; a ball where there is room, a disk onto no smaller one."""

    def __init__(self, row):
        self.has_disks, self.capacities = row["items"] == "disks", [int(n) for n in row["capacities"].split()]
        self.goal = self.read(row["goal"])

    def read(self, text):
        """The items of each peg from the bottom; from ten disks on there are dots between them."""
        pegs = [peg.strip("-") for peg in text.split("/")]
        return tuple(tuple(filter(None, peg.split("."))) if "." in text else tuple(peg) for peg in pegs)

    def is_goal(self, state):
        return state == self.goal

    def has_room(self, items, peg, item):
        if self.has_disks:
            return not items or int(item) < int(items[-1])
        return len(items) < self.capacities[peg]

    def after_moves(self, state):
        for here, peg in enumerate(state):
            for there, other in enumerate(state):
                if peg and here != there and self.has_room(other, there, peg[-1]):
                    pegs = list(state)
                    pegs[here], pegs[there] = peg[:-1], other + peg[-1:]
                    yield tuple(pegs)
