"""How the parameters of Mechanisms are set."""

from __future__ import annotations

from ui.depth import Depth
from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl

__all__ = ["CONTROLS"]

CONTROLS = (
    shared_controls.epsilon(
        help="The privacy loss. Because of one person, no answer may become more likely by a factor above e^ε."
    ),
    PageControl(
        "question",
        help="What is asked about the people. One person can change some answers more than others.",
    ),
    PageControl(
        "noise",
        depth=Depth.UNDERSTAND,
        help="Laplace and staircase noise need no δ. The Gaussian noise that Sarkar's lecture prints is "
        "proved for ε < 1 only.",
    ),
    shared_controls.delta(
        depth=Depth.UNDERSTAND,
        help="By how much the probability of any set of answers may exceed the bound of ε. Only "
        "Gaussian noise uses it.",
    ),
    PageControl(
        "group",
        depth=Depth.UNDERSTAND,
        ends=("one person", "a group"),
        mode="local",
        help="In how many people the two data sets differ. The promise for a group is k times weaker.",
    ),
    PageControl(
        "n_people",
        depth=Depth.UNDERSTAND,
        ends=("few", "many"),
        help="How many people there are: for the mean, and for noise that everybody adds at home.",
    ),
    PageControl(
        "example",
        depth=Depth.UNDERSTAND,
        help="For the exponential mechanism, which draws the best of several options by chance.",
    ),
    shared_controls.seed(
        depth=Depth.UNDERSTAND, help="The same seed gives the same draws; ε only scales them."
    ),
)
