"""What a check in the browser has looked at."""


class Check:
    """What was looked at, and what was wrong."""

    def __init__(self):
        self.n_checks = 0
        self.faults = []

    def that(self, is_so, fault):
        self.n_checks += 1
        if not is_so:
            self.faults.append(fault)
        return is_so
