"""The six interactive figures of the lesson, each with a switch that leaves out one person, named Ada."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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

T = text.load_text(__file__)
_HEIGHT = 420


_ROWS, _IN_ROW = 10, 10
_PITCH = 1.14  # of the rows, in units of a seat's width
_SEATS = np.array(
    [(k % _IN_ROW + 0.5, _PITCH * (_ROWS - 0.5 - k // _IN_ROW)) for k in range(100)], np.float32
)
_MARGIN = 0.15  # above the last row, whose raised cards and wheels else touch the frame
_ACROSS, _DOWN = (
    Axis(range=(0.0, float(_IN_ROW))),
    Axis(range=(0.0, _PITCH * _ROWS + _MARGIN)),
)
_WIDE = Axis(range=(-1.0, 18.0))  # Ada's name, seats, and beside them her wheel
_WHEEL = (14.2, 6.4, 3.0)  # its middle, and its radius
_HEAD = (0.0, -0.02)  # of a person, from the middle of the seat
_FEWEST = 10  # cards from which a share is worked out
_OPENS = 0.75  # probability of a true answer with which the first figure opens


def _figure(
    ada: str,
    slider: live.Slider | None,
    value: live.Value,
    *panels: Panel,
    follows: Sequence[live.Slider] = (),
    place: str = "",
    **parts: object,
) -> Figure:
    """Return a figure with panels, at most one slider, and a switch that leaves out the person named Ada.

    ``ada`` is the key of the switch's label in ``text.toml``, ``value`` the initial value of the slider. ``follows``
    are hidden sliders that the browser moves; each begins at its last value. ``place`` is the name of the array with
    Ada's position in the first panel; a click on this position turns the switch.
    """
    switch = live.Toggle(
        name="ada", label=T.field(ada).label, mode="local", place=place,
        panel=panels[0].key if place else "",
    )  # fmt: skip
    return Figure(
        controls=[*([slider] if slider else []), switch, *follows],
        values={"ada": True}
        | ({slider.name: value} if slider else {})
        | {one.name: one.grid[-1] for one in follows},
        panels=[T.panel(panel) for panel in panels],
        compact=True,
        **parts,  # type: ignore[arg-type]
    )


def _with_her(values: ArrayLike, *dims: str) -> live.Array:
    """Return an array that holds ``values`` while the person Ada takes part, and NaN while she is left out."""
    found = np.asarray(values, float)
    return array(np.stack([np.full_like(found, np.nan), found]), "ada", *dims)


def _without_her(values: ArrayLike, *dims: str) -> live.Array:
    """Return an array that holds ``values`` while the person Ada is left out, and NaN while she takes part."""
    found = np.asarray(values, float)
    return array(np.stack([found, np.full_like(found, np.nan)]), "ada", *dims)


def _slider(name: str, grid: Sequence[float], **parts: Any) -> live.Slider:
    """Return a slider whose label, and the words at its ends, are in ``text.toml``.

    When the slider moves, the browser redraws the figure without Python.
    """
    words = field_text(T, name)
    return live.Slider(
        name=name, grid=grid, mode="local", label=words.label, ends=words.ends, **parts
    )


def _epsilon() -> live.Slider:
    return _slider("epsilon", EPSILON_GRID, symbol="ε")


@lru_cache(maxsize=1)
def coin() -> Figure:
    """Return the figure of a survey in which people toss a coin before they answer (randomized response)."""
    cards = lesson.raise_cards()
    ada = _says_yes_at_first(cards)
    raised = live.Slider(
        name="raised", grid=[float(k) for k in range(101)], mode="local", hidden=True, own=True
    )
    return _figure(
        "ada_answers", _slider("truth", lesson.TRUTH_GRID, format=".0%"), _OPENS, _cards(ada),
        follows=[raised], place="her_seat", arrays=_card_arrays(cards, ada),
        readouts=[
            T.readout(Readout(value="say_yes", format="d")),
            T.readout(Readout(value="worked_out", format="d", role="private")),
        ],
        texts=[_arithmetic(np.arange(cards.answers.shape[1] + 1))],
    )  # fmt: skip


def _arithmetic(every: NDArray[np.int64]) -> live.Text:
    """Return the sentence that estimates from the raised cards how many students cheated, for every number of cards.

    With fewer than ten cards the sentence gives no estimate.
    """
    strings = [T("meaning.few" if n < _FEWEST else "meaning.known") for n in every]
    return live.Text(strings=strings, dims=("raised",))


def _says_yes_at_first(cards: lesson.RaisedCards) -> int:
    """Return the index of the person whom the figure calls Ada.

    Of the people who answer yes when the figure opens, Ada is the one with the middle index.
    """
    yes = np.flatnonzero(cards.answers[lesson.TRUTH_GRID.index(_OPENS)])
    return int(yes[len(yes) // 2])


def _cards(ada: int) -> Panel:
    """Return the panel of a school class in which students raise cards with their answers; ``ada`` is Ada's index."""
    return Panel(
        key="cards", kind="map", height=500, x=_WIDE, y=_DOWN,
        layers=[
            layers.Cards(
                xy="seats", answers="answers", person=ada, raised="raised", wheel="truth_now", large=_WHEEL,
                words=T.lines("panels.cards.words"),
            ),
            layers.Points(xy="ada_at", labels="one", role="private", size=4, alpha=1, leaves=True),
        ],
    )  # fmt: skip


