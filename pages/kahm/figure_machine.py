"""The tab *One machine* of Affine hulls: membership, weights, the bound on the distance, and λ step by step."""

from __future__ import annotations

import numpy as np

from dpcore.experiments.kahm import FixedPoint, OneMachine
from dpcore.experiments.kahm.machine import ALONG, CURVE
from dpcore.experiments.kahm.params import LAMBDA_STEPS, QUERY_GRID
from dpcore.experiments.kahm.picture import REACH
from pages.kahm.figure_picture import nodes_of
from pages.kahm.figure_picture_panels import EXTENT, plane_map
from ui.figure_kit.common import array, in_bytes
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, layers

__all__ = ["COORDS", "TAB", "arrays", "panels"]

COORDS = {"u": "u_of"}  # ε at which the fixed point is there
TAB = "One machine"
_ALONG = [float(x) for x in ALONG]
_NEAR, _WIDE = 3e-4, 1.3  # training errors on the logarithmic axes
_CURVE = [max(float(e), _NEAR) for e in CURVE]  # R hardly changes from 0 to there
_STEPS = [float(t) for t in LAMBDA_STEPS]
_AT = ("query_x", "query_y")
_LEAST = 1e-12  # of a distance on the logarithmic axis


def arrays(machine: OneMachine | None, fixed: FixedPoint | None) -> dict[str, Array]:
    """Return what the machine answers at every place of the query, and every step towards λ."""
    ticks = 0.5 + np.array(QUERY_GRID)
    return {
        "query_at_x": array(ticks, "query_x"),
        "query_at_y": array(ticks, "query_y"),
        **_machine(machine, ticks),
        **_fixed(fixed),
    }


def _machine(found: OneMachine | None, ticks: np.ndarray) -> dict[str, Array]:
    if found is None:
        gone = array(np.nan)
        names = (
            "image_x",
            "image_y",
            "distance_now",
            "bound_one_now",
            "bound_two_now",
            "membership_own",
        )
        curves = ("weights", "distance_along", "bound_one_along", "bound_two_along")
        return {
            "membership": array(np.full((2, 2), np.nan)), "class_records": array(np.full((1, 2), np.nan)),
            "class_labels": Array(np.zeros(1, np.int32), (None,)), "chosen": array(np.full((1, 2), np.nan)),
            "link_x": array([np.nan] * 2), "link_y": array([np.nan] * 2), "weight_edges": array([0.0, 1.0]),
            **dict.fromkeys(names, gone),
            **{name: array(np.full(1 if name == "weights" else len(_ALONG), np.nan)) for name in curves},
        }  # fmt: skip
    here = np.stack(np.meshgrid(ticks, ticks, indexing="ij"), -1)
    link = np.stack([here, found.images], -2)
    return {
        "membership": in_bytes(1 - found.membership / np.abs(found.membership).max()),
        "membership_own": array(found.own),
        "class_records": array(found.records),
        "class_labels": Array(np.zeros(len(found.records), np.int32), (None,)),
        "chosen": array(found.records[found.place][None]),
        "link_x": array(link[..., 0], *_AT),
        "link_y": array(link[..., 1], *_AT),
        "image_x": array(found.images[..., 0], *_AT),
        "image_y": array(found.images[..., 1], *_AT),
        "weight_edges": array(np.arange(len(found.records) + 1) + 0.5),
        "weights": array(found.weights, *_AT),
        "distance_now": array(found.distance, *_AT),
        "bound_one_now": array(found.bound_one, *_AT),
        "bound_two_now": array(found.bound_two, *_AT),
        **{
            f"{name}_along": array(found.line[:, k], "query_y")
            for k, name in enumerate(("distance", "bound_one", "bound_two"))
        },
    }


def _fixed(found: FixedPoint | None) -> dict[str, Array]:
    if found is None:
        steps = np.full(len(_STEPS), np.nan)
        return {
            "u_of": nodes_of([1.0]), "error_curve": array(np.full(len(_CURVE), np.nan)),
            "cobweb_x": array([np.nan]), "cobweb_y": array([np.nan]), "error_step": array(np.nan),
            "gap": array(steps), "gap_proven": array(steps), "gap_now": array(np.nan),
            "lambda_now": array(np.nan), "step_now": array(_STEPS, "lambda_step"),
        }  # fmt: skip
    web = _cobwebs(found.steps)
    gap = np.maximum(np.abs(found.steps - found.end[:, None]), _LEAST)
    proven = gap[:, :1] * found.rate ** np.array(_STEPS)
    return {
        "u_of": nodes_of(found.nodes),
        "error_curve": array(found.curve, "u"),
        "cobweb_x": array(web[..., 0], "u", "lambda_step"),
        "cobweb_y": array(web[..., 1], "u", "lambda_step"),
        "error_step": array(found.steps, "u", "lambda_step"),
        "gap": array(gap, "u"),
        "gap_proven": array(np.maximum(proven, _LEAST), "u"),
        "gap_now": array(gap, "u", "lambda_step"),
        "lambda_now": array(found.steps + found.tau, "u", "lambda_step"),
        "step_now": array(_STEPS, "lambda_step"),
    }


def _cobwebs(steps: np.ndarray) -> np.ndarray:
    """The way from e to R(e) and over to the diagonal, up to every step: (F, T, 2T - 1, 2)."""
    n_steps = steps.shape[1]
    whole = np.stack([np.repeat(steps, 2, 1)[:, :-1], np.repeat(steps, 2, 1)[:, 1:]], -1)
    whole[:, 0, 1] = _NEAR  # it starts on the axis
    found = np.repeat(whole[:, None], n_steps, 1)
    for step in range(n_steps):
        found[:, step, 2 * step + 1 :] = np.nan
    return found


