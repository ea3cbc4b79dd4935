"""The experiment behind the page Linear regression: fits through a noisy objective, and others."""

from dpcore.experiments.regression.compare import Comparison, compare, compared
from dpcore.experiments.regression.fits import (
    ALL,
    N_DRAWS,
    Fits,
    draw,
    gathered,
    grow,
    is_heavy,
    noise_scales,
    problem_of,
    run,
    unit_noise,
)
from dpcore.experiments.regression.guarantee import (
    estimator_call,
    guarantee,
    guarantees,
    shown_epsilon,
)
from dpcore.experiments.regression.neighbouring_runs import (
    SEPARABILITY_EDGES,
    NeighbouringRuns,
    neighbouring_runs,
)
from dpcore.experiments.regression.objective import (
    Objective,
    along,
    level_curves,
    objective,
    profile,
)
from dpcore.experiments.regression.params import (
    DOCUMENT,
    FEATURES_GRID,
    METHODS,
    SAMPLES_GRID,
    RegressionParams,
)
from dpcore.experiments.regression.problem import Problem, Setting, named_problem
from dpcore.experiments.regression.split import SHARES, TRIED, Shares, shares, tried

__all__ = [
    "ALL",
    "DOCUMENT",
    "FEATURES_GRID",
    "METHODS",
    "N_DRAWS",
    "SAMPLES_GRID",
    "SEPARABILITY_EDGES",
    "SHARES",
    "TRIED",
    "Comparison",
    "Fits",
    "NeighbouringRuns",
    "Objective",
    "Problem",
    "RegressionParams",
    "Setting",
    "Shares",
    "along",
    "compare",
    "compared",
    "draw",
    "estimator_call",
    "gathered",
    "grow",
    "guarantee",
    "guarantees",
    "is_heavy",
    "level_curves",
    "named_problem",
    "neighbouring_runs",
    "noise_scales",
    "objective",
    "problem_of",
    "profile",
    "run",
    "shares",
    "shown_epsilon",
    "tried",
    "unit_noise",
]
