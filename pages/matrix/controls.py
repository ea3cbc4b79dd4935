"""How the parameters of Relevance matrix are set."""

from __future__ import annotations

from ui.depth import Depth
from ui.figure_kit.controls import PageControl
from ui.figure_kit.prototype_controls import prototype_controls

__all__ = ["CONTROLS"]

CONTROLS = (
    *prototype_controls(
        clip_norm={
            "help": "Longest pull of one record on prototypes and matrix together; noise scales with it."
        },
        epochs={"mode": "server"},
        person={"mode": "local"},
    ),
    PageControl(
        "rank",
        depth=Depth.UNDERSTAND,
        help="How many directions the matrix may look along. It does not change the guarantee. "
        "Cut to the number of features, and to 16 when there are more than 100.",
    ),
    PageControl(
        "matrix_noise_std",
        ends=("none", "much"),
        mode="local",
        depth=Depth.UNDERSTAND,
        help="The paper's experiment: Gaussian noise of this standard deviation on every element "
        "of the finished matrix, scaled to trace Λ = 1. It gives no privacy; it shows how "
        "touchy the matrix is. 0.158² = 0.025.",
    ),
)
