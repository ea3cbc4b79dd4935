"""The live figure of the relevance-learning page: which panels, which layers, which numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.experiments import relevance
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.relevance import NORM_EDGES, Problem, RelevanceParams, chosen_person
from pages.relevance import figure_arrays as arrays_of
from pages.relevance.controls import CONTROLS
from pages.relevance.figure_paper import paper_panels
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.figure_kit.histograms import share_axis
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers
from ui.prototypes.estimates import draws_of, estimate_arrays
from ui.prototypes.figures import (
    PAPER_BUTTON,
    PROGRESS,
    accuracy_curve,
    clouds,
    other_outcomes,
    other_world,
    readouts,
    spy,
    training_slider,
)
from ui.prototypes.starts import start_arrays, start_coords, start_panels
from ui.prototypes.texts import data_texts, lots_texts
from ui.words.numbers import short
from ui.words.odds_pictogram import people

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]


def figure(state: PageState[RelevanceParams]) -> live.Figure:
    """Return the live figure of what is known."""
    problem, params = state.problem, state.params
    arrays = arrays_of.still_arrays(problem) | arrays_of.main_arrays(
        problem, params, state["sweep"]
    )
    coords = {"u": "u_of", "t": "t_of"}
    if "pictures" in arrays:
        coords |= {"iu": "iu_of", "it": "it_of"}
    starts = state["starts"]
    arrays |= start_arrays(problem, starts)
    coords |= start_coords(starts)
    draws = draws_of(problem, state["outcomes"])
    arrays |= estimate_arrays(draws, params.epochs)
    if state["outcomes"] is not None:
        arrays |= arrays_of.outcome_arrays(problem, params, state["outcomes"])
        coords["v"] = "v_of"
    along, previews = arrays_of.line_arrays(problem, state.previews())
    arrays |= _scalars(problem, params) | along
    row = common.buttons(PAPER_BUTTON)
    training = training_slider(
        "noisy start",
        "Follow the prototypes from the private start to the released model. The lines show their way.",
    )
    return live.Figure(
        controls=[*live_controls(CONTROLS, params), training, row],
        values=common.values(params, progress=PROGRESS[-1]),
        arrays=arrays,
        coords=coords,
        previews=previews,
        panels=[
            *panels(problem, params, arrays),
            *start_panels(problem, params, starts, _span(arrays)),
            *paper_panels(),
        ],
        readouts=readouts(params, arrays, 0 if draws is None else draws.n),
        texts=_texts(problem, params),
        busy=state.busy,
    )


def _texts(problem: Problem, params: RelevanceParams) -> list[live.Text]:
    odds = people(relevance.guarantees(params, problem))
    return [odds, *lots_texts(params, len(problem.y)), *data_texts(problem)]


def _scalars(problem: Problem, params: RelevanceParams) -> dict[str, live.Array]:
    sigma = relevance.sigma_grid(params)
    lot = relevance.expected_lot(params, problem.n_declared)
    return {
        "epsilon_now": live.Array(np.array(EPSILON_GRID, np.float32), ("epsilon",)),
        "real_epsilon": live.Array(relevance.real_epsilons(params), ("epsilon",)),
        "noise_to_pull": live.Array(sigma / lot, ("epsilon", "delta", "epochs")),
    }


def panels(
    problem: Problem, params: RelevanceParams, arrays: Mapping[str, Any]
) -> list[live.Panel]:
    """Return the panels for the arrays that are there."""
    maps = _maps(problem, params, arrays, tab="Map" if "pictures" in arrays else "")
    first = _mosaics(problem) if "pictures" in arrays else maps
    rest = maps if "pictures" in arrays else []
    return [
        *first,
        *rest,
        accuracy_curve(arrays),
        _norms(params, arrays),
        *_worlds(problem, params, arrays),
    ]


def _span(arrays: Mapping[str, Any]) -> tuple[Axis, Axis]:
    points = np.concatenate([arrays["points"].values[:, :2], arrays["best"].values[:, :2]])
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    middle, half = (low + high) / 2, 0.54 * float((high - low).max()) + 1e-6
    return tuple(Axis(range=(float(m - half), float(m + half))) for m in middle)  # type: ignore[return-value]


def _maps(
    problem: Problem, params: RelevanceParams, arrays: Mapping[str, Any], tab: str
) -> list[Panel]:
    x, y = _span(arrays)
    data = layers.Points(xy="points", labels="point_labels")
    flat = problem.X.shape[1] > 2
    seen = " We look at the plane in which the data spread most." if flat else ""
    plain = Panel(
        key="plain", kind="map", title="Without privacy", link="map", tab=tab, x=x, y=y, height=400,
        depth=Depth.UNDERSTAND if tab else Depth.LOOK,
        caption="Without privacy, each [[prototype]] is a typical point of its class." + seen,
        alt="Data points by class with the non-private prototypes and their decision regions.",
        layers=[
            layers.Regions(centres="best", labels="labels", alpha=0.16), data,
            layers.Markers(xy="best", labels="labels", role="nonprivate", label="prototype"),
        ],
    )  # fmt: skip
    cloud = [other_outcomes("with_record", alpha=0.28)]
    private = Panel(
        key="private", kind="map", leads=True, title="With privacy", link="map", tab=tab, x=x, y=y, height=400,
        depth=Depth.UNDERSTAND if tab else Depth.LOOK,
        caption="The large marks are one draw: they would be published. The faint ones show where other draws of the "
        "noise put them. Their scatter shows how much chance there is in the result. How private it is, ε says.",
        alt="Private prototypes with their decision regions and other possible outcomes.",
        layers=[
            layers.Regions(centres="proto", labels="labels", alpha=0.2), data,
            layers.Boundary(centres="best", labels="labels", label="border without privacy",
                            label_short="without privacy"),
            *(cloud if "with_record" in arrays else []),
            layers.Paths(xy="path", upto="t", labels="labels", label="way through the training",
                         label_short="way in training", depth=Depth.UNDERSTAND),
            layers.Markers(xy="proto", labels="labels", label="published prototype",
                           label_short="prototype"),
        ],
    )  # fmt: skip
    return [plain, private]


def _mosaics(problem: Problem) -> list[Panel]:
    shape = problem.dataset.image_shape or (1, 1)
    names = [problem.dataset.classes[label] for label in problem.labels]
    columns = 5 if len(names) <= 20 else 10
    rows = -(-len(names) // columns)
    common: dict[str, Any] = {
        "kind": "mosaic", "shape": shape, "columns": columns, "captions": names,
        "height": min(120 * rows, 460),
    }  # fmt: skip
    return [
        Panel(key="plain_pictures", title="Without privacy", tiles="best_pictures",
              caption="Each picture is the [[prototype]] of a class.",
              alt="Prototype pictures without privacy, one for each class.", **common),
        Panel(key="private_pictures", title="With privacy", tiles="pictures",
              caption="This is what is published. The larger ε, the clearer the pictures.",
              alt="Private prototype pictures, one for each class.", **common),
    ]  # fmt: skip


def _norms(params: RelevanceParams, arrays: Mapping[str, Any]) -> Panel:
    return Panel(
        key="norms", title="How long each record's gradient is", tab="Gradient norms", height=360,
        depth=Depth.UNDERSTAND,
        x=Axis(range=(0, float(NORM_EDGES[-1])), title="norm of a record's gradient"),
        y=share_axis("share of the records", arrays["norms"].values),
        caption="A [[gradient]] longer than C is shortened to C. Let d⁺ and d⁻ be the squared distances of a record "
        "to the nearest prototypes of its own class and of another. Only where d⁺ + d⁻ is below 4/C² = "
        f"{short(4 / params.clip_norm**2)} can the gradient be too long. The last bar holds everything beyond.",
        alt="Histogram of gradient norms with the clipping norm marked.",
        layers=[
            layers.Bars(edges=[float(e) for e in NORM_EDGES], heights="norms", label="records"),
            layers.VLine(at=float(params.clip_norm), label=f"C = {short(params.clip_norm)}",
                         role="danger"),
        ],
    )  # fmt: skip


def _worlds(problem: Problem, params: RelevanceParams, arrays: Mapping[str, Any]) -> list[Panel]:
    x, y = _span(arrays)
    person = chosen_person(problem, params)
    handle = []
    if problem.X.shape[1] == 2:
        home = problem.X[person.row]
        handle = [layers.Handle(x="person_dx", y="person_dy", label="the person",
                                origin=[float(v) for v in home])]  # fmt: skip
    who = "Drag the ringed person anywhere. Where" if handle else "Where"
    return [
        Panel(
            key="worlds", kind="map", title="Prototypes with and without one person", tab="Two worlds",
            depth=Depth.UNDERSTAND,
            x=x, y=y, height=400, link="worlds",
            caption=who + " the two clouds overlap, it is harder to tell whether this person took part.",
            alt=f"Clouds of released prototypes with one person and {other_world(params)}.",
            layers=[layers.Points(xy="points", labels="point_labels", alpha=0.25),
                    *clouds(arrays), *handle],
        ),
        spy(arrays, 400),
    ]  # fmt: skip
