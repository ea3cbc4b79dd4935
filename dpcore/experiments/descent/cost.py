"""Parameters of gradient descent, and the ε of a training for each way of clipping and adding noise.

The ε at every slider value is in ``handles.npz``, which contains no data. ``python -m
dpcore.experiments.descent.cost`` recreates it (a quarter of an hour).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting
from dpcore.accounting import GaussianEvent, Repeated, sampled
from dpcore.descent import Recipe
from dpcore.experiments import epsilon_tables, shared
from dpcore.experiments.composition_tables import NOISE_GRID
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.params import Params, control
from dpcore.guarantee import Guarantee, Part, Status

__all__ = [
    "CLIPPINGS",
    "CLIP_GRID",
    "LAMBDA_GRID",
    "NOISES",
    "N_TEST",
    "N_TRAIN",
    "RATE_GRID",
    "STEP_GRID",
    "WIDTH_GRID",
    "DescentParams",
    "counting",
    "epsilon_table",
    "guarantee",
    "guarantees",
    "handle_table",
    "in_step",
    "levels",
    "main",
    "make_row",
    "noise_table",
    "real_epsilon",
    "real_noise",
    "requested_epsilons",
    "shown_epsilon",
    "sigma",
]

N_TRAIN, N_TEST = 400, 1000  # records
CLIPPINGS, NOISES = ("example", "batch"), ("lot", "example")
RATE_GRID: tuple[float, ...] = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
STEP_GRID: tuple[int, ...] = (10, 20, 50, 100, 200, 500)
_FILE = "handles.npz"
_N_LEVELS = 24
_MISSING = {
    "clip": "The gradients are only clipped. Without noise the weights themselves tell who took part.",
    "noise": "Noise is added, but without clipping one record can move a step as far as it likes.",
    "neither": "There is no privacy in this setting: plain gradient descent, without a cap and without noise.",
}


def real_noise(params: DescentParams, noise_multiplier: float) -> float:
    """Return the effective noise multiplier of a training; 0 if the training has no guarantee.

    - If the batch gradient is clipped instead of each record's gradient, the effective multiplier
      is half of the nominal one, since one record can change the step by 2C instead of C.
    - If noise is added once per record, the effective multiplier is √(qN) times the nominal one,
      with qN the expected batch size. This factor has no proof, since an empty batch gets no noise.
    """
    return noise_multiplier * _counts(params) if params.parts == "both" else 0.0


def _counts(params: DescentParams) -> float:
    """Return the ratio of effective to nominal noise multiplier for the selected clipping and noise."""
    return counting(params.clipping, params.noise, params.sample_rate)


def sigma(params: DescentParams) -> float:
    """Return the noise multiplier σ: the slider's value, or the one needed for the requested ε."""
    if params.asked == "noise":
        return params.noise_multiplier
    place = EPSILON_GRID.index(params.budget), DELTA_GRID.index(params.delta)
    return float(noise_table(params)[place])


def levels(params: DescentParams) -> NDArray[np.float64]:
    """Return the increasing noise multipliers, (18,) or (24,), at which models are trained.

    If σ is set by its slider, they are the slider's values. If an ε is requested, they are a grid
    that covers the σ for every ε and δ.
    """
    if params.asked == "noise":
        return np.array(NOISE_GRID)
    table = noise_table(params)
    return np.geomspace(table.min(), table.max(), _N_LEVELS)


def noise_table(params: DescentParams) -> NDArray[np.float64]:
    """Return the σ (50, n_deltas) at which the training costs at most ε, for every ε and δ of the grids.

    σ is read from a precomputed table, and the training costs between 99 % and 100 % of ε. A
    training without clipping or without noise has no guarantee. For such a training the σ is the
    one needed with clipping and noise.
    """
    return _noise_table(params.sample_rate, params.n_steps) / _counts(params)


@lru_cache(maxsize=64)
def _noise_table(sample_rate: float, n_steps: int) -> NDArray[np.float64]:
    columns = [
        epsilon_tables.steps_noise_multipliers(EPSILON_GRID, delta, sample_rate, n_steps)
        for delta in DELTA_GRID
    ]
    return np.array(columns).T


