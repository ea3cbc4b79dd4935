"""The figure of Choose ε: what it costs, whom, and what an attacker can do, at every ε."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dpcore.audit import PointedAt
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, People, Problem
from pages.choose.controls import CONTROLS
from pages.choose.figure_arrays import arrays
from pages.choose.figure_panels import panels
from pages.choose.reading import Reading, reading
from pages.choose.tabs import PEOPLE
from ui import live
from ui.depth import Depth
from ui.figure_kit import common
from ui.figure_kit.common import EPSILONS
from ui.figure_kit.controls import live_controls
from ui.live import Readout, Text
from ui.numbers_in_words import short, show
from ui.people import people

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]


_PIN = ("keep", "Pin for the memo", "Put this choice beside the next one in the memo")


def figure(state: PageState[ChooseParams]) -> live.Figure:
    """Return the live figure; ε moves all panels in the browser alone."""
    params, problem = state.params, state.problem
    told, costs, found = reading(problem, params), state["costs"], state["people"]
    made = arrays(problem, params, costs, state["attack"], found, told)
    return live.Figure(
        controls=[
            *live_controls(CONTROLS, params, hide=("group",)),
            _by(problem),
            common.buttons(_PIN, pin=False),
        ],
        values=_values(params, problem),
        arrays=made,
        panels=panels(problem, params, costs, found, told),
        readouts=[*_readouts(told, params), _enough(problem, found)],
        texts=[_today(params, state["attack"])],
        busy=state.busy,
    )


def _values(params: ChooseParams, problem: Problem) -> dict[str, live.Value]:
    found = common.values(params, group=min(params.group, len(problem.columns()) - 1))
    return {name: value for name, value in found.items() if name != "pinned"}


def _by(problem: Problem) -> live.Choice:
    """By which column the records are compared: the columns are those of the data."""
    item = next(control for control in CONTROLS if control.name == "group")
    return live.Choice(
        name="group", label=f"compare {problem.records} by", options=list(enumerate(problem.columns())),
        help=item.help, more=True, depth=Depth.UNDERSTAND,
    )  # fmt: skip


def _today(params: ChooseParams, attack: PointedAt | None) -> Text:
    """The odds as a hundred people: the proof's bound, what attacks reach, and why they differ.

    Each attack is one fixed test: of those it points at, how many are right follows at any prior.
    """
    right = choose.knows_all(EPSILONS, params.delta)
    knows = PointedAt(members=right, others=1 - right).log_odds
    seen = [""] * len(EPSILONS)
    if attack is not None:
        seen = [
            f" Somebody who has only the model is right about {{sure:{odds:.4f}}}: we measured that."
            for odds in attack.log_odds
        ]
    return people(
        EPSILONS, params.delta, neighbouring="replace_one", reached=knows,
        also=[
            f"The best attack we know is right about {{sure:{odds:.4f}}} of those it points at.{more}"
            for odds, more in zip(knows, seen, strict=True)
        ],
    )  # fmt: skip


def _enough(problem: Problem, found: People | None) -> Readout:
    """How many records the reader's limit takes, and from where on that is extrapolated."""
    note = f"comes with the tab “{PEOPLE}”"
    if found:
        note = f"measured up to {show(found.sizes[-1], 'd')}, extrapolated beyond"
    return Readout(
        label=f"{problem.records} that would be enough", value="people_now", format=".3g", note=note,
        depth=Depth.UNDERSTAND,
        help=f"The fewest {problem.records} from which on the mistakes stay below “most that may go wrong” in half "
        "of the tries. A dash: no number up to sixteen times as many as there are.",
    )  # fmt: skip


def _readouts(told: Reading, params: ChooseParams) -> list[Readout]:
    return [
        Readout(label=told.label, value="error_now", format=told.format, note=told.note, role="private",
                help="Half of the tries do better, half do worse. All methods that fit are tried; this is the "
                "best one, or the one you choose."),
        Readout(label="an attacker is right at most", value="proof_now", format=".1%",
                note="guessing blindly: 50 %",
                help="Whoever sees one published result, and has to say which of two people is in the data. "
                "This holds for every attack."),
        Readout(label="all your results together cost ε", value="together_now", format=".3g",
                note=planned(params),
                help="Somebody who is in the data of all of them loses that much. How many you publish is set at "
                "“Understand”."),
        *_more(told),
    ]  # fmt: skip


def _more(told: Reading) -> list[Readout]:
    every = [
        Readout(label="in the worst-off group", value="worst_now", format=told.format, note=told.note,
                help="The group with the most mistakes at this ε, on average over the tries."),
        Readout(label="without privacy", value="best", format=told.format, note=told.note),
        Readout(label="in 9 of 10 tries at most", value="high_now", format=told.format, note=told.note),
        Readout(label="your limit needs ε", value="needed", format=".3g",
                note="the smallest that is enough in half of the tries",
                help="The smallest ε from which on the mistakes stay below “most that may go wrong”."),
        Readout(label="each may then cost ε", value="each_now", format=".3g",
                note="where your ε is for all of them"),
        Readout(label="an attacker who knows all others is right", value="knows_now", format="in 100",
                note="one Gaussian release, computed exactly",
                help="The test takes the likelier of the two values that a record may have, where one sum was "
                "published with the least noise that has this ε and δ. At 50 to 50 no test does better."),
        Readout(label="one who has only the model is right", value="seen_now", format="in 100",
                note="measured on these data, 8 trainings",
                help="Half of the people were learned from. The attacker points at those whom the model fits better "
                "than a limit, which was set on other people. It may fall below 50 by chance."),
    ]  # fmt: skip
    return [replace(one, depth=Depth.UNDERSTAND) for one in every]


def planned(params: ChooseParams) -> str:
    """How many results are published about the same people, in words."""
    each = f"{short(params.releases)} a year for {short(params.years)} years"
    if params.years == 1:
        each = f"{short(params.releases)} in one year"
    return each if params.tables == 1 else f"{each}, in {short(params.tables)} tables"
