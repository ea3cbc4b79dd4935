"""The experiment behind the page Choose ε: what an ε costs, whom, and what an attacker can do."""

from dpcore.experiments.choose.attack import knows_all, most_right, sees_model
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
    one_draw,
    run,
)
from dpcore.experiments.choose.guarantee import code, guarantee
from dpcore.experiments.choose.left import each_may_cost, together
from dpcore.experiments.choose.params import CLASSIFIERS, GOAL_GRID, REGRESSORS, ChooseParams
from dpcore.experiments.choose.problem import Problem, named_problem
from dpcore.experiments.choose.table_error import count_error, mean_error

__all__ = [
    "CLASSIFIERS",
    "GOAL_GRID",
    "NODES",
    "N_DRAWS",
    "REGRESSORS",
    "Answer",
    "ChooseParams",
    "Costs",
    "People",
    "Problem",
    "Tried",
    "between",
    "code",
    "count_error",
    "each_may_cost",
    "element_epsilon",
    "enough_people",
    "fit_law",
    "goal_error",
    "grow",
    "guarantee",
    "knows_all",
    "mean_error",
    "most_right",
    "named_problem",
    "needed",
    "one_draw",
    "ranked",
    "run",
    "sees_model",
    "together",
]
