"""How the parameters of Linear regression are set."""

from __future__ import annotations

from ui.depth import Depth
from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl

__all__ = ["CONTROLS"]

CONTROLS = (
    PageControl(
        "dataset", help="Where the records come from. The bounds of every column are public facts."
    ),
    shared_controls.epsilon(
        help="How much one record may change the odds of any result: by a factor of at most e^ε."
    ),
    shared_controls.delta(
        mode="server",
        idle=lambda params: (
            "The noise of this method is Laplace's, which has no δ." if params.pure else ""
        ),
        help="By how much the probability of any set of results may exceed that bound; Laplace "
        "noise has none.",
    ),
    PageControl(
        "method",
        help="Where the noise goes: into the objective, the sums, the result, or the gradients.",
    ),
    PageControl(
        "repair",
        idle=lambda params: (
            "" if params.objective else "This method publishes no noisy objective to repair."
        ),
        help="What is done when the noisy objective has no minimum. All of it is free of charge.",
    ),
    PageControl(
        "n_features",
        ends=("one", "many"),
        help="The noise of the objective grows with (d + 1)². The first one is drawn across.",
    ),
    PageControl(
        "n_samples", ends=("few", "many"), help="The sums grow with n, the noise does not."
    ),
    PageControl(
        "split",
        idle=lambda params: (
            ""
            if params.separate
            else "This method publishes both parts together: there is no split."
        ),
        help="How ε is divided between the square and the linear part when they go separately.",
    ),
    PageControl(
        "feature",
        label="feature drawn across",
        depth=Depth.UNDERSTAND,
        help="Number of the feature that comes first and is drawn. Above the last one: the last.",
    ),
    shared_controls.person(
        help="Whose record is replaced in the other world, ranked by distance from the line."
    ),
    PageControl("person_dx", hidden=True, depth=Depth.UNDERSTAND),
    PageControl("person_dy", hidden=True, depth=Depth.UNDERSTAND),
    shared_controls.seed(),
)
