"""Topic of the page "Asking again": reconstruction of people's records from published tables of counts.

It shows a block of twelve people, and the twelve people that are most likely given the published counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dpcore.estimate import Estimate, middle
from dpcore.experiments.queries import (
    AGES,
    N_BLOCK,
    N_DRAWS,
    N_GUESSES,
    QueriesParams,
    Reconstructed,
    Tables,
    guarantees,
)
from pages.queries.topic import COORDS, EPS, Topic, grown, scale_table
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.figure_kit.estimates import median_arrays, median_readout, unknown_arrays
from ui.figure_kit.odds_pictogram import people
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.live.depth import Depth
from ui.words import text

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["TOPIC", "Reconstruction"]

T = text.load_text(__file__)
_SLOTS = np.array([(0, 0), (0, 0.28), (0, -0.28), (0.3, 0), (-0.3, 0), (0.3, 0.28), (-0.3, 0.28),
                   (0.3, -0.28), (-0.3, -0.28), (0.15, 0.14), (-0.15, 0.14), (0.15, -0.14)])  # fmt: skip
"""Offsets of up to twelve people with the same attributes from the middle of their place."""
_STARTS = (0, 24, 48)
"""Where the bars of each table begin: 20, 20 and 4 counts, with a gap between the tables."""
_SIZES = (20, 20, 4)
_END = _STARTS[-1] + _SIZES[-1]


@dataclass(frozen=True)
class Reconstruction:
    """Published tables, and the results of their reconstruction that are computed so far.

    ``draws`` (D, E) has the numbers of correctly reconstructed people in D further noise draws, at E values of ε.
    """

    tables: Tables
    solved: Reconstructed | None
    draws: np.ndarray | None


def _gather(state: PageState[QueriesParams]) -> Reconstruction:
    return Reconstruction(state["found"], state["solved"], state["draws"])


def _arrays(params: QueriesParams, view: Reconstruction) -> dict[str, Array]:
    published = view.tables
    table, far = scale_table(published.scale, "epsilon")
    return {
        "scale_of": table,
        "scale_now": array(published.scale, "epsilon"),
        "epsilon_now": array(EPS, "epsilon"),
        "published": array(_spread(grown(published.counts, published.noise, far)), "s"),
        "true": array(_spread(published.counts)),
        "truth": array(_places(published.block)),
        "twelve": Array(np.zeros(N_BLOCK, np.int32), (None,)),
        "fitting": array(published.n_consistent),
        "guessed": array(np.median(published.guesses)),
        **_solved(published, view.solved),
        **_rates(view),
    }  # fmt: skip


def _spread(counts: np.ndarray) -> np.ndarray:
    """Return the heights (..., 52) of all bars from published counts (..., c).

    The height is 0 in the gaps between tables, and for tables that are not published.
    """
    heights = np.zeros((*counts.shape[:-1], _END))
    places = np.concatenate(
        [start + np.arange(size) for start, size in zip(_STARTS, _SIZES, strict=True)]
    )
    heights[..., places[: counts.shape[-1]]] = counts
    return heights


def _places(block: np.ndarray) -> np.ndarray:
    """Return the positions (12, 2) of twelve people: by age group, and by a row for sex and smoking."""
    cells = block.reshape(len(AGES), 4)
    return np.array(
        [
            np.array([age, 3 - kind]) + _SLOTS[k]
            for age, kind in zip(*np.nonzero(cells), strict=True)
            for k in range(cells[age, kind])
        ]
    )


def _solved(published: Tables, solved: Reconstructed | None) -> dict[str, Array]:
    """Return the positions of reconstructed people: an array ``right`` and an array ``wrong``.

    A position is in ``right`` if a person of the block has the same position, else in ``wrong``; the other array has
    NaN. Before the reconstruction is computed, both have NaN.
    """
    if solved is None:
        unknown = {name: array(np.full((N_BLOCK, 2), np.nan)) for name in ("right", "wrong")}
        return unknown | {"recovered": array(np.nan), "without_noise": array(np.nan)}
    here = {tuple(place) for place in _places(published.block)}
    found = np.stack([_places(block) for block in solved.people])
    right = np.array([[tuple(place) in here for place in row] for row in found])[..., None]
    return {
        "right": array(np.where(right, found, np.nan), "epsilon"),
        "wrong": array(np.where(right, np.nan, found), "epsilon"),
        "recovered": array(solved.recovered, "epsilon"),
        "without_noise": array(solved.without_noise),
    }


def _rates(view: Reconstruction) -> dict[str, Array]:
    if view.draws is None:
        curves = {
            f"{name}_curve": array(np.full(len(EPS), np.nan)) for name in ("low", "median", "high")
        }
        return unknown_arrays("found_right") | curves
    low, median, high = middle(view.draws)
    return {
        **median_arrays("found_right", view.draws, "epsilon"),
        "low_curve": array(low),
        "median_curve": array(median),
        "high_curve": array(high),
    }


def _panels(params: QueriesParams, view: Reconstruction) -> list[Panel]:
    noisy = params.counts == "noisy"
    return [_published(noisy), _block(), *([_recovered()] if noisy else [])]


def _published(noisy: bool) -> Panel:
    edges = [float(place) for place in range(_END + 1)]
    middles = tuple(start + size / 2 for start, size in zip(_STARTS, _SIZES, strict=True))
    true = layers.Bars(
        edges=edges, heights="true", role="nonprivate", hollow=True, label=T("panels.tables.true")
    )
    panel = Panel(
        key="tables", height=400, y=Axis(range=(-8.0, 12.0) if noisy else (0.0, 8.0)),
        x=Axis(range=(-1.0, _END + 3.0), ticks=middles, words=T.lines("panels.tables.names")),
        layers=[
            layers.Bars(edges=edges, heights="published", label=T("panels.tables.published")),
            *([true] if noisy else []),
        ],
    )  # fmt: skip
    return T.panel(panel, "" if noisy else "exact")


def _block() -> Panel:
    panel = Panel(
        key="block", height=400, leads=True,
        x=Axis(range=(-0.6, len(AGES) - 0.4), ticks=tuple(range(len(AGES))), words=tuple(map(str, AGES))),
        y=Axis(range=(-0.6, 3.6), ticks=(3, 2, 1, 0), words=T.lines("panels.block.kinds")),
        layers=[
            layers.Markers(xy="truth", labels="twelve", role="nonprivate", size=8, hollow=True,
                           label=T("panels.block.truth")),
            layers.Points(xy="right", labels="twelve", role="private", size=4.5, label=T("panels.block.right")),
            layers.Points(xy="wrong", labels="twelve", role="danger", size=4.5, label=T("panels.block.wrong")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _recovered() -> Panel:
    panel = Panel(
        key="recovered", height=380, x=epsilon_axis(), depth=Depth.UNDERSTAND,
        y=Axis(range=(0.0, 12.6), ticks=(0, 3, 6, 9, 12)),
        layers=[
            layers.Band(x=EPSILONS, low="low_curve", high="high_curve"),
            layers.HLine(at="without_noise", role="nonprivate", dash=True, width=1.4,
                         label=T("panels.recovered.exact")),
            layers.HLine(at="guessed", role="other", width=1.4, label=T("panels.recovered.guessed")),
            layers.Line(x=EPSILONS, y="median_curve", width=2.6, label=T("panels.recovered.median")),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="found_right"),
        ],
    )  # fmt: skip
    return T.panel(panel, n_draws=N_DRAWS)


def _readouts(params: QueriesParams) -> list[Readout]:
    exact = params.counts == "exact"
    right = Readout(value="recovered", format="d", role="danger") if exact else median_readout(
        "", "found_right", code=".3g", n_draws=N_DRAWS, draw="recovered", what=T("draws.noise"), role="danger"
    )  # fmt: skip
    return [
        T.readout(right),
        T.readout(Readout(value="guessed", format=".3g"), n_guesses=N_GUESSES),
        T.readout(Readout(value="fitting", format="d")),
        *([] if exact else [T.readout(Readout(value="scale_now", format=".3g", depth=Depth.UNDERSTAND))]),
    ]  # fmt: skip


def _meaning(params: QueriesParams, view: Reconstruction) -> Text:
    if view.solved is None:
        return Text(strings=[T("meaning.reconstruct.unknown")])
    if params.counts == "exact":
        return Text(strings=[_without_noise(view.tables.n_consistent, view.solved.without_noise)])
    guessed = Estimate.of(view.tables.guesses, over="guess").value
    strings = [
        T("meaning.reconstruct.draw", right=right, guessed=guessed)
        for right in view.solved.recovered
    ]
    if view.draws is not None:
        each = [Estimate.of(draws, over="noise", direction="higher") for draws in view.draws.T]
        strings = [
            T("meaning.reconstruct.draws", right=one.value, n_draws=one.n_draws, low=one.low, high=one.high,
              guessed=guessed)
            for one in each
        ]  # fmt: skip
    return Text(strings=strings, dims=("epsilon",))


def _without_noise(n_consistent: int, right: int) -> str:
    if n_consistent == 1:
        return T("meaning.reconstruct.one", right=right)
    return T("meaning.reconstruct.several", n=n_consistent, right=right)


def _odds(params: QueriesParams, view: Reconstruction) -> list[Text]:
    return [people(guarantees(params))]


TOPIC = Topic(
    title=T("topics.reconstruct"),
    shows=("epsilon", "n_tables", "counts", "relation", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds, gather=_gather,
    draws="tables", tables=("tables",), stages=("solved",), coords=COORDS,
)  # fmt: skip
