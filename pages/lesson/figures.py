"""The six live figures of the lesson: one thing to move in each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np

from dpcore.experiments import lesson
from dpcore.experiments.grids import EPSILON_GRID
from pages.lesson.steps import trainings
from ui import live
from ui.figure_kit.common import array
from ui.figure_kit.estimates import median_arrays, median_readout
from ui.live import Axis, Bets, Figure, Panel, Readout, layers
from ui.words.odds_pictogram import people

__all__ = ["FIGURES"]

_HEIGHT = 290


def _figure(slider: live.Control, value: live.Value, panel: Panel, **parts: object) -> Figure:
    return Figure(
        controls=[slider],
        values={slider.name: value},
        panels=[panel],
        compact=True,
        **parts,  # type: ignore[arg-type]
    )


def _epsilon() -> live.Slider:
    return live.Slider(
        name="epsilon", symbol="ε", label="privacy parameter", grid=EPSILON_GRID, mode="local",
        ends=("more private", "less private"),
    )  # fmt: skip


@lru_cache(maxsize=1)
def coin() -> Figure:
    """Return the survey in which everybody tosses a coin."""
    found = lesson.survey()
    edges = np.linspace(0, 0.8, 41)
    heights = np.array([np.histogram(row, edges)[0] for row in found.found]) / found.found.shape[1]
    slider = live.Slider(
        name="truth", label="answers that are true", grid=lesson.TRUTH_GRID, mode="local", format=".0%",
        ends=("hides more", "hides less"),
    )  # fmt: skip
    panel = Panel(
        key="coin", title="What 400 such surveys would find", height=_HEIGHT,
        x=Axis(range=(0.0, 0.8), title="share of cheaters, worked out from the answers", format=".0%"),
        y=Axis(range=(0.0, 1.0), title="share of surveys", format=".0%"),
        alt="The surveys find shares around 30 %. They are off by {off} points on average.",
        layers=[
            layers.Bars(edges=[float(e) for e in edges], heights="heights", label="what surveys find"),
            layers.VLine(at=found.share, role="nonprivate", dash=True, label="the truth: 30 %"),
        ],
    )  # fmt: skip
    return _figure(
        slider, 0.75, panel,
        arrays={
            "heights": array(heights, "truth"), "off": array(100 * found.off, "truth"),
            "means_yes": array(found.means_yes, "truth"),
        },
        readouts=[
            Readout(label="of 100 who say yes, really cheated", value="means_yes", format="in 100"),
            Readout(label="a survey of 1000 people is off by", value="off", format=".1f", role="private",
                    note="percentage points, on average"),
        ],
    )  # fmt: skip


@lru_cache(maxsize=1)
def count() -> Figure:
    """Return the meeting, with Ada and without her."""
    seats = np.array([(k % 20 + 0.5, 4.5 - k // 20) for k in range(100)], np.float32)
    empty = seats.copy()
    empty[67] = np.nan
    slider = live.Toggle(name="ada", label="Ada is at the meeting", mode="local")
    panel = Panel(
        key="count", title="Everybody at the meeting", kind="map", height=180,
        x=Axis(range=(0.0, 20.0)), y=Axis(range=(-0.2, 5.2)),
        alt="The people at the meeting; exactly {exact} are published.",
        layers=[
            layers.Points(xy="others", labels="labels", role="muted", size=5),
            layers.Points(xy="her", labels="one", role="private", size=7, leaves=True, label="Ada"),
        ],
    )  # fmt: skip
    her = np.stack([np.full((1, 2), np.nan), seats[67:68]])
    return _figure(
        slider, True, panel,
        arrays={
            "others": array(empty), "her": array(her, "ada"), "exact": array([99.0, 100.0], "ada"),
            "labels": live.Array(np.zeros(100, np.int32), (None,)),
            "one": live.Array(np.zeros(1, np.int32), (None,)),
        },
        readouts=[Readout(label="the exact count that is published", value="exact", format="d")],
    )  # fmt: skip


@lru_cache(maxsize=1)
def noise() -> Figure:
    """Return the same count with noise, at every ε."""
    found = lesson.count()
    height = np.random.default_rng(7).uniform(-0.22, -0.06, found.draws.shape[-1])
    draws = np.stack([found.answer + found.draws, np.broadcast_to(height, found.draws.shape)], -1)
    bets = np.stack([found.bets, np.zeros_like(found.bets)], -1)
    x = [float(value) for value in found.x]
    panel = Panel(
        key="noise", title="What can be published", height=_HEIGHT,
        x=Axis(range=(x[0], x[-1]), title="published number of people"),
        y=Axis(range=(-0.28, 1.15), title="how likely", ticks=(0.0, 0.5, 1.0)),
        alt="How likely every number is, with Ada and without her, at ε = {epsilon}.",
        bets=Bets(question="A number is published, where the line stands. Was Ada there?",
                  inside="with", outside="without", best="guesses"),
        layers=[
            layers.Line(x=x, y="density_other", role="other", label="without Ada"),
            layers.Line(x=x, y="density", label="with Ada"),
            layers.Points(xy="draws", labels="labels", role="private", size=2.6),
        ],
    )  # fmt: skip
    return _figure(
        _epsilon(), 1.0, panel,
        arrays={
            "density": array(found.density, "epsilon"), "off": array(found.off, "epsilon"),
            "density_other": array(found.density_other, "epsilon"),
            "draws": array(draws, "epsilon"), "guesses": array(found.guesses, "epsilon"),
            "with": array(bets[0], "epsilon"), "without": array(bets[1], "epsilon"),
            "labels": live.Array(np.zeros(draws.shape[1], np.int32), (None,)),
        },
        readouts=[
            Readout(label="an attacker guesses right", value="guesses", format="in 100"),
            Readout(label="the number is off by", value="off", role="private", note="people, on average"),
        ],
        texts=[people(lesson.counted())],
    )  # fmt: skip


@lru_cache(maxsize=1)
def again() -> Figure:
    """Return the same question asked up to a hundred times."""
    found = lesson.ask_again()
    times = np.array(lesson.ASKED_GRID)
    asked = np.arange(1, times[-1] + 1)
    shown = asked[None, :] <= times[:, None]
    means = np.where(shown, found.means, np.nan)
    dots = np.where(shown[..., None], np.stack([asked, found.answers], -1), np.nan)
    slider = live.Slider(
        name="asked", label="times the question is asked", grid=lesson.ASKED_GRID, mode="local",
        ends=("once", "a hundred times"),
    )  # fmt: skip
    panel = Panel(
        key="again", title="The answers, and their average", height=_HEIGHT,
        x=Axis(range=(0.0, 101.0), title="question number"),
        y=Axis(range=(88.0, 112.0), title="published number of people"),
        alt="Answers: {asked}. Their average is off by {off} people.",
        layers=[
            layers.HLine(at=found.answer, role="nonprivate", dash=True, label="the truth"),
            layers.Points(xy="dots", labels="labels", role="muted", size=3, label="answers"),
            layers.Line(x=[float(k) for k in asked], y="means", width=3, label="average so far"),
        ],
    )  # fmt: skip
    return _figure(
        slider, 1, panel,
        arrays={
            "means": array(means, "asked"), "dots": array(dots, "asked"),
            "off": array(found.off, "asked"), "guesses": array(found.guesses, "asked"),
            "spent": array(found.epsilon, "asked"),
            "labels": live.Array(np.zeros(len(asked), np.int32), (None,)),
        },
        readouts=[
            Readout(label="the average is off by", value="off", format=".2g", note="people", role="private"),
            Readout(label="an attacker guesses right", value="guesses", format="in 100"),
            Readout(label="spent in all, ε", value="spent", format=".3g", note="0.5 for each answer"),
        ],
        texts=[people(lesson.asked_again(), dims=("asked",))],
    )  # fmt: skip


@lru_cache(maxsize=1)
def learning() -> Figure:
    """Return prototypes that were learned with privacy, at every ε."""
    (problem, places, accuracy), trained = lesson.prototypes(), trainings()
    panel = Panel(
        key="learning", title="Two groups of people, and their typical points in one draw", kind="map", height=330,
        x=Axis(range=(-1.05, 1.05)), y=Axis(range=(-0.8, 0.8)),
        alt="Private prototypes of two groups at ε = {epsilon}; {accuracy:.0%} of new cases are right in this draw.",
        layers=[
            layers.Regions(centres="places", labels="classes"),
            layers.Points(xy="points", labels="point_labels"),
            layers.Markers(xy="places", labels="classes", label="learned prototype"),
        ],
    )  # fmt: skip
    return _figure(
        _epsilon(), 1.0, panel,
        arrays={
            "places": array(places, "epsilon"), "accuracy": array(accuracy, "epsilon"),
            **median_arrays("right", trained, "epsilon"),
            "points": live.Array(problem.X.astype(np.float32), (None, None)),
            "point_labels": live.Array(problem.y.astype(np.int32), (None,)),
            "classes": live.Array(problem.labels.astype(np.int32), (None,)),
        },
        readouts=[
            median_readout("new cases it gets right", "right", code="in 100", n_draws=len(trained), draw="accuracy",
                           role="private"),
        ],
        texts=[people(lesson.learned())],
    )  # fmt: skip


@lru_cache(maxsize=1)
def limits() -> Figure:
    """Return the study of a group: what it finds, with Ada and without her."""
    found = lesson.study()
    n = [float(value) for value in lesson.PEOPLE_GRID]
    slider = live.Slider(
        name="people", label="smokers in the study", grid=lesson.PEOPLE_GRID, mode="local",
        ends=("few", "many"),
    )  # fmt: skip
    panel = Panel(
        key="limits", title="The risk of smokers, as the study finds it", height=_HEIGHT,
        x=Axis(range=(100, 100_000), log=True, title="smokers in the study",
               ticks=(100, 1000, 10_000, 100_000), words=("100", "1000", "10\u202f000", "100\u202f000")),
        y=Axis(range=(0.0, 0.5), title="share who fall ill", format=".0%"),
        alt="The study of {people} smokers finds a risk of {finds}; without Ada it finds {finds_other}.",
        layers=[
            layers.Band(x=n, low="low", high="high", alpha=0.22, label="nine in ten studies"),
            layers.Line(x=n, y="middle", width=3, label="with Ada, median"),
            layers.Line(x=n, y="middle_other", role="other", dash=True, label="without Ada"),
            layers.HLine(at=0.1, role="nonprivate", dash=True, label="risk of other people"),
            layers.VLine(at="chosen", role="muted", width=1),
        ],
    )  # fmt: skip
    return _figure(
        slider, 1000, panel,
        arrays={
            "low": array(found.low), "high": array(found.high), "middle": array(found.middle),
            "middle_other": array(found.middle_other), "finds": array(found.middle, "people"),
            "finds_other": array(found.middle_other, "people"),
            "low_now": array(found.low, "people"), "high_now": array(found.high, "people"),
            "chosen": array(n, "people"),
        },
        readouts=[
            Readout(label="with Ada the study finds", value="finds", format=".2%", role="private",
                    note="median over the noise; nine in ten studies find {low_now:.0%} to {high_now:.0%}"),
            Readout(label="without her it finds", value="finds_other", format=".2%", note="median over the noise"),
        ],
    )  # fmt: skip


FIGURES: Mapping[str, Callable[[], Figure]] = {
    "coin": coin, "count": count, "noise": noise, "again": again, "learning": learning,
    "limits": limits,
}  # fmt: skip
"""What makes the figure of each step; the same for all readers, so made once."""