def requested_epsilons(params: DescentParams) -> NDArray[np.float64]:
    """Return the ε (50, n_deltas) of a training for every ε and δ that can be requested.

    The ε of the training is the requested one, or inf if the training has no guarantee.
    """
    there = params.parts == "both"
    costs = np.tile(np.array(EPSILON_GRID)[:, None], (1, len(DELTA_GRID)))
    return costs if there else np.full(costs.shape, np.inf)


def in_step(params: DescentParams, before: DescentParams) -> DescentParams:
    """Return the parameters after the user switches between setting σ and requesting ε.

    The active slider gets the value nearest to the previous setting. The other slider gets its
    default, so that it is not in the link.
    """
    if params.asked == before.asked:
        return params
    usual = {name: params.controls()[name].default for name in ("budget", "noise_multiplier")}
    if params.asked == "noise":
        return params.but(**usual | {"noise_multiplier": _nearest(NOISE_GRID, sigma(before))})
    cost = epsilon_table(before.but(parts="both"))
    now = cost[NOISE_GRID.index(before.noise_multiplier), DELTA_GRID.index(before.delta)]
    return params.but(**usual | {"budget": _nearest(EPSILON_GRID, float(now))})


def _nearest(grid: tuple[float, ...], value: float) -> float:
    return min(grid, key=lambda one: abs(math.log(one / value)))


def real_epsilon(params: DescentParams, noise_multiplier: float | None = None) -> float:
    """Return the ε of the training by PLD for adding or removing one record; inf without a guarantee.

    If the parameters request an ε, this ε is returned, since the training costs at most this ε.
    ``noise_multiplier``, if given, replaces the σ of the parameters.
    """
    if params.asked == "epsilon" and noise_multiplier is None and params.parts == "both":
        return params.budget
    used = sigma(params) if noise_multiplier is None else noise_multiplier
    if params.parts == "both" and used in NOISE_GRID:
        place = NOISE_GRID.index(used), DELTA_GRID.index(params.delta)
        return float(epsilon_table(params)[place])
    return accounting.epsilon(
        noise_multiplier=real_noise(params, used),
        sample_rate=params.sample_rate,
        n_steps=params.n_steps,
        delta=params.delta,
    )


def epsilon_table(params: DescentParams) -> NDArray[np.float64]:
    """Return the ε (n_noise, n_deltas) of the training for every σ and δ of the sliders; inf without a guarantee."""
    if params.parts != "both":
        return np.full((len(NOISE_GRID), len(DELTA_GRID)), np.inf)
    return handle_table(params.clipping, params.noise, params.sample_rate, params.n_steps)


def counting(clipping: str, noise: str, sample_rate: float) -> float:
    """Return the ratio of the effective to the nominal noise multiplier.

    ``clipping`` determines what is clipped, and ``noise`` how often noise is added. Clipping the batch
    gradient gives a factor ½, since one record can change the step by 2C instead of C. Noise once per
    record gives a factor √(qN), with qN the expected batch size.
    """
    lot = sample_rate * N_TRAIN if noise == "example" else 1.0
    return math.sqrt(lot) / (2 if clipping == "batch" else 1)


def handle_table(
    clipping: str, noise: str, sample_rate: float, n_steps: int
) -> NDArray[np.float64]:
    """Return the precomputed ε (n_noise, n_deltas) for every σ and δ of the sliders."""
    place = (
        CLIPPINGS.index(clipping), NOISES.index(noise), RATE_GRID.index(sample_rate), STEP_GRID.index(n_steps),
    )  # fmt: skip
    return np.asarray(_loaded()[place])


def make_row(clipping: str, noise: str, sample_rate: float, n_steps: int) -> NDArray[np.float64]:
    """Compute the table (n_noise, n_deltas) that `handle_table` returns, in several seconds."""
    counts = counting(clipping, noise, sample_rate)
    return np.array(
        [
            [
                accounting.epsilon(
                    noise_multiplier=sigma * counts,
                    sample_rate=sample_rate,
                    n_steps=n_steps,
                    delta=delta,
                )
                for delta in DELTA_GRID
            ]
            for sigma in NOISE_GRID
        ]
    )


