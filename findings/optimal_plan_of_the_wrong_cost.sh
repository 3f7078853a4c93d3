#!/usr/bin/env bash
# unified-planning says of a plan that costs 10 that the problem, whose costs are to be least, is solved optimally; a plan that
# costs 3 is there.
#
# Versions: unified-planning 1.3.0, up-pyperplan 1.1.0, pyperplan 2.1.
# Input:    four places in a row: a leap from the first to the last for a cost of 10, three steps of 1, and the metric
#           MinimizeActionCosts. Solved by the engines "pyperplan" and "pyperplan-opt".
# Guess:    the planner counts actions alone, so that the library refuses it for this metric, or grades its answer as that of
#           the engine without a guarantee: SOLVED_SATISFICING.
# Seen:     both plans are the leap, of cost 10 by the validator of the same library, which finds 3 for the steps. The status
#           is SOLVED_SATISFICING of "pyperplan" and SOLVED_OPTIMALLY of "pyperplan-opt". Both give one general warning, that
#           nobody knows whether the engine can solve this problem; neither names the metric that is left out.
#           Asked for an optimal engine by the kind of the problem, the library finds that none is installed.
# So:       ask in this way, not by name, before distances of a level are taken from plans, and let the validator evaluate the
#           metric of each.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check unified-planning==1.3.0 up-pyperplan==1.1.0 pyperplan==2.1
cd "$folder"
"$folder/python/bin/python" - <<'PYTHON'
import warnings

import unified_planning.shortcuts as up
from unified_planning.exceptions import UPNoSuitableEngineAvailableException
from unified_planning.plans import ActionInstance, SequentialPlan

up.get_environment().credits_stream = None
problem = up.Problem("row")
places = [problem.add_fluent(f"at_{place}", default_initial_value=False) for place in range(4)]
costs = {}
for name, start, end, cost in (("leap", 0, 3, 10), ("first", 0, 1, 1), ("second", 1, 2, 1), ("third", 2, 3, 1)):
    action = up.InstantaneousAction(name)
    action.add_precondition(places[start])
    action.add_effect(places[start], False)
    action.add_effect(places[end], True)
    problem.add_action(action)
    costs[action] = up.Int(cost)
problem.set_initial_value(places[0], True)
problem.add_goal(places[3])
problem.add_quality_metric(up.MinimizeActionCosts(costs))


def cost_of(plan):
    with up.PlanValidator(problem_kind=problem.kind, plan_kind=plan.kind) as validator:
        return int(str(next(iter(validator.validate(problem, plan).metric_evaluations.values()))))


found = {}
for engine in ("pyperplan", "pyperplan-opt"):
    with warnings.catch_warnings(record=True) as warned, up.OneshotPlanner(name=engine) as planner:
        warnings.simplefilter("always")
        result = planner.solve(problem)
    names = [step.action.name for step in result.plan.actions]
    words = [str(warning.message) for warning in warned]
    found[engine] = (result.status.name, names, cost_of(result.plan), len(words))
    print(f"{engine}: {result.status.name}, plan {names} of cost {found[engine][2]}; warned: {words}")
    assert not any("metric" in word or "cost" in word for word in words), "it says now that the costs are left out"
steps = cost_of(SequentialPlan([ActionInstance(problem.action(name)) for name in ("first", "second", "third")]))
print(f"three steps: cost {steps}")
try:
    up.OneshotPlanner(problem_kind=problem.kind, optimality_guarantee=up.OptimalityGuarantee.SOLVED_OPTIMALLY)
    raise SystemExit("an engine is found by kind now")
except UPNoSuitableEngineAvailableException:
    print("by the kind of the problem: no engine")
assert steps == 3 and found == {
    "pyperplan": ("SOLVED_SATISFICING", ["leap"], 10, 1),
    "pyperplan-opt": ("SOLVED_OPTIMALLY", ["leap"], 10, 1),
}, "it behaves otherwise now"
PYTHON
