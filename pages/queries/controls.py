"""How the parameters of the page on answers are set; each way of asking shows those that it needs."""

from __future__ import annotations

from dpcore.experiments.queries import QueriesParams
from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth

__all__ = ["CONTROLS"]


def _no_delta(params: QueriesParams) -> str:
    gaussian = params.topic == "numbers" or params.noise == "gaussian"
    return "" if gaussian else "This noise has no δ: choose Gaussian noise."


def _no_size(params: QueriesParams) -> str:
    if params.topic != "neighbours" or (params.query, params.relation) == ("mean", "replace_one"):
        return ""
    return "The size n does not matter here. Replace a record in a mean to see its effect."


CONTROLS = (
    shared_controls.epsilon(
        help="The ε that one answer may cost. Small values need more noise."
    ),
    PageControl(
        "topic",
        depth=Depth.UNDERSTAND,
        help="Eight ways of asking. Each has handles and a picture of its own.",
    ),
    PageControl(
        "n_answers",
        ends=("asked once", "asked often"),
        mode="local",
        help="How often the same question is asked about the same people.",
    ),
    PageControl(
        "group",
        ends=("one person", "a group"),
        mode="local",
        help="How many people come together or stay away together.",
    ),
    PageControl(
        "n_numbers",
        ends=("one number", "many"),
        mode="local",
        help="How many counts are published at once.",
    ),
    PageControl(
        "chance",
        ends=("seldom", "often"),
        mode="local",
        idle=lambda params: "One of n records is published: δ is 1/n." if params.how == "one" else "",
        help="How often each record is published as it is.",
    ),
    PageControl("value", help="What Ada's own record says."),
    PageControl("others", help="What the records of the 19 other people say."),
    PageControl("query", help="What is asked about the people."),
    PageControl("step", help="What is done to the published answer. The data are not looked at again."),
    PageControl("clamp", help="A count is never negative, so a negative answer may become 0."),
    PageControl("monotone", help="Whether one person can only add to scores, as with votes."),
    PageControl("how", help="Which records are published, and how often."),
    PageControl(
        "n_people",
        idle=_no_size,
        ends=("few", "many"),
        help="How many people there are.",
    ),
    PageControl("reading", help="Where the smallest and the largest value that count come from."),
    PageControl("shape", help="In how many of the numbers one person is counted."),
    PageControl("relation", help="How two data sets may differ which the answer should make hard to tell apart."),
    PageControl("noise", help="Which random numbers are added; where both are drawn, what the guarantee is about."),
    PageControl(
        "average",
        depth=Depth.UNDERSTAND,
        help="Two answers are published, each at half of the ε, and then averaged.",
    ),
    shared_controls.delta(
        depth=Depth.UNDERSTAND,
        idle=_no_delta,
        help="By how much the probability of any set of answers may exceed the bound of ε.",
    ),
    PageControl(
        "options",
        hidden=True,
        depth=Depth.UNDERSTAND,
        help="Names and scores, written below the figure.",
    ),
    shared_controls.seed(depth=Depth.UNDERSTAND),
)  # fmt: skip
