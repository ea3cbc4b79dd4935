"""How the parameters of Choose ε are set."""

from __future__ import annotations

from ui.figure_kit import shared_controls
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth

__all__ = ["CONTROLS"]

CONTROLS = (
    shared_controls.epsilon(
        help="How much a published result may tell about one person. A smaller ε means more noise, and more "
        "mistakes."
    ),
    PageControl(
        "dataset",
        offered=is_here,
        help="Whose data are used. Try a public set that looks like yours.",
    ),
    PageControl(
        "unit",
        help="How mistakes are counted. A predicted number is off by so much in its own unit, or in per cent "
        "of its range.",
    ),
    PageControl(
        "method",
        depth=Depth.UNDERSTAND,
        help="Which method's mistakes are shown with their spread, and by group. One that does not fit the "
        "data set counts as “the best one”.",
    ),
    PageControl(
        "beforehand",
        depth=Depth.UNDERSTAND,
        idle=lambda params: (
            "The best one is fixed on made-up data: name a method to say when it was fixed."
            if params.method == "best"
            else ""
        ),
        help="Choosing the method by results on the same private table leaks. If you fixed it beforehand, say so: "
        "the guarantee and the memo name it as an assumption.",
    ),
    PageControl(
        "shown",
        help="What is seen of your own table is for your eyes alone: no ε covers it. Made-up data with the same "
        "bounds, classes and number of records show what ε costs without reading a row.",
    ),
    PageControl(
        "group",
        hidden=True,
        depth=Depth.UNDERSTAND,
        help="By what the records are divided: their class, or a column, at the middle of its public range or by "
        "value where it has few.",
    ),
    PageControl(
        "least",
        ends=("small", "large"),
        depth=Depth.UNDERSTAND,
        help="How many records a group needs in the test part to be named and measured, here and in the memo. Of a "
        "group of one, its mistakes would say whether that one is predicted wrong.",
    ),
    PageControl(
        "goal",
        ends=("strict", "easy"),
        mode="local",
        depth=Depth.UNDERSTAND,
        help="The most mistakes you can live with: wrong answers out of 1000, or thousandths of the "
        "range of what is predicted.",
    ),
    PageControl(
        "releases",
        ends=("few", "many"),
        mode="local",
        depth=Depth.UNDERSTAND,
        help="How many results are published each year, each about the same people.",
    ),
    PageControl(
        "years",
        ends=("one", "ten"),
        mode="local",
        depth=Depth.UNDERSTAND,
        help="For how many years.",
    ),
    PageControl(
        "tables",
        ends=("one", "five"),
        mode="local",
        depth=Depth.UNDERSTAND,
        help="In how many tables a person may stand. Every table has results of its own.",
    ),
    PageControl(
        "pinned", hidden=True, depth=Depth.UNDERSTAND, help="The other choice of the memo."
    ),
    shared_controls.delta(
        mode="server",
        depth=Depth.UNDERSTAND,
        help="By how much the probability of any set of results may exceed the bound of ε.",
    ),
    shared_controls.seed(),
)
