"""Figure of the topic "four statistics" of the Budget page: shares of ε as purses, and the error of each statistic.

The error of a statistic is proportional to 1/ε and to Σw/w, the sum of all weights divided by the statistic's weight.
The browser interpolates linearly, so two entries along such a dimension are enough for all weights.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams, Split
from dpcore.experiments.budget.curves import WEIGHT_GRID
from dpcore.experiments.budget.split import AGE_EDGES, N_DRAWS, N_PEOPLE, STATISTICS, closed_error
from dpcore.experiments.grids import EPSILON_GRID
from ui.figure_kit.common import array
from ui.figure_kit.odds_pictogram import people
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.live.depth import Depth
from ui.words import text

__all__ = ["COORDS", "HIDDEN", "arrays", "buttons", "meaning", "odds", "panels", "readouts"]

T = text.load_text(__file__)

NAMES = tuple(one.name for one in STATISTICS)
HIDDEN = (
    "n_steps", "noise_multiplier", "answer_epsilon", "mechanism", "sample_rate", "delta", "group", "ledger",
)  # fmt: skip
"""Parameters of the other topic."""
_INVERSE = 1 / np.array(EPSILON_GRID)
_WEIGHTS = np.array(WEIGHT_GRID, float)
_MOST = float(WEIGHT_GRID[-1])
_SUM = _MOST * len(NAMES)  # of the largest weights
_CORNERS = np.stack(np.meshgrid(*[[0.0, 1.0]] * len(NAMES), indexing="ij"), -1)
_PLACES = tuple(k + 0.5 for k in range(len(NAMES)))
_SHARES = np.geomspace(1 / (1 + (len(NAMES) - 1) * _MOST), 1.0, 40)

COORDS: Mapping[str, str] = {
    **{f"part_{name}": f"part_{name}_of" for name in NAMES},
    **{f"times_{name}": f"times_{name}_of" for name in NAMES},
    **{f"share_{name}": f"share_{name}_of" for name in NAMES},
    **{name: f"{name}_of" for name in (
        "sum", "place", "worst", "second", "worst_size", "second_size", "twice_size", "worst_share",
    )},
}  # fmt: skip
"""Coordinates, and the arrays with their values.

- ``part_*``: weight of a statistic divided by the largest weight; ``sum``: sum of all weights divided by its largest
  value; ``place``: the sum itself.
- ``times_*``: Σw/w divided by its largest value; ``share_*``: w/Σw.
- ``worst``, ``second``: numbers of the statistics with the largest and the second largest relative error, and
  ``worst_size``, ``second_size``: these errors for ε = 1, divided by a constant. ``twice_size``: the largest error
  after its weight is doubled. ``worst_share``: share of ε of the worst statistic.
