"""How the parameters of Relevance matrix are set."""

from __future__ import annotations

from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth
from ui.prototypes.controls import prototype_controls

__all__ = ["CONTROLS"]

CONTROLS = (
    *prototype_controls(
        clip_norm={
            "help": "The longest gradient that one record may contribute to a step, on prototypes and matrix "
            "together. The noise grows with it."
        },
        epochs={"mode": "server"},
        prototypes_per_class={"depth": Depth.UNDERSTAND},
        person={"mode": "local"},
    ),
    PageControl(
        "rank",
        depth=Depth.UNDERSTAND,
        help="How many directions the matrix may tell apart. It does not change the guarantee. There are at most "
        "as many as features, and at most 16 when there are more than 100 features.",
    ),
    PageControl(
        "matrix_noise_std",
        ends=("none", "much"),
        mode="local",
        depth=Depth.CHECK,
        help="An experiment of Brinkrolf, Berger and Hammer (2018): Gaussian noise of this standard deviation on "
        "every element of the finished matrix, scaled to trace Λ = 1. It gives no privacy. It shows how "
        "sensitive the classifier is to noise. 0.158² = 0.025.",
    ),
)
