"""Tab on the initial prototypes: Laplace noise of Brinkrolf et al. and Gaussian noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.experiments.relevance import (
    START_DRAWS,
    START_KINDS,
    NoisyStart,
    Problem,
    RelevanceParams,
)
from ui import live
from ui.figure_kit.common import in_bytes
from ui.live import Axis, Panel, layers
from ui.live.depth import Depth
from ui.words import text

__all__ = ["start_arrays", "start_coords", "start_panels"]

T = text.load_text(__file__)
_KEYS = {"laplace": "start_laplace", "gaussian": "start_gaussian"}
_PICTURES = 9
Starts = Mapping[str, NoisyStart]


def start_arrays(problem: Problem, starts: Starts | None) -> dict[str, live.Array]:
    """Return the exact class means, and the noisy ones for each kind of noise.

    The mapping is empty before noise is drawn.
    """
    if starts is None:
        shape = problem.dataset.image_shape
        nothing = in_bytes(np.empty((0, shape[0] * shape[1])), low=-1.0) if shape else None
        return {f"start_{kind}_pictures": nothing for kind in START_KINDS} if nothing else {}
    origin, axes = problem.plane
    means = problem.sums / np.maximum(problem.counts, 1)[:, None]
    arrays = {
        "start_labels": live.Array(np.arange(problem.n_classes, dtype=np.int32), (None,)),
        "class_means": live.Array(((means - origin) @ axes).astype(np.float32), (None, None)),
    }
    for kind, start in starts.items():
        places = ((start.means - origin) @ axes).astype(np.float32)
        arrays[f"start_{kind}"] = live.Array(places, (f"s_{kind}", None, None, None))
        arrays[f"s_{kind}_of"] = live.Array(start.index(), ("epsilon", "delta"))
        if problem.dataset.image_shape is not None:
            arrays |= _pictures(problem, start)
    return arrays


def start_coords(starts: Starts | None) -> dict[str, str]:
    """Return, for each kind of noise, the name of the array that maps ε to an index among noise levels.

    The mapping is empty before noise is drawn.
    """
    return {f"s_{kind}": f"s_{kind}_of" for kind in starts or {}}


def _pictures(problem: Problem, start: NoisyStart) -> dict[str, live.Array]:
    """Return the class means of the first noisy initialization as images, at every noise level.

    Only some noise levels are decoded to images; the images between two of these are interpolated linearly.
    """
    every = len(start.nodes) // (_PICTURES - 1)
    images = problem.dataset.to_images(start.means[::every, 0])
    assert images is not None
    flat = images.reshape(*images.shape[:2], -1)
    # Linear between the nodes that were left out too.
    full = np.stack([
        flat[k // every] if k % every == 0 else (flat[k // every] + flat[k // every + 1]) / 2
        for k in range(len(start.nodes))
    ])  # fmt: skip
    return {f"start_{start.kind}_pictures": in_bytes(full, f"s_{start.kind}", low=-1.0)}


def start_panels(
    problem: Problem,
    params: RelevanceParams,
    starts: Starts | None,
    span: tuple[Axis, Axis],
    points: str = "points",
) -> list[Panel]:
    """Return the two panels of the tab on initial prototypes: maps or, if the records are images, images.

    ``points`` names the array of the records on the map.
    """
    if problem.dataset.image_shape is not None:
        return [_mosaic(problem, params, kind) for kind in START_KINDS]
    return [_map(problem, params, kind, starts, span, points) for kind in START_KINDS]


def _map(
    problem: Problem,
    params: RelevanceParams,
    kind: str,
    starts: Starts | None,
    span: tuple[Axis, Axis],
    points: str,
) -> Panel:
    known: list[layers.Layer] = [
        layers.Points(xy=points, labels="point_labels", alpha=0.2),
        layers.Cloud(xy=f"start_{kind}", labels="start_labels", alpha=0.6, size=4,
                     label=T("start.noisy"), label_short=T("start.noisy_short")),
        layers.Markers(xy="class_means", labels="start_labels", role="nonprivate", size=6, hollow=True,
                       label=T("start.means"), label_short=T("start.means_short")),
    ]  # fmt: skip
    panel = Panel(
        key=_KEYS[kind], kind="map", link="start", height=380, depth=Depth.CHECK, x=span[0], y=span[1],
        layers=known if starts is not None else [],
    )  # fmt: skip
    return _worded(panel, problem, params, kind)


def _mosaic(problem: Problem, params: RelevanceParams, kind: str) -> Panel:
    shape: Any = problem.dataset.image_shape
    panel = Panel(
        key=_KEYS[kind], kind="mosaic", shape=shape, columns=5, depth=Depth.CHECK, height=240,
        captions=list(problem.dataset.classes), tiles=f"start_{kind}_pictures",
    )  # fmt: skip
    worded = _worded(panel, problem, params, kind)
    return replace(worded, alt=T(f"panels.{_KEYS[kind]}.pictures"))


def _worded(panel: Panel, problem: Problem, params: RelevanceParams, kind: str) -> Panel:
    d, times = problem.X.shape[1], 4 if params.lots == "fixed" else 2
    if kind == "gaussian":
        return T.panel(panel, "pictures" if problem.dataset.image_shape else "", draws=START_DRAWS)
    return T.panel(
        panel, "fixed" if params.lots == "fixed" else "", draws=START_DRAWS,
        on_size=times, on_sum=times * d, d=d, share=params.init_share,
    )  # fmt: skip
