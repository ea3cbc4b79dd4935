"""The experiment behind the page Choose ε: what an ε costs, whom, and what an attacker can do."""

from dpcore.experiments.choose.attack import MODELS_ATTACKED, best_attack, most_right, sees_model
from dpcore.experiments.choose.backwards import (
    Answer,
    People,
    enough_people,
    fit_law,
    goal_error,
    needed,
    ranked,
)
from dpcore.experiments.choose.classifiers import element_epsilon
from dpcore.experiments.choose.costs import (
    N_DRAWS,
    NODES,
    Costs,
    Tried,
    between,
    grow,
    methods_at,
    one_draw,
    run,
)
from dpcore.experiments.choose.events import method_event, noise_of
from dpcore.experiments.choose.far_values import FarValues, far_values
from dpcore.experiments.choose.guarantee import guarantee
from dpcore.experiments.choose.left import each_may_cost, hulls_together, together
from dpcore.experiments.choose.lookalike import N_LOOKALIKES, lookalike
from dpcore.experiments.choose.params import CLASSIFIERS, GOAL_GRID, REGRESSORS, ChooseParams
from dpcore.experiments.choose.problem import Problem, named_problem
from dpcore.experiments.choose.selection import MEAN_RUNS, charged_choice, charged_epsilon
from dpcore.experiments.choose.table_error import count_error, mean_error

__all__ = [
    "CLASSIFIERS",
    "GOAL_GRID",
    "MEAN_RUNS",
    "MODELS_ATTACKED",
    "NODES",
    "N_DRAWS",
    "N_LOOKALIKES",
    "REGRESSORS",
    "Answer",
    "ChooseParams",
    "Costs",
    "FarValues",
    "People",
    "Problem",
    "Tried",
    "best_attack",
    "between",
    "charged_choice",
    "charged_epsilon",
    "count_error",
    "each_may_cost",
    "element_epsilon",
    "enough_people",
    "far_values",
    "fit_law",
    "goal_error",
    "grow",
    "guarantee",
    "hulls_together",
    "lookalike",
    "mean_error",
    "method_event",
    "methods_at",
    "most_right",
    "named_problem",
    "needed",
    "noise_of",
    "one_draw",
    "ranked",
    "run",
    "sees_model",
    "together",
]
