"""The tab with the paper's Figure 1: error against ε of both models on all three data sets, and its points."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dpcore.experiments.relevance import printed_breaks
from dpcore.experiments.table1 import (
    DATA,
    EPSILONS,
    FIGURE_EPSILONS,
    MODELS,
    PRINTED,
    curve,
    read_means,
)
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers
from ui.words.numbers import short, show

__all__ = ["FIGURE_TAB", "NAMES", "figure_rows", "paper_panels"]

FIGURE_TAB = "Figure 1 of 2018"
NAMES = {"mnist": "MNIST", "har": "Motion", "segment": "Segment"}
_FILE = Path(__file__).resolve().parents[2] / "docs" / "figure1.csv"
_COLOURS = {"mnist": 0, "har": 1, "segment": 2}
_NAMED = ("segment", "gmlvq")  # the marks that get a label of their own
_WITHOUT = 16.0  # where on the axis of ε the trainings without privacy stand
_TITLES = {"paper": "With the σ printed in 2018", "tight": "With the σ of a tight accountant"}
_CAPTIONS = {
    "paper": "GLVQ learns prototypes alone, GMLVQ a relevance matrix as well. Large marks are the errors printed in "
    "Table 1, full for GMLVQ and hollow for GLVQ; of Figure 1 itself no number is printed. Those right of the last "
    "upright line are without privacy.",
    "tight": "The same trainings with the smallest σ whose steps cost 0.8 ε. These curves meet the printed "
    "errors better.",
}


def figure_rows() -> tuple[dict[str, object], ...]:
    """Return the means that the curves are drawn from, as ``python -m dpcore figure1`` wrote them."""
    return read_means(_FILE)


@cache
def paper_panels() -> tuple[Panel, ...]:
    """Return the panels: the same six curves with two kinds of noise."""
    return tuple(_panel(recipe) for recipe in _TITLES)


def _panel(recipe: str) -> Panel:
    found = [layer for data in DATA for model in MODELS for layer in _curve(data, model, recipe)]
    broken = printed_breaks()
    more: list[layers.Layer] = [
        layers.VLine(at="epsilon_now", role="muted", width=1, label="your ε"),
        layers.VLine(at=12.5, role="muted", width=1, label="without privacy", label_short="not private"),
    ]  # fmt: skip
    if recipe == "paper":
        label = f"from ε = {short(broken)} on it costs more than is claimed"
        more.append(
            layers.VLine(
                at=broken, role="danger", dash=True, label=label, label_short="claim broken"
            )
        )
    return Panel(
        key=f"figure1_{recipe}", title=_TITLES[recipe], tab=FIGURE_TAB, depth=Depth.CHECK, height=440,
        x=Axis(range=(0.09, 20.0), title="ε that is claimed" if recipe == "paper" else "ε", log=True,
               ticks=(0.1, 0.2, 0.5, 1, 2, 5, 10)),
        y=Axis(range=(0.075, 0.95), title="test error", log=True, ticks=(0.1, 0.15, 0.2, 0.3, 0.5, 0.8),
               format=".0%"),
        caption=_CAPTIONS[recipe], alt=_alternative(recipe), layers=[*more, *found],
    )  # fmt: skip


def _curve(data: str, model: str, recipe: str) -> list[layers.Layer]:
    colour, hollow = _COLOURS[data], model == "glvq"
    printed = PRINTED[data, model]
    places = [
        *((epsilon, printed[epsilon][0]) for epsilon in EPSILONS),
        (_WITHOUT, printed["sgd"][0]),
    ]
    return [
        layers.Line(x=list(FIGURE_EPSILONS), y=curve(figure_rows(), data, model, recipe), role=colour,
                    dash=hollow, label=f"{NAMES[data]}, {model.upper()}", keep=False),
        layers.Markers(xy=[number for place in places for number in place],
                       labels=[colour] * len(places), role=colour, size=5, hollow=hollow,
                       label="printed in Table 1" if (data, model) == _NAMED else ""),
    ]  # fmt: skip


def _alternative(recipe: str) -> str:
    parts = []
    for data in DATA:
        for model in MODELS:
            errors = curve(figure_rows(), data, model, recipe)
            at = [errors[FIGURE_EPSILONS.index(epsilon)] for epsilon in EPSILONS]
            ours = ", ".join(show(error, ".3f") for error in at)
            theirs = ", ".join(show(PRINTED[data, model][e][0], ".3f") for e in EPSILONS)
            parts.append(f"{NAMES[data]}, {model.upper()}: {ours}; printed: {theirs}.")
    told = " and ".join(short(epsilon) for epsilon in EPSILONS)
    return f"{_TITLES[recipe]}: test errors at ε = {told}. " + " ".join(parts)
