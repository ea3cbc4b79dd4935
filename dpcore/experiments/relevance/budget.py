"""The noise that a private training needs, its guarantee, and noisy initial prototypes.

A training has two parts. First, noisy class means are released as initial prototypes, with budget
ε₁. Then follow noisy gradient steps over E epochs, with budget ε₂. A recipe determines how the
noise is computed from ε, δ and E.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _noise, accounting, sgd
from dpcore._types import Floats, Floats32
from dpcore.accounting import LaplaceEvent, Repeated, Sequence
from dpcore.accounting.accountant import steps_event
from dpcore.datasets.dataset import mismatch
from dpcore.experiments import epsilon_tables
from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID
from dpcore.experiments.relevance.params import PAPER, Problem, RelevanceParams
from dpcore.guarantee import Guarantee, Neighbouring, Part
from dpcore.lvq import guarantee as lvq_guarantee
from dpcore.lvq import init
from dpcore.lvq.guarantee import STEPS_OF, start_event, start_parts, training_guarantee

__all__ = [
    "N_NODES",
    "START_DRAWS",
    "START_KINDS",
    "NoisyStart",
    "chosen_multiplier",
    "expected_lot",
    "guarantee",
    "guarantees",
    "index_table",
    "joint_epsilon",
    "lot_size",
    "lots",
    "n_steps",
    "neighbouring",
    "noise_multipliers",
    "noise_nodes",
    "noisy_start",
    "printed_breaks",
    "real_epsilons",
    "release",
    "shown_epsilon",
    "sigma_grid",
    "start_epsilons",
    "start_scales",
    "starts",
    "steps_epsilons",
]

N_NODES = 25
_EPSILONS = np.array(EPSILON_GRID)


def n_steps(epochs: float, sample_rate: float) -> int:
    """Return the number of steps T = E/q ≥ 1 for E epochs at sampling rate q, rounded."""
    return max(1, round(epochs / sample_rate))


def neighbouring(params: RelevanceParams) -> Neighbouring:
    """Return the neighbouring relation of a training: replace_one for batches of a fixed size, else add_remove."""
    return epsilon_tables.NEIGHBOURING[params.lots]


def lot_size(params: RelevanceParams, n_records: int) -> int:
    """Return the size L of fixed-size batches: qN for sampling rate q and N records, rounded down.

    A batch then has at most the fraction q of the records, for which the accountant computes ε. If
    qN < 1, L is 0 and a training uses no record.
    """
    return math.floor(params.sample_rate * n_records * (1 + 1e-9))


def expected_lot(params: RelevanceParams, n_records: int) -> float:
    """Return the expected batch size, by which a step's sum of gradients is divided.

    For Poisson samples the expected size is qN, with sampling rate q and N records. For batches of a
    fixed size L it is L, or 1 if L is 0.
    """
    if params.lots == "fixed":
        return float(max(1, lot_size(params, n_records)))
    return params.sample_rate * n_records


def lots(
    params: RelevanceParams, n_records: int, n_steps: int, rng: np.random.Generator
) -> sgd.Lots:
    """Draw the batches of all steps: Poisson samples, or subsets of a fixed size."""
    if params.lots == "poisson":
        return sgd.poisson_lots(n_records, params.sample_rate, n_steps=n_steps, rng=rng)
    size = lot_size(params, n_records)
    if not size:
        return sgd.Lots(np.empty(0, np.int32), np.zeros(n_steps + 1, np.int64))
    return sgd.fixed_lots(n_records, size, n_steps=n_steps, rng=rng)


def _step_delta(params: RelevanceParams, delta: float) -> float:
    # The Gaussian start needs a δ of its own; the Laplace start of the paper needs none.
    return delta / 2 if params.recipe == "tight" else delta


def noise_multipliers(
    params: RelevanceParams, *, delta: float | None = None, epochs: int | None = None
) -> NDArray[np.float64]:
    """Return the noise multiplier σ of the steps for each ε of the grid.

    The initial prototypes cost ε₁ = share · ε, so that ε₂ = ε - ε₁ is left for the steps.

    - Recipe "tight": the smallest σ at which the steps cost ε₂ by privacy loss distributions.
    - Recipe "paper": σ = 2q √(T ln(1/δ))/ε₂ for T steps at sampling rate q (Brinkrolf, Berger and
      Hammer 2018, section 3).

    Parameters
    ----------
    params : RelevanceParams
        Recipe, share (``init_share``), type of batches (``lots``) and sampling rate. The arguments
        ``delta`` and ``epochs``, if given, replace the fields of ``params``.

    Returns
    -------
    ndarray (n_epsilon,)
        Noise standard deviation divided by the clipping norm, decreasing in ε.
    """
    delta = params.delta if delta is None else delta
    epochs = params.epochs if epochs is None else epochs
    steps_epsilon = (1 - params.init_share) * _EPSILONS
    if params.recipe == "paper":
        one = accounting.paper_noise_multiplier(
            1.0, delta, sample_rate=params.sample_rate, n_steps=n_steps(epochs, params.sample_rate)
        )
        return one / steps_epsilon
    return epsilon_tables.noise_multipliers(
        steps_epsilon, _step_delta(params, delta), params.sample_rate, epochs, params.lots
    )


def chosen_multiplier(params: RelevanceParams) -> NDArray[np.float64]:
    """Return the noise multiplier σ (1,) of the steps at the ε of the parameters."""
    return noise_multipliers(params)[[EPSILON_GRID.index(params.epsilon)]]


def real_epsilons(params: RelevanceParams) -> NDArray[np.float64]:
    """Return the actual ε (n_epsilon,) of initialisation and steps together, for each requested ε."""
    if params.recipe == "tight":
        return _EPSILONS.copy()
    return params.init_share * _EPSILONS + steps_epsilons(params, noise_multipliers(params))


def printed_breaks(lots: str = "poisson") -> float:
    """Return the smallest ε of the grid at which the σ printed by Brinkrolf et al. is too small.

    The actual ε of a training with this σ is larger than the requested ε. The settings are those of the
    paper (``PAPER``), with batches of the type ``lots``, "poisson" or "fixed".
    """
    real = real_epsilons(RelevanceParams().but(**PAPER).but(lots=lots))
    return next(float(e) for e, cost in zip(_EPSILONS, real, strict=True) if cost > e)


def steps_epsilons(params: RelevanceParams, sigmas: ArrayLike) -> NDArray[np.float64]:
    """Return the ε (n,) of the steps at each noise multiplier, from the precomputed table."""
    return epsilon_tables.epsilons(
        sigmas, _step_delta(params, params.delta), params.sample_rate, params.epochs, params.lots
    )


def noise_nodes(params: RelevanceParams, n_nodes: int = N_NODES) -> NDArray[np.float64]:
    """Return the noise multipliers σ (n_nodes,) of a sweep, geometrically increasing.

    The multipliers reach from below the smallest to above the largest σ for the ε of the grid, by a
    factor of 1.5 on each side. So they also cover the σ for other values of δ or of the number of
    epochs.
    """
    sigmas = noise_multipliers(params)
    return np.geomspace(sigmas.min() / 1.5, sigmas.max() * 1.5, n_nodes)


def index_table(params: RelevanceParams, nodes: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the fractional index, in the grid ``nodes``, of the σ required for each (ε, δ, E).

    E is the number of epochs. ε, δ and E have the values of their grids.

    Parameters
    ----------
    params : RelevanceParams
        Recipe, share of ε for the initialisation, type of batches and sampling rate; the fields ε,
        δ and E are not used.
    nodes : ndarray (n_nodes,)
        Values of σ in an increasing geometric sequence; with a single value every index is 0.

    Returns
    -------
    ndarray (n_epsilon, n_delta, n_epochs), float32
        In [0, n_nodes - 1].
    """
    shape = (len(EPSILON_GRID), len(DELTA_GRID), len(EPOCHS_GRID))
    if len(nodes) == 1:
        return np.zeros(shape, np.float32)
    step = np.log(nodes[1] / nodes[0])
    places = np.log(sigma_grid(params) / nodes[0]) / step
    return cast(Floats32, np.clip(places, 0, len(nodes) - 1).astype(np.float32))


