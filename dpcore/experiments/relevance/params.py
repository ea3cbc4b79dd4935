"""The parameters of the relevance-learning experiment."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.experiments import grids, shared
from dpcore.experiments.params import Params, control

__all__ = ["PAPER", "RelevanceParams"]

_MOVES = tuple(round(0.05 * k, 2) for k in range(-40, 41))
DATASETS = (
    "blobs",
    "moons",
    "spirals",
    "iris",
    "wine",
    "breast_cancer",
    "digits",
    "segment",
    "har",
    "mnist_dct",
    "mnist_pca",
    "own",
)


@dataclass(frozen=True, kw_only=True)
class RelevanceParams(Params):
    """What to train, how private it is to be, and with which recipe.

    Every field is on a grid, so that equal questions have equal answers: ``epsilon`` in
    [0.05, 20], ``delta`` in [1e-8, 1e-3], ``clip_norm`` > 0, ``sample_rate`` in (0, 1],
    ``epochs`` ≥ 1, ``init_share`` in (0, 1), ``learning_rate`` > 0, ``prototypes_per_class`` ≥ 1.

    Examples
    --------
    >>> RelevanceParams(epsilon=2.5, dataset="iris").to_link()
    {'dataset': 'iris', 'epsilon': '2.5'}
    """

    dataset: str = control("moons", choices=DATASETS)
    epsilon: float = shared.epsilon()
    delta: float = shared.delta()
    clip_norm: float = control(0.5, grid=grids.CLIP_NORM_GRID, symbol="C")
    sample_rate: float = shared.sample_rate(0.01, grid=grids.SAMPLE_RATE_GRID)
    lots: str = control("poisson", choices=("poisson", "fixed"))
    epochs: int = control(50, grid=grids.EPOCHS_GRID, symbol="E")
    prototypes_per_class: int = control(
        3,
        grid=(1, 2, 3, 4, 6, 8),
        symbol="m",
    )
    recipe: str = control(
        "tight",
        choices=("tight", "paper"),
    )
    init_share: float = control(
        0.2,
        grid=grids.INIT_SHARE_GRID,
        symbol="ε₁/ε",
    )
    learning_rate: float = control(
        0.1,
        grid=grids.LEARNING_RATE_GRID,
        symbol="η",
    )
    project: bool = control(
        True,
        choices=(True, False),
    )
    person: int = shared.person()
    person_dx: float = control(0.0, grid=_MOVES)
    person_dy: float = control(0.0, grid=_MOVES)
    seed: int = shared.seed()


PAPER = {
    "recipe": "paper",
    "init_share": 0.2,
    "delta": 1e-5,
    "sample_rate": 0.01,
    "clip_norm": 0.5,
    "epochs": 50,
    "project": False,
}
"""The settings of Brinkrolf, Berger and Hammer (ESANN 2018), section 4."""
