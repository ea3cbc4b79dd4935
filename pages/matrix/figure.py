"""The figure of the matrix page: which panels, which layers, which numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dpcore.experiments.matrix import FITTING, MATRIX_NOISE_GRID, MatrixParams, MatrixProblem, Study
from dpcore.experiments.matrix.guarantee import guarantees
from pages.matrix import figure_arrays as arrays_of
from pages.matrix.controls import CONTROLS
from pages.matrix.figure_lines import COORD, line_arrays
from pages.matrix.figure_maps import eigen, maps, places, plane_span
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.figure_kit.estimates import median_readout
from ui.frame.depth import Depth
from ui.live import Axis, Panel, Readout, layers
from ui.prototypes.figures import (
    PAPER_BUTTON,
    PROGRESS,
    accuracy_curve,
    other_world,
    spy,
    training_slider,
)
from ui.prototypes.figures import readouts as prototype_readouts
from ui.prototypes.starts import start_arrays, start_coords, start_panels
from ui.prototypes.texts import data_texts, lots_texts
from ui.words.numbers import show
from ui.words.odds_pictogram import people

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]

Arrays = Mapping[str, live.Array]
_FIT = "fit", "Settings that fit", (
    "A C and η that fit these data; found by test errors, which no ε here accounts for"
)  # fmt: skip


def figure(state: PageState[MatrixParams]) -> live.Figure:
    """Return the live figure of what is known."""
    problem, params, study = state.problem, state.params, state["study"]
    arrays = arrays_of.arrays(problem, params, study, state["outcomes"])
    n_draws = 0 if state["outcomes"] is None else len(state["outcomes"].errors)
    along, previews = line_arrays(problem, params, study, state.previews())
    starts = state["starts"]
    arrays |= along | start_arrays(problem, starts)
    if starts is not None:
        arrays["start_points"] = arrays_of.plane_points(problem)
    coords = arrays_of.COORDS | ({"v": "v_of"} if "v_of" in arrays else {}) | start_coords(starts)
    fit = [_FIT] if params.dataset in FITTING else []
    training = training_slider(
        "start", "Follow the matrix from Ω = identity to the released model."
    )
    return live.Figure(
        controls=[
            *live_controls(CONTROLS, params),
            training,
            common.buttons(PAPER_BUTTON, *fit),
        ],
        values=common.values(params, progress=PROGRESS[-1]),
        arrays=arrays,
        coords=coords | (COORD if along else {}),
        previews=previews,
        panels=[
            *_panels(problem, params, study, arrays, n_draws),
            *start_panels(problem, params, starts, plane_span(problem), "start_points"),
        ],
        readouts=_readouts(params, study, arrays, n_draws),
        texts=[
            people(guarantees(params, problem)),
            *lots_texts(params, len(problem.y)),
            *data_texts(problem),
        ],
        busy=state.busy,
    )


def _panels(
    problem: MatrixProblem, params: MatrixParams, study: Study, arrays: Arrays, n_draws: int
) -> list[Panel]:
    return [
        _profile(problem, arrays, n_draws),
        _heats(problem, arrays),
        *maps(study, arrays),
        *eigen(problem, arrays),
        accuracy_curve(arrays),
        _matrix_noise(arrays),
        _worlds(problem, params, arrays),
        places(problem, params, arrays),
        spy(arrays, 340, " on prototypes and matrix together"),
    ]


def _edges(n: int, start: float) -> list[float]:
    return [k + start + part for k in range(n) for part in (0.0, 0.38)] + [n + start]


def _axes(problem: MatrixProblem, arrays: Arrays) -> tuple[Axis, Axis]:
    # Not to the very top: a feature that much noise blew up would press all others down.
    top = float(np.quantile(arrays["profile"].values[..., ::2], 0.995))
    if "best_profile" in arrays:
        top = max(top, float(arrays["best_profile"].values.max()))
    title = "feature" if problem.n_features <= 6 else "feature (number)"
    across = Axis(title=title, **arrays_of.feature_axis(problem))
    step = next(
        s
        for s in (0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
        if s >= min(top, 1)
    )
    return across, Axis(
        range=(0.0, step * 1.04),
        title="share of all relevance",
        format=".0%" if step > 0.02 else ".1%",
    )


def _profile(problem: MatrixProblem, arrays: Arrays, n_draws: int) -> Panel:
    n = problem.n_features
    strokes = (
        f" Thin lines show the middle 80 % of {n_draws} trainings with other noise. A long line means that this "
        "bar is mostly chance."
        if n_draws
        else ""
    )
    x, y = _axes(problem, arrays)
    found: list[layers.Layer] = [
        layers.Bars(
            edges=_edges(n, 0.5), heights="best_profile", role="nonprivate", label="without privacy"
        )
    ]
    found += [
        layers.Bars(edges=_edges(n, 0.12), heights="profile", role="private", label="private")
    ]
    if "spread" in arrays:
        at = [k + 0.31 for k in range(n) for _ in range(3)]
        found += [
            layers.Line(
                x=at,
                y="spread",
                role="muted",
                width=2,
                label=f"middle 80 % of {n_draws} draws",
                label_short="80 % of draws",
            )
        ]
    shown = found if "best_profile" in arrays else found[1:]
    return Panel(
        key="profile", title="Which features count", x=x, y=y, height=400,
        caption=f"The tall bars are the features whose [[relevance]] is largest, in this draw.{strokes}",
        alt="Relevance of every feature at ε = {epsilon}, private in this draw beside non-private; they share "
        "{overlap:.0%} of their weight." if "overlap" in arrays else "Relevance of every feature.",
        layers=shown,
    )  # fmt: skip


def _heats(problem: MatrixProblem, arrays: Arrays) -> Panel:
    side = len(problem.shown)
    few = (
        f" Drawn for {side} of {problem.n_features} features." if side < problem.n_features else ""
    )
    known = "best_heat" in arrays
    return Panel(
        key="heat", kind="mosaic", depth=Depth.UNDERSTAND, title="The relevance matrix Λ", tiles="heat",
        still="best_heat" if known else "", shape=(side, side), columns=2, range=(-1.0, 1.0),
        height=330, captions=["without privacy", "private"] if known else ["private"],
        caption="The further a cell is from the middle shade, the more its two features count together, with equal "
        f"or with opposite sign. An even diagonal means that all features have nearly the same weight.{few}",
        alt="The relevance matrix, without privacy and private at ε = {epsilon}.",
    )  # fmt: skip


def _matrix_noise(arrays: Arrays) -> Panel:
    places = list(range(len(MATRIX_NOISE_GRID)))
    at = [float(k) for k in places]
    found = [
        layers.Band(x=at, low="matrix_noise_low", high="matrix_noise_high", role="nonprivate",
                    label="middle 80 % of draws", label_short="80 % of draws"),
        layers.Line(x=at, y="matrix_noise_best", role="nonprivate",
                    label="noise on Ω, without privacy", label_short="Ω"),
        layers.Line(x=at, y="matrix_noise_lambda", role="other", dash=True,
                    label="noise on Λ, without privacy", label_short="Λ"),
        layers.Line(x=at, y="matrix_noise_private", label="noise on Ω, private at your ε",
                    label_short="private"),
        layers.VLine(at="matrix_noise_at", role="muted", width=1),
        layers.Dot(x="matrix_noise_at", y="matrix_noise_best_now", role="nonprivate"),
        layers.Dot(x="matrix_noise_at", y="matrix_noise_private_now"),
    ]  # fmt: skip
    known = "matrix_noise_low" in arrays
    now = " At s = {matrix_noise_std}: {matrix_noise_best_now} without privacy." if known else ""
    return Panel(
        key="matrix_noise", title="Noise on the finished matrix", tab="Noise on the matrix", height=360,
        depth=Depth.CHECK,
        x=Axis(range=(-0.3, len(at) - 0.7), ticks=tuple(at), words=tuple(show(s, '.6g') for s in MATRIX_NOISE_GRID),
               title="s, standard deviation of the noise on every element"),
        y=Axis(range=(0.0, 1.0), title="test accuracy", format=".0%"),
        caption="We add noise to every element of the finished Ω, or of Λ = ΩᵀΩ, and see how much of it each "
        "classifier can take before its accuracy falls. This noise gives no privacy.",
        alt="Accuracy as more and more noise is put on the finished matrix" + (
            ": without privacy it {trend:matrix_noise_best}." if known else "."
        ) + now,
        layers=found if known else [],
    )  # fmt: skip


def _worlds(problem: MatrixProblem, params: MatrixParams, arrays: Arrays) -> Panel:
    n = problem.n_features
    x, y = _axes(problem, arrays)
    both = [
        layers.Bars(
            edges=_edges(n, 0.5),
            heights="spread_without_record",
            role="other",
            label="without the person",
        ),
        layers.Bars(
            edges=_edges(n, 0.12),
            heights="spread_with_record",
            role="private",
            label="with the person",
        ),
    ]
    return Panel(
        key="worlds", title="Which features count, with and without one person", tab="Two worlds",
        depth=Depth.UNDERSTAND,
        x=x, y=y, height=340,
        caption="Each bar is the mean of many trainings. The more alike the two bars of a feature are, the harder it "
        "is to tell from its relevance whether the person took part.",
        alt=f"Mean relevances with one person and {other_world(params)}.",
        layers=both if "with_record" in arrays else [],
    )  # fmt: skip


def _readouts(params: MatrixParams, study: Study, arrays: Arrays, n_draws: int) -> list[Readout]:
    """Return the numbers that matter, for the arrays that are there."""
    part = study.upto < params.epochs
    note = f"first {show(study.upto, '.0f')} of {params.epochs} epochs" if part else ""
    found = prototype_readouts(params, arrays, n_draws, note)
    if study.best is None:
        return found
    share = study.best.relevances
    even = float(np.minimum(share, 1 / len(share)).sum())
    same = median_readout(
        "relies on the same features", "overlap_median", code=".0%", n_draws=n_draws, draw="overlap",
        help="How much the relevances with and without privacy overlap: the sum of the smaller of the two over "
        "all features.",
    )  # fmt: skip
    alike = f"{show(even, '.0%')} if all counted alike"
    same = replace(same, note=f"{alike}; {same.note}", alone=f"{alike}; {same.alone}")
    place = [readout.value for readout in found].index("privacy_cost")
    cost = replace(found[place], depth=Depth.UNDERSTAND)
    return [*found[:place], same, cost, *found[place + 1 :]]
