"""Arrays and panels of the tab *One machine* of the Affine hulls page.

The tab shows what a single affine hull machine computes: membership, weights, a bound on distances, and the
fixed-point iteration for its parameter λ.
"""

from __future__ import annotations

import numpy as np

from dpcore.experiments.kahm import FixedPoint, OneMachine
from dpcore.experiments.kahm.machine import ALONG, CURVE
from dpcore.experiments.kahm.params import LAMBDA_STEPS, QUERY_GRID
from dpcore.experiments.kahm.picture import REACH
from pages.kahm.figure.picture import EXTENT, nodes_of, plane_map
from ui.figure_kit.common import array, in_bytes
from ui.live import Array, Axis, Panel, layers
from ui.live.depth import Depth
from ui.words import text

__all__ = ["COORDS", "arrays", "panels"]

T = text.load_text(__file__)

COORDS = {"u": "u_of"}  # ε at which the fixed point is there
_ALONG = [float(x) for x in ALONG]
_NEAR, _WIDE = 3e-4, 1.3  # training errors on the logarithmic axes
_CURVE = [max(float(e), _NEAR) for e in CURVE]  # R hardly changes from 0 to there
_STEPS = [float(t) for t in LAMBDA_STEPS]
_AT = ("query_x", "query_y")
_LEAST = 1e-12  # of a distance on the logarithmic axis


def arrays(machine: OneMachine | None, fixed: FixedPoint | None) -> dict[str, Array]:
    """Return the arrays of one affine hull machine: its output at every query point, and the iteration for its λ."""
    ticks = 0.5 + np.array(QUERY_GRID)
    return {
        "query_at_x": array(ticks, "query_x"),
        "query_at_y": array(ticks, "query_y"),
        **_machine(machine, ticks),
        **_fixed(fixed),
    }


def _machine(machine: OneMachine | None, ticks: np.ndarray) -> dict[str, Array]:
    if machine is None:
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
            "class_labels": Array(np.zeros(1, np.int32), (None,)), "machine_record": array(np.full((1, 2), np.nan)),
            "link_x": array([np.nan] * 2), "link_y": array([np.nan] * 2), "weight_edges": array([0.0, 1.0]),
            **dict.fromkeys(names, gone),
            **{name: array(np.full(1 if name == "weights" else len(_ALONG), np.nan)) for name in curves},
        }  # fmt: skip
    here = np.stack(np.meshgrid(ticks, ticks, indexing="ij"), -1)
    link = np.stack([here, machine.images], -2)
    return {
        "membership": in_bytes(1 - machine.membership / np.abs(machine.membership).max()),
        "membership_own": array(machine.own),
        "class_records": array(machine.records),
        "class_labels": Array(np.zeros(len(machine.records), np.int32), (None,)),
        "machine_record": array(machine.records[machine.place][None]),
        "link_x": array(link[..., 0], *_AT),
        "link_y": array(link[..., 1], *_AT),
        "image_x": array(machine.images[..., 0], *_AT),
        "image_y": array(machine.images[..., 1], *_AT),
        "weight_edges": array(np.arange(len(machine.records) + 1) + 0.5),
        "weights": array(machine.weights, *_AT),
        "distance_now": array(machine.distance, *_AT),
        "bound_one_now": array(machine.bound_one, *_AT),
        "bound_two_now": array(machine.bound_two, *_AT),
        **{
            f"{name}_along": array(machine.line[:, k], "query_y")
            for k, name in enumerate(("distance", "bound_one", "bound_two"))
        },
    }


def _fixed(iteration: FixedPoint | None) -> dict[str, Array]:
    if iteration is None:
        steps = np.full(len(_STEPS), np.nan)
        return {
            "u_of": nodes_of([1.0]), "error_curve": array(np.full(len(_CURVE), np.nan)),
            "cobweb_x": array([np.nan]), "cobweb_y": array([np.nan]), "error_step": array(np.nan),
            "gap": array(steps), "gap_proven": array(steps), "gap_now": array(np.nan),
            "lambda_now": array(np.nan), "step_now": array(_STEPS, "lambda_step"),
        }  # fmt: skip
    web = _cobwebs(iteration.steps)
    gap = np.maximum(np.abs(iteration.steps - iteration.end[:, None]), _LEAST)
    proven = gap[:, :1] * iteration.rate ** np.array(_STEPS)
    return {
        "u_of": nodes_of(iteration.nodes),
        "error_curve": array(iteration.curve, "u"),
        "cobweb_x": array(web[..., 0], "u", "lambda_step"),
        "cobweb_y": array(web[..., 1], "u", "lambda_step"),
        "error_step": array(iteration.steps, "u", "lambda_step"),
        "gap": array(gap, "u"),
        "gap_proven": array(np.maximum(proven, _LEAST), "u"),
        "gap_now": array(gap, "u", "lambda_step"),
        "lambda_now": array(iteration.steps + iteration.tau, "u", "lambda_step"),
        "step_now": array(_STEPS, "lambda_step"),
    }


