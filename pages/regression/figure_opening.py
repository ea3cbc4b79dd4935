"""Jiang's opening example on Linear regression: a count about two tables that differ in one person."""

from __future__ import annotations

from functools import cache

import numpy as np

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import opening
from dpcore.experiments.regression.opening import ANSWERS, ATTACKED, PLACES, TABLE
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, layers

__all__ = ["TAB", "opening_arrays", "opening_panels"]

TAB = "The opening example"
_TRUTH = sum(value for _, value in TABLE)


@cache
def opening_arrays() -> dict[str, Array]:
    """Return the densities and the attacker's hits for every ε and every number of answers."""
    density = np.stack([opening.averaged_density(n) for n in ANSWERS], axis=1)
    peak = density.max(axis=2, keepdims=True)
    right = np.stack([opening.guesses_right(n) for n in ANSWERS], axis=1)
    return {
        "answers_there": array(density / peak, "epsilon", "answers"),
        "attacker_right": array(right, "epsilon", "answers"),
        "attacker_curve": array(right.T, "answers"),
        "answers_cost": array(np.outer(EPSILON_GRID, ANSWERS), "epsilon", "answers"),
    }


def opening_panels() -> list[Panel]:
    """Return what is published about both tables, and how often an attacker is right."""
    return [_answers(), _attack()]


def _answers() -> Panel:
    places, other = [float(p) for p in PLACES], [float(p) - 1 for p in PLACES]
    x = Axis(
        range=(-1.5, 6.5),
        title="patients with diabetes, average of the answers",
        ticks=(0, 1, 2, 3, 4, 5),
    )
    return Panel(
        key="opening", title="How many of the five have diabetes?", tab=TAB, height=400, x=x,
        depth=Depth.UNDERSTAND, y=Axis(range=(0, 1.15), title="how likely, highest = 1"),
        caption=f"Two tables are alike but for {ATTACKED}. Exact counts, {_TRUTH} and {_TRUTH - 1}, tell "
        "the secret to whoever knows the other four. With [[Laplace noise]] the curves overlap.",
        alt="Densities of the averaged answers about both tables, at ε = {epsilon} an answer.",
        layers=[
            layers.VLine(at=float(_TRUTH - 1), role="other", dash=True, width=1.4,
                         label=f"exact count, {ATTACKED} well", label_short="exact, well"),
            layers.VLine(at=float(_TRUTH), role="private", dash=True, width=1.4,
                         label=f"exact count, {ATTACKED} ill", label_short="exact, ill"),
            layers.VLine(at=_TRUTH - 0.5, role="muted", width=1, label="the attacker's border",
                         label_short="border"),
            layers.Line(x=other, y="answers_there", role="other", width=2.4,
                        label=f"{ATTACKED} is well"),
            layers.Line(x=places, y="answers_there", width=2.4, label=f"{ATTACKED} is ill"),
        ],
    )  # fmt: skip


def _attack() -> Panel:
    return Panel(
        key="opening_attack", title="How often an attacker is right", tab=TAB, height=400,
        x=epsilon_axis("ε of one answer"), depth=Depth.UNDERSTAND,
        y=Axis(range=(0.45, 1.02), title="right guesses", format=".0%"),
        caption="The attacker averages the answers and looks on which side of the border the average lies. "
        "Asking again helps, and costs: k answers cost kε.",
        alt="Share of right guesses against ε; now {attacker_right:in 100}, for ε = {answers_cost} in all.",
        layers=[
            layers.HLine(at=0.5, role="muted", dash=True, width=1.2, label="pure guessing"),
            layers.Line(x=EPSILONS, y="attacker_curve", role="danger", width=2.4,
                        label="right about Chandler", label_short="right"),
            layers.VLine(at="epsilon_now", role="muted", width=1, label="your ε"),
            layers.Dot(x="epsilon_now", y="attacker_right", role="danger"),
        ],
    )  # fmt: skip
