"""The parameters of the gradient-descent experiment."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.accounting.surfaces import NOISE_GRID
from dpcore.descent import Recipe
from dpcore.experiments import shared
from dpcore.experiments.params import Params, control

__all__ = ["CLIP_GRID", "RATE_GRID", "STEP_GRID", "DescentParams"]

CLIP_GRID: tuple[float, ...] = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 5.0)
RATE_GRID: tuple[float, ...] = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
STEP_GRID: tuple[int, ...] = (10, 20, 50, 100, 200, 500)
_ETA_GRID: tuple[float, ...] = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_LAMBDA_GRID: tuple[float, ...] = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)


@dataclass(frozen=True, kw_only=True)
class DescentParams(Params):
    """Which model on which data, and how a step is made.

    ``clip_norm`` > 0, ``noise_multiplier`` > 0, ``sample_rate`` in (0, 1], ``n_steps`` ≥ 1,
    ``learning_rate`` > 0, ``delta`` in [1e-8, 1e-3], ``regularisation`` > 0 (output perturbation).

    Examples
    --------
    >>> DescentParams(model="logistic").recipe().clip_norm
    0.5
    """

    dataset: str = control(
        "corners",
        choices=(("moons", "Two moons"), ("blobs", "Two blobs"), ("corners", "Corners (XOR)")),
        label="data set",
        help="400 records for training, 1,000 for the test; coordinates between −1 and 1 are public.",
    )
    model: str = control(
        "network",
        choices=(
            ("logistic", "Logistic regression (convex)"),
            ("network", "One hidden layer (not convex)"),
        ),
        label="model",
        help="A straight border, or a network with 12 hidden units.",
    )
    noise_multiplier: float = control(
        7.0,
        grid=NOISE_GRID,
        symbol="σ",
        label="noise multiplier",
        ends=("less private", "more private"),
        moves="local",
        help="Standard deviation of the noise over C. Privacy depends on it, on q and on T.",
    )
    clip_norm: float = control(
        0.5,
        grid=CLIP_GRID,
        symbol="C",
        label="clipping norm",
        ends=("clip hard", "hardly clip"),
        help="Longest pull of one record in one step. The noise is σ·C.",
    )
    sample_rate: float = shared.sample_rate(
        0.1,
        grid=RATE_GRID,
        ends=("few records a step", "all records"),
        help="Chance that a record takes part in a step, by a coin of its own.",
    )
    n_steps: int = control(
        100,
        grid=STEP_GRID,
        symbol="T",
        label="steps",
        ends=("short", "long"),
        help="How often the model is moved. Every step costs privacy.",
    )
    learning_rate: float = control(
        2.0,
        grid=_ETA_GRID,
        symbol="η",
        label="learning rate",
        ends=("small steps", "large steps"),
        help="Length of a step.",
    )
    delta: float = shared.delta(
        help="By how much the probability of any set of results may exceed the bound by e^ε."
    )
    parts: str = control(
        "both",
        choices=(
            ("both", "clip and add noise"),
            ("clip", "only clip: no guarantee"),
            ("noise", "only add noise: no guarantee"),
            ("neither", "neither: plain SGD"),
        ),
        label="what is done",
        help="Privacy needs both: clipping bounds what one record can do, noise hides it.",
    )
    clipping: str = control(
        "example",
        choices=(
            ("example", "each record's gradient (proved)"),
            ("batch", "the batch's gradient (slide)"),
        ),
        label="clip",
        advanced=True,
        help="Clipping the batch lets one record move the step by 2C, and a larger batch helps nothing.",
    )
    noise: str = control(
        "lot",
        choices=(("lot", "once on the sum (proved)"), ("example", "once per record (as printed)")),
        label="add noise",
        advanced=True,
        help="The printed bracket adds noise for each record inside the sum: √|lot| times as much.",
    )
    regularisation: float = control(
        0.03,
        grid=_LAMBDA_GRID,
        symbol="λ",
        label="regularisation",
        ends=("weak", "strong"),
        advanced=True,
        help="For output perturbation of logistic regression: the stronger, the less noise.",
    )
    person: int = shared.person(
        grid=(0, 1, 2, 5, 10, 25, 50, 100),
        ends=("the most surprising", "the most ordinary"),
        help="Whose record the two worlds differ in, ranked by how wrong the plain model is on it.",
    )
    seed: int = shared.seed(
        help="The same seed gives the same lots and the same noise; σ only scales it."
    )

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
