"""How the parameters of Gradient descent are set."""

from __future__ import annotations

from ui.depth import Depth
from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl

__all__ = ["CONTROLS"]

CONTROLS = (
    PageControl(
        "dataset",
        help="400 records for training, 1,000 for the test; coordinates between −1 and 1 are public.",
    ),
    PageControl("model", help="A straight border, or a network with 12 hidden units."),
    PageControl(
        "noise_multiplier",
        ends=("less private", "more private"),
        mode="local",
        help="Standard deviation of the noise over C. Privacy depends on it, on q and on T.",
    ),
    PageControl(
        "clip_norm",
        ends=("clip hard", "hardly clip"),
        help="Longest pull of one record in one step. The noise is σ·C.",
    ),
    PageControl(
        "sample_rate",
        ends=("few records a step", "all records"),
        help="Chance that a record takes part in a step, by a coin of its own.",
    ),
    PageControl(
        "n_steps",
        ends=("short", "long"),
        help="How often the model is moved. Every step costs privacy.",
    ),
    PageControl("learning_rate", ends=("small steps", "large steps"), help="Length of a step."),
    shared_controls.delta(
        help="By how much the probability of any set of results may exceed the bound by e^ε."
    ),
    PageControl(
        "parts", help="Privacy needs both: clipping bounds what one record can do, noise hides it."
    ),
    PageControl(
        "clipping",
        depth=Depth.UNDERSTAND,
        help="Clipping the batch lets one record move the step by 2C, and a larger batch helps "
        "nothing.",
    ),
    PageControl(
        "noise",
        depth=Depth.UNDERSTAND,
        help="The printed bracket adds noise for each record inside the sum: √|lot| times as much.",
    ),
    PageControl(
        "regularisation",
        ends=("weak", "strong"),
        depth=Depth.UNDERSTAND,
        help="For output perturbation of logistic regression: the stronger, the less noise.",
    ),
    shared_controls.person(
        ends=("the most surprising", "the most ordinary"),
        help="Whose record the two worlds differ in, ranked by how wrong the plain model is on it.",
    ),
    shared_controls.seed(
        help="The same seed gives the same lots and the same noise; σ only scales it."
    ),
)
