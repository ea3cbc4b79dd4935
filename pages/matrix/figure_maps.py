"""The maps of the matrix page: records as Ω sees them, eigen-images, outcomes in two worlds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpcore.experiments.matrix import MatrixParams, MatrixProblem, Study
from ui import live
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers
from ui.prototypes.figures import clouds, other_outcomes, other_world

__all__ = ["eigen", "maps", "places", "plane_span"]

Arrays = Mapping[str, live.Array]


def _square(places: Any) -> tuple[Axis, Axis]:
    """One square around places (..., 2), all but the outermost."""
    low, high = np.quantile(places.reshape(-1, 2), [0.005, 0.995], axis=0)
    middle, half = (low + high) / 2, 0.56 * float((high - low).max()) + 1e-6
    x, y = (Axis(range=(float(m - half), float(m + half))) for m in middle)
    return x, y


def plane_span(problem: MatrixProblem) -> tuple[Axis, Axis]:
    """Return a square around the records on the plane in which they spread most."""
    origin, axes = problem.plane
    return _square((problem.X - origin) @ axes)


def _span(study: Study) -> tuple[Axis, Axis]:
    found = [study.views.places.reshape(-1, 2)]
    if study.best is not None:  # with equal weight: neither may leave the picture
        repeat = max(1, len(found[0]) // len(study.best.places))
        found += [np.tile(study.best.places, (repeat, 1))]
    return _square(np.concatenate(found))


def maps(study: Study, arrays: Arrays) -> list[Panel]:
    """Return the records as both matrices see them."""
    x, y = _span(study)
    common: dict[str, Any] = {
        "kind": "map", "tab": "Map", "depth": Depth.UNDERSTAND, "x": x, "y": y, "height": 420, "link": "map",
    }  # fmt: skip
    draws = [other_outcomes("draws", alpha=0.35)]
    known = [
        layers.Regions(centres="best_proto", labels="labels", alpha=0.16),
        layers.Points(xy="best_places", labels="point_labels"),
        layers.Markers(xy="best_proto", labels="labels", role="nonprivate", label="prototype"),
    ]
    plain = Panel(
        key="plain_map", title="As the matrix sees the records, without privacy",
        caption="The records as the classifier sees them, stretched by Ω: each gets the class of its nearest "
        "prototype. Where they lie along a line, one direction decides.",
        alt="Records seen through the non-private matrix.", **common,
        layers=known if "best_proto" in arrays else [],
    )  # fmt: skip
    private = Panel(
        key="private_map", title="As the matrix sees the records, private",
        caption="The same with the private matrix. The further the small marks scatter, the more chance there is in "
        "the result. The records themselves are not published.",
        alt="Records seen through the private matrix at ε = {epsilon}.", **common,
        layers=[
            layers.Regions(centres="proto", labels="labels", alpha=0.18),
            layers.Cloud(xy="places", labels="point_labels", alpha=0.5, size=2.2),
            *(draws if "draws" in arrays else []),
            layers.Markers(xy="proto", labels="labels", label="published prototype",
                           label_short="prototype"),
        ],
    )  # fmt: skip
    return [plain, private]


def eigen(problem: MatrixProblem, arrays: Arrays) -> list[Panel]:
    """Return the strongest directions as pictures, where the records are pictures."""
    if "eigen" not in arrays:
        return []
    known = "best_eigen" in arrays
    return [Panel(
        key="eigen", kind="mosaic", depth=Depth.UNDERSTAND, title="Eigen-images", tab="Eigen-images", tiles="eigen",
        still="best_eigen" if known else "", shape=problem.dataset.image_shape or (1, 1), columns=4,
        rows=["without privacy", "private"] if known else ["private"],
        captions=["strongest", "second", "third", "fourth"], height=380,
        caption="The patterns of ink that count most for the classifier. With much noise they look like nothing.",
        alt="Eigen-images without privacy and private at ε = {epsilon}.",
    )]  # fmt: skip


def places(problem: MatrixProblem, params: MatrixParams, arrays: Arrays) -> Panel:
    """Return the released prototypes with one person and in the other world."""
    origin, plane = problem.plane
    across, up = _square((problem.X - origin) @ plane)
    return Panel(
        key="places", kind="map", title="Prototypes with and without one person", tab="Two worlds",
        depth=Depth.UNDERSTAND,
        x=across, y=up, height=340,
        caption="The more the two clouds overlap, the less the published prototypes tell about one person.",
        alt=f"Clouds of released prototypes with one person and {other_world(params)}.",
        layers=clouds(arrays),
    )  # fmt: skip