def _cobwebs(steps: np.ndarray) -> np.ndarray:
    """Return cobweb diagrams (F, T, 2T - 1, 2) of F fixed-point iterations e ← R(e) with T steps each.

    ``steps`` (F, T) has the values of e. The diagram with index t ends at step t; its later points are NaN.
    """
    n_steps = steps.shape[1]
    whole = np.stack([np.repeat(steps, 2, 1)[:, :-1], np.repeat(steps, 2, 1)[:, 1:]], -1)
    whole[:, 0, 1] = _NEAR  # it starts on the axis
    webs = np.repeat(whole[:, None], n_steps, 1)
    for step in range(n_steps):
        webs[:, step, 2 * step + 1 :] = np.nan
    return webs


def panels(machine: OneMachine | None) -> list[Panel]:
    """Return the panels of the tab *One machine*."""
    return [*_maps(), _weights(machine), _bound(), *_iteration()]


def _maps() -> list[Panel]:
    return [
        plane_map(
            "membership",
            [
                layers.Shade(values="membership", extent=EXTENT, range=(0.0, 1.0)),
                layers.Points(xy="class_records", labels="class_labels", role="nonprivate", size=2.6),
                layers.Markers(xy="machine_record", labels="one", role="text", hollow=True, size=6,
                               label=T("panels.membership.record")),
                layers.Line(x="link_x", y="link_y", role="text", width=1.6),
                layers.Dot(x="image_x", y="image_y", label=T("panels.membership.image")),
                layers.Dot(x="query_at_x", y="query_at_y", role="text", label=T("panels.membership.query")),
                layers.Handle(x="query_x", y="query_y", origin=[0.5, 0.5], label=T("panels.membership.handle")),
            ],
            tab=T("tabs.machine"), link="", depth=Depth.UNDERSTAND, height=400,
        )
    ]  # fmt: skip


def _panel(key: str, x: Axis, y: Axis, shown: list[layers.Layer]) -> Panel:
    panel = Panel(
        key=key, tab=T("tabs.machine"), height=400, depth=Depth.UNDERSTAND, x=x, y=y, layers=shown
    )
    return T.panel(panel)


def _weights(machine: OneMachine | None) -> Panel:
    low, high = -0.1, 0.4
    if (
        machine is not None
    ):  # far from the records a few weights are large: they may leave the panel
        low, high = (float(x) for x in np.quantile(machine.weights, [0.02, 0.98]))
    count = 100 if machine is None else len(machine.records)
    return _panel(
        "weights", Axis(range=(0, count + 1)), Axis(range=(min(1.5 * low, -0.02), 1.5 * high)),
        [layers.HLine(at=0.0, role="muted", width=1),
         layers.Bars(edges="weight_edges", heights="weights", role="nonprivate", alpha=0.8)],
    )  # fmt: skip


def _bound() -> Panel:
    return _panel(
        "bound", Axis(range=REACH), Axis(range=(1e-3, 60.0), log=True, ticks=(0.001, 0.01, 0.1, 1, 10)),
        [
            layers.Line(x=_ALONG, y="bound_two_along", role="muted", dash=True, label=T("panels.bound.two"),
                        label_short=T("panels.bound.two_short")),
            layers.Line(x=_ALONG, y="bound_one_along", role="text", label=T("panels.bound.one"),
                        label_short=T("panels.bound.one_short")),
            layers.Line(x=_ALONG, y="distance_along", role="nonprivate", label=T("panels.bound.measured")),
            layers.VLine(at="query_at_x", role="muted", width=1, label=T("panels.bound.query")),
            layers.Dot(x="query_at_x", y="distance_now", role="nonprivate"),
        ],
    )  # fmt: skip


def _iteration() -> list[Panel]:
    errors = Axis(range=(_NEAR, _WIDE), log=True, ticks=(0.001, 0.01, 0.1, 1))
    return [
        _panel(
            "fixed_point", errors, errors,
            [
                layers.Line(x=[_NEAR, _WIDE], y=[_NEAR, _WIDE], role="muted", width=1, label="R = e"),
                layers.Line(x=_CURVE, y="error_curve", label="R(e + τ)"),
                layers.Line(x="cobweb_x", y="cobweb_y", role="other", width=1.8,
                            label=T("panels.fixed_point.steps")),
                layers.Dot(x="error_step", y="error_step", role="other"),
            ],
        ),
        _panel(
            "rate", Axis(range=(-0.2, _STEPS[-1] + 0.2), ticks=tuple(_STEPS)),
            Axis(range=(_LEAST, 1.0), log=True, ticks=(1e-12, 1e-8, 1e-4, 1)),
            [
                layers.Line(x=_STEPS, y="gap_proven", role="text", dash=True, label=T("panels.rate.proven")),
                layers.Line(x=_STEPS, y="gap", label=T("panels.rate.measured")),
                layers.Dot(x="step_now", y="gap_now"),
            ],
        ),
    ]  # fmt: skip
