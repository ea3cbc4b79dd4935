"""How an autoencoder is trained privately, and what steps and sums of codes cost together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore import _checks, accounting
from dpcore.accounting.public import steps_event
from dpcore.guarantee import Guarantee, Part, from_event
from dpcore.mechanisms import gaussian_sigma
from dpcore.units import Unit

__all__ = ["NETWORK_PRESETS", "NetworkRecipe"]


@dataclass(frozen=True, kw_only=True)
class NetworkRecipe:
    """How the network is trained and its codes are summed up: constants chosen without the data.

    Parameters
    ----------
    n_hidden : int
        h ≥ 1.
    clip_norm : float
        C in [1e-30, 1e30], of the gradient of one picture's mean squared error.
    sample_rate : float
        q in (0, 1], Poisson sampling.
    n_steps : int
        T ≥ 1.
    learning_rate : float
        Adam's step in (0, 1].
    code_norm : float
        R in [1e-6, 1e6] to which a picture's code is shortened.
    share : float
        In (0, 1): the sums of codes get this share of what the budget's µ² would be for them alone.

    See Also
    --------
    train_private, PrivateNetwork
    """

    n_hidden: int = 16
    clip_norm: float = 0.02
    sample_rate: float = 0.2
    n_steps: int = 400
    learning_rate: float = 0.015
    code_norm: float = 5.0
    share: float = 0.5

    def __post_init__(self) -> None:
        _checks.integer("n_hidden", self.n_hidden, low=1)
        _checks.scale("clip_norm", self.clip_norm)
        _checks.number("sample_rate", self.sample_rate, low=0, high=1, open_low=True)
        _checks.integer("n_steps", self.n_steps, low=1)
        _checks.number("learning_rate", self.learning_rate, low=0, high=1, open_low=True)
        _checks.number("code_norm", self.code_norm, low=1e-6, high=1e6)
        _checks.number("share", self.share, low=0, high=1, open_low=True, open_high=True)

    def noise(self, epsilon: float, delta: float) -> tuple[float, float]:
        """Return the noise multipliers of a step and of the sums of codes that together are (ε, δ)."""
        sums = gaussian_sigma(1.0, epsilon, delta=delta) / np.sqrt(self.share)
        step = accounting.noise_multiplier(
            epsilon,
            delta,
            sample_rate=self.sample_rate,
            n_steps=self.n_steps,
            besides=accounting.GaussianEvent(sums),
        )
        return step, float(sums)

    def guarantee(self, epsilon: float, delta: float, noise: tuple[float, float]) -> Guarantee:
        """Return what a training with this noise promises, for one (picture, class) added or removed."""
        steps = accounting.epsilon(
            noise_multiplier=noise[0],
            sample_rate=self.sample_rate,
            n_steps=self.n_steps,
            delta=delta,
        )
        sums = accounting.spent(accounting.GaussianEvent(noise[1]), delta)
        both = accounting.Sequence((
            steps_event(noise[0], self.sample_rate, n_steps=self.n_steps), accounting.GaussianEvent(noise[1]),
        ))  # fmt: skip
        return from_event(
            both, delta, asked=epsilon, neighbouring="add_remove",
            unit=Unit(singular="picture", plural="pictures"),
            argument="Privacy loss distribution of sampled Gaussian steps and of one Gaussian release of clipped "
            "sums; inventing pictures is post-processing.",
            public=("the number of records N", "the list of classes", "the recipe of the training"),
            not_protected=("a picture that is put into the network afterwards",),
            parts=(
                Part(name=f"{self.n_steps} steps", epsilon=steps, delta=delta,
                     mechanism=f"Poisson-subsampled Gaussian, σ = {noise[0]:.3g}"),
                Part(name="sizes, sums and second moments of the codes", epsilon=sums, delta=delta,
                     mechanism=f"Gaussian on vectors of norm at most R = {self.code_norm:g}"),
            ),
        )  # fmt: skip


NETWORK_PRESETS: dict[str, NetworkRecipe] = {
    "digits": NetworkRecipe(n_hidden=24),
    "mnist": NetworkRecipe(
        n_hidden=64, sample_rate=0.004, n_steps=400, learning_rate=0.005, code_norm=12.0
    ),
}
"""Tuned on the data sets themselves, which no ε pays for: see docs/autoencoder_tuning.md."""
