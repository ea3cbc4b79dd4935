"""The figure of Choose ε: what it costs, whom, and what an attacker can do, at every ε."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dpcore.audit import PointedAt
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, People, Problem
from pages.choose.controls import CONTROLS
from pages.choose.figure_arrays import arrays
from pages.choose.figure_panels import panels
from pages.choose.reading import Reading, reading
from pages.choose.tabs import PEOPLE
from ui import live
from ui.figure_kit import common
from ui.figure_kit.common import EPSILONS
from ui.figure_kit.controls import live_controls
from ui.frame.depth import Depth
from ui.live import Readout, Text
from ui.words.numbers import short, show
from ui.words.odds import after_odds
from ui.words.odds_pictogram import people

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure", "planned"]


_OWN = ("beforehand", "shown")
_PIN = ("keep", "Pin for the memo", "Put this choice beside the next one in the memo")


def figure(state: PageState[ChooseParams]) -> live.Figure:
    """Return the live figure; ε moves all panels in the browser alone."""
    params, problem = state.params, state.problem
    told, costs, found = reading(problem, params), state["costs"], state["people"]
    made = arrays(problem, params, costs, state["attack"], found, told, state["hulls"])
    return live.Figure(
        controls=[
            *_asked(params),
            _by(problem),
            common.buttons(_PIN, pin=False),
        ],
        values=_values(params, problem),
        arrays=made,
        panels=panels(problem, params, costs, found, told),
        readouts=[*_readouts(told, params), _enough(problem, found)],
        texts=[_today(problem, params, costs, state["attack"])],
        busy=state.busy,
    )


def _asked(params: ChooseParams) -> list[live.Control]:
    """Return the controls; those about an own table alone keep their place, and are hidden for other data."""
    own = params.dataset == "own"
    return [
        replace(one, hidden=True) if one.name in _OWN and not own else one
        for one in live_controls(CONTROLS, params, hide=("group",))
    ]


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


def _today(
    problem: Problem, params: ChooseParams, costs: Costs | None, attack: PointedAt | None
) -> Text:
    """The odds as a hundred people: the proof's bound, what attacks reach, and why they differ.

    Each attack is one fixed test: of those it points at, how many are right follows at any prior.
    """
    methods = choose.methods_at(params, problem, costs)
    right = choose.best_attack(problem, methods, params.delta)
    known = np.isfinite(right)
    best = np.where(known, right, 0.5)
    knows = PointedAt(members=best, others=1 - best).log_odds
    tried = problem.names["softmax" if problem.classifies else "gaussian"]
    return people(
        choose.guarantee(params, problem).tabulated(EPSILONS), reached=knows,
        also=[
            _best_sentence(problem, name, after_odds(knows[k]) if known[k] else "")
            + ("" if attack is None else f" In our test, somebody who has only the model of {tried} was "
               f"right in {_of_models(attack, k)}.")
            for k, name in enumerate(methods)
        ],
    )  # fmt: skip


def _of_models(attack: PointedAt, k: int) -> str:
    """How often who has only the model is right at the k-th ε, with the middle 80 % of the trainings."""
    sure = f"{after_odds(attack.log_odds[k])} of the accusations"
    if attack.each is None:
        return sure
    low, high = map(after_odds, np.quantile(attack.each.log_odds[:, k], (0.1, 0.9)))
    return f"{sure} ({low} to {high} in the middle 80 % of {choose.MODELS_ATTACKED} trainings)"


def _best_sentence(problem: Problem, method: str | None, sure: str) -> str:
    """What the best attack that we know makes of a method's own noise, whom it points at counted."""
    if method is None:
        return ""
    if not sure:
        return f"We know of no attack on {problem.names[method]} that comes near this limit."
    return (
        f"The best attack that we know on {choose.noise_of(method)} ({problem.names[method]}) is right in "
        f"{sure} of its accusations: it knows all other records and sees every noisy number."
    )


def _enough(problem: Problem, found: People | None) -> Readout:
    """How many records the reader's limit takes, and from where on that is extrapolated."""
    note = f"comes with the tab “{PEOPLE}”"
    if found:
        note = f"measured up to {show(found.sizes[-1], 'd')}, extrapolated beyond"
    return Readout(
        label=f"{problem.records} needed to stay within your limit", value="people_now", format=".3g", note=note,
        depth=Depth.UNDERSTAND,
        help=f"The fewest {problem.records} from which on the mistakes stay below “most that may go wrong” in half "
        "of the tries. A dash: no number up to sixteen times as many as there are.",
    )  # fmt: skip


def _readouts(told: Reading, params: ChooseParams) -> list[Readout]:
    return [
        Readout(label=told.label, value="error_now", format=told.format, note=told.note, role="private",
                help="The median of the tries: half of them do better, half do worse. It is that of the best "
                "method, or of the one you choose."),
        Readout(label="an attacker is right at most", value="proof_now", format=".1%",
                note="guessing blindly: 50 %",
                help="Whoever sees one published result, and has to say which of two records is in the data. "
                "ε and δ allow no attack more, whatever the noise."),
        Readout(label="all your results together cost ε", value="together_now", format=".3g",
                note=planned(params),
                help="The noise of the method shown, accounted for so many times: this is the ε of somebody who is "
                "in the data of all of them. How many you publish is set at “Understand”."),
        *_more(told),
    ]  # fmt: skip


def _more(told: Reading) -> list[Readout]:
    every = [
        Readout(label="in the worst-off group, on average", value="worst_now", format=told.format, note=told.note,
                help="The group with the most mistakes at this ε, among those with enough records in the test part: "
                "the mean of the tries. A dash: no group is large enough."),
        Readout(label="everybody together, on average", value="everybody_now", format=told.format, note=told.note,
                help="The mean of the same tries, for comparison with the group."),
        Readout(label="without privacy", value="best", format=told.format, note=told.note),
        Readout(label="in 9 of 10 tries at most", value="high_now", format=told.format, note=told.note),
        Readout(label="your limit needs ε", value="needed", format=".3g",
                note="the smallest that is enough in half of the tries",
                help="The smallest ε from which on the mistakes stay below “most that may go wrong”."),
        Readout(label="each may then cost ε", value="each_now", format=".3g",
                note="where your ε is for all of them"),
        Readout(label="an attacker who knows all others is right", value="knows_now", format="in 100",
                note="by the best attack that we know on this method's noise",
                help="The test takes the likelier of two records that one may be, from all numbers that the noise "
                "was added to: computed for two records that we know to be far apart. A dash: none is known."),
        Readout(label="one who has only the model is right", value="seen_now", format="in 100",
                note=f"{{seen_low}} to {{seen_high}} in the middle 80 % of {choose.MODELS_ATTACKED} trainings",
                help="Half of the people were learned from. The attacker points at those whom the model fits better "
                "than a limit, which was set on other people. It may fall below 50 by chance."),
    ]  # fmt: skip
    return [replace(one, depth=Depth.UNDERSTAND) for one in every]


def planned(params: ChooseParams) -> str:
    """Return how many results are published about the same records, in words."""
    each = f"{short(params.releases)} a year for {short(params.years)} years"
    if params.years == 1:
        each = f"{short(params.releases)} in one year"
    return each if params.tables == 1 else f"{each}, in {short(params.tables)} tables"
