"""The published runs of a convolutional network on MNIST: their settings, ε and accuracy.

From the table "Select Parameters" of TensorFlow Privacy, ``tutorials/README.md`` (commit 03035d5, unchanged
since 2019): accuracy averaged over 10 runs, with a standard deviation below 0.3 points; ε at δ = 1e-5 from Rényi
orders. The tutorial shuffles its records and the account assumes Poisson samples; here they are Poisson samples.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.network import Recipe

__all__ = ["BATCH", "DELTA", "N_TRAIN", "PUBLISHED", "SOURCE", "Published", "published"]

N_TRAIN, BATCH, DELTA = 60_000, 256, 1e-5
SOURCE = "TensorFlow Privacy, tutorials/README.md, table “Select Parameters” (2019)"


@dataclass(frozen=True, kw_only=True)
class Published:
    """One row of the table; ``epsilon`` None where nothing is private."""

    name: str
    learning_rate: float
    noise_multiplier: float
    clip_norm: float | None
    epochs: int
    epsilon: float | None
    accuracy: float

    def step(self, epoch: int) -> int:
        """Return how many steps of expected 256 pictures are in so many epochs."""
        return epoch * N_TRAIN // BATCH

    def recipe(self) -> Recipe:
        """Return how the network is trained, all epochs."""
        return Recipe(
            clip_norm=self.clip_norm, noise_multiplier=self.noise_multiplier,
            sample_rate=BATCH / N_TRAIN, n_steps=self.step(self.epochs),
            learning_rate=self.learning_rate,
        )  # fmt: skip


PUBLISHED = (
    Published(name="1.19", learning_rate=0.25, noise_multiplier=1.3, clip_norm=1.5, epochs=15,
              epsilon=1.19, accuracy=0.950),
    Published(name="3.01", learning_rate=0.15, noise_multiplier=1.1, clip_norm=1.0, epochs=60,
              epsilon=3.01, accuracy=0.966),
    Published(name="7.10", learning_rate=0.25, noise_multiplier=0.7, clip_norm=1.5, epochs=45,
              epsilon=7.10, accuracy=0.970),
    Published(name="plain", learning_rate=0.1, noise_multiplier=0.0, clip_norm=None, epochs=20,
              epsilon=None, accuracy=0.990),
)  # fmt: skip
"""The four rows, by their published ε; "plain" is neither clipped nor noised."""


def published(name: str) -> Published:
    """Return the row of this name."""
    return next(row for row in PUBLISHED if row.name == name)
