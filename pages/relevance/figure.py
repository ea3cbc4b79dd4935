"""Interactive figure of the Relevance learning page.

The figure shows prototypes, gradients, neighbouring data sets, and Figure 1 of Brinkrolf et al.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.experiments import relevance
from dpcore.experiments.relevance import (
    NORM_EDGES,
    Problem,
    RelevanceParams,
    chosen_person,
    printed_breaks,
)
from dpcore.experiments.table1 import (
    DATA,
    EPSILONS,
    FIGURE_EPSILONS,
    MODELS,
    PRINTED,
    Row,
    curve,
    read_means,
)
from pages.relevance import arrays as arrays_of
from pages.relevance.controls import CONTROLS
from ui import live
from ui.figure_kit.bets import on_outcomes
from ui.figure_kit.histograms import share_axis
from ui.figure_kit.outcomes import Someone, along_outcomes
from ui.live import Axis, Panel, layers
from ui.live.depth import Depth
from ui.prototypes.estimates import draws_of, estimate_arrays
from ui.prototypes.figure import (
    accuracy_curve,
    attack_panel,
    clouds,
    other_outcomes,
    prototype_figure,
    readouts,
)
from ui.prototypes.person import person_on_map, stepped
from ui.prototypes.starts import start_arrays, start_coords, start_panels
from ui.words import text
from ui.words.numbers import show

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure", "figure_rows", "paper_panels"]

T = text.load_text(__file__)
_FILE = Path(__file__).resolve().parents[2] / "docs" / "figure1.csv"
_COLOURS = {"mnist": 0, "har": 1, "segment": 2}
_NAMED = ("segment", "gmlvq")  # the marks that get a label of their own
_WITHOUT = 16.0  # where on the axis of ε the trainings without privacy stand


def figure(state: PageState[RelevanceParams]) -> live.Figure:
    """Return the interactive figure of the results available for the current parameters."""
    problem, params, starts = state.problem, state.params, state["starts"]
    draws = draws_of(problem, state["outcomes"])
    arrays = arrays_of.arrays(problem, params, state["sweep"], state["outcomes"])
    arrays |= start_arrays(problem, starts) | estimate_arrays(draws, params.epochs)
    person = person_on_map(problem, params, arrays["points"])
    outcomes, stepping = stepped(
        params, problem, person, draws, _worlds_of(arrays), hidden=("path",)
    )
    arrays |= outcomes
    along, previews = arrays_of.line_arrays(problem, params, state.previews())
    arrays |= along
    return prototype_figure(
        state,
        CONTROLS,
        T.field("progress"),
        whose=person.whose,
        arrays=arrays,
        coords=arrays_of.coords(arrays) | start_coords(starts),
        previews=previews,
        panels=[
            *_panels(problem, params, arrays, person if stepping else None),
            *start_panels(problem, params, starts, _span(arrays)),
            *paper_panels(),
        ],
        readouts=readouts(params, arrays, 0 if draws is None else draws.n),
        breathing=stepping,
    )


def _worlds_of(arrays: Mapping[str, live.Array]) -> dict[str, tuple[live.Array, live.Array]]:
    """Return the prototypes in repeated draws, as a pair of arrays: with the removed record, and without it.

    The key of the pair is the name of the array that the pair replaces. Without draws the result is empty.
    """
    if "with_record" not in arrays:
        return {}
    here, there = (along_outcomes(arrays[name]) for name in ("with_record", "without_record"))
    return {"proto": (here, there)}


def _panels(
    problem: Problem, params: RelevanceParams, arrays: Mapping[str, Any], person: Someone | None
) -> list[live.Panel]:
    """Return the panels of the figure, which show the numbers in ``arrays``.

    ``person`` is the person whose record can be removed, or None.
    """
    plain, private = _maps(problem, arrays, lots=params.lots, in_tab="pictures" in arrays)
    if person:
        bets = on_outcomes(person, relevance.guarantee(params, problem), hides=["with_record"])
        private = replace(private, layers=[*private.layers, *person.rings], bets=bets)
    return [
        *(_mosaics(problem) if "pictures" in arrays else []),
        plain,
        private,
        accuracy_curve(arrays),
        _norms(params, arrays),
        _worlds(problem, params, arrays),
        attack_panel(arrays, 400),
    ]


def _span(arrays: Mapping[str, Any]) -> tuple[Axis, Axis]:
    points = np.concatenate([arrays["points"].values[:, :2], arrays["best"].values[:, :2]])
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    middle, half = (low + high) / 2, 0.54 * float((high - low).max()) + 1e-6
    return tuple(Axis(range=(float(m - half), float(m + half))) for m in middle)  # type: ignore[return-value]


def _maps(
    problem: Problem, arrays: Mapping[str, Any], *, lots: str, in_tab: bool
) -> tuple[Panel, Panel]:
    """Return two maps of the records: with the non-private and with the private prototypes.

    - ``lots``: the kind of lots (batches). For lots of a fixed size, the text says that a person is replaced.
    - ``in_tab``: whether the maps are in a tab that is shown from the level *Understand* on, because images are
      shown first.
    """
    x, y = _span(arrays)
    common: dict[str, Any] = {
        "kind": "map", "link": "map", "x": x, "y": y, "height": 400,
        "tab": T("panels.plain.tab_beside") if in_tab else "",
        "depth": Depth.UNDERSTAND if in_tab else Depth.LOOK,
    }  # fmt: skip
    data = layers.Points(xy="points", labels="point_labels")
    all_data = layers.Points(xy="records", labels="point_labels")
    plain = Panel(
        key="plain", **common,
        layers=[
            layers.Regions(centres="best", labels="labels", alpha=0.16), all_data,
            layers.Markers(xy="best", labels="labels", role="nonprivate", label=T("panels.plain.prototype")),
        ],
    )  # fmt: skip
    cloud = [other_outcomes("with_record", alpha=0.28)]
    private = Panel(
        key="private", leads=True, **common,
        layers=[
            layers.Regions(centres="proto", labels="labels", alpha=0.2), data,
            layers.Boundary(centres="best", labels="labels", label=T("panels.private.border"),
                            label_short=T("panels.private.border_short")),
            *(cloud if "with_record" in arrays else []),
            layers.Paths(xy="path", upto="t", labels="labels", label=T("panels.private.path"),
                         label_short=T("panels.private.path_short"), depth=Depth.UNDERSTAND),
            layers.Markers(xy="proto", labels="labels", label=T("panels.private.prototype"),
                           label_short=T("panels.private.prototype_short")),
        ],
    )  # fmt: skip
    return T.panel(plain, "plane" if problem.X.shape[1] > 2 else ""), T.panel(
        private, "" if lots == "poisson" else "fixed"
    )


def _mosaics(problem: Problem) -> list[Panel]:
    names = [problem.dataset.classes[label] for label in problem.labels]
    columns = 5 if len(names) <= 20 else 10
    rows = -(-len(names) // columns)
    common: dict[str, Any] = {
        "kind": "mosaic", "shape": problem.dataset.image_shape or (1, 1), "columns": columns,
        "captions": names, "height": min(120 * rows, 460),
    }  # fmt: skip
    tiles = {"plain_pictures": "best_pictures", "private_pictures": "pictures"}
    return [T.panel(Panel(key=key, tiles=name, **common)) for key, name in tiles.items()]


def _norms(params: RelevanceParams, arrays: Mapping[str, Any]) -> Panel:
    panel = Panel(
        key="norms", height=360, depth=Depth.UNDERSTAND, x=Axis(range=(0, float(NORM_EDGES[-1]))),
        y=share_axis("", arrays["norms"].values),
        layers=[
            layers.Bars(edges=[float(e) for e in NORM_EDGES], heights="norms", label=T("panels.norms.records")),
            layers.VLine(at=float(params.clip_norm), role="danger",
                         label=T("panels.norms.clip", clip_norm=params.clip_norm)),
        ],
    )  # fmt: skip
    return T.panel(panel, limit=4 / params.clip_norm**2)


def _worlds(problem: Problem, params: RelevanceParams, arrays: Mapping[str, Any]) -> Panel:
    x, y = _span(arrays)
    handle = []
    if problem.X.shape[1] == 2:
        home = problem.X[chosen_person(problem, params).row]
        handle = [layers.Handle(x="person_dx", y="person_dy", label=T("panels.worlds.person"),
                                origin=[float(v) for v in home])]  # fmt: skip
    panel = Panel(
        key="worlds", kind="map", depth=Depth.UNDERSTAND, x=x, y=y, height=400, link="worlds",
        layers=[layers.Points(xy="points", labels="point_labels", alpha=0.25),
                *clouds(arrays), *handle],
    )  # fmt: skip
    worded = T.panel(panel, "drag" if handle else "")
    return worded if params.lots == "poisson" else replace(worded, alt=T("panels.worlds.alt_fixed"))


# The paper's Figure 1: error against ε of both models on all three data sets, and its points -------


def figure_rows() -> tuple[Row, ...]:
    """Return our mean errors for the curves of Figure 1 of Brinkrolf et al.

    The command ``python -m dpcore figure1`` computes and stores these errors.
    """
    return read_means(_FILE)


@cache
def paper_panels() -> tuple[Panel, ...]:
    """Return two panels that repeat Figure 1 of Brinkrolf et al., errors against ε, for two choices of the noise σ.

    In the first panel σ follows the formula of Brinkrolf et al.; in the second it is the smallest σ that suffices
    for ε.
    """
    keys = {"paper": "figure1_paper", "tight": "figure1_tight"}
    return tuple(_paper_panel(recipe, key) for recipe, key in keys.items())


def _paper_panel(recipe: str, key: str) -> Panel:
    lines: list[layers.Layer] = [
        layers.VLine(at="epsilon_now", role="muted", width=1, label=T("figure1.epsilon")),
        layers.VLine(at=12.5, role="muted", width=1, label=T("figure1.without"),
                     label_short=T("figure1.without_short")),
    ]  # fmt: skip
    if recipe == "paper":
        broken = printed_breaks()
        lines.append(
            layers.VLine(at=broken, role="danger", dash=True,
                         label=T("panels.figure1_paper.broken", broken=broken),
                         label_short=T("panels.figure1_paper.broken_short"))
        )  # fmt: skip
    curves = [layer for data in DATA for model in MODELS for layer in _curve(data, model, recipe)]
    panel = Panel(
        key=key, depth=Depth.CHECK, height=440, layers=[*lines, *curves],
        x=Axis(range=(0.09, 20.0), log=True, ticks=(0.1, 0.2, 0.5, 1, 2, 5, 10)),
        y=Axis(range=(0.075, 0.95), log=True, ticks=(0.1, 0.15, 0.2, 0.3, 0.5, 0.8), format=".0%"),
    )  # fmt: skip
    return T.panel(panel, curves=_errors_in_words(recipe))


def _name(data: str, model: str) -> str:
    return T("figure1.curve", data=T(f"figure1.{data}"), model=model.upper())


def _curve(data: str, model: str, recipe: str) -> list[layers.Layer]:
    colour, hollow = _COLOURS[data], model == "glvq"
    printed = PRINTED[data, model]
    places = [
        *((epsilon, printed[epsilon][0]) for epsilon in EPSILONS),
        (_WITHOUT, printed["sgd"][0]),
    ]
    return [
        layers.Line(x=list(FIGURE_EPSILONS), y=curve(figure_rows(), data, model, recipe), role=colour,
                    dash=hollow, label=_name(data, model), keep=False),
        layers.Markers(xy=[number for place in places for number in place],
                       labels=[colour] * len(places), role=colour, size=5, hollow=hollow,
                       label=T("figure1.printed") if (data, model) == _NAMED else ""),
    ]  # fmt: skip


def _errors_in_words(recipe: str) -> str:
    """Return sentences that compare our errors with those of Brinkrolf et al., one for each curve of the figure.

    The errors are at the values of ε in their Table 1.
    """
    sentences = []
    for data in DATA:
        for model in MODELS:
            errors = curve(figure_rows(), data, model, recipe)
            at = [errors[FIGURE_EPSILONS.index(epsilon)] for epsilon in EPSILONS]
            ours = ", ".join(show(error, ".3f") for error in at)
            theirs = ", ".join(show(PRINTED[data, model][e][0], ".3f") for e in EPSILONS)
            sentences.append(
                T("figure1.errors", curve=_name(data, model), ours=ours, printed=theirs)
            )
    return " ".join(sentences)
