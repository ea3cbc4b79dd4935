"""How the parameters of Gradient descent are set."""

from __future__ import annotations

from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth

__all__ = ["CONTROLS"]

CONTROLS = (
    PageControl(
        "noise_multiplier",
        ends=("less private", "more private"),
        mode="local",
        label="amount of noise",
        help="How much noise each step gets: its standard deviation, divided by the most that one person "
        "may add to the step.",
    ),
    PageControl(
        "budget",
        ends=("more private", "less private"),
        mode="local",
        help="What the whole training may cost. The amount of noise follows: the least that keeps to it.",
    ),
    PageControl(
        "parts",
        help="Privacy needs both. Clipping limits what one person can add to a step, and the noise hides it.",
    ),
    PageControl(
        "asked",
        depth=Depth.UNDERSTAND,
        help="Drag the amount of noise and see what it costs, or drag the cost and get the noise for it. "
        "The other one follows.",
    ),
    PageControl(
        "dataset",
        depth=Depth.UNDERSTAND,
        help="400 people to learn from and 1000 to test on. We take it as public that both coordinates "
        "lie between −1 and 1.",
    ),
    PageControl(
        "model",
        depth=Depth.UNDERSTAND,
        help="A straight border, or a network with 12 hidden units.",
    ),
    PageControl(
        "clip_norm",
        ends=("clip hard", "hardly clip"),
        depth=Depth.UNDERSTAND,
        help="The greatest length of one person's gradient in one step. The noise has the standard "
        "deviation σ·C.",
    ),
    PageControl(
        "sample_rate",
        ends=("few people a step", "everybody"),
        depth=Depth.UNDERSTAND,
        help="The probability with which each person takes part in a step, independently of the others.",
    ),
    PageControl(
        "n_steps",
        ends=("short", "long"),
        depth=Depth.UNDERSTAND,
        help="How often the model is moved. Every step costs privacy.",
    ),
    PageControl(
        "learning_rate",
        ends=("small steps", "large steps"),
        depth=Depth.UNDERSTAND,
        help="How far the model moves for a gradient of length one.",
    ),
    shared_controls.delta(
        depth=Depth.UNDERSTAND,
        help="By how much the probability of any set of results may exceed the bound of ε.",
    ),
    PageControl(
        "regularisation",
        ends=("weak", "strong"),
        depth=Depth.UNDERSTAND,
        help="Only for noise on the finished model and for the four places of noise: the stronger the "
        "regularisation, the less one person can move the finished model.",
    ),
    PageControl(
        "width",
        ends=("small model", "large model"),
        mode="local",
        depth=Depth.UNDERSTAND,
        help="The hidden units of the model that is marked under Model size. Random features get as many "
        "parameters as the network has.",
    ),
    shared_controls.person(
        ends=("the most surprising", "the most ordinary"),
        help="In whose record the two worlds differ. People are ranked by how wrong the plain model is "
        "about them.",
    ),
    shared_controls.seed(
        help="The same seed gives the same groups of people and the same noise; σ only scales it."
    ),
    PageControl(
        "clipping",
        depth=Depth.CHECK,
        help="Sarkar's lecture clips the gradient of the whole batch. Then one person can move the step by "
        "2C, and a larger batch does not help.",
    ),
    PageControl(
        "noise",
        depth=Depth.CHECK,
        help="The bracket in Jiang's talk adds noise for each record inside the sum, which makes the noise "
        "√|lot| times as large.",
    ),
)
