"""The parameters of the page Deep networks: how a network of handwritten digits is trained."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.experiments import shared
from dpcore.experiments.params import Params, control

__all__ = ["CLIP_GRID", "EPOCHS", "RATES", "NetworkParams"]

CLIP_GRID: tuple[float, ...] = (0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
EPOCHS: tuple[int, ...] = (5, 10, 20, 40, 80)
RATES: tuple[float, ...] = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)


@dataclass(frozen=True, kw_only=True)
class NetworkParams(Params):
    """How private the training is, and how it goes.

    ``epsilon`` in [0.05, 20], ``delta`` in [1e-8, 1e-3], ``clip_norm`` > 0, ``epochs`` of ten steps, each of
    which every picture joins with probability 0.1; ``learning_rate`` > 0, ``schedule`` "constant" or "linear".

    Examples
    --------
    >>> NetworkParams(epsilon=2.5, clip_norm=2.0).to_link()
    {'epsilon': '2.5', 'clip_norm': '2'}
    """

    epsilon: float = shared.epsilon(4.0)
    clip_norm: float = control(1.0, grid=CLIP_GRID, symbol="C")
    epochs: int = control(20, grid=EPOCHS)
    learning_rate: float = control(0.5, grid=RATES, symbol="η")
    schedule: str = control(
        "linear",
        choices=("constant", "linear"),
        symbol="ηₜ",
    )
    delta: float = shared.delta()
    seed: int = shared.seed(18)  # the most typical of 41, by `make openings`
