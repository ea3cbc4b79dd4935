"""How the parameters of Deep networks are set."""

from __future__ import annotations

from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth

__all__ = ["CONTROLS"]

CONTROLS = (
    shared_controls.epsilon(
        mode="server",
        help="How much one picture may change the odds of any trained network. At ε = 1 that is 2.72 times at most, "
        "but for rare exceptions that δ allows, and 148 times at ε = 5. The noise of each step follows from it. "
        "The network learns anew when you let go.",
    ),
    PageControl(
        "clip_norm",
        ends=("clip hard", "hardly clip"),
        help="The greatest length of one picture's gradient in one step. The noise grows with it.",
    ),
    PageControl(
        "epochs",
        ends=("short", "long"),
        depth=Depth.UNDERSTAND,
        help="How long the network learns. In an epoch of ten steps every picture is used once, on average. The more "
        "steps, the more noise each of them needs for the same ε.",
    ),
    PageControl(
        "learning_rate",
        ends=("small steps", "large steps"),
        depth=Depth.UNDERSTAND,
        help="How far the network moves for a mean gradient of length one, in the first step. Large steps upset "
        "the twin, which nothing holds back, more than the private network.",
    ),
    PageControl(
        "schedule",
        depth=Depth.UNDERSTAND,
        help="Jiang prints ηₜ, a step size that may change from step to step. It follows from public settings, so "
        "it costs no privacy.",
    ),
    shared_controls.delta(
        mode="server",
        depth=Depth.UNDERSTAND,
        help="By how much the probability of any set of results may exceed the bound of ε.",
    ),
    shared_controls.seed(help="The same seed gives the same random groups and the same noise."),
)
