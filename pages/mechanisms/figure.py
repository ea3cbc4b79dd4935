"""The figure of Mechanisms: two worlds of outputs, what an attacker makes of them, and comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dpcore.experiments import mechanisms
from dpcore.experiments.mechanisms import MechanismsParams, Query
from dpcore.experiments.mechanisms.outputs import ALPHA, REACH
from pages.mechanisms import figure_choosing as choosing
from pages.mechanisms import figure_comparisons as comparisons
from pages.mechanisms.controls import CONTROLS
from pages.mechanisms.figure_arrays import arrays
from ui import live
from ui.figure_kit import common
from ui.frame.depth import Depth
from ui.live import Axis, Bets, Panel, Readout, layers
from ui.words.odds_pictogram import people
from ui.words.units import one_record

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]


class _Words(NamedTuple):
    """How the two worlds are called: of a group, all of it is in the data, or nobody of it."""

    mine: str
    other: str
    whom: str
    without: str
    question: str


_WORDS = {
    "add_remove": _Words("with Ada", "without Ada", "Ada", "without her", "Was Ada in the data?"),
    "replace_one": _Words(
        "with Ada", "with somebody else", "Ada", "with somebody else in her place",
        "Was it made with Ada, or with somebody else?",
    ),
}  # fmt: skip
_TEAM = _Words(
    "with the team", "without the team", "the team", "without it", "Was the team in the data?"
)


_WITHOUT_THEM = {"add_remove": "without them", "replace_one": "with others in their place"}


def _words(asked: Query, group: int) -> _Words:
    """How the worlds of one person or of a group are called."""
    k = asked.differing(group)
    person = one_record(asked.whose) == "person"
    if k == 1:
        return _WORDS[asked.neighbouring] if person else _TEAM
    all_of = f"the {k}" if person else f"the {k} teams"
    replaced = asked.neighbouring == "replace_one"
    other = f"with {k} others" if replaced else f"without {all_of}"
    question = (
        f"Was it made with {all_of}, or {other}?" if replaced else f"Were {all_of} in the data?"
    )
    return _Words(f"with {all_of}", other, all_of, _WITHOUT_THEM[asked.neighbouring], question)


_ALPHA = [float(a) for a in ALPHA]


def figure(state: PageState[MechanismsParams]) -> live.Figure:
    """Return the live figure."""
    params, found = state.params, mechanisms.drawn(state.params, state["outputs"])
    asked = mechanisms.query(params)
    return common.figure(
        state,
        CONTROLS,
        arrays=arrays(params, found, asked),
        coords={} if params.noise == "staircase" else {"s": "scale_of"},
        panels=_panels(params, asked),
        readouts=_readouts(params, asked),
        texts=[people(mechanisms.guarantees(params))],
    )


def _panels(params: MechanismsParams, asked: Query) -> list[Panel]:
    return [
        _densities(_words(asked, params.group), asked),
        _loss(asked),
        _tradeoff(),
        *comparisons.panels(params, asked),
        choosing.response(),
        *choosing.panels(params),
    ]


def _span(asked: Query) -> tuple[float, float]:
    return (
        asked.answer + REACH[0] * asked.sensitivity,
        asked.answer + REACH[1] * asked.sensitivity,
    )


def _densities(words: _Words, asked: Query) -> Panel:
    unit = f" ({asked.unit})" if asked.unit else ""
    return Panel(
        key="worlds", title="What can come out, with and without", height=430,
        x=Axis(range=_span(asked), title=f"published answer{unit}"),
        y=common.density_axis(-0.32),
        caption=f"Each curve shows how likely every answer is, with {words.whom} in the data and {words.without}. "
        "The upper dots are 80 answers that could have been published. The lower dots are the same draws of the "
        f"noise, {words.without}. The more the curves overlap, the harder it is to tell which one an answer came "
        f"from. If δ = 0, the curve {words.other} must stay inside the shaded strip.",
        alt=f"How likely every answer is, {words.mine} and {words.without}, at ε = {{epsilon}}. An attacker "
        "guesses right {guesses}.",
        bets=Bets(
            question=f"One answer is published. {words.question}",
            inside="draws", outside="draws_other", best="guesses",
        ),
        layers=[
            layers.Band(x="x", low="band_low", high="band_high", role="muted", alpha=0.16,
                        label="what ε allows"),
            layers.Band(x="area_x", low="area_low", high="area_high", role="danger", alpha=0.75,
                        label="beyond what ε allows: δ", label_short="δ"),
            layers.Line(x="x_other", y="density", role="other", label=words.other),
            layers.Line(x="x", y="density", label=words.mine),
            layers.Points(xy="draws", labels="zeros", role="private", size=2.6),
            layers.Points(xy="draws_other", labels="zeros", role="other", size=2.6),
            layers.VLine(at="truth", role="private", dash=True, width=1, label="true answer"),
            layers.VLine(at="truth_other", role="other", dash=True, width=1),
        ],
    )  # fmt: skip


def _loss(asked: Query) -> Panel:
    unit = f" ({asked.unit})" if asked.unit else ""
    return Panel(
        key="loss", title="How much one answer gives away", height=430, depth=Depth.UNDERSTAND,
        x=Axis(range=_span(asked), title=f"published answer{unit}"),
        y=Axis(range=(-4, 4), title="privacy loss, in kε"),
        caption="The [[privacy loss]] of an answer is the logarithm of how much likelier it is with the "
        f"k people than {_WITHOUT_THEM[asked.neighbouring]}. Laplace noise never crosses ±kε; Gaussian noise does, "
        "for rare answers.",
        alt="Privacy loss against the answer for k = {group}, with the bounds plus and minus kε at ε = {epsilon}.",
        layers=[
            layers.HLine(at="one_person", role="muted", dash=True, width=1, label="+ε"),
            layers.HLine(at="one_person_below", role="muted", dash=True, width=1, label="−ε"),
            layers.HLine(at=1.0, role="danger", dash=True, width=1.5, label="+kε"),
            layers.HLine(at=-1.0, role="danger", dash=True, width=1.5, label="−kε"),
            layers.HLine(at=0.0, role="muted", width=1),
            layers.Line(x="loss_x", y="loss", label="privacy loss"),
        ],
    )  # fmt: skip


def _tradeoff() -> Panel:
    return Panel(
        key="tradeoff", title="The best test an attacker can make", tab="An attacker's errors", height=380,
        depth=Depth.UNDERSTAND,
        x=Axis(range=(0, 1), title="false alarm α: says “without” when it was “with”"),
        y=Axis(range=(0, 1), title="miss β: says “with” when it was “without”"),
        caption="An [[adversary|attacker]] who tests which of the two it was makes two kinds of errors. No test of "
        "one published answer gets below the solid curve (Dong, Roth and Su 2022): the nearer it lies to pure "
        "guessing, the more is hidden.",
        alt="Misses of the best test against its false alarms, at ε = {epsilon}.",
        layers=[
            layers.Line(x=[0.0, 1.0], y=[1.0, 0.0], role="nonprivate", width=1.5, label="pure guessing"),
            layers.Line(x=_ALPHA, y="miss_bound", role="danger", dash=True, width=1.5,
                        label="what (ε, δ) promises at least", label_short="(ε, δ) promises"),
            layers.Line(x=_ALPHA, y="miss", label="the best test", label_short="best test"),
        ],
    )  # fmt: skip


def _readouts(params: MechanismsParams, asked: Query) -> list[Readout]:
    unit, one = asked.unit or "of the range", one_record(asked.whose)
    who = "Ada" if one == "person" else f"the {one}"
    return [
        Readout(label="an attacker guesses right", value="guesses", format="in 100",
                note="guessing blindly: 50 in 100",
                help=f"Somebody who knows everything but whether {who} is in the data, and tests for "
                "it as well as anybody can."),
        Readout(label="the answer is off by", value="error_now", format=".3g",
                note=f"on average, in {unit}" if asked.unit else f"{unit}, on average", role="private"),
        Readout(label=f"one {one} can change it by", value="sensitivity", format=".3g",
                note=asked.unit_of(asked.sensitivity) or unit,
                help=f"The sensitivity Δ: {asked.why}."),
        *_more_readouts(params, unit),
    ]  # fmt: skip


def _more_readouts(params: MechanismsParams, unit: str) -> list[Readout]:
    gaussian = params.noise in ("gaussian", "classical")
    more = [
        Readout(label="noise σ" if gaussian else "noise scale b", value="scale_now", format=".3g",
                role="private", note=unit, depth=Depth.UNDERSTAND),
        Readout(label="ε for the group", value="group_epsilon", format=".3g", note="k people together have kε",
                depth=Depth.UNDERSTAND),
        Readout(label="δ at this ε", value="delta_now", format=".2g", note="probability beyond what ε allows",
                role="danger" if gaussian else "", depth=Depth.UNDERSTAND),
        Readout(label="Gaussian noise is smaller from", value="crossing_whole", format="d",
                note="numbers at once", depth=Depth.UNDERSTAND),
    ]  # fmt: skip
    if params.noise == "classical":
        return [Readout(label="ε it really costs", value="real_epsilon", format=".3g", role="danger",
                        note="exact account", depth=Depth.UNDERSTAND), *more]  # fmt: skip
    return [*more, Readout(label="Sarkar's choice costs", value="real_printed", format=".3g",
                           note="ε, exponential mechanism", depth=Depth.CHECK)]  # fmt: skip