def sigma_grid(params: RelevanceParams) -> NDArray[np.float64]:
    """Return the σ (n_epsilon, n_delta, n_epochs) for every ε, δ and number of epochs of their grids."""
    only = RelevanceParams(
        recipe=params.recipe,
        init_share=params.init_share,
        sample_rate=params.sample_rate,
        lots=params.lots,
    )
    return _sigma_grid(only)


@lru_cache(maxsize=256)
def _sigma_grid(params: RelevanceParams) -> NDArray[np.float64]:
    columns = [
        [noise_multipliers(params, delta=delta, epochs=epochs) for epochs in EPOCHS_GRID]
        for delta in DELTA_GRID
    ]
    sigmas = np.moveaxis(np.array(columns), 2, 0)
    sigmas.setflags(write=False)
    return sigmas


def start_epsilons(params: RelevanceParams, nodes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the privacy budget ε₁ (n_nodes,) of the initial prototypes for each σ of ``nodes``.

    ε₁ is a fixed share of the total ε. The total ε of a training with noise multiplier σ is read
    from the recipe's curve σ(ε). For a σ outside of the curve it is the ε at the nearer end.
    """
    sigmas = noise_multipliers(params)[::-1]
    log_epsilon = np.interp(np.log(nodes), np.log(sigmas), np.log(_EPSILONS[::-1]))
    return cast(Floats, params.init_share * np.exp(log_epsilon))


def start_scales(
    params: RelevanceParams, nodes: NDArray[np.float64], n_features: int
) -> NDArray[np.float64]:
    """Return the noise scales (n_nodes, 2) of the initial prototypes for each σ of ``nodes``.

    The two columns are the scales on class counts and on class sums.

    - Recipe "tight": one analytic Gaussian on counts and sums together, with L2 sensitivity √(d +
      1) under add_remove.
    - Recipe "paper": Laplace noise of scale β = 2/ε₁ on counts and 2d/ε₁ on sums.

    Under replace_one the sensitivities and scales are larger, by at most the factor 2.
    """
    kind = "gaussian" if params.recipe == "tight" else "laplace"
    relation = neighbouring(params)
    scales = [
        lvq_guarantee.start_scales(kind, float(e), params.delta / 2, n_features, relation)
        for e in start_epsilons(params, nodes)
    ]
    return np.array(scales)


# What a training promises --------------------------------------------------------------------------

_UNPAID = {
    "mnist_pca": (
        "the principal components and their scales: read from the records, paid for by no ε",
    )
}


def guarantee(params: RelevanceParams, problem: Problem) -> Guarantee:
    """Return the guarantee of a training, from the actual costs of its two parts.

    Parameters
    ----------
    params : RelevanceParams
        ε, δ, recipe and sampling.
    problem : Problem
        The data, for the public facts.

    Returns
    -------
    Guarantee
        For a record added or removed, or replaced if batches have a fixed size; ``claimed_epsilon``
        is the requested ε.
    """
    kind = "gaussian" if params.recipe == "tight" else "laplace"
    first = params.init_share * params.epsilon
    parts = (*start_parts(kind, first, params.delta / 2), _steps(params))
    steps = n_steps(params.epochs, params.sample_rate)
    sigma = float(chosen_multiplier(params)[0])
    reach = (2 if params.lots == "fixed" else 1) / sigma
    privacy = training_guarantee(
        parts,
        epsilon=sum(part.epsilon for part in parts),
        delta=params.delta,
        neighbouring=neighbouring(params),
        claimed_epsilon=params.epsilon,
        estimated=problem.dataset.bounds_status == "estimated",
        undeclared=problem.dataset.undeclared,
        expected_lot=expected_lot(params, problem.n_declared),
        lots=params.lots,
        event=release(params),
        n_records=problem.n_declared,
        unit=problem.dataset.unit,
        missing=_noise.missing_mass(steps * problem.n_noisy),
        beyond=_noise.beyond_reach(steps * problem.n_noisy, reach),
        not_protected=(
            "the records and the test accuracy that are shown: you see them because you hold the data",
            *_UNPAID.get(problem.dataset.name, ()),
        ),
    )
    data = problem.dataset
    declared = f"the number of training records that lots are planned for, n = {problem.n_declared}"
    privacy = replace(privacy, public=(declared, *data.public, *privacy.public))
    if privacy.status != "nominal":
        privacy = privacy.having_read(*data.undeclared)
    return privacy.having_read(*mismatch(data, privacy.neighbouring))


def guarantees(params: RelevanceParams, problem: Problem) -> list[Guarantee]:
    """Return the guarantee of a training at every ε of the grid."""
    return guarantee(params, problem).tabulated(real_epsilons(params))


def release(params: RelevanceParams) -> Sequence:
    """Return the event of a whole training (noisy initial prototypes and steps), for the accountants."""
    kind, delta = ("gaussian", params.delta / 2) if params.recipe == "tight" else ("laplace", 0.0)
    start = start_event(kind, params.init_share * params.epsilon, delta, neighbouring(params))
    steps = n_steps(params.epochs, params.sample_rate)
    sigma = float(chosen_multiplier(params)[0])
    return Sequence(
        (start, steps_event(sigma, params.sample_rate, n_steps=steps, lots=params.lots))
    )


def joint_epsilon(params: RelevanceParams) -> float:
    """Return the ε of initial prototypes and steps, composed jointly by PLD.

    The joint ε is at most the sum of the two ε. In the recipe "paper" the initial prototypes are
    two releases with Laplace noise, of counts and of sums. Both are composed by the privacy loss
    distribution of Laplace noise, not as arbitrary ε-DP releases.
    """
    relation = neighbouring(params)
    if params.recipe == "tight":
        return accounting.spent(release(params), params.delta, neighbouring=relation)
    # Each has the scale of its own sensitivity over ε₁/2; replacing counts as twice one record.
    scale = 2 / (params.init_share * params.epsilon) * (2 if relation == "replace_one" else 1)
    both = Sequence((Repeated(LaplaceEvent(scale), 2), release(params).events[1]))
    return accounting.spent(both, params.delta, neighbouring=relation)


def shown_epsilon(params: RelevanceParams, n_releases: int) -> float:
    """Return the ε of ``n_releases`` ≥ 0 independent trainings together, at the δ of the parameters."""
    everything = Repeated(release(params), n_releases)
    return accounting.spent(everything, params.delta, neighbouring=neighbouring(params))


def _steps(params: RelevanceParams) -> Part:
    steps = n_steps(params.epochs, params.sample_rate)
    sigma = float(chosen_multiplier(params)[0])
    name, mechanism = f"{steps} steps", f"{STEPS_OF[params.lots]}, σ = {sigma:.3g}"
    if params.recipe == "tight":
        epsilon, delta = (1 - params.init_share) * params.epsilon, params.delta / 2
    else:
        delta = params.delta
        epsilon = float(steps_epsilons(params, [sigma])[0])
    return Part(name=name, epsilon=epsilon, delta=delta, mechanism=mechanism)


START_DRAWS = 20
START_KINDS = ("laplace", "gaussian")
"""Kinds of noise on the initial prototypes: as printed in 2018, and with the tight accountant."""
_N_NODES = 17


def starts(
    problem: Problem,
    params: RelevanceParams,
    nodes: NDArray[np.float64],
    rng: np.random.Generator,
    sums: NDArray[np.float64] | None = None,
    counts: NDArray[np.float64] | None = None,
) -> NDArray[np.float32]:
    """Return the P initial prototypes (K + 2, P, d) of K + 2 trainings.

    The first K are private, for the noise multipliers ``nodes`` of the trainings' steps. The last two
    have no noise. ``sums`` (k, d) and ``counts`` (k,): statistics of the k classes of a neighbouring
    data set, which replace the statistics of ``problem``.
    """
    scales = start_scales(params, nodes, problem.X.shape[1])
    scales = np.concatenate([scales, np.zeros((2, 2))])
    kind = "gaussian" if params.recipe == "tight" else "laplace"
    return init.start(
        problem.sums if sums is None else sums,
        problem.counts if counts is None else counts,
        count_scale=scales[:, 0],
        sum_scale=scales[:, 1],
        kind=kind,
        prototypes_per_class=problem.prototypes_per_class,
        rng=rng,
    )


@dataclass(frozen=True, kw_only=True)
class NoisyStart:
    """Noisy means of k classes for one kind of noise, in D noise draws at K noise levels.

    - ``kind``: "laplace" (as in Brinkrolf, Berger and Hammer 2018) or "gaussian".
    - ``scales`` (n_epsilon, n_delta, 2): noise scales on class sizes and on class sums for each ε
      and δ. A scale is the β of Laplace noise or the standard deviation of Gaussian noise.
    - ``nodes`` (K,): noise scales on class sums at which class means were computed.
    - ``means`` (K, D, k, d): the noisy class means.
    """

    kind: str
    scales: NDArray[np.float64]
    nodes: NDArray[np.float64]
    means: NDArray[np.float32]

    def index(self) -> NDArray[np.float32]:
        """Return the fractional index, in ``nodes``, of the noise that each ε and δ require.

        The shape is (n_epsilon, n_delta).
        """
        step = math.log(self.nodes[1] / self.nodes[0])
        return cast(
            Floats32, (np.log(self.scales[..., 1] / self.nodes[0]) / step).astype(np.float32)
        )


def noisy_start(problem: Problem, params: RelevanceParams, kind: str) -> NoisyStart:
    """Return noisy class means at every noise level, which are initial prototypes with one prototype per class.

    - Laplace: scale β = 2/ε₁ on class sizes and 2d/ε₁ on class sums (Brinkrolf, Berger and Hammer
      2018, section 3).
    - Gaussian: one analytic Gaussian on sizes and sums together at (ε₁, δ/2).

    Under replace_one the scales are larger, by at most the factor 2. The same noise draws are
    scaled for each noise level.

    Parameters
    ----------
    problem : Problem
        The data.
    params : RelevanceParams
        Share of ε for the initial prototypes, type of batches (which determines the neighbouring
        relation) and seed.
    kind : "laplace" or "gaussian"
        Type of noise.

    Returns
    -------
    NoisyStart
    """
    n_features = int(problem.X.shape[1])
    relation = neighbouring(params)
    scales = np.array([
        [
            lvq_guarantee.start_scales(kind, params.init_share * epsilon, delta / 2, n_features, relation)
            for delta in DELTA_GRID
        ]
        for epsilon in EPSILON_GRID
    ])  # fmt: skip
    sums = scales[..., 1]
    nodes = np.geomspace(sums.min(), sums.max(), _N_NODES)
    ratio = float(scales[0, 0, 0] / scales[0, 0, 1])
    draws = [
        init.start(
            problem.sums, problem.counts, count_scale=ratio * nodes, sum_scale=nodes, kind=kind,
            rng=sgd.Streams.of(params.seed, 0, draw).start,
        )
        for draw in range(START_DRAWS)
    ]  # fmt: skip
    means = cast(Floats32, np.stack(draws, axis=1))
    return NoisyStart(kind=kind, scales=scales, nodes=cast(Floats, nodes), means=means)
