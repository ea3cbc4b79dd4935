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

    ``epsilon`` in [0.05, 20] is what the paper claims; ``delta`` in [1e-8, 1e-3]; ``digit`` in 0..9;
    ``person`` and ``draws`` on their grids.

    Examples
    --------
    >>> AutoencoderParams(kind="both", digit=3).to_link()
    {'kind': 'both', 'digit': '3'}
    """

    epsilon: float = shared.epsilon(
        0.8,
        label="claimed privacy loss",
        ends=("more private?", "less private?"),
        help="What the paper claims. It sets the noise; what is really promised stands on the card.",
    )
    kind: str = control(
        "hidden",
        choices=(
            ("hidden", "hidden biases"),
            ("output", "output biases"),
            ("both", "both, ε/2 each"),
        ),
        label="noise on",
        moves="local",
        help="Which numbers of the trained network are blurred. All its other weights stay as they are.",
    )
    real: bool = control(
        False,
        choices=((False, "the paper's method"), (True, "a generator with a proof")),
        label="same experience, real guarantee",
        help="Shows invented pictures from noisy averages instead: there ε and δ are proved.",
    )
    digit: int = control(
        9,
        grid=tuple(range(10)),
        label="digit",
        help="Whose picture is shown large. The paper shows a nine.",
    )
    person: int = control(
        8,
        grid=tuple(range(1, 11)),
        label="person",
        ends=("first writer", "tenth"),
        help="Which of ten people who wrote that digit. The network has not seen these pictures.",
    )
    draws: int = control(
        10,
        grid=DRAWS,
        symbol="k",
        label="number of draws",
        ends=("one release", "many"),
        moves="local",
        help="How often the same picture is released with fresh noise. The paper makes ten runs.",
    )
    delta: float = shared.delta(help="Enters the paper's noise formula. Jain et al. use 0.00001.")
    other: str = control(
        "same",
        choices=(
            ("nearest", "who wrote most alike"),
            ("same", "who wrote the same digit"),
            ("digit", "who wrote another digit"),
        ),
        label="second person",
        advanced=True,
        help="Whose picture could have been released instead: the two worlds.",
    )
    dataset: str = control(
        "digits",
        choices=(("digits", "Digits 8×8"), ("mnist", "MNIST 28×28, as in the paper")),
        label="pictures",
        advanced=True,
        help="MNIST comes from OpenML or a local folder; its network is trained at first use.",
    )
    trained_on: str = control(
        "all",
        choices=(("all", "many pictures"), ("few", "212 pictures, learnt by heart")),
        label="network trained on",
        advanced=True,
        help="A network that has learnt few pictures by heart tells who was among them.",
    )
    seed: int = shared.seed()
