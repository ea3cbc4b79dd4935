"""Interactive figure of the Relevance matrix page: relevances, the matrix Λ, transformed records, and noise on Λ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.experiments import relevance
from dpcore.experiments.matrix import (
    FITTING,
    MATRIX_NOISE_GRID,
    MatrixParams,
    MatrixProblem,
    Study,
)
from pages.matrix import arrays as arrays_of
from pages.matrix.controls import CONTROLS
from ui import live
from ui.figure_kit.bets import on_outcomes
from ui.figure_kit.estimates import median_readout
from ui.figure_kit.outcomes import Someone
from ui.live import Axis, Panel, Readout, layers
from ui.live.depth import Depth
from ui.prototypes.estimates import draws_of
from ui.prototypes.figure import (
    accuracy_curve,
    attack_panel,
    clouds,
    other_outcomes,
    prototype_figure,
)
from ui.prototypes.figure import readouts as prototype_readouts
from ui.prototypes.person import person_seen, stepped
from ui.prototypes.starts import start_arrays, start_coords, start_panels
from ui.words import text
from ui.words.numbers import show
from ui.words.units import records

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]

Arrays = Mapping[str, live.Array]
T = text.load_text(__file__)
_TOPS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)  # of an axis of shares


def figure(state: PageState[MatrixParams]) -> live.Figure:
    """Return the interactive figure of the results available for the current parameters."""
    problem, params, study, starts = state.problem, state.params, state["study"], state["starts"]
    arrays = arrays_of.arrays(problem, params, study, state["outcomes"])
    on_maps = arrays_of.seen(problem, params)
    n_draws = 0 if state["outcomes"] is None else len(state["outcomes"].errors)
    along, previews = arrays_of.line_arrays(problem, params, study, state.previews())
    arrays |= along | start_arrays(problem, starts)
    if starts is not None:
        arrays["start_points"] = arrays_of.plane_points(problem, on_maps)
    person = person_seen(problem, params, on_maps.rows, dots="places")
    worlds = arrays_of.worlds(study, on_maps, state["outcomes"], _reach(study, on_maps))
    others, stepping = stepped(
        params, problem, person, draws_of(problem, state["outcomes"]), worlds, hidden=("draws",)
    )
    arrays |= dict(person.arrays) | others
    fit = ("fit", T("buttons.fit.label"), T("buttons.fit.help"))
    return prototype_figure(
        state,
        CONTROLS,
        T.field("progress"),
        whose=person.whose,
        actions=[fit] if params.dataset in FITTING else [],
        arrays=arrays,
        coords=arrays_of.coords(arrays) | start_coords(starts),
        previews=previews,
        panels=[
            *_panels(problem, params, study, on_maps, arrays, n_draws, person),
            *start_panels(problem, params, starts, _plane_span(problem), "start_points"),
        ],
        readouts=_readouts(params, study, arrays, n_draws),
        breathing=stepping,
    )


def _panels(
    problem: MatrixProblem,
    params: MatrixParams,
    study: Study,
    on_maps: arrays_of.Seen,
    arrays: Arrays,
    n_draws: int,
    person: Someone,
) -> list[Panel]:
    """Return the panels of the figure, which show the numbers in ``arrays``.

    ``person`` is the person whose record can be removed. ``n_draws`` is the number of repeated noise draws.
    """
    profile = _profile(problem, study, arrays, n_draws)
    if "bet_bound" in arrays:
        tells = ["spread", "places", "chosen", *(["stranger"] if on_maps.replaced else [])]
        bets = on_outcomes(person, relevance.guarantee(params, problem), hides=tells)
        profile = replace(profile, bets=bets)
    eigen = _eigen(problem, study, arrays)
    private, plain = _maps(problem, params, study, on_maps, arrays, person)
    return [
        profile,
        *([] if eigen.tab else [eigen]),
        private,
        _heats(problem, arrays),
        plain,
        *([eigen] if eigen.tab else []),  # the page opens with the first tab, the map
        accuracy_curve(arrays),
        _matrix_noise(arrays),
        _worlds(problem, params, study, arrays),
        _places(problem, params, arrays),
        attack_panel(arrays, 340, matrix=True),
    ]


def _edges(n: int, start: float) -> list[float]:
    return [k + start + part for k in range(n) for part in (0.0, 0.38)] + [n + start]


def _axes(problem: MatrixProblem, study: Study, arrays: Arrays) -> tuple[Axis, Axis]:
    # Not to the very top: a feature that much noise blew up would press all others down.
    top = float(np.quantile(arrays["profile"].values[..., ::2], 0.995))
    if "best_profile" in arrays:
        top = max(top, float(arrays["best_profile"].values.max()))
    across = Axis(**arrays_of.feature_axis(problem, arrays_of.named_features(study)))
    step = next(one for one in _TOPS if one >= min(top, 1))
    code = ".0%" if step > 0.02 else ".1%"
    return across, Axis(range=(0.0, step * 1.04), title=T("features.share"), format=code)


def _profile(problem: MatrixProblem, study: Study, arrays: Arrays, n_draws: int) -> Panel:
    n = len(arrays_of.named_features(study))
    best = layers.Bars(
        edges=_edges(n, 0.5), heights="best_profile", role="nonprivate", label=T("panels.profile.best")
    )  # fmt: skip
    bars = [
        layers.Bars(
            edges=_edges(n, 0.12), heights="profile", role="private", label=T("panels.profile.private")
        )
    ]  # fmt: skip
    strokes = [
        layers.Line(x=[k + 0.31 for k in range(n) for _ in range(3)], y="spread", role="muted", width=2,
                    depth=Depth.UNDERSTAND, label=T("panels.profile.spread", draws=n_draws),
                    label_short=T("panels.profile.spread_short"))
    ]  # fmt: skip
    x, y = _axes(problem, study, arrays)
    panel = Panel(
        key="profile", x=x, y=y, height=370,
        layers=[
            *([best] if "best_profile" in arrays else []), *bars, *(strokes if "spread" in arrays else []),
            layers.HLine(at=1 / problem.n_features, role="muted", dash=True, width=1.2,
                         depth=Depth.UNDERSTAND, label=T("panels.profile.equal")),
        ],
    )  # fmt: skip
    worded = T.panel(panel, shown=n, all=problem.n_features)
    return worded if "overlap" in arrays else replace(worded, alt=T("panels.profile.alt_alone"))


def _heats(problem: MatrixProblem, arrays: Arrays) -> Panel:
    side, n = len(problem.shown), problem.n_features
    best, private = T("panels.heat.best"), T("panels.heat.private")
    known = "best_heat" in arrays
    panel = Panel(
        key="heat", kind="mosaic", depth=Depth.UNDERSTAND, tiles="heat", still="best_heat" if known else "",
        shape=(side, side), columns=2, range=(-1.0, 1.0), height=330,
        captions=[best, private] if known else [private],
    )  # fmt: skip
    return T.panel(panel, "few" if side < n else "", side=side, n=n)


def _square(places: Any) -> tuple[Axis, Axis]:
    """Return an x axis and a y axis of equal length that contain the points (..., 2).

    At each end of each axis, one in 200 of the points may lie outside.
    """
    low, high = np.quantile(places.reshape(-1, 2), [0.005, 0.995], axis=0)
    middle, half = (low + high) / 2, 0.56 * float((high - low).max()) + 1e-6
    x, y = (Axis(range=(float(m - half), float(m + half))) for m in middle)
    return x, y


def _plane_span(problem: MatrixProblem) -> tuple[Axis, Axis]:
    """Return two axes of equal length for the records, projected on the plane of largest variance."""
    origin, axes = problem.plane
    return _square((problem.X - origin) @ axes)


def _map_span(study: Study, on_maps: arrays_of.Seen) -> tuple[Axis, Axis]:
    places = [(on_maps.X @ study.views.axes).reshape(-1, 2)]
    if study.best is not None:  # with equal weight: neither may leave the picture
        best = on_maps.X @ study.best.axes
        places += [np.tile(best, (max(1, len(places[0]) // len(best)), 1))]
    return _square(np.concatenate(places))


def _reach(study: Study, on_maps: arrays_of.Seen) -> float:
    """Return the absolute value of a coordinate that lies just outside of the maps."""
    x, y = _map_span(study, on_maps)
    return 1.05 * max(abs(float(end)) for axis in (x, y) for end in axis.range)


def _maps(
    problem: MatrixProblem,
    params: MatrixParams,
    study: Study,
    on_maps: arrays_of.Seen,
    arrays: Arrays,
    person: Someone,
) -> tuple[Panel, Panel]:
    """Return two maps of the records, one transformed by the private matrix Ω and one by the non-private Ω.

    On the first map a user chooses a person, and removes this person's record.
    """
    x, y = _map_span(study, on_maps)
    common: dict[str, Any] = {"kind": "map", "x": x, "y": y, "height": 370, "link": "map"}
    draws = [replace(other_outcomes("draws", alpha=0.35), depth=Depth.UNDERSTAND)]
    known = [
        layers.Regions(centres="best_proto", labels="labels", alpha=0.16),
        layers.Points(xy="best_places", labels="point_labels"),
        layers.Markers(xy="best_proto", labels="labels", role="nonprivate",
                       label=T("panels.plain_map.prototype")),
    ]  # fmt: skip
    plain = Panel(
        key="plain_map", depth=Depth.UNDERSTAND, **common,
        layers=known if "best_proto" in arrays else [],
    )  # fmt: skip
    private = Panel(
        key="private_map", **common,
        layers=[
            layers.Regions(centres="proto", labels="labels", alpha=0.18),
            layers.Points(xy="places", labels="point_labels"),
            *(draws if "draws" in arrays else []),
            layers.Markers(xy="proto", labels="labels", label=T("panels.private_map.prototype"),
                           label_short=T("panels.private_map.prototype_short")),
            *person.rings,
        ],
    )  # fmt: skip
    worded = T.panel(
        private, _variant(params), record=person.unit, records=records(problem.dataset.unit)
    )
    return worded, T.panel(plain)


def _eigen(problem: MatrixProblem, study: Study, arrays: Arrays) -> Panel:
    """Return the panel of the leading eigenvectors of the private and the non-private relevance matrix Λ.

    If the records are images, the eigenvectors are drawn as images, otherwise as bars over features.
    """
    known = "best_eigen" in arrays
    best, private = T("panels.eigen.best"), T("panels.eigen.private")
    if problem.dataset.image_shape is None:
        return _eigen_bars(problem, study, arrays)
    panel = Panel(
        key="eigen", kind="mosaic", tiles="eigen", still="best_eigen" if known else "",
        shape=problem.dataset.image_shape, columns=2, height=400,
        rows=[best, private] if known else [private],
    )  # fmt: skip
    return T.panel(panel)


def _eigen_bars(problem: MatrixProblem, study: Study, arrays: Arrays) -> Panel:
    """Return a bar chart of the first eigenvector of Λ, with a private and a non-private bar per feature."""
    n = len(arrays_of.named_features(study))
    found = [arrays[name].values for name in ("eigen", "best_eigen") if name in arrays]
    top = 1.04 * max(float(np.abs(values).max()) for values in found)
    best = layers.Bars(
        edges=_edges(n, 0.5), heights="best_eigen", role="nonprivate", label=T("panels.eigen.best")
    )  # fmt: skip
    private = layers.Bars(
        edges=_edges(n, 0.12), heights="eigen", role="private", label=T("panels.eigen.private")
    )  # fmt: skip
    panel = Panel(
        key="pattern", height=400, y=Axis(range=(-top, top)),
        x=Axis(**arrays_of.feature_axis(problem, arrays_of.named_features(study))),
        layers=[*([best] if "best_eigen" in arrays else []), private],
    )  # fmt: skip
    return T.panel(panel, shown=n)


def _matrix_noise(arrays: Arrays) -> Panel:
    at = [float(k) for k in range(len(MATRIX_NOISE_GRID))]
    lines = [
        layers.Band(x=at, low="matrix_noise_low", high="matrix_noise_high", role="nonprivate",
                    label=T("panels.matrix_noise.band"), label_short=T("panels.matrix_noise.band_short")),
        layers.Line(x=at, y="matrix_noise_best", role="nonprivate",
                    label=T("panels.matrix_noise.omega"), label_short=T("panels.matrix_noise.omega_short")),
        layers.Line(x=at, y="matrix_noise_lambda", role="other", dash=True,
                    label=T("panels.matrix_noise.lambda"), label_short=T("panels.matrix_noise.lambda_short")),
        layers.Line(x=at, y="matrix_noise_private",
                    label=T("panels.matrix_noise.private"), label_short=T("panels.matrix_noise.private_short")),
        layers.VLine(at="matrix_noise_at", role="muted", width=1),
        layers.Dot(x="matrix_noise_at", y="matrix_noise_best_now", role="nonprivate"),
        layers.Dot(x="matrix_noise_at", y="matrix_noise_private_now"),
    ]  # fmt: skip
    known = "matrix_noise_low" in arrays
    panel = Panel(
        key="matrix_noise", height=360, depth=Depth.CHECK, layers=lines if known else [],
        x=Axis(range=(-0.3, len(at) - 0.7), ticks=tuple(at),
               words=tuple(show(s, ".6g") for s in MATRIX_NOISE_GRID)),
        y=Axis(range=(0.0, 1.0), format=".0%"),
    )  # fmt: skip
    return T.panel(panel, "" if known else "unknown")


def _worlds(problem: MatrixProblem, params: MatrixParams, study: Study, arrays: Arrays) -> Panel:
    n = len(arrays_of.named_features(study))
    x, y = _axes(problem, study, arrays)
    both = [
        layers.Bars(edges=_edges(n, 0.5), heights="spread_without_record", role="other",
                    label=T("panels.worlds.without")),
        layers.Bars(edges=_edges(n, 0.12), heights="spread_with_record", role="private",
                    label=T("panels.worlds.with")),
    ]  # fmt: skip
    panel = Panel(
        key="worlds", depth=Depth.UNDERSTAND, x=x, y=y, height=340,
        layers=both if "with_record" in arrays else [],
    )  # fmt: skip
    return T.panel(panel, _variant(params))


def _variant(params: MatrixParams) -> str:
    """Return "fixed" for lots of a fixed size and "" for Poisson sampling.

    The result is the name of a variant of the panel's texts in ``text.toml``.
    """
    return "fixed" if params.lots == "fixed" else ""


def _places(problem: MatrixProblem, params: MatrixParams, arrays: Arrays) -> Panel:
    """Return the map of the prototypes released in repeated draws, with and without the removed record."""
    x, y = _plane_span(problem)
    panel = Panel(
        key="places", kind="map", depth=Depth.UNDERSTAND, x=x, y=y, height=340, layers=clouds(arrays)
    )  # fmt: skip
    return T.panel(panel, _variant(params))


def _readouts(params: MatrixParams, study: Study, arrays: Arrays, n_draws: int) -> list[Readout]:
    """Return the labelled numbers (readouts) of the figure.

    As soon as the non-private model is trained, the readouts include the overlap of the private and the non-private
    relevances.
    """
    upto = study.upto if study.upto < params.epochs else None
    shared = prototype_readouts(params, arrays, n_draws, upto)
    if study.best is None:
        return shared
    share = study.best.relevances
    even = float(np.minimum(share, 1 / len(share)).sum())
    same = T.readout(
        median_readout("", "overlap_median", code=".0%", n_draws=n_draws, draw="overlap")
    )
    same = replace(
        same, brief=T("readouts.overlap_median.brief", even=even),
        note=T("readouts.overlap_median.beside", even=even, draws=same.note),
        alone=T("readouts.overlap_median.beside", even=even, draws=same.alone),
    )  # fmt: skip
    place = [readout.value for readout in shared].index("privacy_cost")
    cost = replace(shared[place], depth=Depth.UNDERSTAND)
    return [*shared[:place], same, cost, *shared[place + 1 :]]