def _card_arrays(cards: lesson.RaisedCards, ada: int) -> dict[str, live.Array]:
    """Return the arrays of seats, answers, counts and estimates, with and without the student at index ``ada``.

    There is a count and an estimate for every number of raised cards.
    """
    seats = np.stack([_SEATS, _SEATS])
    seats[0, ada] = np.nan
    every = np.arange(cards.answers.shape[1] + 1)
    few = every < _FEWEST
    both = [(cards.without(ada), every - (every > ada)), (cards, every)]  # her seat has no card
    return {
        "seats": array(seats, "ada"), "ada_at": _with_her(_SEATS[[ada]] + _HEAD),
        "answers": live.Array(cards.answers.astype(np.int32), ("truth", None)),
        "her_seat": array(_SEATS[[ada]] + _HEAD), "truth_now": array(lesson.TRUTH_GRID, "truth"),
        "one": live.Array(np.zeros(1, np.int32), (None,)),
        "say_yes": array([one.yes_so_far()[:, n] for one, n in both], "ada", "truth", "raised"),
        "answer_all": array([n for _, n in both], "ada", "raised"),
        "yes_in_100": array(
            [100 * one.yes_so_far()[:, n] / np.maximum(n, 1) for one, n in both],
            "ada", "truth", "raised",
        ),
        "if_none": array(100 * (1 - np.array(lesson.TRUTH_GRID)), "truth"),
        "if_all": array(100 * np.array(lesson.TRUTH_GRID), "truth"),
        "worked_out": array(
            [np.where(few, np.nan, 100 * one.estimates_so_far()[:, n]) for one, n in both],
            "ada", "truth", "raised",
        ),
        "really": array([100 * one.truth.mean() for one, _ in both], "ada"),
    }  # fmt: skip


@lru_cache(maxsize=1)
def count() -> Figure:
    """Return the figure of an exact count of people, with and without the person Ada."""
    seats = _SEATS
    empty = seats.copy()
    empty[67] = np.nan
    panel = Panel(
        key="count", kind="map", height=440, x=_ACROSS, y=_DOWN,
        layers=[
            layers.Points(xy="others", labels="labels", role="muted", size=11),
            layers.Points(xy="her", labels="one", role="private", size=15, leaves=True, label=T("panels.count.ada")),
        ],
    )  # fmt: skip
    her = np.stack([np.full((1, 2), np.nan), seats[67:68]])
    return _figure(
        "ada", None, True, panel,
        place="her_seat",
        arrays={
            "her_seat": array(seats[67:68]), "others": array(empty), "her": array(her, "ada"),
            "exact": array([99.0, 100.0], "ada"),
            "labels": live.Array(np.zeros(100, np.int32), (None,)),
            "one": live.Array(np.zeros(1, np.int32), (None,)),
        },
        readouts=[T.readout(Readout(value="exact", format="d"))],
    )  # fmt: skip


@lru_cache(maxsize=1)
def noise() -> Figure:
    """Return the figure of a noisy count of people, at every ε."""
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
    """Return the figure of a question that is asked up to a hundred times, with the noisy answers and their mean."""
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
        texts=[people(lesson.repeated_guarantees(), dims=("asked",))],
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
        key="learning", kind="map", height=440, fills=True,
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
        place="her_record",
        arrays={
            "her_record": array(points[[ada]]),
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
    """Return the figure of the results of ever larger studies, with and without the person Ada."""
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
            "drawn": array([np.column_stack([n, one]) for one in (study.result_without, study.result)], "ada"),
            "none": array(np.zeros(len(n), np.int32)),
            "drawn_other": array(np.column_stack([n, study.result_other])), "finds": array(study.middle, "people"),
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
"""Functions that return the figure of each step, by the step's key.

Figures are the same for all readers. Each is computed once.
"""
