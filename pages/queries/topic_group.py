"""A group of people: noise for one of them beside noise for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments.queries import Group, QueriesParams
from dpcore.experiments.queries.guarantee import guarantees
from dpcore.experiments.queries.params import GROUPS
from pages.queries.topic import COORDS, Topic, grown, scale_table
from ui.figure_kit.common import EPSILONS, array, density_axis
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.words.odds_pictogram import people

__all__ = ["TOPIC"]

_TRUTH = 100.0
_K = np.array(GROUPS, float)
_UNIT = np.concatenate([[-12, -9, -7, -5.5], np.linspace(-4.5, 4.5, 61), [5.5, 7, 9, 12]])


def _dims(found: Group, *more: str) -> tuple[str, ...]:
    return ("epsilon", *(() if found.pure else ("delta",)), *more)


def _cut(found: Group, values: Any) -> Any:
    """Without the axis of δ where there is none."""
    return values[:, 0] if found.pure else values


def _arrays(params: QueriesParams, found: Group) -> dict[str, Array]:
    table, far = scale_table(_cut(found, found.scale), *_dims(found))
    one = grown(_TRUTH, _UNIT, far)
    wide = np.stack([grown(_TRUTH, k * _UNIT, far) for k in _K], 1)
    away = _K[:, None]
    density = np.exp(-np.abs(_UNIT)) if found.pure else np.exp(-np.square(_UNIT) / 2)
    return {
        "scale_of": table,
        "density": array(density),
        "one": array(one, "s"),
        "one_without": array(one[:, None] - away, "s", "group"),
        "wide": array(wide, "s", "group"),
        "wide_without": array(wide - away, "s", "group"),
        "truth_without": array(_TRUTH - _K, "group"),
        "sizes_now": array(_K, "group"),
        **_numbers(found),
    }


def _numbers(found: Group) -> dict[str, Array]:
    tables = {
        "group_epsilon": found.epsilon, "rule_epsilon": found.rule_epsilon, "rule_delta": found.rule_delta,
        "delta_exact": np.maximum(found.delta, 1e-300), "hits": found.hits,
        "error_wide": found.error[..., None] * _K,
    }  # fmt: skip
    lines = {name: array(_cut(found, value), *_dims(found)) for name, value in tables.items()}
    now = {
        f"{name}_now": array(_cut(found, value), *_dims(found, "group"))
        for name, value in tables.items()
    }
    return lines | now | {
        "hits_group": array(_cut(found, found.hits_group), *_dims(found)),
        "error_one": array(_cut(found, found.error), *_dims(found)),
        "epsilon_now": array(EPSILONS, "epsilon"),
    }  # fmt: skip


def _panels(params: QueriesParams, found: Group) -> list[Panel]:
    more = [] if found.pure else [_delta()]
    return [
        _worlds("one", "Noise made for one person", "one", "one_without"),
        _worlds("wide", "Noise made for the whole group", "wide", "wide_without"),
        _against_size(found), *more,
    ]  # fmt: skip


def _worlds(key: str, title: str, there: str, without: str) -> Panel:
    caption = (
        "The answer with the group, and without it. Noise that hides one person leaves the two curves apart."
        if key == "one"
        else "The noise is k times as wide: the curves overlap as much as those of one person did before."
    )
    return Panel(
        key=key, title=title, height=380, caption=caption,
        x=Axis(range=(62.0, 128.0), title="published count"),
        y=density_axis(),
        alt="How likely every answer is with and without {group} people, at ε = {epsilon}.",
        layers=[
            layers.Line(x=without, y="density", role="other", label="without the group"),
            layers.Line(x=there, y="density", label="with the group"),
            layers.VLine(at=_TRUTH, role="private", dash=True, width=1),
            layers.VLine(at="truth_without", role="other", dash=True, width=1),
        ],
    )  # fmt: skip


def _against_size(found: Group) -> Panel:
    rule = [] if found.pure else [
        layers.Line(x=_K.tolist(), y="rule_epsilon", role="nonprivate", dash=True, width=1.4,
                    label="general rule: kε, with a larger δ", label_short="rule kε"),
    ]  # fmt: skip
    name = "noise for one: kε" if found.pure else "noise for one, at the same δ"
    return Panel(
        key="size", title="The ε that a group has", height=360, depth=Depth.UNDERSTAND,
        x=Axis(range=(0.7, 10.3), title="people in the group k", ticks=tuple(_K.tolist())),
        y=Axis(range=(0.04, 250.0), log=True, title="ε of the group", ticks=(0.1, 1, 10, 100)),
        caption="Larger groups are harder to hide. Noise that is k times as wide brings them back to ε.",
        alt="ε of a group against its size, with noise for one person and with noise for the group.",
        layers=[
            *rule,
            layers.HLine(at="epsilon_now", role="other", width=1.6, label="noise for the group"),
            layers.Line(x=_K.tolist(), y="group_epsilon", width=2.4, label=name, label_short="noise for one"),
            layers.Dot(x="sizes_now", y="group_epsilon_now"),
        ],
    )  # fmt: skip


def _delta() -> Panel:
    return Panel(
        key="delta", title="The δ that a group has", height=360, depth=Depth.UNDERSTAND,
        x=Axis(range=(0.7, 10.3), title="people in the group k", ticks=tuple(_K.tolist())),
        y=Axis(range=(1e-12, 2.0), log=True, title="δ of the group at kε", ticks=(1e-9, 1e-6, 1e-3, 1)),
        caption="By the general rule a group pays twice: with kε, and with a δ that grows like e to the (k − 1)ε. "
        "Gaussian noise really has less.",
        alt="δ of a group at kε against its size: by the general rule, and exactly.",
        layers=[
            layers.Line(x=_K.tolist(), y="rule_delta", role="nonprivate", dash=True, width=1.6,
                        label="general rule", label_short="rule"),
            layers.Line(x=_K.tolist(), y="delta_exact", width=2.4, label="Gaussian noise, exactly",
                        label_short="exact"),
            layers.Dot(x="sizes_now", y="delta_exact_now"),
        ],
    )  # fmt: skip


def _readouts(params: QueriesParams) -> list[Readout]:
    more: dict[str, Any] = {"depth": Depth.UNDERSTAND}
    rule = [] if params.noise == "laplace" else [
        Readout(label="δ by the general rule", value="rule_delta_now", format=".2g", note="at kε", **more),
        Readout(label="δ of this noise", value="delta_exact_now", format=".2g", note="at kε, exactly", **more),
    ]  # fmt: skip
    return [
        Readout(label="noise for one: an attacker guesses right", value="hits_now", format="in 100",
                note="about the group"),
        Readout(label="noise for the group: right", value="hits_group", format="in 100",
                note="as for one person before"),
        Readout(label="the answer is then off by", value="error_wide_now", format=".3g",
                note="people, on average", role="private"),
        Readout(label="with noise for one: off by", value="error_one", format=".3g",
                note="people, on average", **more),
        Readout(label="the group then has", value="group_epsilon_now", format=".3g",
                note="ε, with noise for one", **more),
        *rule,
    ]  # fmt: skip


def _meaning(params: QueriesParams, found: Group) -> Text:
    return Text(
        strings=[
            "Noise made for one person leaves a group of {group} with ε = {group_epsilon_now}. Noise that is {group} "
            "times as wide gives the whole group ε = {epsilon}."
        ]
    )


def _odds(params: QueriesParams, found: Group) -> list[Text]:
    return [people(guarantees(params))]


TOPIC = Topic(
    title="A group of people",
    shows=("epsilon", "group", "noise", "delta"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="one", tables=("size",), coords=COORDS, redraw=False,
)  # fmt: skip
