"""What the handles of n, N, τ and the skew draw on the affine hull page while they move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dpcore.experiments.kahm import KahmParams, Picture
from pages.kahm.figure_picture import of_picture
from ui.figure_kit.preview import Previews, ahead, instead_of

__all__ = ["preview_arrays"]

_TOGETHER = [f"{who}{what}" for who in ("together", "alone") for what in ("", "_clean", "_now")]
_ENDS = ("end_here", "end_there")


def preview_arrays(params: KahmParams, pictures: Mapping[str, Sequence[Picture]]) -> Previews:
    """Return what a handle draws while it moves, and which arrays that stands in for.

    Who holds what is an array over the skew itself; what is not known ahead is left out meanwhile.
    """
    found, gone = {}, list(_ENDS)
    for name, along in pictures.items():
        first, epsilon = along[0], params.epsilon
        between = np.interp(np.log(epsilon), np.log(first.nodes), np.arange(len(first.nodes)))
        places = {"i": first.epsilons.index(epsilon), "f": float(between)}
        found[name] = ahead(name, [of_picture(picture) for picture in along], places)
        gone += [f"{what}{c}_{axis}" for what in ("draws", "middle")
                 for c in range(first.nets.shape[2]) for axis in "xy"]  # fmt: skip
    made, previews = instead_of(found, gone)
    return made, {"skew": dict.fromkeys(_TOGETHER, ""), **previews}
