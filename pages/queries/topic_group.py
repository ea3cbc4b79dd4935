"""Topic of the page "Asking again": noise that protects a group of people, compared with noise for one person."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments.queries import Group, QueriesParams, guarantees
from dpcore.experiments.queries.params import GROUPS
from pages.queries.topic import COORDS, Topic, grown, scale_table
from ui.figure_kit.common import EPSILONS, array, density_axis
from ui.figure_kit.odds_pictogram import people
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.live.depth import Depth
from ui.words import text

__all__ = ["TOPIC"]

T = text.load_text(__file__)
_TRUTH = 100.0
_K = np.array(GROUPS, float)
_UNIT = np.concatenate([[-12, -9, -7, -5.5], np.linspace(-4.5, 4.5, 61), [5.5, 7, 9, 12]])


def _dims(group: Group, *more: str) -> tuple[str, ...]:
    return ("epsilon", *(() if group.pure else ("delta",)), *more)


def _cut(group: Group, values: Any) -> Any:
    """Return ``values`` (E, D, ...), for E values of ε and D values of δ.

    If δ has no effect, return only the values (E, ...) at the first δ.
    """
    return values[:, 0] if group.pure else values


def _arrays(params: QueriesParams, group: Group) -> dict[str, Array]:
    table, far = scale_table(_cut(group, group.scale), *_dims(group))
    one = grown(_TRUTH, _UNIT, far)
    wide = np.stack([grown(_TRUTH, k * _UNIT, far) for k in _K], 1)
    away = _K[:, None]
    density = np.exp(-np.abs(_UNIT)) if group.pure else np.exp(-np.square(_UNIT) / 2)
    return {
        "scale_of": table,
        "density": array(density),
        "one": array(one, "s"),
        "one_without": array(one[:, None] - away, "s", "group"),
        "wide": array(wide, "s", "group"),
        "wide_without": array(wide - away, "s", "group"),
        "truth_without": array(_TRUTH - _K, "group"),
        "sizes_now": array(_K, "group"),
        **_numbers(group),
    }


def _numbers(group: Group) -> dict[str, Array]:
    tables = {
        "group_epsilon": group.epsilon, "rule_epsilon": group.rule_epsilon, "rule_delta": group.rule_delta,
        "delta_exact": np.maximum(group.delta, 1e-300), "hits": group.hits,
        "error_wide": group.error[..., None] * _K,
    }  # fmt: skip
    lines = {name: array(_cut(group, value), *_dims(group)) for name, value in tables.items()}
    now = {
        f"{name}_now": array(_cut(group, value), *_dims(group, "group"))
        for name, value in tables.items()
    }
    return lines | now | {
        "hits_group": array(_cut(group, group.hits_group), *_dims(group)),
        "error_one": array(_cut(group, group.error), *_dims(group)),
        "epsilon_now": array(EPSILONS, "epsilon"),
    }  # fmt: skip


def _panels(params: QueriesParams, group: Group) -> list[Panel]:
    more = [] if group.pure else [_delta()]
    return [
        _worlds("one", "one_without"), _worlds("wide", "wide_without"), _against_size(group), *more,
    ]  # fmt: skip


def _worlds(there: str, without: str) -> Panel:
    panel = Panel(
        key=there, height=380, x=Axis(range=(62.0, 128.0)), y=density_axis(),
        layers=[
            layers.Line(x=without, y="density", role="other", label=T("panels.wide.without")),
            layers.Line(x=there, y="density", label=T("panels.wide.with")),
            layers.VLine(at=_TRUTH, role="private", dash=True, width=1),
            layers.VLine(at="truth_without", role="other", dash=True, width=1),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _against_size(group: Group) -> Panel:
    rule = layers.Line(
        x=_K.tolist(), y="rule_epsilon", role="nonprivate", dash=True, width=1.4,
        label=T("panels.size.rule"), label_short=T("panels.size.rule_short"),
    )  # fmt: skip
    panel = Panel(
        key="size", height=360, depth=Depth.UNDERSTAND, x=Axis(range=(0.7, 10.3), ticks=tuple(_K.tolist())),
        y=Axis(range=(0.04, 250.0), log=True, ticks=(0.1, 1, 10, 100)),
        layers=[
            *([] if group.pure else [rule]),
            layers.HLine(at="epsilon_now", role="other", width=1.6, label=T("panels.size.wide")),
            layers.Line(x=_K.tolist(), y="group_epsilon", width=2.4,
                        label=T("panels.size.laplace" if group.pure else "panels.size.gaussian"),
                        label_short=T("panels.size.one_short")),
            layers.Dot(x="sizes_now", y="group_epsilon_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _delta() -> Panel:
    panel = Panel(
        key="delta", height=360, depth=Depth.UNDERSTAND, x=Axis(range=(0.7, 10.3), ticks=tuple(_K.tolist())),
        y=Axis(range=(1e-12, 2.0), log=True, ticks=(1e-9, 1e-6, 1e-3, 1)),
        layers=[
            layers.Line(x=_K.tolist(), y="rule_delta", role="nonprivate", dash=True, width=1.6,
                        label=T("panels.delta.rule"), label_short=T("panels.delta.rule_short")),
            layers.Line(x=_K.tolist(), y="delta_exact", width=2.4, label=T("panels.delta.exact"),
                        label_short=T("panels.delta.exact_short")),
            layers.Dot(x="sizes_now", y="delta_exact_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _readouts(params: QueriesParams) -> list[Readout]:
    more: dict[str, Any] = {"depth": Depth.UNDERSTAND}
    rule = [] if params.noise == "laplace" else [
        T.readout(Readout(value="rule_delta_now", about="private", format=".2g", **more)),
        T.readout(Readout(value="delta_exact_now", about="private", format=".2g", **more)),
    ]  # fmt: skip
    return [
        T.readout(Readout(value="hits_now", about="private", format="in 100"), key="group_hits"),
        T.readout(Readout(value="hits_group", about="private", format="in 100")),
        T.readout(Readout(value="error_wide_now", format=".3g", role="private")),
        T.readout(Readout(value="error_one", format=".3g", **more)),
        T.readout(Readout(value="group_epsilon_now", about="private", format=".3g", **more)),
        *rule,
    ]


def _meaning(params: QueriesParams, group: Group) -> Text:
    return Text(strings=[T("meaning.group.noise")])


def _odds(params: QueriesParams, group: Group) -> list[Text]:
    return [people(guarantees(params))]


TOPIC = Topic(
    title=T("topics.group"),
    shows=("epsilon", "group", "noise", "delta"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="one", tables=("size",), coords=COORDS, redraw=False,
)  # fmt: skip
