"""The exponential mechanism's part of the live figure of the mechanisms page: what is chosen, and how often."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments import mechanisms
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.mechanisms import RandomizedResponse, randomized_response
from ui.figure_kit.common import array
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, layers
from ui.words.numbers import show

__all__ = ["arrays", "panels", "response"]

_OTHER: dict[str, Any] = {
    "label": "one person more or less, worst case",
    "label_short": "worst case",
}


def _pairs(heights: Any) -> Any:
    """Heights with an empty bar after each, so that two sets stand side by side."""
    return np.stack([heights, np.zeros_like(heights)], -1).reshape(len(heights), -1)


def _edges(n: int, start: float) -> list[float]:
    return [k + start + part for k in range(n) for part in (0.0, 0.38)] + [n + start]


def arrays(params: MechanismsParams) -> dict[str, Array]:
    """Return the probabilities of every option, by both formulas, in both worlds."""
    found = mechanisms.choices(params)
    return {
        "right": array(_pairs(found.right), "epsilon"),
        "right_other": array(_pairs(found.right_other), "epsilon"),
        "printed": array(_pairs(found.printed), "epsilon"),
        "printed_other": array(_pairs(found.printed_other), "epsilon"),
        "shown": array(found.shown, "epsilon"),
        "printed_shown": array(found.printed_shown, "epsilon"),
        "real_printed": array(found.real_printed, "epsilon"),
        "at_least": array(found.at_least, "epsilon"),
        "says_yes": array([_pairs(m.matrix[:, 1][None, ::-1])[0] for m in _coins()], "epsilon"),
        "says_no": array([_pairs(m.matrix[:, 0][None, ::-1])[0] for m in _coins()], "epsilon"),
    }


def _raised(example: mechanisms.Example) -> str:
    """Name the options whose score the worst neighbour raises."""
    pairs = zip(example.options, example.change, strict=True)
    return " and ".join(name for name, more in pairs if more > 0)


def panels(params: MechanismsParams) -> list[Panel]:
    """Return the two panels."""
    example = mechanisms.EXAMPLES[params.example]
    n = len(example.options)
    ticks = tuple(k + 0.5 for k in range(n))
    words = tuple(
        f"{name} ({show(score, '.6g')})"
        for name, score in zip(example.options, example.scores, strict=True)
    )
    axis = Axis(range=(0.0, float(n)), ticks=ticks, words=words, title="option (score)")

    def bars(first: str, second: str) -> list[layers.Layer]:
        return [
            layers.Bars(edges=_edges(n, 0.12), heights=first, role="private", label="with Ada"),
            layers.Bars(edges=_edges(n, 0.5), heights=second, role="other", **_OTHER),
        ]

    common: dict[str, Any] = {"tab": "Choosing", "height": 340, "x": axis}
    side = Axis(range=(0.0, 1.0), title="probability of being chosen", format=".0%")
    bad = (
        "this is ε-DP only because these scores are monotone"
        if example.monotone
        else "the promise is 2ε here, not ε"
    )
    return [
        Panel(
            key="right", title="Exponential mechanism: exp(εs/2Δ)", y=side,
            caption="The best option is drawn by chance: the better it scores, the likelier. The nearer "
            "the two bars of an option, the less its choice says about one person "
            f"({example.words}). The person of the worst case is for {_raised(example)}, whose bars differ by the "
            "largest factor.",
            alt="Probabilities of the options in both worlds.",
            layers=bars("right", "right_other"), depth=Depth.UNDERSTAND, **common,
        ),
        Panel(
            key="printed", title="As Sarkar's lecture prints it: exp(εs/Δ)", y=side,
            caption=f"Without the 2 in the exponent the best option is chosen more often, but {bad}.",
            alt="Probabilities by the printed formula in both worlds.",
            layers=bars("printed", "printed_other"), depth=Depth.CHECK, **common,
        ),
    ]  # fmt: skip


def _coins() -> list[RandomizedResponse]:
    return [randomized_response(e) for e in EPSILON_GRID]


def response() -> Panel:
    """Return the panel of randomized response: what is answered, given the truth."""
    axis = Axis(range=(0.0, 2.0), ticks=(0.5, 1.5), words=("truth: yes", "truth: no"), title="")
    return Panel(
        key="response", title="Randomized response: a coin before answering", tab="Local or central",
        depth=Depth.UNDERSTAND, height=380, x=axis,
        y=Axis(range=(0.0, 1.0), title="probability of the answer", format=".0%"),
        caption="[[randomized response|Everybody tosses a coin]] and tells the truth with probability "
        "eᵋ/(eᵋ + 1). No answer proves anything: the bars of one answer differ by a factor of at most eᵋ.",
        alt="Probabilities of both answers for both truths at ε = {epsilon}.",
        layers=[
            layers.Bars(edges=_edges(2, 0.12), heights="says_yes", role="private", label="answers yes"),
            layers.Bars(edges=_edges(2, 0.5), heights="says_no", role="other", label="answers no"),
        ],
    )  # fmt: skip
