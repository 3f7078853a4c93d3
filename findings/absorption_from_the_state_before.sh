#!/usr/bin/env bash
# The absorption probabilities and times of jmarkov are those of another start when an absorbing state comes before it in the
# matrix: states are then counted among the transient ones alone.
#
# Versions: jmarkov 0.3.13, PyDTMC 8.7.0, numpy 1.26.4, scipy 1.17.1, networkx 3.6.1, matplotlib 3.7.3.
# Input:    the gambler's ruin as a puzzle: states 0 (gave up) to 4 (solved), a step up or down by chance from 1, 2 and 3. The
#           same chain with the states in the order 1, 2, 3, 0, 4; a chain of three states that is never absorbed; and the one
#           of two states in which each move is a coin.
# Guess:    absorbtion_probabilities(4, start) is start / 4: .25, .5 and .75. The time in state 2 from 2 is 2 visits. The
#           passage to another state in the chain that goes on is a number of steps. The coin has period 1 and is ergodic.
# Seen:     .5 from 1 and .75 from 2; from 3 an IndexError. Visits to 2 from 2: 1.5, which are those to 3 from 3. With the
#           states in the other order all are right, as in PyDTMC in both: the rows of the matrix of transient states are taken
#           by the number in the whole chain. In the chain that goes on, absorbtion_times, which its text calls the mean first
#           passage time there, is a row of visits, and that of the next state. The coin has period 2 and is not ergodic, as
#           staying at once is not looked at.
# So:       put absorbing states last, or take them from PyDTMC; first_passage_time is right (it leaves out the target).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check jmarkov==0.3.13 PyDTMC==8.7.0 numpy==1.26.4 scipy==1.17.1 \
    networkx==3.6.1 matplotlib==3.7.3
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from jmarkov.dtmc import dtmc
from pydtmc import MarkovChain


def ruin(order):
    step = np.eye(5)
    for state in (1, 2, 3):
        step[state] = 0
        step[state, [state - 1, state + 1]] = 0.5
    return step[np.ix_(order, order)]


def number(value):
    return round(float(np.squeeze(value)), 3)


def tried(call):
    try:
        return number(call())
    except IndexError:
        return "IndexError"


found = {}
for order in ([0, 1, 2, 3, 4], [1, 2, 3, 0, 4]):
    chain, names = ruin(order), [str(state) for state in order]
    solved = [tried(lambda: dtmc(chain).absorbtion_probabilities(order.index(4), order.index(start))) for start in (1, 2, 3)]
    visits = tried(lambda: dtmc(chain).absorbtion_times(order.index(2), order.index(2)))
    other = MarkovChain(chain, names)
    by_pydtmc = other.absorption_probabilities()[[s for s in names if s in "04"].index("4")]
    assert np.allclose(by_pydtmc, [0.25, 0.5, 0.75]) and np.isclose(other.fundamental_matrix[1][1], 2)
    found["".join(names)] = (solved, visits)
    print(f"states in the order {''.join(names)}: solved from 1, 2 and 3: {solved}; visits to 2 from 2: {visits}")
on = np.array([[0.2, 0.5, 0.3], [0.4, 0.1, 0.5], [0.3, 0.3, 0.4]])
times = np.linalg.solve(np.eye(2) - on[1:, 1:], np.ones(2))
said = dtmc(on).absorbtion_times(0, 1)
assert np.allclose(dtmc(on).first_passage_time(0).ravel(), times)
assert np.allclose(said, np.linalg.inv(np.eye(2) - on[1:, 1:])[1]) and np.isclose(said.sum(), times[1])
print(f"steps from 1 to 0: {times[0]:.3f}; absorbtion_times(0, 1): {said.round(3)}, of which the sum is the time from 2")
coin = dtmc(np.full((2, 2), 0.5))
print(f"coin: period {coin.period()}, ergodic {coin.is_ergodic()}")
assert MarkovChain(np.full((2, 2), 0.5)).period == 1
assert found == {
    "01234": ([0.5, 0.75, "IndexError"], 1.5), "12304": ([0.25, 0.5, 0.75], 2.0)
} and coin.period() == 2 and not coin.is_ergodic(), "it behaves otherwise now"
PYTHON
