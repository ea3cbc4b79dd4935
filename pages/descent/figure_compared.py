"""Two comparisons under Gradient descent: four places for the noise, and models of growing size."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams, Places, Sizes
from dpcore.experiments.descent.params import WIDTH_GRID
from ui.figure_kit.common import array, epsilon_axis
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, layers

__all__ = ["PLACES_TAB", "SIZES_TAB", "compared", "compared_arrays"]

PLACES_TAB, SIZES_TAB = "Where the noise goes", "Model size"
_ROLES: dict[str, Any] = {"objective": "private", "gradient": "other", "output": 2, "input": 3}
_SHORT = {"objective": "objective", "gradient": "gradients", "output": "result", "input": "records"}
_SIZE_ROLES = {"hidden": "private", "features": "other"}
_SHARES = Axis(range=(0.4, 1.0), title="test accuracy", format=".0%")
_D = [float(descent.n_parameters(width)) for width in WIDTH_GRID]


def compared_arrays(
    params: DescentParams, places: Places | None, sizes: Sizes | None
) -> dict[str, Array]:
    """Return the arrays of both comparisons; NaN for what is still computed."""
    return _of_places(places) | _of_sizes(sizes, len(descent.levels(params))) | _of_lengths(params)


def _of_places(found: Places | None) -> dict[str, Array]:
    levels = len(descent.PLACE_NODES)
    parts = np.full((3, len(descent.PLACES), levels), np.nan)
    parts = parts if found is None else found.quantiles()
    lines = {
        name: np.nan if found is None else getattr(found, name) for name in ("best", "trivial")
    }
    made = {f"places_{name}": array(value) for name, value in lines.items()}
    for k, place in enumerate(descent.PLACES):
        for name, values in zip(("low", "middle", "high"), parts[:, k], strict=True):
            made[f"{place}_{name}"] = array(values)
    return made


def _of_sizes(found: Sizes | None, n_levels: int) -> dict[str, Array]:
    shape = (len(descent.KINDS), len(WIDTH_GRID))
    parts = np.full((3, *shape, n_levels), np.nan)
    plain = np.full(shape, np.nan)
    if found is not None:
        parts, plain = found.quantiles(), found.plain
    made = {}
    for k, kind in enumerate(descent.KINDS):
        for name, values in zip(("low", "middle", "high"), parts[:, k], strict=True):
            made[f"{kind}_{name}"] = array(values.T, "v")
        made[f"{kind}_now"] = array(parts[1, k].T, "v", "width")
        made[f"{kind}_plain"] = array(plain[k])
    return made


def _of_lengths(params: DescentParams) -> dict[str, Array]:
    of = [
        [descent.lengths(params, width, sigma)[0] for width in WIDTH_GRID]
        for sigma in descent.levels(params)
    ]
    return {
        "noise_length": array(of, "v"),
        "noise_length_now": array(of, "v", "width"),
        "all_gradients": array(descent.lengths(params, 1, 1.0)[1]),
        "one_gradient": array(params.clip_norm),
        "parameters_now": array(_D, "width"),
    }


def compared() -> list[Panel]:
    """Return the panels of both comparisons."""
    return [_places(), _sizes(), _lengths()]


def _places() -> Panel:
    nodes = list(descent.PLACE_NODES)
    return Panel(
        key="places", depth=Depth.UNDERSTAND, title="Noise at four places, the same guarantee", tab=PLACES_TAB,
        height=420, x=epsilon_axis(), y=_SHARES,
        caption="A linear model of the coordinates and their product, learned from the same 400 people, each "
        "time with (ε, δ) where one of them is replaced. Bands hold 8 of 10 outcomes. On records everybody needs "
        "noise of their own, while the objective needs one random term for all.",
        alt="Test accuracy against ε with noise in the objective, on every gradient, on the result and on "
        "every record.",
        layers=[
            *(layers.Band(x=nodes, low=f"{place}_low", high=f"{place}_high", role=role, alpha=0.12)
              for place, role in _ROLES.items()),
            layers.HLine(at="places_best", role="nonprivate", dash=True, width=1.2,
                         label="best without privacy", label_short="best, not private"),
            layers.HLine(at="places_trivial", role="muted", dash=True, width=1.2,
                         label="one answer for everybody", label_short="one answer"),
            *(layers.Line(x=nodes, y=f"{place}_middle", role=role, width=2.4,
                          label=f"noise {descent.PLACES[place]}", label_short=_SHORT[place])
              for place, role in _ROLES.items()),
        ],
    )  # fmt: skip


def _d_axis() -> Axis:
    return Axis(
        range=(4.5, 1150.0), title="number of parameters d", log=True,
        ticks=(5, 10, 20, 50, 100, 200, 500, 1000),
    )  # fmt: skip


def _sizes() -> Panel:
    marks: list[Any] = []
    for kind, role in _SIZE_ROLES.items():
        marks += [
            layers.Band(x=_D, low=f"{kind}_low", high=f"{kind}_high", role=role, alpha=0.12),
            layers.Line(x=_D, y=f"{kind}_plain", role=role, dash=True, width=1.2, keep=False),
            layers.Line(x=_D, y=f"{kind}_middle", role=role, width=2.4, label=descent.KINDS[kind]),
        ]
    return Panel(
        key="sizes", depth=Depth.UNDERSTAND, title="Accuracy against the size of the model", tab=SIZES_TAB,
        height=400, x=_d_axis(), y=_SHARES,
        caption="Every model gets the same steps and the same σ, so all cost the same ε. Dashed curves are the same "
        "steps without privacy. A network learns all its hidden units. Random features are drawn beforehand, and "
        "only one weight for each is learned. With much noise a wide network gets worse, and many random features do "
        "not.",
        alt="Test accuracy at σ = {noise_now} against the number of parameters, of hidden units and random "
        "features; with {parameters_now} parameters {hidden_now} and {features_now}.",
        layers=[
            *marks,
            layers.VLine(at="parameters_now", role="muted", width=1, label="your size"),
            layers.Dot(x="parameters_now", y="hidden_now"),
        ],
    )  # fmt: skip


def _lengths() -> Panel:
    return Panel(
        key="lengths", depth=Depth.UNDERSTAND, title="How long the noise of one step is", tab=SIZES_TAB,
        height=400, x=_d_axis(),
        y=Axis(range=(0.03, 10_000.0), title="length", log=True, ticks=(0.1, 1, 10, 100, 1000, 10_000)),
        caption="Each of the d parameters gets noise of σ·C, so the noise together is typically σ·C·√d long. A "
        "clipped gradient stays at most C long, however large the model is, and those of a lot of the expected "
        "size qN add up to at most qN·C.",
        alt="The noise has the length {noise_length_now} with {parameters_now} parameters; one gradient has at most "
        "{one_gradient}, all together {all_gradients}.",
        layers=[
            layers.HLine(at="all_gradients", role="nonprivate", width=1.6,
                         label="all gradients together, at most", label_short="all, at most"),
            layers.HLine(at="one_gradient", role="danger", dash=True, width=1.4,
                         label="one person's gradient, at most", label_short="one, at most"),
            layers.Line(x=_D, y="noise_length", width=2.4, label="the noise, σ·C·√d", label_short="noise"),
            layers.VLine(at="parameters_now", role="muted", width=1),
            layers.Dot(x="parameters_now", y="noise_length_now"),
        ],
    )  # fmt: skip
