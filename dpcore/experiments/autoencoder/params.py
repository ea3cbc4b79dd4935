"""The parameters of the autoencoder experiment."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.experiments import shared
from dpcore.experiments.params import Params, control

__all__ = ["CLIP_NORMS", "DRAWS", "SAMPLE_RATES", "AutoencoderParams"]

DRAWS: tuple[int, ...] = (1, 3, 10, 30)
CLIP_NORMS: tuple[float, ...] = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
SAMPLE_RATES: tuple[float, ...] = (0.01, 0.05, 0.1, 0.2, 0.5)
"""C and q of the networks that DP-SGD trains."""


@dataclass(frozen=True, kw_only=True)
class AutoencoderParams(Params):
    """Which pictures, which biases carry noise, and how much.

    ``epsilon`` in [0.05, 20] is what Jain et al. claim; ``delta`` in [1e-8, 1e-3]; ``digit`` in 0..9;
    ``clip_norm`` and ``sample_rate`` are those of networks trained by DP-SGD; ``person`` and ``draws`` on
    their grids.

    Examples
    --------
    >>> AutoencoderParams(kind="both", digit=3).to_link()
    {'kind': 'both', 'digit': '3'}
    """

    epsilon: float = shared.epsilon(0.8)
    kind: str = control(
        "hidden",
        choices=("hidden", "output", "both"),
    )
    real: bool = control(
        False,
        choices=(False, True),
    )
    digit: int = control(9, grid=tuple(range(10)))
    person: int = control(8, grid=tuple(range(1, 11)))
    draws: int = control(10, grid=DRAWS, symbol="k")
    delta: float = shared.delta()
    clip_norm: float = control(0.1, grid=CLIP_NORMS, symbol="C")
    sample_rate: float = shared.sample_rate(0.2, grid=SAMPLE_RATES)
    other: str = control(
        "same",
        choices=("nearest", "same", "digit"),
    )
    dataset: str = control(
        "digits",
        choices=("digits", "mnist"),
    )
    trained_on: str = control(
        "all",
        choices=("all", "few"),
    )
    seed: int = shared.seed()
