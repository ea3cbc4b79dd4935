"""Interactive figure of the Choose ε page: errors of methods, errors of groups, and attackers, at every ε."""

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
from ui import live
from ui.figure_kit import common
from ui.figure_kit.common import EPSILONS
from ui.figure_kit.controls import live_controls
from ui.figure_kit.odds_pictogram import people
from ui.live import Readout, Text
from ui.live.depth import Depth
from ui.words import text
from ui.words.odds import after_odds

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure", "planned"]


T = text.load_text(__file__)
_OWN = ("beforehand", "shown")
_PIN = ("keep", T("labels.pin"), T("labels.pin_help"))


def figure(state: PageState[ChooseParams]) -> live.Figure:
    """Return the page's interactive figure, which the browser redraws without Python when ε moves."""
    params, problem = state.params, state.problem
    display, costs, study = reading(problem, params), state["costs"], state["people"]
    all_arrays = arrays(problem, params, costs, state["attack"], study, display, state["hulls"])
    return live.Figure(
        controls=[
            *_controls(params),
            _by(problem),
            common.buttons(_PIN, pin=False),
        ],
        values=_values(params, problem),
        arrays=all_arrays,
        panels=panels(problem, params, costs, study, display),
        readouts=[*_readouts(display, params), _enough(problem, study)],
        texts=[_today(problem, params, costs, state["attack"])],
        busy=state.busy,
    )


def _controls(params: ChooseParams) -> list[live.Control]:
    """Return the controls of the figure.

    Controls for a user's own table are hidden if the page shows other data.
    """
    own = params.dataset == "own"
    return [
        replace(one, hidden=True) if one.name in _OWN and not own else one
        for one in live_controls(CONTROLS, params, hide=("group",))
    ]


def _values(params: ChooseParams, problem: Problem) -> dict[str, live.Value]:
    values = common.values(params, group=min(params.group, len(problem.columns()) - 1))
    return {name: value for name, value in values.items() if name != "pinned"}


def _by(problem: Problem) -> live.Choice:
    """Return the control that chooses a column.

    The figure groups the records by the values of this column, and compares the errors of the groups.
    """
    item = next(control for control in CONTROLS if control.name == "group")
    return live.Choice(
        name="group", label=T("labels.group", records=problem.records), options=list(enumerate(problem.columns())),
        help=item.help, more=True, depth=Depth.UNDERSTAND,
    )  # fmt: skip


def _today(
    problem: Problem, params: ChooseParams, costs: Costs | None, attack: PointedAt | None
) -> Text:
    """Return, for every ε, the sentences on an attacker's odds: the proved bound, and the odds of known attacks.

    - ``costs``: errors of the methods, which determine the method that is used at each ε.
    - ``attack``: result of an attack that guesses which records were used for training, or None.
    """
    methods = choose.methods_at(params, problem, costs)
    right = choose.best_attack(problem, methods, params.delta)
    known = np.isfinite(right)
    best = np.where(known, right, 0.5)
    knows = PointedAt(members=best, others=1 - best).log_odds
    tried = problem.names["softmax" if problem.classifies else "gaussian"]
    tested = [
        ""
        if attack is None
        else T("odds.tested", method=tried, accusations=_accusations(attack, k))
        for k in range(len(methods))
    ]
    known_attacks = [
        _best_sentence(problem, name, after_odds(knows[k]) if known[k] else "")
        for k, name in enumerate(methods)
    ]
    promises = choose.guarantee(params, problem).tabulated(EPSILONS)
    attacks = [" ".join(filter(None, both)) for both in zip(known_attacks, tested, strict=True)]
    return people(promises, reached=knows, also=attacks)


def _accusations(attack: PointedAt, k: int) -> str:
    """Return a text with the share of members among the records that an attack accuses, at the k-th ε.

    If several models were attacked, the text adds the middle 80 % of these shares.
    """
    sure = after_odds(attack.log_odds[k])
    if attack.each is None:
        return T("odds.accusations", sure=sure)
    low, high = map(after_odds, np.quantile(attack.each.log_odds[:, k], (0.1, 0.9)))
    return T(
        "odds.accusations_spread", sure=sure, low=low, high=high, n_models=choose.MODELS_ATTACKED
    )


def _best_sentence(problem: Problem, method: str | None, sure: str) -> str:
    """Return the sentence on the best known attack on the noise of a method.

    ``sure`` is the attack's success in words, or "" if no attack is known. If ``method`` is None, the sentence
    is "".
    """
    if method is None:
        return ""
    name = problem.names[method]
    if not sure:
        return T("odds.unknown", method=name)
    return T("odds.known", noise=choose.noise_of(method), method=name, sure=sure)


def _enough(problem: Problem, study: People | None) -> Readout:
    """Return the readout with the number of records that keeps the error below the limit.

    A note states above which number of records the errors are extrapolated.
    """
    readout = Readout(value="people_now", format=".3g", depth=Depth.UNDERSTAND)
    if study is None:
        return T.readout(readout, records=problem.records, tab=T("tabs.people"))
    return T.readout(readout, "measured", records=problem.records, n=study.sizes[-1])


def _readouts(display: Reading, params: ChooseParams) -> list[Readout]:
    every = [
        Readout(value="error_now", format=display.format, role="private"),
        Readout(value="proof_now", about="private", format=".1%"),
        Readout(value="together_now", about="private", format=".3g"),
        Readout(value="worst_now", format=display.format),
        Readout(value="everybody_now", format=display.format),
        Readout(value="best", format=display.format),
        Readout(value="high_now", format=display.format),
        Readout(value="needed", format=".3g"),
        Readout(value="each_now", about="private", format=".3g"),
        Readout(value="knows_now", about="private", format="in 100"),
        Readout(value="seen_now", about="private", format="in 100"),
    ]
    return [
        T.readout(
            replace(one, depth=Depth.UNDERSTAND), label=display.label, note=display.note,
            planned=planned(params), n_models=choose.MODELS_ATTACKED,
        )
        for one in every
    ]  # fmt: skip


def planned(params: ChooseParams) -> str:
    """Return a phrase with the number of results planned about the same records.

    The phrase states the releases per year, the years, and the tables of each release.
    """
    each = T("planned.years", releases=params.releases, years=params.years)
    if params.years == 1:
        each = T("planned.one_year", releases=params.releases)
    return (
        each if params.tables == 1 else T("planned.in_tables", planned=each, tables=params.tables)
    )
