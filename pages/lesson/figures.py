"""The six live figures of the lesson, each with a switch that leaves a person named Ada out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.experiments import lesson
from dpcore.experiments.grids import EPSILON_GRID
from ui import live
from ui.figure_kit.bets import on_draws
from ui.figure_kit.common import array
from ui.figure_kit.controls import field_text
from ui.figure_kit.odds_pictogram import people
from ui.live import Axis, Figure, Panel, Readout, layers
from ui.words import text

__all__ = ["FIGURES"]

T = text.beside(__file__)
_HEIGHT = 290


_SEATS = np.array([(k % 20 + 0.5, 4.5 - k // 20) for k in range(100)], np.float32)
_HEAD = (0.0, -0.02)  # of a person, from the middle of the seat
_OPENS = 0.75  # probability of a true answer with which the first figure opens


def _figure(
    ada: str, slider: live.Slider | None, value: live.Value, *panels: Panel, **parts: object
) -> Figure:
    """Return a figure with at most one slider, and with a switch that removes the person Ada from the data.

    ``ada`` is the key of the switch's label in ``text.toml``.
    """
    switch = live.Toggle(name="ada", label=T.field(ada).label, mode="local")
    return Figure(
        controls=[*([slider] if slider else []), switch],
        values={"ada": True} | ({slider.name: value} if slider else {}),
        panels=[T.panel(panel) for panel in panels],
        compact=True,
        **parts,  # type: ignore[arg-type]
    )


def _with_her(values: ArrayLike, *dims: str) -> live.Array:
    """Return an array over the two states of the switch that removes the person Ada.

    It has NaN where Ada is removed, else the values.
    """
    found = np.asarray(values, float)
    return array(np.stack([np.full_like(found, np.nan), found]), "ada", *dims)


def _without_her(values: ArrayLike, *dims: str) -> live.Array:
    """Return an array over the two states of the switch that removes the person Ada.

    It has the values where Ada is removed, else NaN.
    """
    found = np.asarray(values, float)
    return array(np.stack([found, np.full_like(found, np.nan)]), "ada", *dims)


def _slider(name: str, grid: Sequence[float], **parts: Any) -> live.Slider:
    """Return a slider with a label and words at the ends.

    The browser has the arrays for all values of the slider.
    """
    words = field_text(T, name)
    return live.Slider(
        name=name, grid=grid, mode="local", label=words.label, ends=words.ends, **parts
    )


def _epsilon() -> live.Slider:
    return _slider("epsilon", EPSILON_GRID, symbol="ε")


@lru_cache(maxsize=1)
def coin() -> Figure:
    """Return the figure of the survey in which everybody tosses a coin."""
    cards = lesson.raise_cards()
    ada = _says_yes_at_first(cards)
    return _figure(
        "ada_answers", _slider("truth", lesson.TRUTH_GRID, format=".0%"), _OPENS, _cards(ada),
        arrays=_card_arrays(cards, ada),
        readouts=[
            T.readout(Readout(value="say_yes", format="d")),
            T.readout(Readout(value="worked_out", format="d", role="private")),
        ],
    )  # fmt: skip


def _says_yes_at_first(cards: lesson.RaisedCards) -> int:
    """Return the index of Ada, the person whom the figure can leave out.

    Of the people who answer yes when the figure opens, Ada is the middle one.
    """
    yes = np.flatnonzero(cards.answers[lesson.TRUTH_GRID.index(_OPENS)])
    return int(yes[len(yes) // 2])


def _cards(ada: int) -> Panel:
    """Return the panel that shows a class raising answer cards."""
    return Panel(
        key="cards", kind="map", height=190,
        x=Axis(range=(0.0, 20.0)), y=Axis(range=(-0.1, 5.1)),
        layers=[
            layers.Cards(xy="seats", answers="answers", person=ada),
            layers.Points(xy="ada_at", labels="one", role="private", size=4, alpha=1, leaves=True),
        ],
    )  # fmt: skip


def _card_arrays(cards: lesson.RaisedCards, ada: int) -> dict[str, live.Array]:
    """Return the arrays of seats, answers, counts and estimates, with and without the person Ada.

    ``ada`` is Ada's index among the people.
    """
    seats = np.stack([_SEATS, _SEATS])
    seats[0, ada] = np.nan
    both = cards.without(ada), cards
    return {
        "seats": array(seats, "ada"), "ada_at": _with_her(_SEATS[[ada]] + _HEAD),
        "answers": live.Array(cards.answers.astype(np.int32), ("truth", None)),
        "one": live.Array(np.zeros(1, np.int32), (None,)),
        "say_yes": array([one.answers.sum(1) for one in both], "ada", "truth"),
        "answer_all": array([one.answers.shape[1] for one in both], "ada"),
        "worked_out": array([100 * one.estimates for one in both], "ada", "truth"),
        "really": array([100 * one.truth.mean() for one in both], "ada"),
    }  # fmt: skip


@lru_cache(maxsize=1)
def count() -> Figure:
    """Return the figure of an exact count of people, from which the person Ada can be left out."""
    seats = _SEATS
    empty = seats.copy()
    empty[67] = np.nan
    panel = Panel(
        key="count", kind="map", height=180,
        x=Axis(range=(0.0, 20.0)), y=Axis(range=(-0.2, 5.2)),
        layers=[
            layers.Points(xy="others", labels="labels", role="muted", size=5),
            layers.Points(xy="her", labels="one", role="private", size=7, leaves=True, label=T("panels.count.ada")),
        ],
    )  # fmt: skip
    her = np.stack([np.full((1, 2), np.nan), seats[67:68]])
    return _figure(
        "ada", None, True, panel,
        arrays={
            "others": array(empty), "her": array(her, "ada"), "exact": array([99.0, 100.0], "ada"),
            "labels": live.Array(np.zeros(100, np.int32), (None,)),
            "one": live.Array(np.zeros(1, np.int32), (None,)),
        },
        readouts=[T.readout(Readout(value="exact", format="d"))],
    )  # fmt: skip


@lru_cache(maxsize=1)
def noise() -> Figure:
    """Return the figure of a count of people with added noise, at every ε."""
    release = lesson.count()
    height = np.random.default_rng(7).uniform(-0.22, -0.06, release.draws.shape[-1])
    draws = np.stack(
        [release.answer + release.draws, np.broadcast_to(height, release.draws.shape)], -1
    )
    shifted = draws - (1.0, 0.0)  # the same noise, one person fewer
    bets = np.stack([release.bets, np.zeros_like(release.bets)], -1)
    x = [float(value) for value in release.x]
    panel = Panel(
        key="noise", height=_HEIGHT,
        x=Axis(range=(x[0], x[-1])),
        y=Axis(range=(-0.28, 1.15), ticks=(0.0, 0.5, 1.0)),
        bets=on_draws(T("panels.noise.bet"), inside="with", outside="without", best="guesses"),
        layers=[
            layers.Line(x=x, y="density_other", role="other", label=T("panels.noise.without")),
            layers.Line(x=x, y="density", label=T("panels.noise.with")),
            layers.Points(xy="draws", labels="labels", role="private", size=2.6, leaves=True),
            layers.Points(xy="draws_other", labels="labels", role="other", size=2.6, leaves=True),
        ],
    )  # fmt: skip
    return _figure(
        "ada", _epsilon(), 1.0, panel,
        arrays={
            "density": array(release.density, "epsilon"), "off": array(release.off, "epsilon"),
            "density_other": array(release.density_other, "epsilon"),
            "draws": _with_her(draws, "epsilon"), "draws_other": _without_her(shifted, "epsilon"),
            "guesses": array(release.guesses, "epsilon"),
            "with": array(bets[0], "epsilon"), "without": array(bets[1], "epsilon"),
            "labels": live.Array(np.zeros(draws.shape[1], np.int32), (None,)),
        },
        readouts=[
            T.readout(Readout(value="guesses", format="in 100")),
            T.readout(Readout(value="off", role="private"), key="count_off"),
        ],
        texts=[people(lesson.counted())],
    )  # fmt: skip


@lru_cache(maxsize=1)
def again() -> Figure:
    """Return the figure of one noisy question asked up to a hundred times, and the average of the answers."""
    repeats = lesson.ask_again()
    times = np.array(lesson.ASKED_GRID)
    times_asked = np.arange(1, times[-1] + 1)
    shown = times_asked[None, :] <= times[:, None]
    fewer = np.array([1.0, 0.0])[:, None, None]  # people who are counted, without Ada and with her
    means = np.where(shown, repeats.means - fewer, np.nan)
    answers = np.where(shown, repeats.answers - fewer, np.nan)
    dots = np.stack([np.broadcast_to(times_asked, answers.shape), answers], -1)
    slider = _slider("asked", lesson.ASKED_GRID)
    panel = Panel(
        key="again", height=_HEIGHT,
        x=Axis(range=(0.0, 101.0)),
        y=Axis(range=(88.0, 112.0)),
        layers=[
            layers.HLine(at="truth", role="nonprivate", dash=True, label=T("panels.again.truth")),
            layers.Points(xy="dots", labels="labels", role="muted", size=3, label=T("panels.again.answers")),
            layers.Line(x=[float(k) for k in times_asked], y="means", width=3, label=T("panels.again.average")),
        ],
    )  # fmt: skip
    return _figure(
        "ada", slider, 1, panel,
        arrays={
            "means": array(means, "ada", "asked"), "dots": array(dots, "ada", "asked"),
            "truth": array([repeats.answer - 1, repeats.answer], "ada"),
            "off": array(repeats.off, "asked"), "guesses": array(repeats.guesses, "asked"),
            "spent": array(repeats.epsilon, "asked"),
            "labels": live.Array(np.zeros(len(times_asked), np.int32), (None,)),
        },
        readouts=[
            T.readout(Readout(value="off", format=".2g", role="private"), key="average_off"),
            T.readout(Readout(value="guesses", format="in 100")),
            T.readout(Readout(value="spent", format=".3g")),
        ],
        texts=[people(lesson.asked_again(), dims=("asked",))],
    )  # fmt: skip


@lru_cache(maxsize=1)
def learning() -> Figure:
    """Return the figure of privately learned prototypes at every ε."""
    problem, places, accuracy = lesson.prototypes()
    ada, places_without, accuracy_without = lesson.prototypes_without()
    points = problem.X.astype(np.float32)
    others = points.copy()
    others[ada] = np.nan
    panel = Panel(
        key="learning", kind="map", height=330, fills=True,
        x=Axis(range=(-1.05, 1.05)), y=Axis(range=(-0.8, 0.8)),
        layers=[
            layers.Regions(centres="places", labels="classes"),
            layers.Points(xy="points", labels="point_labels"),
            layers.Markers(xy="ada_at", labels=[0], role="danger", hollow=True, size=9,
                           label=T("panels.learning.ada")),
            layers.Markers(xy="places", labels="classes", label=T("panels.learning.learned")),
        ],
    )  # fmt: skip
    return _figure(
        "ada_learns", _epsilon(), 1.0, panel,
        arrays={
            "places": array([places_without, places], "ada", "epsilon"),
            "accuracy": array([accuracy_without, accuracy], "ada", "epsilon"),
            "points": array([others, points], "ada"), "ada_at": _with_her(points[[ada]]),
            "point_labels": live.Array(problem.y.astype(np.int32), (None,)),
            "classes": live.Array(problem.labels.astype(np.int32), (None,)),
        },
        readouts=[
            T.readout(Readout(value="accuracy", format="in 100", role="private")),
        ],
        texts=[people(lesson.learned())],
    )  # fmt: skip


@lru_cache(maxsize=1)
def limits() -> Figure:
    """Return the figure of studies of growing size, in which the person Ada takes part or does not."""
    study = lesson.study()
    n = [float(value) for value in lesson.PEOPLE_GRID]
    slider = _slider("people", lesson.PEOPLE_GRID)
    panel = Panel(
        key="limits", height=_HEIGHT,
        x=Axis(range=(100, 100_000), log=True,
               ticks=(100, 1000, 10_000, 100_000), words=("100", "1000", "10\u202f000", "100\u202f000")),
        y=Axis(range=(0.0, 0.5), format=".0%"),
        layers=[
            layers.Band(x=n, low="low", high="high", alpha=0.22, label=T("panels.limits.studies")),
            layers.Line(x=n, y="middle", width=3, label=T("panels.limits.with")),
            layers.Points(xy="drawn", labels="none", role="private", size=6, label=T("panels.limits.one")),
            layers.Points(xy="drawn_other", labels="none", role="other", size=6, label=T("panels.limits.other")),
            layers.HLine(at=0.1, role="nonprivate", dash=True, label=T("panels.limits.others")),
            layers.VLine(at="chosen", role="muted", width=1),
        ],
    )  # fmt: skip
    return _figure(
        "ada_is_asked", slider, 1000, panel,
        arrays={
            "low": array(study.low), "high": array(study.high), "middle": array(study.middle),
            "drawn": array([np.column_stack([n, one]) for one in (study.drawn_without, study.drawn)], "ada"),
            "none": array(np.zeros(len(n), np.int32)),
            "drawn_other": array(np.column_stack([n, study.drawn_other])), "finds": array(study.middle, "people"),
            "finds_other": array(study.middle_other, "people"),
            "low_now": array(study.low, "people"), "high_now": array(study.high, "people"),
            "chosen": array(n, "people"),
        },
        readouts=[
            T.readout(Readout(value="finds", format=".2%", role="private")),
            T.readout(Readout(value="finds_other", format=".2%")),
        ],
    )  # fmt: skip


FIGURES: Mapping[str, Callable[[], Figure]] = {
    "coin": coin, "count": count, "noise": noise, "again": again, "learning": learning,
    "limits": limits,
}  # fmt: skip
"""The function of the figure of each step; the same for all readers, so computed once."""
