"""The experiment of the Relevance learning page: private prototypes at every ε.

A *sweep* trains at all noise levels at once, on the same batches. All levels have the same standard
normal noise, scaled for each level. The models are stored at every epoch. ε, δ, the number of
epochs E and the accountant affect the sweep only through the noise multiplier σ. So results for
other values are looked up in the sweep.
"""

from dpcore.experiments.relevance.budget import (
    START_DRAWS,
    START_KINDS,
    NoisyStart,
    expected_lot,
    guarantee,
    guarantees,
    index_table,
    joint_epsilon,
    lot_size,
    neighbouring,
    noise_multipliers,
    noise_nodes,
    noisy_start,
    printed_breaks,
    real_epsilons,
    shown_epsilon,
    sigma_grid,
)
from dpcore.experiments.relevance.outcomes import (
    Outcomes,
    Person,
    chosen_person,
    draft_outcomes,
    replacement,
    run_outcomes,
)
from dpcore.experiments.relevance.params import (
    PAPER,
    Problem,
    RelevanceParams,
    loaded,
    named_problem,
    problem_of,
    with_prototypes,
)
from dpcore.experiments.relevance.training import (
    LINES,
    NORM_EDGES,
    Line,
    Model,
    Sweep,
    draft_sweep,
    padded,
    padded_labels,
    run_line,
    run_sweep,
)

__all__ = [
    "LINES",
    "NORM_EDGES",
    "PAPER",
    "START_DRAWS",
    "START_KINDS",
    "Line",
    "Model",
    "NoisyStart",
    "Outcomes",
    "Person",
    "Problem",
    "RelevanceParams",
    "Sweep",
    "chosen_person",
    "draft_outcomes",
    "draft_sweep",
    "expected_lot",
    "guarantee",
    "guarantees",
    "index_table",
    "joint_epsilon",
    "loaded",
    "lot_size",
    "named_problem",
    "neighbouring",
    "noise_multipliers",
    "noise_nodes",
    "noisy_start",
    "padded",
    "padded_labels",
    "printed_breaks",
    "problem_of",
    "real_epsilons",
    "replacement",
    "run",
    "run_line",
    "run_outcomes",
    "run_sweep",
    "shown_epsilon",
    "sigma_grid",
    "warm",
    "with_prototypes",
]


def run(params: RelevanceParams) -> Sweep:
    """Return the trainings at all noise levels for the data set of the parameters.

    See `run_sweep`.

    Parameters
    ----------
    params : RelevanceParams
        All settings; ``epsilon`` does not affect the sweep.

    Returns
    -------
    Sweep
    """
    return run_sweep(problem_of(params), params)


def warm() -> None:
    """Load numeric kernels and tables, so that the first computation is fast."""
    from dpcore.experiments import epsilon_tables

    epsilon_tables.load()
    params = RelevanceParams()
    problem = problem_of(params)
    run_sweep(problem, params, last_epoch=1)
    draft_outcomes(problem, params.but(epochs=1), n_draws=1)
    draft_sweep(problem, params)
