"""What Home opens with: two moons, and what ε does to their prototypes."""

from __future__ import annotations

from functools import lru_cache

from dpcore.experiments import relevance
from dpcore.experiments.relevance import RelevanceParams
from dpcore.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID
from pages.relevance import figure_arrays as arrays_of
from ui import live
from ui.figure_kit.prototypes import PROGRESS
from ui.live import layers
from ui.odds import odds_sentence

__all__ = ["miniature"]

_PARAMS = RelevanceParams()


def miniature() -> live.Figure:
    """Return a small live figure: two moons, ε, and what it does, for Home."""
    problem = relevance.named_problem(_PARAMS.dataset, _PARAMS.prototypes_per_class)
    sweep = _sweep()
    arrays = arrays_of.still_arrays(problem) | arrays_of.main_arrays(problem, _PARAMS, sweep)
    x, y = (live.Axis(range=(-1.05, 1.05)), live.Axis(range=(-0.8, 0.8)))
    shown = [
        layers.Regions(centres="proto", labels="labels"),
        layers.Points(xy="points", labels="point_labels"),
        layers.Boundary(
            centres="best",
            labels="labels",
            label="border without privacy",
            label_short="border without",
        ),
        layers.Markers(
            xy="proto", labels="labels", label="published prototype", label_short="published"
        ),
    ]
    return live.Figure(
            controls=_controls(),
            values={"epsilon": 1.0, "delta": _PARAMS.delta, "epochs": _PARAMS.epochs,
                    "progress": PROGRESS[-1]},
            arrays=arrays,
            coords={"u": "u_of", "t": "t_of"},
            panels=[live.Panel(key="mini", kind="map", title="Two moons, three prototypes a class",
                               layers=shown, x=x, y=y, height=330,
                               caption="The more privacy, the further the prototypes scatter.",
                               alt="Private prototypes on two moons with their decision regions.")],
            readouts=[
                live.Readout(label="accuracy, private", value="accuracy", format=".1%",
                             role="private"),
                live.Readout(label="without privacy", value="best_accuracy", format=".1%"),
                live.Readout(label="noise multiplier σ", value="sigma", format=".3g"),
            ],
            texts=[live.Text(strings=[odds_sentence(e, _PARAMS.delta) for e in EPSILON_GRID],
                             dims=("epsilon",))],
            compact=True,
        )  # fmt: skip


def _controls() -> list[live.Slider]:
    """Return ε, and what stands still."""
    fixed = {"delta": DELTA_GRID, "epochs": EPOCHS_GRID, "progress": PROGRESS}
    return [
        live.Slider(name="epsilon", symbol="ε", label="privacy loss", grid=EPSILON_GRID,
                    ends=("more private", "less private"), mode="local"),
        *(live.Slider(name=name, grid=grid, hidden=True) for name, grid in fixed.items()),
    ]  # fmt: skip


@lru_cache(maxsize=1)
def _sweep() -> relevance.Sweep:
    problem = relevance.named_problem(_PARAMS.dataset, _PARAMS.prototypes_per_class)
    return relevance.run_sweep(problem, _PARAMS)
