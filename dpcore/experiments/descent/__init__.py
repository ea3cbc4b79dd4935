"""The experiment behind the page Gradient descent: why clip, why add noise?"""

from dpcore.experiments.descent.budget import epsilon_table, real_epsilon, real_noise
from dpcore.experiments.descent.data import N_TEST, N_TRAIN, Problem, named_problem
from dpcore.experiments.descent.guarantee import code, guarantee, shown_epsilon
from dpcore.experiments.descent.outcomes import N_DRAWS, Outcomes, chosen_person, run_outcomes
from dpcore.experiments.descent.output import OutputSweep, run_output
from dpcore.experiments.descent.params import DescentParams
from dpcore.experiments.descent.sweep import GRID, Sweep, run, run_sweep

__all__ = [
    "GRID",
    "N_DRAWS",
    "N_TEST",
    "N_TRAIN",
    "DescentParams",
    "Outcomes",
    "OutputSweep",
    "Problem",
    "Sweep",
    "chosen_person",
    "code",
    "epsilon_table",
    "guarantee",
    "named_problem",
    "real_epsilon",
    "real_noise",
    "run",
    "run_outcomes",
    "run_output",
    "run_sweep",
    "shown_epsilon",
]