@lru_cache(maxsize=1)
def _loaded() -> NDArray[np.float64]:
    with resources.files("dpcore.experiments.descent").joinpath(_FILE).open("rb") as file:
        costs: NDArray[np.float64] = np.load(file)["epsilon"]
    costs.flags.writeable = False
    return costs


def guarantee(params: DescentParams, epsilon: float) -> Guarantee:
    """Return the guarantee of the released weights.

    ``epsilon`` is the result of `real_epsilon`.
    """
    status, argument = _argument(params)
    counts = real_noise(params, sigma(params))
    mechanism = f"Poisson-subsampled Gaussian, σ = {counts:.3g}, q = {params.sample_rate:g}"
    delta = params.delta
    return Guarantee(
        epsilon=epsilon,
        delta=delta,
        neighbouring="add_remove",
        status=status,
        argument=argument,
        event=_steps(params) if status != "nominal" else None,
        n_records=N_TRAIN,
        public=(
            f"the number of training records N = {N_TRAIN}, so also the "
            f"expected size of a random group, qN = {params.sample_rate * N_TRAIN:g}, and the two classes",
            "the bounds −1 and 1 of the coordinates, and every setting",
        ),
        not_protected=(
            "anybody, once it is known who was in which random group (lot): that has to stay secret",
            "the dots and the accuracies that are shown: you see them because you hold the data",
            "settings that somebody chooses by looking at results: that choice costs extra",
        ),
        parts=(
            Part(name=f"{params.n_steps} steps", epsilon=epsilon, delta=delta, mechanism=mechanism),
        ),
    )


def guarantees(params: DescentParams) -> list[Guarantee]:
    """Return the guarantees of the training for every noise level and every δ, with δ varying faster.

    If an ε is requested, there is one guarantee for every ε and δ that can be requested.
    """
    asks_epsilon = params.asked == "epsilon"
    table = requested_epsilons(params) if asks_epsilon else epsilon_table(params)
    costs = [float(cost) for cost in table.ravel()]
    slack = [delta for _ in range(len(table)) for delta in DELTA_GRID]
    return guarantee(params, costs[0]).tabulated(costs, slack)


def shown_epsilon(params: DescentParams, n_releases: int) -> float:
    """Return the ε of ``n_releases`` ≥ 0 independent trainings together, at the δ of the parameters."""
    return accounting.spent(Repeated(_steps(params), n_releases), params.delta)


def _steps(params: DescentParams) -> Repeated:
    counts = real_noise(params, sigma(params))
    return Repeated(sampled(GaussianEvent(counts), params.sample_rate), params.n_steps)


def _argument(params: DescentParams) -> tuple[Status, str]:
    if params.parts != "both":
        return "nominal", _MISSING[params.parts]
    if params.noise == "example":
        return (
            "nominal",
            "Noise for each record adds up to √|lot| times as much. The number shown is for the expected "
            "lot, but an empty lot gets no noise at all, so nothing is proved.",
        )
    if params.clipping == "batch":
        return (
            "proved",
            "The gradient of the whole lot is clipped, and one record can move it by 2C, so σ counts half. "
            "The privacy loss distributions of the T sampled Gaussian steps are composed.",
        )
    return "proved", (
        "Each record's gradient is clipped to C before noise is added once to their sum (Abadi et al. 2016). "
        "The privacy loss distributions of the T Poisson-sampled steps are composed."
    )


def main() -> None:
    """Compute the ε at every slider value and write it to ``handles.npz``."""
    from pathlib import Path

    from joblib import Parallel, delayed

    places = [(c, n, q, t) for c in CLIPPINGS for n in NOISES for q in RATE_GRID for t in STEP_GRID]
    rows = Parallel(n_jobs=-1, verbose=5)(delayed(make_row)(*place) for place in places)
    shape = len(CLIPPINGS), len(NOISES), len(RATE_GRID), len(STEP_GRID)
    costs = np.array(rows).reshape(*shape, *rows[0].shape)
    np.savez_compressed(Path(__file__).with_name(_FILE), epsilon=costs)


CLIP_GRID: tuple[float, ...] = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 5.0)
_ETA_GRID: tuple[float, ...] = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
LAMBDA_GRID: tuple[float, ...] = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
WIDTH_GRID: tuple[int, ...] = (1, 2, 4, 8, 16, 32, 64, 128, 256)


