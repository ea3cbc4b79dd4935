"""The experiment behind the page Gradient descent: why clip, why add noise?"""

from dpcore.experiments.descent.budget import (
    asked_epsilons,
    epsilon_table,
    levels,
    noise_table,
    real_epsilon,
    real_noise,
    sigma,
)
from dpcore.experiments.descent.data import N_TEST, N_TRAIN, Problem, named_problem
from dpcore.experiments.descent.guarantee import guarantee, guarantees, shown_epsilon
from dpcore.experiments.descent.outcomes import N_DRAWS, Outcomes, chosen_person, run_outcomes
from dpcore.experiments.descent.output import OutputSweep, run_output
from dpcore.experiments.descent.params import DescentParams
from dpcore.experiments.descent.places import (
    N_PLACE_DRAWS,
    PLACE_NODES,
    PLACES,
    Places,
    run_places,
    task,
)
from dpcore.experiments.descent.sizes import (
    KINDS,
    N_SIZE_DRAWS,
    Sizes,
    draws_of,
    lengths,
    n_parameters,
    run_sizes,
)
from dpcore.experiments.descent.sweep import GRID, Sweep, run, run_sweep

__all__ = [
    "GRID",
    "KINDS",
    "N_DRAWS",
    "N_PLACE_DRAWS",
    "N_SIZE_DRAWS",
    "N_TEST",
    "N_TRAIN",
    "PLACES",
    "PLACE_NODES",
    "DescentParams",
    "Outcomes",
    "OutputSweep",
    "Places",
    "Problem",
    "Sizes",
    "Sweep",
    "asked_epsilons",
    "chosen_person",
    "draws_of",
    "epsilon_table",
    "guarantee",
    "guarantees",
    "lengths",
    "levels",
    "n_parameters",
    "named_problem",
    "noise_table",
    "real_epsilon",
    "real_noise",
    "run",
    "run_outcomes",
    "run_output",
    "run_places",
    "run_sizes",
    "run_sweep",
    "shown_epsilon",
    "sigma",
    "task",
]
