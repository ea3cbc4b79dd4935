"""The experiment behind the page Choose ε: what an ε costs, whom, and what an attacker can do."""

from dpcore.experiments.choose.attack import knows_all, most_right, sees_model
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
from dpcore.experiments.choose.params import CLASSIFIERS, GOAL_GRID, REGRESSORS, ChooseParams
from dpcore.experiments.choose.problem import Problem, named_problem

__all__ = [
    "CLASSIFIERS",
    "GOAL_GRID",
    "NODES",
    "N_DRAWS",
    "REGRESSORS",
    "ChooseParams",
    "Costs",
    "Problem",
    "Tried",
    "between",
    "code",
    "element_epsilon",
    "grow",
    "guarantee",
    "knows_all",
    "most_right",
    "named_problem",
    "one_draw",
    "run",
    "sees_model",
]
