"""The private start of a training; and drawn many times alone, the printed Laplace start and a Gaussian one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore._types import Floats, Floats32
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.params import RelevanceParams
from dpcore.experiments.relevance.problem import Problem
from dpcore.lvq import guarantee as lvq_guarantee
from dpcore.lvq import init

__all__ = ["START_DRAWS", "START_KINDS", "NoisyStart", "noisy_start", "starts"]

START_DRAWS = 20
START_KINDS = ("laplace", "gaussian")
"""The kinds of noise on the start: as printed in 2018, and with the tight accountant."""
_N_NODES = 17


def starts(
    problem: Problem,
    params: RelevanceParams,
    nodes: NDArray[np.float64],
    rng: np.random.Generator,
    sums: NDArray[np.float64] | None = None,
    counts: NDArray[np.float64] | None = None,
) -> NDArray[np.float32]:
    """Return the private start at each node and two starts without noise, (K + 2, P, d).

    ``sums`` (k, d) and ``counts`` (k,) replace the problem's own in a neighbouring world.
    """
    scales = budget.start_scales(params, nodes, problem.X.shape[1])
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
    """Noisy class means under one kind of noise.

    ``kind`` "laplace" (as printed) or "gaussian"; ``scales`` (n_epsilon, n_delta, 2), the noise on class sizes
    and on class sums, a Laplace scale β or a standard deviation; ``nodes`` (K,), the scales on sums that were
    drawn at; ``means`` (K, D, k, d), the noisy class means at each of them.
    """

    kind: str
    scales: NDArray[np.float64]
    nodes: NDArray[np.float64]
    means: NDArray[np.float32]

    def index(self) -> NDArray[np.float32]:
        """Return where each ε and δ lies among the nodes, as a fractional index (n_epsilon, n_delta)."""
        step = math.log(self.nodes[1] / self.nodes[0])
        return cast(
            Floats32, (np.log(self.scales[..., 1] / self.nodes[0]) / step).astype(np.float32)
        )


def noisy_start(problem: Problem, params: RelevanceParams, kind: str) -> NoisyStart:
    """Draw the start of a training at every noise level, one prototype for each class.

    Laplace: β = 2/ε₁ on class sizes and 2d/ε₁ on class sums (Brinkrolf, Berger and Hammer 2018, section 3).
    Gaussian: one analytic Gaussian on both together at (ε₁, δ/2). Both twice that at most where
    a record is replaced. All levels share their unit noise.

    Parameters
    ----------
    problem : Problem
        The data.
    params : RelevanceParams
        Share of ε for the start, kind of lots (which neighbours), seed.
    kind : "laplace" or "gaussian"
        Which noise.

    Returns
    -------
    NoisyStart
    """
    n_features = int(problem.X.shape[1])
    relation = budget.neighbouring(params)
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
    drawn = [
        init.start(
            problem.sums, problem.counts, count_scale=ratio * nodes, sum_scale=nodes, kind=kind,
            rng=sgd.Streams.of(params.seed, 0, draw).start,
        )
        for draw in range(START_DRAWS)
    ]  # fmt: skip
    means = cast(Floats32, np.stack(drawn, axis=1))
    return NoisyStart(kind=kind, scales=scales, nodes=cast(Floats, nodes), means=means)
