"""How the parameters of Linear regression are set."""

from __future__ import annotations

from ui.figure_kit import shared_controls
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth

__all__ = ["CONTROLS"]

CONTROLS = (
    shared_controls.epsilon(
        help="How much one person's data may change the odds of any result: at most 1.11 times at ε = 0.1, 2.72 "
        "times at ε = 1 and 148 times at ε = 5. A δ above 0 allows rare exceptions. A smaller ε means more noise."
    ),
    PageControl(
        "n_samples",
        ends=("few", "many"),
        label="people (at most)",
        help="How many people the line is learned from. The noise stays as large as it is: the more people there "
        "are, the less it matters.",
    ),
    PageControl(
        "dataset",
        offered=is_here,
        help="Whose data the line is fitted to. How small and how large each value may be is fixed "
        "beforehand, and everybody may know it. Jiang fitted the censuses of the United States and of Brazil. "
        "Brazil's is not available here: the American Community Survey stands in for it.",
    ),
    shared_controls.delta(
        mode="server",
        depth=Depth.UNDERSTAND,
        idle=lambda params: (
            "The noise of this method is Laplace's, which has no δ." if params.pure else ""
        ),
        help="By how much the probability of any set of results may exceed the bound of ε.",
    ),
    PageControl(
        "method",
        depth=Depth.UNDERSTAND,
        help="Where the noise goes: into the objective (the function that the fit minimises), into the result, "
        "or into the gradients.",
    ),
    PageControl(
        "repair",
        depth=Depth.UNDERSTAND,
        idle=lambda params: (
            "" if params.objective else "This method publishes no noisy objective to repair."
        ),
        help="What is done when the noise leaves the objective without a minimum. Each repair uses published "
        "numbers only, so it costs no privacy.",
    ),
    PageControl(
        "n_features",
        ends=("one", "many"),
        depth=Depth.UNDERSTAND,
        help="How many features the prediction may use. The noise on the objective grows with (d + 1)². The "
        "first feature is the one that is drawn.",
    ),
    PageControl(
        "feature",
        label="feature drawn across",
        depth=Depth.UNDERSTAND,
        help="The number of the feature that comes first and is drawn. A number that is too large means the "
        "last one.",
    ),
    shared_controls.person(
        help="Whose record is replaced in the other world, from the most unusual person to the most ordinary."
    ),
    PageControl(
        "answers",
        mode="local",
        ends=("one", "many"),
        depth=Depth.UNDERSTAND,
        help="How often the same question is answered, each time with fresh noise. Only the tab *The opening "
        "example* shows it: ε is what one answer costs.",
    ),
    PageControl("person_dx", hidden=True, depth=Depth.UNDERSTAND),
    PageControl("person_dy", hidden=True, depth=Depth.UNDERSTAND),
    shared_controls.seed(),
    PageControl(
        "split",
        depth=Depth.CHECK,
        idle=lambda params: (
            ""
            if params.separate
            else "This method publishes both parts together, so there is nothing to split."
        ),
        help="How ε is divided when the square and the linear part of the objective are published separately.",
    ),
)
