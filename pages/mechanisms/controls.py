"""How the parameters of Mechanisms are set."""

from __future__ import annotations

from ui.depth import Depth
from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl

__all__ = ["CONTROLS"]

CONTROLS = (
    PageControl(
        "question",
        help="Its sensitivity Δ is how far one record (one team, for salaries) can move the answer.",
    ),
    PageControl(
        "noise",
        help="Laplace and staircase are pure (δ = 0). The slide's Gaussian σ is proved for ε < 1.",
    ),
    shared_controls.epsilon(
        help="No output may become more likely by a factor above e^ε because of one record."
    ),
    shared_controls.delta(
        help="By how much the probability of any set of answers may exceed that bound. Only "
        "Gaussian noise uses it."
    ),
    PageControl(
        "group",
        ends=("one person", "a group"),
        mode="local",
        help="How many records D and D′ differ in. The promise for a group is k times weaker.",
    ),
    PageControl(
        "n_people",
        ends=("few", "many"),
        help="Size of the data for the mean, for local noise and for randomized response.",
    ),
    PageControl(
        "example",
        depth=Depth.UNDERSTAND,
        help="For the exponential mechanism: the best of several options. Ratings are not monotone.",
    ),
    shared_controls.seed(help="The same seed gives the same draws; ε only scales them."),
)