def panels(machine: OneMachine | None) -> list[Panel]:
    """Return the panels of the tab."""
    return [*_maps(), _weights(machine), _bound(), *_iteration()]


def _maps() -> list[Panel]:
    return [
        plane_map(
            "membership", "One record's membership, and a query",
            [
                layers.Shade(values="membership", extent=EXTENT, range=(0.0, 1.0)),
                layers.Points(xy="class_records", labels="class_labels", role="nonprivate", size=2.6),
                layers.Markers(xy="chosen", labels="one", role="text", hollow=True, size=6, label="this record"),
                layers.Line(x="link_x", y="link_y", role="text", width=1.6),
                layers.Dot(x="image_x", y="image_y", label="its image A(y)"),
                layers.Dot(x="query_at_x", y="query_at_y", role="text", label="query y"),
                layers.Handle(x="query_x", y="query_y", origin=[0.5, 0.5], label="a query"),
            ],
            tab=TAB, link="", depth=Depth.UNDERSTAND, height=400,
            caption="The shade is hⁱ: how much a place counts as this record, smoothed by the kernel. Drag the "
            "query: the line leads to its image A(y). This machine holds real records, so it is not private.",
            alt="The membership of one record, {membership_own} at the record itself, and a query whose image is "
            "{distance_now} away.",
        )
    ]  # fmt: skip


def _weights(found: OneMachine | None) -> Panel:
    low, high = -0.1, 0.4
    if found is not None:  # far from the records a few weights are large: they may leave the panel
        low, high = (float(x) for x in np.quantile(found.weights, [0.02, 0.98]))
    count = 100 if found is None else len(found.records)
    return Panel(
        key="weights", title="The weights of the records in A(y)", tab=TAB, height=400, depth=Depth.UNDERSTAND,
        x=Axis(range=(0, count + 1), title="records, the nearest to the query first"),
        y=Axis(range=(min(1.5 * low, -0.02), 1.5 * high), title="affine weight"),
        caption="All weights sum to 1. A weight may be negative: the image lies in the affine hull, and need not lie "
        "between the records.",
        alt="The affine weights of the records at the query, the nearest record first.",
        layers=[layers.HLine(at=0.0, role="muted", width=1),
                layers.Bars(edges="weight_edges", heights="weights", role="nonprivate", alpha=0.8)],
    )  # fmt: skip


def _bound() -> Panel:
    return Panel(
        key="bound", title="The distance, and what bounds it", tab=TAB, height=400, depth=Depth.UNDERSTAND,
        x=Axis(range=REACH, title="place of the query, across"),
        y=Axis(range=(1e-3, 60.0), log=True, title="distance Γ to the image", ticks=(0.001, 0.01, 0.1, 1, 10)),
        caption="Along a level line through the query. A query near the records cannot be far from its image: "
        "both bounds are weights times distances to the records.",
        alt="Measured {distance_now}; bounds {bound_one_now} and {bound_two_now}. {trend:distance_along:.2g}.",
        layers=[
            layers.Line(x=_ALONG, y="bound_two_along", role="muted", dash=True, label="‖w‖₂ · all distances",
                        label_short="‖w‖₂ bound"),
            layers.Line(x=_ALONG, y="bound_one_along", role="text", label="‖w‖₁ · largest distance",
                        label_short="‖w‖₁ bound"),
            layers.Line(x=_ALONG, y="distance_along", role="nonprivate", label="measured"),
            layers.VLine(at="query_at_x", role="muted", width=1, label="query"),
            layers.Dot(x="query_at_x", y="distance_now", role="nonprivate"),
        ],
    )  # fmt: skip


def _iteration() -> list[Panel]:
    ticks = (0.001, 0.01, 0.1, 1)
    return [
        Panel(
            key="fixed_point", title="How λ is found", tab=TAB, height=400, depth=Depth.UNDERSTAND,
            x=Axis(range=(_NEAR, _WIDE), log=True, title="training error e, in mean squares", ticks=ticks),
            y=Axis(range=(_NEAR, _WIDE), log=True, title="next training error R(e + τ)", ticks=ticks),
            caption="Noisy data of the first class. Each step takes the training error at λ = e + τ as the next e. "
            "Where the curve meets the diagonal, λ is its own training error plus τ.",
            alt="After {step_now} steps the training error is {error_step} mean squares, λ is {lambda_now}.",
            layers=[
                layers.Line(x=[_NEAR, _WIDE], y=[_NEAR, _WIDE], role="muted", width=1, label="R = e"),
                layers.Line(x=_CURVE, y="error_curve", label="R(e + τ)"),
                layers.Line(x="cobweb_x", y="cobweb_y", role="other", width=1.8, label="the steps"),
                layers.Dot(x="error_step", y="error_step", role="other"),
            ],
        ),
        Panel(
            key="rate", title="How fast", tab=TAB, height=400, depth=Depth.UNDERSTAND,
            x=Axis(range=(-0.2, _STEPS[-1] + 0.2), title="steps", ticks=tuple(_STEPS)),
            y=Axis(range=(_LEAST, 1.0), log=True, title="distance to the fixed point", ticks=(1e-12, 1e-8, 1e-4, 1)),
            caption="It is proven that a step leaves at most 8M₀/27τ of the distance, where M₀ is the mean square of "
            "the data: 4/27 at τ = 2M₀. The measured steps leave less.",
            alt="Distance to the fixed point after each step: now {gap_now}.",
            layers=[
                layers.Line(x=_STEPS, y="gap_proven", role="text", dash=True, label="proven at most"),
                layers.Line(x=_STEPS, y="gap", label="measured"),
                layers.Dot(x="step_now", y="gap_now"),
            ],
        ),
    ]  # fmt: skip
