"""The parameters of the gradient-descent experiment."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.descent import Recipe
from dpcore.experiments import shared
from dpcore.experiments.composition_tables import NOISE_GRID
from dpcore.experiments.descent.cost import RATE_GRID, STEP_GRID, in_step
from dpcore.experiments.params import Params, control

__all__ = ["CLIP_GRID", "LAMBDA_GRID", "RATE_GRID", "STEP_GRID", "WIDTH_GRID", "DescentParams"]

CLIP_GRID: tuple[float, ...] = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 5.0)
_ETA_GRID: tuple[float, ...] = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
LAMBDA_GRID: tuple[float, ...] = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
WIDTH_GRID: tuple[int, ...] = (1, 2, 4, 8, 16, 32, 64, 128, 256)


@dataclass(frozen=True, kw_only=True)
class DescentParams(Params):
    """Which model on which data, and how a step is made.

    ``clip_norm`` > 0, ``noise_multiplier`` > 0, ``sample_rate`` in (0, 1], ``n_steps`` ≥ 1,
    ``learning_rate`` > 0, ``delta`` in [1e-8, 1e-3], ``regularisation`` > 0 (of the minimised objectives),
    ``width`` ≥ 1 (hidden units of the models whose sizes are compared). Where ε is ``asked``, ``budget`` says
    it, and the noise follows: `dpcore.experiments.descent.sigma`.

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
        "noise",
        choices=("noise", "epsilon"),
    )
    budget: float = shared.epsilon()
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
    seed: int = shared.seed()

    def following(self, before: DescentParams) -> DescentParams:
        """Return the same with σ and ε in step: whichever is not asked stands next to what is."""
        return in_step(self, before)

    def recipe(self) -> Recipe:
        """Return how a step is made; without clipping the noise is still σ·C."""
        return Recipe(
            clip_norm=self.clip_norm,
            sample_rate=self.sample_rate,
            n_steps=self.n_steps,
            learning_rate=self.learning_rate,
            clipping=self.clipping if self.parts in ("both", "clip") else "none",
            noise=self.noise,
        )