"""


def arrays(params: BudgetParams, found: Split) -> dict[str, Array]:
    """Return the arrays of the figure for all ε and all weights."""
    made = {"epsilon_now": array(EPSILON_GRID, "epsilon"), **_weights(), **_worst(found)}
    for k, name in enumerate(NAMES):
        whole = _SUM * found.sensitivity[k] * np.multiply.outer(_INVERSE, [0.0, 1.0])
        dims = ("epsilon", f"times_{name}")
        ends = np.stack([found.error_low[k] * whole, found.error_high[k] * whole], -1)
        made |= {
            f"error_{name}": array(found.error[k] * whole, *dims),
            f"low_{name}": array(ends[..., 0], *dims),
            f"high_{name}": array(ends[..., 1], *dims),
            f"relative_{name}": array(found.error[k] * whole / found.truth[k], *dims),
            f"range_{name}": array(ends / found.truth[k], *dims),
            f"truth_{name}": array(found.truth[k]),
            f"epsilon_{name}": array(np.multiply.outer(EPSILON_GRID, [0.0, 1.0]), "epsilon", f"share_{name}"),
            f"share_now_{name}": array([0.0, 1.0], f"share_{name}"),
            f"curve_{name}": array(np.multiply.outer(_INVERSE, _closed(found, k) / _SHARES), "epsilon"),
        }  # fmt: skip
    noise = found.sensitivity[-1] * found.noise
    published = found.bars + np.multiply.outer(_INVERSE, np.stack([0 * noise, _SUM * noise]))
    return made | {
        "bars": array(found.bars),
        "published": array(published, "epsilon", f"times_{NAMES[-1]}"),
    }


def _closed(found: Split, k: int) -> float:
    """Return the relative error of a statistic in closed form, if it alone spends ε = 1."""
    return closed_error(STATISTICS[k]) * float(found.sensitivity[k] / found.truth[k])


def _weights() -> dict[str, Array]:
    """Return the arrays that turn the weights into shares of ε."""
    total = _MOST * _CORNERS.sum(-1)
    parts = [f"part_{name}" for name in NAMES]
    sums = np.arange(int(_SUM) + 1.0)
    share = np.multiply.outer([0.0, _MOST], 1 / np.maximum(sums, 1.0))
    made = {
        "sum_of": array(total / _SUM, *parts),
        "place_of": array(total, *parts),
        "sum_now": array([0.0, _SUM], "sum"),
    }
    for name in NAMES:
        weight = f"weight_{name}"
        made |= {
            f"part_{name}_of": array(_WEIGHTS / _MOST, weight),
            f"times_{name}_of": array(np.multiply.outer(1 / _WEIGHTS, [0.0, 1.0]), weight, "sum"),
            f"share_{name}_of": array(share, f"part_{name}", "place"),
            f"others_{name}": array(np.subtract.outer(-_WEIGHTS, [0.0, -_SUM]), weight, "sum"),
        }
    return made


def _worst(found: Split) -> dict[str, Array]:
    """Return the arrays with the two largest relative errors, now and after the worst statistic's weight is doubled.

    If the worst statistic has the weight w, doubling w changes its own Σw/w to (Σw/w + 1)/2, and increases that of
    every other statistic by the factor 1 + w/Σw.
    """
    each = found.error * found.sensitivity / found.truth
    chosen = np.stack(np.meshgrid(*[_WEIGHTS] * len(NAMES), indexing="ij"), -1)
    order = np.argsort(-each / chosen, axis=-1, kind="stable").astype(np.uint8)
    weights = [f"weight_{name}" for name in NAMES]
    times = [f"times_{name}" for name in NAMES]
    far = float(each.max() * _SUM)
    by_name = np.moveaxis(each * _SUM * _CORNERS, -1, 0) / far
    twice = np.moveaxis(each * (_SUM * _CORNERS + 1) / 2, -1, 0) / far
    sizes = np.multiply.outer(far * _INVERSE, [0.0, 1.0])
    shares = np.moveaxis(_CORNERS, -1, 0)
    return {
        "worst_of": Array(order[..., 0], weights),
        "second_of": Array(order[..., 1], weights),
        "worst_now": array(np.arange(len(NAMES)), "worst"),
        "second_now": array(np.arange(len(NAMES)), "second"),
        "worst_size_of": array(by_name, "worst", *times),
        "second_size_of": array(by_name, "second", *times),
        "twice_size_of": array(twice, "worst", *times),
        "worst_share_of": array(shares, "worst", *(f"share_{name}" for name in NAMES)),
        "worst_error": array(sizes, "epsilon", "worst_size"),
        "worst_error_twice": array(sizes, "epsilon", "twice_size"),
        "second_error": array(sizes, "epsilon", "second_size"),
        "second_error_twice": array(np.multiply.outer(sizes, [1.0, 2.0]), "epsilon", "second_size", "worst_share"),
    }  # fmt: skip


def panels() -> list[Panel]:
    """Return the panels: purses, errors, the histogram, and errors against the share of ε."""
    names = tuple(T(f"split.short.{name}") for name in NAMES)
    x = Axis(range=(0, len(NAMES)), ticks=_PLACES, words=names)
    return [_shares(x), _errors(x), _published(), _curves()]


def _shares(x: Axis) -> Panel:
    return T.panel(Panel(
        key="shares", height=400, x=x, y=Axis(range=(0, 1), ticks=(0, 0.5, 1), format=".0%"),
        layers=[
            layers.Coins(x=at, width=0.56, spent=f"others_{name}", budget="sum_now", role="private")
            for at, name in zip(_PLACES, NAMES, strict=True)
        ],
    ), n=N_PEOPLE)  # fmt: skip


def _relative() -> Axis:
    return Axis(
        range=(2e-4, 1500.0), log=True, ticks=(1e-3, 1e-2, 0.1, 1, 10, 100),
        words=("0.1 %", "1 %", "10 %", "100 %", "1000 %", "10\u202f000 %"),
    )  # fmt: skip


def _errors(x: Axis) -> Panel:
    drawn: list[layers.Layer] = [
        layers.HLine(at=1.0, role="danger", dash=True, width=1.2, label=T("panels.errors.all")),
    ]
    for k, (at, name) in enumerate(zip(_PLACES, NAMES, strict=True)):
        label = T("panels.errors.range") if k == 0 else ""
        drawn += [
            layers.Line(x=[at, at], y=f"range_{name}", role="private", width=7, alpha=0.35, label=label),
            layers.Dot(x=at, y=f"relative_{name}", role="private", size=6),
        ]  # fmt: skip
    return T.panel(Panel(key="errors", height=400, x=x, y=_relative(), layers=drawn), n=N_DRAWS)


def _published() -> Panel:
    edges = [float(edge) for edge in AGE_EDGES]
    return T.panel(Panel(
        key="published", height=380, depth=Depth.UNDERSTAND,
        x=Axis(range=(edges[0], edges[-1]), ticks=tuple(edges)), y=Axis(range=(-20.0, 60.0)),
        layers=[
            layers.Bars(edges=edges, heights="published", label=T("panels.published.noisy")),
            layers.Bars(edges=edges, heights="bars", role="nonprivate", hollow=True,
                        label=T("panels.published.exact")),
        ],
    ))  # fmt: skip


def _curves() -> Panel:
    drawn: list[layers.Layer] = []
    for name in NAMES:
        drawn += [
            layers.Line(x=_SHARES.tolist(), y=f"curve_{name}", role="nonprivate", width=1.6,
                        label=T(f"split.short.{name}")),
            layers.Dot(x=f"share_now_{name}", y=f"relative_{name}", role="private"),
        ]  # fmt: skip
    x = Axis(range=(0.003, 1.1), log=True, ticks=(0.01, 0.1, 1), words=("1 %", "10 %", "100 %"))
    return T.panel(Panel(
        key="closed", height=400, depth=Depth.CHECK, x=x, y=_relative(), layers=drawn,
    ))  # fmt: skip


def readouts() -> list[Readout]:
    """Return the readouts: the error of each statistic, and its share of ε."""
    errors = [
        T.readout(Readout(value=f"error_{name}", role="private"), n=N_DRAWS) for name in NAMES
    ]
    shares = [T.readout(Readout(value=f"epsilon_{name}", depth=Depth.UNDERSTAND)) for name in NAMES]
    return [*errors, *shares]


def odds(params: BudgetParams) -> Text:
    """Return the sentences on the odds of an attacker who sees all four statistics."""
    return people(budget.split.guarantees(params))


def meaning() -> Text:
    """Return the sentence on the statistic with the largest relative error, and on a change of its weight."""
    names = "|".join(T(f"split.names.{name}") for name in NAMES)
    codes = {f"{which}_name": f"{{{which}_now:name {names}}}" for which in ("worst", "second")}
    return Text(strings=[T("meaning.split", n=N_DRAWS, **codes)])


def buttons() -> list[tuple[str, str, str]]:
    """Return the buttons with rules for the weights."""
    return [
        (name, T(f"split.presets.{name}"), T(f"split.presets.{name}_help"))
        for name in budget.split.PRESETS
    ]
