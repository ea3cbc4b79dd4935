"""Arrays and panels of the tab *Decision regions* of the Affine hulls page.

The tab shows which class each of three classifiers predicts at every point of the plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm import DecisionRegions, Picture
from pages.kahm.figure.picture import EXTENT, nodes_of, plane_map
from ui.figure_kit.common import array, in_bytes
from ui.live import Array, Panel, Readout, layers
from ui.live.depth import Depth
from ui.words import text

__all__ = ["COORDS", "arrays", "panels", "readouts"]

T = text.load_text(__file__)

COORDS = {"v": "v_of"}  # ε at which the classifiers are there
_EDGE = 0.004  # distance over which a region's colour sets in
_SAW = ("noisy", "published")


def arrays(picture: Picture, regions: DecisionRegions | None) -> dict[str, Array]:
    """Return the arrays for three classifiers of points in the plane: margins, training data, and accuracies."""
    n_classes = picture.nets.shape[2]
    if regions is None:
        gone = np.full((2, 2), np.nan)
        names = [f"lead_{kind}{c}" for c in range(n_classes) for kind in ("original", *_SAW)]
        return {
            "v_of": nodes_of([1.0]),
            **{name: array(gone) for name in names},
            **{f"points_{kind}": array(np.full((len(picture.y), 2), np.nan)) for kind in _SAW},
            **{f"right_{kind}": array(np.nan) for kind in ("original", *_SAW)},
        }
    return {
        "v_of": nodes_of(regions.nodes),
        **_leads("original", regions.leads_original),
        "right_original": array(regions.accuracy_original),
        **{key: one for k, kind in enumerate(_SAW) for key, one in _of(regions, k, kind).items()},
    }


def _of(regions: DecisionRegions, k: int, kind: str) -> dict[str, Array]:
    return {
        **_leads(kind, regions.leads[:, k], "v"),
        f"points_{kind}": array(regions.points[:, k], "v"),
        # A number is read where a classifier was built; only pictures are blended between two.
        f"right_{kind}": array(regions.accuracy[_nearest(regions.nodes), k], "epsilon"),
    }


def _nearest(nodes: Sequence[float]) -> NDArray[np.intp]:
    """Return, for every ε of the slider, the index of the value in ``nodes`` that is nearest on the log scale."""
    apart = np.log(np.array(EPSILON_GRID))[:, None] - np.log(np.array(nodes))
    return np.asarray(np.abs(apart).argmin(1))


def _leads(kind: str, leads: Any, *dims: str) -> dict[str, Array]:
    return {
        f"lead_{kind}{c}": in_bytes(leads[..., c, :, :], *dims, low=-8 * _EDGE, high=8 * _EDGE)
        for c in range(leads.shape[-3])
    }


def panels(picture: Picture) -> list[Panel]:
    """Return the maps of the predictions of three classifiers; if a user zooms one map, all follow."""
    maps = {
        "regions_original": "original",
        "regions_noisy": "noisy",
        "regions_published": "published",
    }
    return [_map(key, kind, picture.nets.shape[2]) for key, kind in maps.items()]


def _map(key: str, kind: str, n_classes: int) -> Panel:
    leads = [
        layers.Shade(
            values=f"lead_{kind}{c}", extent=EXTENT, range=(-_EDGE, _EDGE), role=c, alpha=0.35
        )
        for c in range(n_classes)
    ]
    points = layers.Points(xy=f"points_{kind}", labels="labels", size=2.6)
    return plane_map(
        key, [*leads, points], tab=T("tabs.regions"), link="regions", depth=Depth.UNDERSTAND
    )


def readouts(regions: DecisionRegions | None) -> list[Readout]:
    """Return the readouts of the three classifiers' accuracies.

    There are none before the accuracies are computed.
    """
    if regions is None:
        return []
    roles = {"right_original": "nonprivate", "right_noisy": "other", "right_published": "private"}
    return [
        T.readout(
            Readout(value=value, format=".0%", role=role, depth=Depth.UNDERSTAND),
            n_test=regions.n_test,
            n_nodes=len(regions.nodes),
        )
        for value, role in roles.items()
    ]
