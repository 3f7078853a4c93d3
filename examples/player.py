"""A player for plymap: it never goes straight back if it can help it, and takes a goal that it sees.

plymap writes one JSON object a line to the standard input, and reads one line for each "choose".
"""

import json
import random
import sys

chance = random.Random(0)
visited = set()

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        # Seeds the random number generator, so that the same study gives the same moves again.
        chance = random.Random(message["seed"])
    elif message["type"] == "attempt":
        visited = {message["state"]}
    elif message["type"] == "choose":
        moves = message["moves"]
        best = [move for move in moves if move["goal"]]
        new = [move for move in moves if move["after"] not in visited]
        chosen = chance.choice(best or new or moves)
        visited.add(chosen["after"])
        # Without flush the answer may wait in a buffer until it is too late.
        print(json.dumps({"move": chosen["move"]}), flush=True)
    elif message["type"] == "end":
        break
