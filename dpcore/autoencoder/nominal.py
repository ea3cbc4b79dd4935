"""What bias weight perturbation claims: a number without a proof."""

from __future__ import annotations

import math

from dpcore import _checks
from dpcore.autoencoder.bias_noise import KINDS
from dpcore.guarantee import Guarantee, Part

__all__ = ["nominal_guarantee"]


def nominal_guarantee(epsilon: float, delta: float = 1e-5, *, kind: str) -> Guarantee:
    """Return what a release by `perturb_biases` promises: nothing, at any claimed ε.

    Parameters
    ----------
    epsilon, delta : float
        What the paper claims for it.
    kind : "hidden", "output" or "both"
        Which biases carry noise.

    Returns
    -------
    Guarantee
        ε = ∞ with ``claimed_epsilon``; replaced records, which is the paper's relation.

    See Also
    --------
    perturb_biases, gaussians_guarantee

    References
    ----------
    P. Jain, M. Gyanchandani, S. Sahu and R. Mishra, "Differentially private data release: bias
    weight perturbation method - a novel approach", 2021.

    Examples
    --------
    >>> nominal_guarantee(0.8, kind="output").epsilon
    inf
    """
    _checks.one_of("kind", kind, KINDS)
    layers = ("hidden", "output") if kind == "both" else (kind,)
    return Guarantee(
        epsilon=math.inf, delta=delta, neighbouring="replace_one", status="nominal",
        argument="The weights and the images enter without noise, and sensitivity 1 is asserted.",
        not_protected=("the images that are reconstructed", "the training images"),
        parts=tuple(
            Part(name=f"{layer} biases", epsilon=epsilon / len(layers), delta=delta,
                 mechanism="Gaussian at an asserted sensitivity of 1")
            for layer in layers
        ),
        claimed_epsilon=epsilon,
    )  # fmt: skip
