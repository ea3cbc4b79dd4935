"""The parameters of the autoencoder experiment."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.experiments import shared
from dpcore.experiments.params import Params, control

__all__ = ["DRAWS", "AutoencoderParams"]

DRAWS: tuple[int, ...] = (1, 3, 10, 30)


@dataclass(frozen=True, kw_only=True)
class AutoencoderParams(Params):
    """Which pictures, which biases carry noise, and how much.

    ``epsilon`` in [0.05, 20] is what Jain et al. claim; ``delta`` in [1e-8, 1e-3]; ``digit`` in 0..9;
    ``person`` and ``draws`` on their grids.

    Examples
    --------
    >>> AutoencoderParams(kind="both", digit=3).to_link()
    {'kind': 'both', 'digit': '3'}
    """

    epsilon: float = shared.epsilon(0.8, label="claimed privacy parameter")
    kind: str = control(
        "hidden",
        choices=(
            ("hidden", "hidden biases"),
            ("output", "output biases"),
            ("both", "both, ε/2 each"),
        ),
        label="noise on",
    )
    real: bool = control(
        False,
        choices=((False, "noise on the biases"), (True, "a generator with a proof")),
        label="same experience, real guarantee",
    )
    digit: int = control(9, grid=tuple(range(10)), label="digit")
    person: int = control(8, grid=tuple(range(1, 11)), label="picture")
    draws: int = control(10, grid=DRAWS, symbol="k", label="number of draws")
    delta: float = shared.delta()
    other: str = control(
        "same",
        choices=(
            ("nearest", "the most similar one"),
            ("same", "one of the same digit"),
            ("digit", "one of another digit"),
        ),
        label="second picture",
    )
    dataset: str = control(
        "digits",
        choices=(("digits", "Digits 8×8"), ("mnist", "MNIST 28×28, as Jain et al. use it")),
        label="pictures",
    )
    trained_on: str = control(
        "all",
        choices=(("all", "many pictures"), ("few", "212 pictures, learnt by heart")),
        label="network trained on",
    )
    seed: int = shared.seed()
