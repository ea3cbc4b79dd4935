"""The same question again and again: the average, and what it gives away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore.experiments.queries import PLACES, Again, QueriesParams
from dpcore.experiments.queries.guarantee import guarantees
from dpcore.experiments.queries.params import ANSWERS
from pages.queries.topic import COORDS, EPS, Topic, grown, scale_table
from ui.figure_kit.common import array
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.words.numbers import show
from ui.words.odds_pictogram import people

__all__ = ["TOPIC"]

_TRUTH = 100.0
_X = [float(place) for place in PLACES]
_K = np.array(ANSWERS, float)
_ALONE = (
    (0.6, "One answer hides Ada well."),
    (0.75, "One answer is a weak hint about Ada: ask again."),
    (0.97, "One answer often gives Ada away: it lies close to the truth."),
    (1.01, "One answer gives Ada away: it has hardly any noise."),
)
_KEPT = (
    (0.75, " Repeating one stored answer would not give her away."),
    (0.97, " The same answer every time would do so less often."),
    (1.01, " One answer alone does so already."),
)
_AXIS = Axis(
    range=(0.9, 1150.0), log=True, title="answers so far", ticks=(1, 10, 100, 1000),
    words=("1", "10", "100", "1000"),
)  # fmt: skip
_SAYS = (
    (0.6, "hide Ada: their average is still too far off to tell whether she is there."),
    (0.75, "are a weak hint about Ada: their average begins to settle."),
    (0.97, "often give Ada away: their average lies close to the truth."),
    (1.01, "give Ada away: the noise has averaged out."),
)  # fmt: skip


def _arrays(params: QueriesParams, found: Again) -> dict[str, Array]:
    table, far = scale_table(1 / EPS, "epsilon")
    asked = _K[:, None] >= PLACES
    answers = np.where(asked, grown(_TRUTH, found.noise, far)[:, None], np.nan)
    mean = np.where(asked, grown(_TRUTH, found.running, far)[:, None], np.nan)
    spread = np.sqrt(2 / PLACES)
    places = np.broadcast_to(PLACES, answers.shape)
    return {
        "scale_of": table,
        "answers": array(np.stack([places, answers], -1), "s", "n_answers"),
        "zeros": Array(np.zeros(len(PLACES), np.int32), (None,)),
        "mean": array(mean, "s", "n_answers"),
        "low": array(grown(_TRUTH, -spread, far), "s"),
        "high": array(grown(_TRUTH, spread, far), "s"),
        "same": array(grown(_TRUTH, found.noise[0], far), "s"),
        "asked": array(_K, "n_answers"),
        **_numbers(found),
    }


def _numbers(found: Again) -> dict[str, Array]:
    together = EPS[:, None] * _K
    with np.errstate(over="ignore"):
        bound = 1 / (1 + np.exp(-np.minimum(together, 50.0)))
    tables = {
        "fresh": found.fresh, "divided": found.shared, "bound": bound, "error": found.error,
        "error_divided": found.error_shared,
    }  # fmt: skip
    lines = {name: array(table, "epsilon") for name, table in tables.items()}
    now = {f"{name}_now": array(table, "epsilon", "n_answers") for name, table in tables.items()}
    return lines | now | {
        "together": array(together, "epsilon", "n_answers"),
        "share_each": array(EPS[:, None] / _K, "epsilon", "n_answers"),
        "remembered": array(found.remembered, "epsilon"),
        "error_remembered": array(found.error_remembered, "epsilon"),
    }  # fmt: skip


def _panels(params: QueriesParams, found: Again) -> list[Panel]:
    return [_answers(), _hits(), _errors()]


def _answers() -> Panel:
    return Panel(
        key="answers", title="One answer after another", height=400, x=_AXIS,
        y=Axis(range=(95.0, 104.0), title="people"),
        caption="Each dot is one answer with its own [[noise]]. The thick line is the average of all answers so "
        "far. It settles on the truth.",
        alt="Answers and their average after {asked:count answer}: the average is off by {error_now}, typically.",
        layers=[
            layers.Band(x=_X, low="low", high="high", role="muted", alpha=0.15,
                        label="typical average"),
            layers.HLine(at=99.0, role="other", dash=True, width=1, label="truth without Ada"),
            layers.HLine(at=100.0, role="private", dash=True, width=1, label="truth with Ada"),
            layers.Points(xy="answers", labels="zeros", role="muted", size=2.4, label="single answers"),
            layers.HLine(at="same", role="nonprivate", width=1.6, label="the same answer every time",
                         label_short="same answer"),
            layers.Line(x=_X, y="mean", width=2.6, label="average so far"),
            layers.VLine(at="asked", role="muted", width=1),
        ],
    )  # fmt: skip


def _hits() -> Panel:
    return Panel(
        key="hits", title="How often an attacker is right", height=400, x=_AXIS,
        y=Axis(range=(0.48, 1.02), title="right guesses", format=".0%"),
        caption="An attacker sees all answers and says whether Ada is there. With fresh noise each answer helps. "
        "An answer that is kept and repeated adds nothing.",
        alt="Right guesses after {asked:count answer}: {fresh_now} with fresh noise, {remembered:in 100} with the "
        "same answer.",
        layers=[
            layers.Line(x=_K.tolist(), y="bound", role="danger", dash=True, width=1.2,
                        label="allowed at most", label_short="allowed"),
            layers.Line(x=_K.tolist(), y="divided", role="other", depth=Depth.UNDERSTAND, width=1.5,
                        label="ε/k for each answer", label_short="ε/k each"),
            layers.HLine(at="remembered", role="nonprivate", width=1.6, label="the same answer every time",
                         label_short="same answer"),
            layers.Line(x=_K.tolist(), y="fresh", width=2.6, label="fresh noise each time",
                        label_short="fresh noise"),
            layers.VLine(at="asked", role="muted", width=1),
            layers.Dot(x="asked", y="fresh_now"),
        ],
    )  # fmt: skip


def _errors() -> Panel:
    return Panel(
        key="errors", title="How far off the average is", height=380, depth=Depth.UNDERSTAND, x=_AXIS,
        y=Axis(range=(0.002, 1000.0), log=True, title="standard error"),
        caption="With fresh noise the error falls like 1/√k. If all answers together may cost ε only, each gets ε/k, "
        "and the average of k such answers is √k times worse than one good answer.",
        alt="Standard error of the average: fresh noise {error_now}, a divided budget {error_divided_now}.",
        layers=[
            layers.HLine(at="error_remembered", role="nonprivate", width=1.6, label="the same answer every time",
                         label_short="same answer"),
            layers.Line(x=_K.tolist(), y="error_divided", role="other", width=1.5, label="ε/k for each answer",
                        label_short="ε/k each"),
            layers.Line(x=_K.tolist(), y="error", width=2.6, label="fresh noise, ε each", label_short="fresh noise"),
            layers.VLine(at="asked", role="muted", width=1),
            layers.Dot(x="asked", y="error_now"),
        ],
    )  # fmt: skip


def _readouts(params: QueriesParams) -> list[Readout]:
    more: dict[str, Any] = {"depth": Depth.UNDERSTAND}
    return [
        Readout(label="an attacker guesses right", value="fresh_now", format="in 100",
                note="guessing blindly: 50 in 100",
                help="Somebody who sees all answers and tests for Ada as well as anybody can."),
        Readout(label="the average is off by", value="error_now", format=".3g", note="people, typically",
                role="private", help="The standard error. It falls with the root of the number of answers."),
        Readout(label="all answers cost", value="together", format=".3g", note="ε in all",
                help="Every answer with fresh noise costs ε again, and the costs add up."),
        Readout(label="with the same answer every time", value="remembered", format="in 100",
                note="right guesses, however often it is asked", **more),
        Readout(label="to spend ε in all, each gets", value="share_each", format=".3g", note="ε/k", **more),
        Readout(label="the average is then off by", value="error_divided_now", format=".3g",
                note="√k times more than one answer", **more),
    ]  # fmt: skip


def _meaning(params: QueriesParams, found: Again) -> Text:
    return Text(
        strings=[
            _sentence(k, right, kept)
            for row, kept in zip(found.fresh, found.remembered, strict=True)
            for k, right in zip(ANSWERS, row, strict=True)
        ],
        dims=("epsilon", "n_answers"),
    )


@lru_cache(maxsize=EPS.size * _K.size)  # the same sentences at every commit of every reader
def _sentence(k: int, right: float, kept: float) -> str:
    """What k answers tell, with so many right guesses of them, and of one answer that is kept."""
    if k == 1:
        return _said(_ALONE, right)
    kept_too = _said(_KEPT, kept) if right >= _SAYS[-2][0] else ""
    return f"{show(k, 'd')} answers {_said(_SAYS, right)}{kept_too}"


def _said(steps: Sequence[tuple[float, str]], right: float) -> str:
    return next(text for limit, text in steps if right < limit)


def _odds(params: QueriesParams, found: Again) -> list[Text]:
    dims = ("epsilon", "n_answers")
    return [people(guarantees(params), dims=dims, before="All answers are published. ")]


TOPIC = Topic(
    title="The same question again",
    shows=("epsilon", "n_answers", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="answers", tables=("hits", "errors"), coords=COORDS,
)  # fmt: skip
