"""Topic of the page "Asking again": one question asked many times, the average of the answers, and their total ε."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from dpcore.experiments.queries import PLACES, Again, QueriesParams, guarantees
from dpcore.experiments.queries.params import ANSWERS
from pages.queries.topic import COORDS, EPS, Topic, grown, scale_table
from ui.figure_kit.common import array
from ui.figure_kit.odds_pictogram import people
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.live.depth import Depth
from ui.words import text

__all__ = ["TOPIC"]

T = text.load_text(__file__)
_TRUTH = 100.0
_X = [float(place) for place in PLACES]
_K = np.array(ANSWERS, float)
_LAST = np.searchsorted(PLACES, _K, side="right") - 1  # where the average so far is drawn last
_LEVELS = ((0.6, "hidden"), (0.75, "hint"), (0.97, "often"), (1.01, "known"))
"""Rows of upper limit of the share of right guesses, and key of the phrase on what the answers reveal."""
_REACHES = ((0.8, 3.0), (0.2, 20.0), (0.0, 100.0))
"""Rows of smallest ε, and half-width of the axis of answers from this ε on."""
_CERTAIN = np.nextafter(
    np.float32(1), np.float32(0)
)  # no test of noisy answers is right for certain
_ROLES = {"with": "private", "without": "other"}
_LINE = 14.0  # pixels from a line to the words at it
_AXIS = Axis(
    range=(0.9, 1150.0), log=True, ticks=(1, 10, 100, 1000),
    words=("1", "10", "100", "1000"),
)  # fmt: skip


def _arrays(params: QueriesParams, repeats: Again) -> dict[str, Array]:
    table, far = scale_table(1 / EPS, "epsilon")
    is_asked = _K[:, None] >= PLACES
    answers = np.where(is_asked, grown(_TRUTH, repeats.noise, far)[:, None], np.nan)
    mean = np.where(is_asked, grown(_TRUTH, repeats.running, far)[:, None], np.nan)
    spread = np.sqrt(2 / PLACES)
    middle = _TRUTH - 0.5 - 1e-9  # an answer above it points to the truth with Ada
    points_to = (_TRUTH + repeats.noise / EPS[:, None] < middle).astype(np.uint8)
    now = _TRUTH + repeats.running[_LAST] / EPS[:, None]
    last = np.broadcast_to(PLACES[_LAST].astype(float), now.shape)
    places = np.broadcast_to(PLACES, answers.shape)
    return {
        "scale_of": table,
        "answers": array(np.stack([places, answers], -1), "s", "n_answers"),
        "points_to": Array(points_to, ("epsilon", None)),
        "last_with": array(np.where(now >= middle, last, np.nan), "epsilon", "n_answers"),
        "last_without": array(np.where(now < middle, last, np.nan), "epsilon", "n_answers"),
        "mean": array(mean, "s", "n_answers"),
        "low": array(grown(_TRUTH, -spread, far), "s"),
        "high": array(grown(_TRUTH, spread, far), "s"),
        "same": array(grown(_TRUTH, repeats.noise[0], far), "s"),
        "asked": array(_K, "n_answers"),
        "last": array(PLACES[_LAST].astype(float), "n_answers"),
        "mean_now": array(grown(_TRUTH, repeats.running[_LAST], far), "s", "n_answers"),
        **_numbers(repeats),
    }


def _numbers(repeats: Again) -> dict[str, Array]:
    together = EPS[:, None] * _K
    with np.errstate(over="ignore"):
        bound = 1 / (1 + np.exp(-np.minimum(together, 50.0)))
    tables = {
        "fresh": repeats.fresh, "divided": repeats.shared, "bound": bound, "error": repeats.error,
        "error_divided": repeats.error_shared,
    }  # fmt: skip
    tables |= {name: np.minimum(tables[name], _CERTAIN) for name in ("fresh", "divided")}
    lines = {name: array(table, "epsilon") for name, table in tables.items()}
    now = {f"{name}_now": array(table, "epsilon", "n_answers") for name, table in tables.items()}
    return lines | now | {
        "together": array(together, "epsilon", "n_answers"),
        "share_each": array(EPS[:, None] / _K, "epsilon", "n_answers"),
        "remembered": array(repeats.remembered, "epsilon"),
        "error_remembered": array(repeats.error_remembered, "epsilon"),
    }  # fmt: skip


def _panels(params: QueriesParams, repeats: Again) -> list[Panel]:
    return [_answers(params.epsilon), _hits(), _errors()]


def _answers(epsilon: float) -> Panel:
    """Return the panel of noisy answers and their average.

    The range of the vertical axis suits the noise at ``epsilon``.
    """
    reach = next(reach for least, reach in _REACHES if epsilon >= least)
    panel = Panel(
        key="answers", height=400, x=_AXIS, y=Axis(range=(_TRUTH - reach, _TRUTH + reach)),
        layers=[
            layers.Band(x=_X, low="low", high="high", role="muted", alpha=0.15),
            layers.HLine(at=99.0, role="other", dash=True, width=1),
            layers.HLine(at=100.0, role="private", dash=True, width=1),
            layers.Points(xy="answers", labels="points_to", roles=("private", "other"), size=3.4, alpha=0.45),
            layers.HLine(at="same", role="nonprivate", width=1.6, label=T("panels.answers.same"),
                         label_short=T("panels.answers.same_short"), depth=Depth.UNDERSTAND),
            layers.Line(x=_X, y="mean", role="text", width=3),
            *(part for world, role in _ROLES.items() for part in _average(world, role)),
            layers.Annotation(x=_AXIS.range[1], y=100.0, align="right", dy=-_LINE, role="private",
                              words=T("panels.answers.with"), words_short=T("panels.answers.with_short")),
            layers.Annotation(x=_AXIS.range[1], y=99.0, align="right", dy=_LINE, role="other",
                              words=T("panels.answers.without"), words_short=T("panels.answers.without_short")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _average(world: str, role: str) -> list[layers.Layer]:
    """Return a dot with a label at the average of all answers, in the colour of the data set ``world``.

    The dot is hidden while the average is nearer to the true answer on the neighbouring data set.
    """
    return [
        layers.Dot(x=f"last_{world}", y="mean_now", role=role, size=7),
        layers.Annotation(x=f"last_{world}", y="mean_now", align="right", dx=-12.0, dy=-_LINE, role=role,
                          words=T(f"panels.answers.mean_{world}"), words_short=T("panels.answers.mean_short")),
    ]  # fmt: skip


def _hits() -> Panel:
    panel = Panel(
        key="hits", height=400, x=_AXIS, y=Axis(range=(0.48, 1.02), format=".0%"),
        layers=[
            layers.Line(x=_K.tolist(), y="bound", role="danger", dash=True, width=1.2,
                        label=T("panels.hits.bound"), label_short=T("panels.hits.bound_short")),
            layers.Line(x=_K.tolist(), y="divided", role="other", depth=Depth.UNDERSTAND, width=1.5,
                        label=T("panels.hits.divided"), label_short=T("panels.hits.divided_short")),
            layers.HLine(at="remembered", role="nonprivate", width=1.6, label=T("panels.hits.same"),
                         label_short=T("panels.hits.same_short")),
            layers.Line(x=_K.tolist(), y="fresh", width=2.6, label=T("panels.hits.fresh"),
                        label_short=T("panels.hits.fresh_short")),
            layers.VLine(at="asked", role="muted", width=1),
            layers.Dot(x="asked", y="fresh_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _errors() -> Panel:
    panel = Panel(
        key="errors", height=380, depth=Depth.UNDERSTAND, x=_AXIS, y=Axis(range=(0.002, 1000.0), log=True),
        layers=[
            layers.HLine(at="error_remembered", role="nonprivate", width=1.6, label=T("panels.errors.same"),
                         label_short=T("panels.errors.same_short")),
            layers.Line(x=_K.tolist(), y="error_divided", role="other", width=1.5,
                        label=T("panels.errors.divided"), label_short=T("panels.errors.divided_short")),
            layers.Line(x=_K.tolist(), y="error", width=2.6, label=T("panels.errors.fresh"),
                        label_short=T("panels.errors.fresh_short")),
            layers.VLine(at="asked", role="muted", width=1),
            layers.Dot(x="asked", y="error_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _readouts(params: QueriesParams) -> list[Readout]:
    more: dict[str, Any] = {"depth": Depth.UNDERSTAND}
    return [
        T.readout(Readout(value="fresh_now", about="private", format="in 100")),
        T.readout(Readout(value="error_now", format=".3g", role="private")),
        T.readout(Readout(value="together", about="private", format=".3g")),
        T.readout(Readout(value="remembered", about="private", format="in 100", **more)),
        T.readout(Readout(value="share_each", about="private", format=".3g", **more)),
        T.readout(Readout(value="error_divided_now", format=".3g", **more)),
    ]


def _meaning(params: QueriesParams, repeats: Again) -> Text:
    return Text(
        strings=[
            _sentence(n, hits, stored)
            for row, stored in zip(repeats.fresh, repeats.remembered, strict=True)
            for n, hits in zip(ANSWERS, row, strict=True)
        ],
        dims=("epsilon", "n_answers"),
    )


@lru_cache(maxsize=EPS.size * _K.size)  # the same sentences at every commit of every reader
def _sentence(n: int, hits: float, stored: float) -> str:
    """Return the summary sentence on asking the same question n times.

    - ``hits``: accuracy of an attack on n answers with fresh noise.
    - ``stored``: accuracy of an attack if the first answer is stored and repeated.
    """
    level = _level(hits)
    if n == 1:
        return T(f"meaning.again.one.{level}")
    if level == "known":
        repeated = T(f"meaning.again.stored.{_level(stored)}")
        return T("meaning.again.several.known", n=n, stored=repeated)
    return T(f"meaning.again.several.{level}", n=n)


def _level(hits: float) -> str:
    return next(name for limit, name in _LEVELS if hits < limit)


def _odds(params: QueriesParams, repeats: Again) -> list[Text]:
    dims = ("epsilon", "n_answers")
    return [
        people(guarantees(params), dims=dims, before=T("odds.again"), condition=T("odds.condition"))
    ]


TOPIC = Topic(
    title=T("topics.again"),
    shows=("epsilon", "n_answers", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="answers", tables=("hits", "errors"), coords=COORDS,
)  # fmt: skip
