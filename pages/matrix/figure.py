"""The matrix lab: which panels, which layers, which numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpcore.experiments.matrix import (
    TOUCH_GRID,
    MatrixParams,
    MatrixProblem,
    Study,
)
from pages.matrix.figure_arrays import PROGRESS, feature_axis
from ui import live
from ui.figure_kit.prototypes import PARTING_EDGES, accuracy_curve
from ui.figure_kit.prototypes import readouts as prototype_readouts
from ui.live import Axis, Panel, Readout, layers

__all__ = ["panels", "progress_slider", "readouts"]

Arrays = Mapping[str, live.Array]


def progress_slider() -> live.Slider:
    """Return the training axis."""
    return live.Slider(
        name="progress", label="training", grid=PROGRESS, mode="local", play=True, unit=" %",
        ends=("start", "released model"),
        help="Follow the matrix from Ω = identity to the released model.",
    )  # fmt: skip


def panels(
    problem: MatrixProblem, params: MatrixParams, study: Study, arrays: Arrays
) -> list[Panel]:
    """Return the panels for the arrays that are there."""
    return [
        _profile(problem, arrays),
        _heats(problem, arrays),
        *_maps(problem, study, arrays),
        *_eigen(problem, arrays),
        accuracy_curve(arrays),
        _touch(arrays),
        *_worlds(problem, arrays),
    ]


def _edges(n: int, start: float) -> list[float]:
    return [k + start + part for k in range(n) for part in (0.0, 0.38)] + [n + start]


def _axes(problem: MatrixProblem, arrays: Arrays) -> tuple[Axis, Axis]:
    # Not to the very top: a feature that much noise blew up would press all others down.
    top = float(np.quantile(arrays["profile"].values[..., ::2], 0.995))
    if "best_profile" in arrays:
        top = max(top, float(arrays["best_profile"].values.max()))
    title = "feature" if problem.n_features <= 6 else "feature (number)"
    across = Axis(title=title, **feature_axis(problem))
    step = next(
        s
        for s in (0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
        if s >= min(top, 1)
    )
    return across, Axis(
        range=(0.0, step * 1.04), title="relevance (sum 1)", format=".0%" if step > 0.02 else ".1%"
    )


def _profile(problem: MatrixProblem, arrays: Arrays) -> Panel:
    n = problem.n_features
    x, y = _axes(problem, arrays)
    found: list[layers.Layer] = [
        layers.Bars(edges=_edges(n, 0.5), heights="best_profile", role="nonprivate")
    ]
    found += [layers.Bars(edges=_edges(n, 0.12), heights="profile", role="private")]
    if "spread" in arrays:
        at = [k + 0.31 for k in range(n) for _ in range(3)]
        found += [layers.Line(x=at, y="spread", role="muted", width=2)]
    shown = found if "best_profile" in arrays else found[1:]
    return Panel(
        key="profile", title="Which features count", x=x, y=y, height=400,
        caption="Accent: the private classifier, this draw. Grey: without privacy. Strokes: the "
        "middle 80 % of other draws of the noise. A stroke from top to bottom means: the noise "
        "chose, not the data.",
        alt="Relevance of every feature at ε = {epsilon}, private beside non-private; they share "
        "{overlap} of their weight." if "overlap" in arrays else "Relevance of every feature.",
        layers=shown,
    )  # fmt: skip


def _heats(problem: MatrixProblem, arrays: Arrays) -> Panel:
    side = len(problem.shown)
    few = (
        f" Drawn for {side} of {problem.n_features} features." if side < problem.n_features else ""
    )
    known = "best_heat" in arrays
    return Panel(
        key="heat", kind="mosaic", title="The relevance matrix Λ", tiles="heat",
        still="best_heat" if known else "", shape=(side, side), columns=2, range=(-1.0, 1.0),
        height=330, captions=["without privacy", "private"] if known else ["private"],
        caption="Row and column: two features. Ink (dark here, bright in the dark theme): they count "
        "together; middle grey: not at all; the opposite: against each other. An even diagonal on grey: "
        "it learned little and still is the identity. Speckle: noise. Both have trace 1; shades "
        f"follow the square root, so that small elements are seen.{few}",
        alt="The relevance matrix, without privacy and private at ε = {epsilon}.",
    )  # fmt: skip


def _square(places: Any) -> tuple[Axis, Axis]:
    """One square around places (..., 2), all but the outermost."""
    low, high = np.quantile(places.reshape(-1, 2), [0.005, 0.995], axis=0)
    middle, half = (low + high) / 2, 0.56 * float((high - low).max()) + 1e-6
    x, y = (Axis(range=(float(m - half), float(m + half))) for m in middle)
    return x, y


def _span(study: Study) -> tuple[Axis, Axis]:
    found = [study.looks.places.reshape(-1, 2)]
    if study.best is not None:  # with equal weight: neither may leave the picture
        repeat = max(1, len(found[0]) // len(study.best.places))
        found += [np.tile(study.best.places, (repeat, 1))]
    return _square(np.concatenate(found))


def _maps(problem: MatrixProblem, study: Study, arrays: Arrays) -> list[Panel]:
    x, y = _span(study)
    common: dict[str, Any] = {
        "kind": "map", "tab": "Map", "x": x, "y": y, "height": 420, "link": "map",
    }  # fmt: skip
    draws = [layers.Cloud(xy="draws", labels="labels", alpha=0.35, size=2.6)]
    known = [
        layers.Regions(centres="best_proto", labels="labels", alpha=0.16),
        layers.Points(xy="best_places", labels="point_labels"),
        layers.Markers(xy="best_proto", labels="labels", role="nonprivate"),
    ]
    plain = Panel(
        key="plain_map", title="As Ω sees them, without privacy",
        caption="Records and prototypes along the two strongest directions of Λ, and the regions "
        "that the prototypes decide. Distances here are the classifier's own.",
        alt="Records seen through the non-private matrix.", **common,
        layers=known if "best_proto" in arrays else [],
    )  # fmt: skip
    private = Panel(
        key="private_map", title="As Ω sees them, private",
        caption="The same with the private matrix, on the same scale. Small marks: where other draws "
        "put the prototypes, each on its own map. The records are drawn for you, their keeper: "
        "they are not released.",
        alt="Records seen through the private matrix at ε = {epsilon}.", **common,
        layers=[
            layers.Regions(centres="proto", labels="labels", alpha=0.18),
            layers.Cloud(xy="places", labels="point_labels", alpha=0.5, size=2.2),
            *(draws if "draws" in arrays else []),
            layers.Markers(xy="proto", labels="labels"),
        ],
    )  # fmt: skip
    return [plain, private]


def _eigen(problem: MatrixProblem, arrays: Arrays) -> list[Panel]:
    if "eigen" not in arrays:
        return []
    known = "best_eigen" in arrays
    return [Panel(
        key="eigen", kind="mosaic", title="Eigen-images", tab="Eigen-images", tiles="eigen",
        still="best_eigen" if known else "", shape=problem.dataset.image_shape or (1, 1), columns=4,
        rows=["without privacy", "private"] if known else ["private"],
        captions=["strongest", "second", "third", "fourth"], height=380,
        caption="The four strongest directions of Λ as pictures, at the end of training: patterns of "
        "ink the classifier looks for; middle grey: it does not look there. Without privacy it may "
        "look at the rim: pixels that are nearly always empty get a huge weight for free. When Λ is "
        "nearly even, its directions are arbitrary: noise that looks like something.",
        alt="Eigen-images without privacy and private at ε = {epsilon}.",
    )]  # fmt: skip


def _touch(arrays: Arrays) -> Panel:
    places = list(range(len(TOUCH_GRID)))
    at = [float(k) for k in places]
    found = [
        layers.Band(x=at, low="touch_low", high="touch_high", role="nonprivate"),
        layers.Line(x=at, y="touch_middle", role="nonprivate"),
        layers.Line(x=at, y="touch_lambda", role="other", dash=True),
        layers.Line(x=at, y="touch_private"),
        layers.VLine(at="touch_at", role="muted", width=1),
        layers.Dot(x="touch_at", y="touch_best_now", role="nonprivate"),
        layers.Dot(x="touch_at", y="touch_private_now"),
    ]
    known = "touch_low" in arrays
    now = " At s = {touch}: {touch_best_now} without privacy." if known else ""
    return Panel(
        key="touch", title="Noise on the finished matrix", tab="Noise on the matrix", height=360,
        x=Axis(range=(-0.3, len(at) - 0.7), ticks=tuple(at), words=tuple(f"{s:g}" for s in TOUCH_GRID),
               title="s, standard deviation of the noise on every element (slider under More)"),
        y=Axis(range=(0.0, 1.0), title="test accuracy", format=".0%"),
        caption="The paper's experiment, no privacy in it. Grey: noise on Ω of the non-private model, "
        "band: middle 80 % of 20 draws. Accent: the same on the private model at your ε, mean of 8. "
        "Orange: noise on Λ instead of Ω. Λ is scaled to trace 1 first.",
        alt="Accuracy as more and more noise is put on the finished matrix" + (
            ": without privacy it {trend:touch_middle}." if known else "."
        ) + now,
        layers=found if known else [],
    )  # fmt: skip


def _if(known: bool, found: list[layers.Layer]) -> list[layers.Layer]:
    """Layers whose arrays are there: a panel stays while its draws are made."""
    return found if known else []


def _worlds(problem: MatrixProblem, arrays: Arrays) -> list[Panel]:
    known = "present" in arrays
    n = problem.n_features
    x, y = _axes(problem, arrays)
    edges = [float(e) for e in PARTING_EDGES]
    origin, plane = problem.plane
    across, up = _square((problem.X - origin) @ plane)
    return [
        Panel(
            key="worlds", title="Which features count, in both worlds", tab="Two worlds",
            x=x, y=y, height=340,
            caption="Mean relevance over the draws. Accent: trained with the chosen person (under "
            "More). Orange: without. One person hardly moves it.",
            alt="Mean relevances with and without one person.",
            layers=_if(known, [
                layers.Bars(edges=_edges(n, 0.5), heights="spread_absent", role="other"),
                layers.Bars(edges=_edges(n, 0.12), heights="spread_present", role="private"),
            ]),
        ),
        Panel(
            key="places", kind="map", title="Released prototypes in both worlds", tab="Two worlds",
            x=across, y=up, height=340,
            caption="Many draws on the data's plane of largest spread: with the person (accent) and "
            "without (orange). Privacy is their overlap.",
            alt="Clouds of released prototypes with and without one person.",
            layers=_if(known, [
                layers.Cloud(xy="absent", labels="labels", role="other", alpha=0.9, size=4.4),
                layers.Cloud(xy="present", labels="labels", role="private", alpha=0.75, size=2.8),
            ]),
        ),
        Panel(
            key="parting", title="The view of a spy", tab="Two worlds", height=340,
            x=Axis(range=(-5, 5), title="score of the best straight line between the worlds"),
            y=Axis(range=(0, 0.4), title="share of the draws", format=".0%"),
            caption="A linear test on prototypes and matrix together, trained on half of the draws, "
            "used on the other half. The more the histograms overlap, the less a spy learns. The "
            "proof bounds every test.",
            alt="Histograms of a spy's score in both worlds.",
            layers=_if(known, [
                layers.Bars(edges=edges, heights="absent_counts", role="other", alpha=0.55),
                layers.Bars(edges=edges, heights="present_counts", role="private", alpha=0.55),
            ]),
        ),
    ]  # fmt: skip


def readouts(params: MatrixParams, study: Study, arrays: Arrays) -> list[Readout]:
    """Return the numbers that matter, for the arrays that are there."""
    part = study.upto < params.epochs
    note = f"first {study.upto:.0f} of {params.epochs} epochs" if part else ""
    found = prototype_readouts(params, arrays, note)
    if study.best is not None:
        share = study.best.relevances
        even = float(np.minimum(share, 1 / len(share)).sum())
        after = [readout.value for readout in found].index("noise_price") + 1
        found.insert(after, Readout(label="looks at the same features", value="overlap", format=".0%",
                                    note=f"an even look has {even:.0%}",
                                    help="Overlap of both profiles, Σ min(private, non-private)."))  # fmt: skip
    return found
