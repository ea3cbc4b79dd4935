"""Plan of a ninety-minute lecture, with links to pages of the application."""

from __future__ import annotations

from dataclasses import dataclass

from ui.embed.lesson import Lesson, Shown
from ui.words import text

__all__ = ["PLAN", "Step", "lesson"]

T = text.load_text(__file__)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of the lecture: a subject, minutes, a figure on a page, and an exercise.

    ``page`` is the key of the page, and ``link`` has the parameters with which the page opens. ``exercise`` is the
    key of the exercise after the step, or "".
    """

    name: str
    minutes: int
    page: str
    link: str = ""
    exercise: str = ""

    @property
    def title(self) -> str:
        """Subject of the step."""
        return T(f"plan.{self.name}.title")

    @property
    def ask(self) -> str:
        """Question that the lecturer asks the class."""
        return T(f"plan.{self.name}.ask")


PLAN = (
    Step(
        minutes=10, name="problem", page="lesson",
    ),
    Step(
        minutes=15, name="mechanism", page="mechanisms", link="epsilon=0.5", exercise="laplace-scale",
    ),
    Step(
        minutes=15, name="budget", page="budget", link="n_steps=100&sample_rate=1&noise_multiplier=20",
        exercise="composition",
    ),
    Step(
        minutes=20, name="learning", page="relevance", link="epsilon=1", exercise="clipping-bias",
    ),
    Step(
        minutes=15, name="attack", page="autoencoder", link="epsilon=0.8", exercise="bias-noise-leak",
    ),
    Step(
        minutes=15, name="decide", page="choose", link="epsilon=1", exercise="odds",
    ),
)  # fmt: skip


def lesson(pages: tuple[str, ...], exercises: tuple[str, ...]) -> Lesson:
    """Return the plan as a lesson, without pages and exercises that do not exist."""
    parts = [Shown(page=s.page, link=s.link, text=s.ask) for s in PLAN if s.page in pages]
    return Lesson(
        title=T("plan.lesson"),
        parts=tuple(parts) or (Shown(page=pages[0]),),
        exercises=tuple(s.exercise for s in PLAN if s.exercise in exercises),
    )
