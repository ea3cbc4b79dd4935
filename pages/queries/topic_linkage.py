"""Topic of the page "Asking again": a table without names, joined with a public list of names.

It shows which people the join identifies, and what noisy counts reveal if they are published instead of the rows.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dpcore.experiments.queries import (
    DIAGNOSES,
    N_PATIENTS,
    N_RESIDENTS,
    Joined,
    QueriesParams,
    guarantee,
    guarantees,
    town,
)
from dpcore.guarantee import Guarantee
from pages.queries.topic import COORDS, EPS, Topic, edges, grown, scale_table
from ui.figure_kit.common import EPSILONS, array, epsilon_axis, interleave
from ui.figure_kit.odds_pictogram import people
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.live.depth import Depth
from ui.words import text
from ui.words.numbers import show

__all__ = ["TOPIC"]

T = text.load_text(__file__)
_SHOWN = (0, 10, 20, 30, 40, 50, 55, 60, 70, 80, 90)
"""Rows of the figure: every tenth, and the second one whose coarse group has one diagnosis."""
_LIMITS = (1, 2, 4, 8, 16, 32, 64, N_RESIDENTS)
"""Largest number of candidates of each bar."""
_COLUMNS = 4


def _arrays(params: QueriesParams, join: Joined) -> dict[str, Array]:
    return _of_counts(params, join) if params.release == "counts" else _of_rows(join)


def _of_rows(join: Joined) -> dict[str, Array]:
    rows = list(_SHOWN)
    places = np.stack([town().diagnoses[rows], np.arange(len(rows))[::-1]], -1).astype(float)
    named = join.candidates == 1
    kinds = {"named": named, "told": join.told & ~named, "hidden": ~join.told & ~named}
    sizes = np.bincount(np.searchsorted(_LIMITS, join.candidates), minlength=len(_LIMITS))
    alone = np.where(np.arange(len(_LIMITS)) == 0, sizes, 0)
    return {
        **{name: array(np.where(kind[rows, None], places, np.nan)) for name, kind in kinds.items()},
        "scale_of": array(0.0),
        "marks": Array(np.zeros(len(rows), np.int32), (None,)),
        "alone": array(alone),
        "sharing": array(sizes - alone),
        "n_named": array(named.sum()),
        "k": array(join.k),
        "n_told": array(kinds["told"].sum()),
        "exact": array(interleave(join.named[0])),
        "coarse": array(interleave(join.named[1])),
    }


def _of_counts(params: QueriesParams, join: Joined) -> dict[str, Array]:
    table, far = scale_table(1 / EPS, "epsilon")
    allowed, attack = _hits()
    return {
        "scale_of": table,
        "published": array(grown(join.counts, join.noise, far), "s"),
        "true": array(join.counts),
        "allowed": array(allowed), "allowed_now": array(allowed, "epsilon"),
        "attack": array(attack), "attack_now": array(attack, "epsilon"),
        "count_error": array(1 / EPS, "epsilon"),
        "epsilon_now": array(EPS, "epsilon"),
    }  # fmt: skip


@cache
def _hits() -> tuple[np.ndarray, np.ndarray]:
    """Return the largest accuracy (E,) that the guarantee allows, and the accuracy (E,) of the best known attack."""
    every = guarantees(QueriesParams(topic="linkage", release="counts"))
    return (
        np.array([one.accuracy_bound() for one in every]),
        np.array([one.best_attack() for one in every]),
    )


def _panels(params: QueriesParams, join: Joined) -> list[Panel]:
    if params.release == "counts":
        return [_diagnoses(), _guesses()]
    return [_join(join), _candidates(), _by_columns(join)]


def _join(join: Joined) -> Panel:
    here = town()
    who = tuple(
        here.names[row] if join.candidates[row] == 1 else T("panels.join.several", n=join.candidates[row])
        for row in _SHOWN
    )  # fmt: skip
    panel = Panel(
        key="join", height=420, leads=True,
        x=Axis(range=(-0.6, len(DIAGNOSES) - 0.4), ticks=tuple(range(len(DIAGNOSES))),
               words=T.lines("panels.join.diagnoses")),
        y=Axis(range=(-0.7, len(_SHOWN) - 0.3), ticks=tuple(range(len(_SHOWN)))[::-1], words=who),
        layers=[
            layers.Points(xy="hidden", labels="marks", role="muted", size=5, label=T("panels.join.hidden")),
            layers.Points(xy="told", labels="marks", role="other", size=5, label=T("panels.join.told")),
            layers.Points(xy="named", labels="marks", role="danger", size=5, label=T("panels.join.named")),
        ],
    )  # fmt: skip
    return T.panel(panel, n_shown=len(_SHOWN), n=N_PATIENTS)


def _candidates() -> Panel:
    n = len(_LIMITS)
    starts = (1, *(limit + 1 for limit in _LIMITS[:-1]))
    words = tuple(
        str(low) if low == high else f"{low}–{high}" for low, high in zip(starts, _LIMITS, strict=True)
    )  # fmt: skip
    panel = Panel(
        key="candidates", height=420, y=Axis(range=(0.0, 104.0)),
        x=Axis(range=(0.0, float(n)), ticks=tuple(k + 0.5 for k in range(n)), words=words),
        layers=[
            layers.Bars(edges=[float(k) for k in range(n + 1)], heights="sharing", role="muted",
                        label=T("panels.candidates.sharing")),
            layers.Bars(edges=[float(k) for k in range(n + 1)], heights="alone", role="danger",
                        label=T("panels.candidates.alone")),
        ],
    )  # fmt: skip
    return T.panel(panel, n_residents=N_RESIDENTS)


def _by_columns(join: Joined) -> Panel:
    panel = Panel(
        key="columns", height=380, depth=Depth.UNDERSTAND, y=Axis(range=(0.0, 104.0)),
        x=Axis(range=(0.0, float(_COLUMNS)), ticks=tuple(k + 0.5 for k in range(_COLUMNS)),
               words=T.lines("panels.columns.names")),
        layers=[
            layers.Bars(edges=edges(_COLUMNS, 0.13), heights="exact", role="danger",
                        label=T("panels.columns.exact")),
            layers.Bars(edges=edges(_COLUMNS, 0.5), heights="coarse", role="nonprivate",
                        label=T("panels.columns.coarse")),
        ],
    )  # fmt: skip
    n_exact, n_coarse = join.named[:, -1]
    return T.panel(panel, n_exact=n_exact, n_coarse=n_coarse, n=N_PATIENTS)


def _diagnoses() -> Panel:
    n = len(DIAGNOSES)
    places = [float(k) for k in range(n + 1)]
    panel = Panel(
        key="diagnoses", height=420, y=Axis(range=(-12.0, 52.0)),
        x=Axis(range=(0.0, float(n)), ticks=tuple(k + 0.5 for k in range(n)),
               words=T.lines("panels.join.diagnoses")),
        layers=[
            layers.Bars(edges=places, heights="published", label=T("panels.diagnoses.published")),
            layers.Bars(edges=places, heights="true", role="nonprivate", hollow=True,
                        label=T("panels.diagnoses.true")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _guesses() -> Panel:
    panel = Panel(
        key="guesses", height=420, x=epsilon_axis(), y=Axis(range=(0.48, 1.02), format=".0%"),
        layers=[
            layers.Line(x=EPSILONS, y="allowed", role="danger", dash=True, width=1.4,
                        label=T("panels.guesses.allowed")),
            layers.Line(x=EPSILONS, y="attack", width=2.4, label=T("panels.guesses.attack")),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="attack_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _readouts(params: QueriesParams) -> list[Readout]:
    if params.release == "counts":
        return [
            T.readout(
                Readout(value="attack_now", about="private", format="in 100", role="private")
            ),
            T.readout(Readout(value="allowed_now", about="private", format="bound in 100")),
            T.readout(Readout(value="count_error", format=".3g")),
        ]
    return [
        T.readout(
            Readout(value="n_named", about="private", format="d", role="danger"), n=N_PATIENTS
        ),
        T.readout(Readout(value="k", about="private", format="d")),
        T.readout(Readout(value="n_told", about="private", format="d")),
    ]


def _meaning(params: QueriesParams, join: Joined) -> Text:
    if params.release == "counts":
        strings = [_bound(one) for one in guarantees(params)]
        return Text(strings=strings, dims=("epsilon",))
    named = int((join.candidates == 1).sum())
    told = int((join.told & (join.candidates > 1)).sum())
    if named:
        return Text(strings=[T("meaning.linkage.named", named=named, n=N_PATIENTS)])
    if told:
        return Text(strings=[T("meaning.linkage.told", k=join.k, told=told)])
    return Text(strings=[T("meaning.linkage.hidden", least=int(join.candidates.min()))])


def _bound(one: Guarantee) -> str:
    allowed = show(one.accuracy_bound(), "bound in 100")
    return (
        T("meaning.linkage.counts", allowed=allowed)
        if "in 100" in allowed
        else T("meaning.linkage.certain")
    )


def _odds(params: QueriesParams, join: Joined) -> list[Text]:
    if params.release == "rows":
        return [people([guarantee(params)], dims=())]
    return [people(guarantees(params))]


TOPIC = Topic(
    title=T("topics.linkage"),
    shows=("release", "epsilon", "by_sex", "by_year", "by_place", "coarse", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="candidates", tables=("candidates",), coords=COORDS,
)  # fmt: skip
