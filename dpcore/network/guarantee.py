"""What the weights of a training promise."""

from __future__ import annotations

import math

from dpcore import _noise, accounting
from dpcore.guarantee import Guarantee, Part
from dpcore.network.train import Recipe
from dpcore.units import Unit

__all__ = ["training_guarantee"]

PICTURE = Unit(singular="picture", plural="pictures")
_NOTHING = "Neither clipped nor noised: nothing is promised."
_PROVED = (
    "Each picture's gradient is clipped to C before noise is added once to their sum (Abadi et al. 2016). "
    "The privacy loss distributions of the T Poisson-sampled steps are composed."
)


def training_guarantee(
    recipe: Recipe, delta: float, expected_n: int, n_weights: int, *, unit: Unit | None = None
) -> Guarantee:
    """Return what all weights of a training promise together, each step's and the last ones.

    Parameters
    ----------
    recipe : Recipe
        How it is trained.
    delta : float
        δ in (0, 1).
    expected_n : int
        N ≥ 1, public.
    n_weights : int
        Of the network: so many normals a step, each from a generator whose tail has an end.

    unit : Unit or None
        What one picture is, and how many one person may have drawn; a picture by default.

    Returns
    -------
    Guarantee
        For data sets that differ in one picture more or less; nominal where nothing is clipped or noised.

    See Also
    --------
    Recipe, descend
    """
    epsilon = recipe.epsilon(delta)
    if math.isinf(epsilon):
        return Guarantee(
            epsilon=epsilon, delta=0.0, neighbouring="add_remove", status="nominal", argument=_NOTHING
        )  # fmt: skip
    normals = recipe.n_steps * n_weights
    beyond = _noise.beyond_reach(normals, 1 / recipe.noise_multiplier)
    delta = min(1.0, delta + _noise.tail_delta(_noise.missing_mass(normals), beyond, epsilon))
    steps = accounting.Repeated(
        accounting.sampled(accounting.GaussianEvent(recipe.noise_multiplier), recipe.sample_rate),
        recipe.n_steps,
    )
    mechanism = f"Poisson-subsampled Gaussian, σ = {recipe.noise_multiplier:.3g}, q = {recipe.sample_rate:.3g}"
    return Guarantee(
        epsilon=epsilon, delta=delta, neighbouring="add_remove", status="proved", argument=_PROVED,
        event=steps, n_records=expected_n, unit=PICTURE if unit is None else unit,
        public=(
            f"the number of training pictures N = {expected_n}, so also the expected size of a random "
            f"group, qN = {recipe.sample_rate * expected_n:g}, and the ten classes",
            "the bounds 0 and 1 of every pixel, and every setting",
        ),
        not_protected=(
            "anybody, once it is known who was in which random group (lot): that has to stay secret",
            "the accuracies on test pictures: those are taken to be public",
            "settings that somebody chooses by looking at results: that choice costs extra",
        ),
        parts=(
            Part(name=f"{recipe.n_steps} steps", epsilon=epsilon, delta=delta, mechanism=mechanism),
        ),
    )  # fmt: skip
