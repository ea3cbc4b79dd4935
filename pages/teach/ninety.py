"""A lecture of ninety minutes: what to show when, as links into the app."""

from __future__ import annotations

from dataclasses import dataclass

from ui.embed.lesson import Lesson, Shown

__all__ = ["PLAN", "Step", "lesson"]


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step of the lecture: how long it takes, what it is about, what to ask, and where to go.

    ``page`` and ``link``: the figure; ``exercise``: what the class works out afterwards, "" for nothing.
    """

    minutes: int
    title: str
    ask: str
    page: str
    link: str = ""
    exercise: str = ""


PLAN = (
    Step(
        minutes=10, title="Problem", page="lesson",
        ask="Take names away, and Ada is still found: the first two experiments of the lesson. What would be enough?",
    ),
    Step(
        minutes=15, title="Mechanism", page="mechanisms", link="epsilon=0.5", exercise="laplace-scale",
        ask="Before you drag: do the two curves overlap more on the left or on the right?",
    ),
    Step(
        minutes=15, title="Budget", page="budget", link="n_steps=100&sample_rate=1&noise_multiplier=20",
        exercise="composition",
        ask="A hundred answers of the same noise: a hundred times the cost, or less?",
    ),
    Step(
        minutes=20, title="Learning", page="relevance", link="epsilon=1", exercise="clipping-bias",
        ask="At which ε do the prototypes stop being useful? Everybody writes down a number first.",
    ),
    Step(
        minutes=15, title="Attack", page="autoencoder", link="epsilon=0.8", exercise="bias-noise-leak",
        ask="These pictures look hidden. Who is still found, and by whom?",
    ),
    Step(
        minutes=15, title="Decide", page="choose", link="epsilon=1", exercise="odds",
        ask="Which ε would you sign, for which people, and why?",
    ),
)  # fmt: skip


def lesson(pages: tuple[str, ...], exercises: tuple[str, ...]) -> Lesson:
    """Return the lecture as a lesson of the figures and exercises that are there."""
    parts = [Shown(page=s.page, link=s.link, text=s.ask) for s in PLAN if s.page in pages]
    return Lesson(
        title="Differential privacy in ninety minutes",
        parts=tuple(parts) or (Shown(page=pages[0]),),
        exercises=tuple(s.exercise for s in PLAN if s.exercise in exercises),
    )
