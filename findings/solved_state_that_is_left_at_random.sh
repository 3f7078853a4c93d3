#!/usr/bin/env bash
# A Markov chain that PyDTMC fits to the moves of people leaves the solved state, which nobody left, for each state with the same
# probability.
#
# Versions: PyDTMC 8.7.0, numpy 1.26.4, scipy 1.17.1, networkx 3.6.1, matplotlib 3.7.3.
# Input:    a play from the start s by a and b to the goal g: s a b a s a b g; fitted by "map", and by maximum
#           likelihood ("mle") with and without the smoothing of the package (fitting_param=False).
# Guess:    a state from which nothing was seen to lead is absorbing, or has no row (refused): the chain is absorbing, and gives
#           the expected number of moves to g.
# Seen:     the row of g is 1/4, 1/4, 1/4, 1/4 in all three, while the other rows follow the counts. The chain has no absorbing
#           state, is_absorbing is False, and in the long run 81 of 100 steps are anywhere but at the goal. With the row of g set to
#           stay, the same library finds 7 moves from s to g.
# So:       set the row of the goal by hand before MarkovChain(p, states) is made; a state where people gave up, at the end of
#           a log, has such a row too, and 1/n of its moves lead into the goal.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check PyDTMC==8.7.0 numpy==1.26.4 scipy==1.17.1 networkx==3.6.1 \
    matplotlib==3.7.3
MPLBACKEND=agg "$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from pydtmc import MarkovChain

states, play = [*"sabg"], [*"sabasabg"]
for method, parameter in (("map", None), ("mle", None), ("mle", False)):
    chain = MarkovChain.fit_sequence(method, states, play, parameter)
    row = [float(value) for value in chain.p[3]]
    print(f"{method}, {parameter}: row of g {row}, absorbing states {chain.absorbing_states}, is_absorbing {chain.is_absorbing}")
    assert row == [0.25] * 4 and not chain.absorbing_states and not chain.is_absorbing, "it behaves otherwise now"
    at_goal = float(chain.pi[0][3])
    print(f"    in the long run at g: {at_goal:.3f}")
    assert abs(at_goal - 0.19) < 0.005, "it behaves otherwise now"
by_hand = np.array(chain.p)
by_hand[3] = [0, 0, 0, 1]
chain = MarkovChain(by_hand, states)
moves = [round(float(value), 3) for value in chain.mean_absorption_times()]
print(f"with g that stays: absorbing states {chain.absorbing_states}, moves to g {dict(zip('sab', moves))}")
assert chain.is_absorbing and moves == [7, 6, 4], "it behaves otherwise now"
PYTHON