@dataclass(frozen=True, kw_only=True)
class DescentParams(Params):
    """Parameters of the Gradient descent page: data set, model, training, privacy and displayed record.

    - ``clip_norm`` > 0, ``noise_multiplier`` > 0, ``sample_rate`` in (0, 1], ``n_steps`` ≥ 1,
      ``learning_rate`` > 0, ``delta`` in [1e-8, 1e-3].
    - ``regularisation`` > 0 of the minimised objectives.
    - ``width`` ≥ 1: hidden units in the comparison of model sizes.
    - ``asked``: if it is "epsilon", the requested ε is ``budget``, and
      `dpcore.experiments.descent.sigma` computes the noise.

    Examples
    --------
    >>> DescentParams(model="logistic").recipe().clip_norm
    0.5
    """

    dataset: str = control(
        "corners",
        choices=("moons", "blobs", "corners"),
    )
    model: str = control(
        "network",
        choices=("logistic", "network"),
    )
    noise_multiplier: float = control(7.0, grid=NOISE_GRID, symbol="σ")
    asked: str = control(
        "epsilon",
        choices=("noise", "epsilon"),
    )
    budget: float = shared.epsilon(0.5)
    clip_norm: float = control(0.5, grid=CLIP_GRID, symbol="C")
    sample_rate: float = shared.sample_rate(0.1, grid=RATE_GRID)
    n_steps: int = control(100, grid=STEP_GRID, symbol="T")
    learning_rate: float = control(2.0, grid=_ETA_GRID, symbol="η")
    delta: float = shared.delta()
    parts: str = control(
        "both",
        choices=("both", "clip", "noise", "neither"),
    )
    clipping: str = control(
        "example",
        choices=("example", "batch"),
    )
    noise: str = control(
        "lot",
        choices=("lot", "example"),
    )
    regularisation: float = control(0.03, grid=LAMBDA_GRID, symbol="λ")
    width: int = control(64, grid=WIDTH_GRID, symbol="H")
    person: int = shared.person(grid=(0, 1, 2, 5, 10, 25, 50, 100))
    record: int = shared.record()
    seed: int = shared.seed()
    former_defaults: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "1": {"asked": "noise", "budget": "1"},
        "2": {"asked": "noise", "budget": "1"},
    }

    @classmethod
    def from_link(
        cls, link: Mapping[str, str], labels: Mapping[str, str] | None = None
    ) -> tuple[Self, list[str]]:
        """Return the parameters of a link and messages about refused values.

        A link that has a value of σ but no ``asked`` is read as setting σ.
        """
        sigma_alone = {k: link[k] for k in ("noise_multiplier",) if k in link}
        # A value that is refused asks for nothing.
        if sigma_alone and not super().from_link(sigma_alone)[1]:
            link = {"asked": "noise", **link}
        return super().from_link(link, labels)

    def to_link(self) -> dict[str, str]:
        """Return the fields that differ from their defaults, as texts for a link.

        If σ is one of them, ``asked`` is included too.
        """
        link = super().to_link()
        return {"asked": self.asked, **link} if "noise_multiplier" in link else link

    def following(self, before: DescentParams) -> DescentParams:
        """Return the parameters with those fields updated that depend on a changed field.

        ``before``: the parameters before the user's change.

        - If the user switches between setting σ and requesting ε, the active slider gets the value
          nearest to the previous setting.
        - If the data set or the rank of the selected record changed, the record's number is reset
          to 0. Number 0 selects the record by its rank.
        """
        ranked = (self.person, self.dataset) != (before.person, before.dataset)
        return in_step(self.but(record=0) if ranked else self, before)

    def recipe(self) -> Recipe:
        """Return the settings of the training.

        The noise has the standard deviation σC even without clipping.
        """
        return Recipe(
            clip_norm=self.clip_norm,
            sample_rate=self.sample_rate,
            n_steps=self.n_steps,
            learning_rate=self.learning_rate,
            clipping=self.clipping if self.parts in ("both", "clip") else "none",
            noise=self.noise,
        )


if __name__ == "__main__":
    main()
