"""The tab that shows the start of the training alone: the printed Laplace noise beside Gaussian noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpcore.experiments.relevance import (
    START_DRAWS,
    NoisyStart,
    Problem,
    RelevanceParams,
    noisy_start,
)
from ui import live
from ui.figure_kit.common import in_bytes
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers
from ui.words.numbers import short

__all__ = [
    "START_TAB", "draw_starts", "start_arrays", "start_coords", "start_panels",
]  # fmt: skip

START_TAB = "Noisy start"
_PICTURES = 9
_TITLES = {
    "laplace": "Laplace noise, as printed in 2018",
    "gaussian": "Gaussian noise, with the tight accountant",
}
Starts = Mapping[str, NoisyStart]


def draw_starts(problem: Problem, params: RelevanceParams) -> dict[str, NoisyStart]:
    """Draw both kinds of start many times at every noise level."""
    return {kind: noisy_start(problem, params, kind) for kind in _TITLES}


def start_arrays(problem: Problem, starts: Starts | None) -> dict[str, live.Array]:
    """Return where the noisy class means of each kind lie, and those without noise; empty before they are drawn."""
    if starts is None:
        shape = problem.dataset.image_shape
        nothing = in_bytes(np.empty((0, shape[0] * shape[1])), low=-1.0) if shape else None
        return {f"start_{kind}_pictures": nothing for kind in _TITLES} if nothing else {}
    origin, axes = problem.plane
    means = problem.sums / np.maximum(problem.counts, 1)[:, None]
    arrays = {
        "start_labels": live.Array(np.arange(problem.n_classes, dtype=np.int32), (None,)),
        "class_means": live.Array(((means - origin) @ axes).astype(np.float32), (None, None)),
    }
    for kind, found in starts.items():
        places = ((found.means - origin) @ axes).astype(np.float32)
        arrays[f"start_{kind}"] = live.Array(places, (f"s_{kind}", None, None, None))
        arrays[f"s_{kind}_of"] = live.Array(found.index(), ("epsilon", "delta"))
        if problem.dataset.image_shape is not None:
            arrays |= _pictures(problem, found)
    return arrays


def start_coords(starts: Starts | None) -> dict[str, str]:
    """Return the coordinates that these arrays are over."""
    return {f"s_{kind}": f"s_{kind}_of" for kind in starts or {}}


def _pictures(problem: Problem, found: NoisyStart) -> dict[str, live.Array]:
    """The first draw as pictures, at every other node."""
    every = len(found.nodes) // (_PICTURES - 1)
    images = problem.dataset.to_images(found.means[::every, 0])
    assert images is not None
    flat = images.reshape(*images.shape[:2], -1)
    # Linear between the nodes that were left out too.
    full = np.stack([
        flat[k // every] if k % every == 0 else (flat[k // every] + flat[k // every + 1]) / 2
        for k in range(len(found.nodes))
    ])  # fmt: skip
    return {f"start_{found.kind}_pictures": in_bytes(full, f"s_{found.kind}", low=-1.0)}


def start_panels(
    problem: Problem,
    params: RelevanceParams,
    starts: Starts | None,
    span: tuple[Axis, Axis],
    points: str = "points",
) -> list[Panel]:
    """Return the two panels of the tab, on the map, or as pictures where the records are pictures.

    ``points`` names the array of the records on the map.
    """
    if problem.dataset.image_shape is not None:
        return [_mosaic(problem, params, kind) for kind in _TITLES]
    return [_map(problem, params, kind, starts, span, points) for kind in _TITLES]


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
                     label="noisy class means", label_short="noisy"),
        layers.Markers(xy="class_means", labels="start_labels", role="nonprivate", size=6, hollow=True,
                       label="class means without noise", label_short="without noise"),
    ]  # fmt: skip
    return Panel(
        key=f"start_{kind}", kind="map", title=_TITLES[kind], tab=START_TAB, link="start", height=380,
        depth=Depth.CHECK, x=span[0], y=span[1], caption=_caption(problem, params, kind),
        alt=f"{START_DRAWS} noisy starts at ε = {{epsilon}} around the class means. {_TITLES[kind]}.",
        layers=known if starts is not None else [],
    )  # fmt: skip


def _mosaic(problem: Problem, params: RelevanceParams, kind: str) -> Panel:
    shape: Any = problem.dataset.image_shape
    return Panel(
        key=f"start_{kind}", kind="mosaic", title=_TITLES[kind], tab=START_TAB, shape=shape, columns=5,
        depth=Depth.CHECK, height=240, captions=list(problem.dataset.classes),
        tiles=f"start_{kind}_pictures",
        caption=_caption(problem, params, kind),
        alt=f"Pictures of the noisy class means at ε = {{epsilon}}. {_TITLES[kind]}.",
    )  # fmt: skip


def _caption(problem: Problem, params: RelevanceParams, kind: str) -> str:
    d, share = problem.X.shape[1], short(params.init_share)
    twice = 2 if params.lots == "fixed" else 1
    why = ", twice what is printed because a record is replaced" if twice == 2 else ""
    if kind == "laplace":
        return (
            "Brinkrolf, Berger and Hammer start from noisy class means. Their Laplace noise has the scale "
            f"{short(2 * twice)}/ε₁ on every class size and {short(2 * twice * d)}/ε₁ on each of the d = {d} numbers "
            f"of a class sum, with ε₁ = {share}·ε{why}. On a sum it grows with d, Gaussian noise with √d."
        )
    drawn = "One such release is drawn" if problem.dataset.image_shape else (
        f"Drawn {START_DRAWS} times: each is a release that would cost ε₁ again"
    )  # fmt: skip
    return f"Class sizes and sums get one Gaussian noise together, at ε₁ and δ/2. {drawn}."
