"""Six steps of the lesson, each with a text, a question, and an explanation that follows the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import lesson
from dpcore.experiments.grids import EPSILON_GRID
from ui.words import text

__all__ = ["DRAWS", "STEPS", "Step", "numbers", "trainings"]

T = text.load_text(__file__)
DRAWS = Path(__file__).resolve().parents[2] / "assets" / "lesson" / "draws.json"


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of the lesson: a text, a question with options, and an explanation that follows the answer.

    ``right`` is the index of the right option.
    """

    key: str
    title: str
    text: str
    question: str
    options: tuple[str, ...]
    right: int

    @property
    def reveal(self) -> str:
        """Explanation that is shown after the answer, with numbers computed as in the step's figure."""
        return T(f"steps.{self.key}.reveal", **numbers().get(self.key, {}))


def _step(key: str, right: int) -> Step:
    """Return the lesson step ``key`` with its texts from ``text.toml``.

    ``right`` is the index of the right option.
    """
    return Step(
        key=key,
        title=T(f"steps.{key}.title"),
        text=T(f"steps.{key}.text"),
        question=T(f"steps.{key}.question"),
        options=T.lines(f"steps.{key}.options"),
        right=right,
    )


STEPS = (
    _step("coin", right=1),
    _step("count", right=2),
    _step("noise", right=0),
    _step("again", right=2),
    _step("learning", right=1),
    _step("limits", right=0),
)


@cache
def numbers() -> Mapping[str, Mapping[str, float]]:
    """Return the numbers that the explanations state, by step and by name; they are computed as in the figures."""
    survey, count, repeats, study = (
        lesson.survey(),
        lesson.count(),
        lesson.ask_again(),
        lesson.study(),
    )
    median = np.median(trainings(), axis=0)
    one, tenth = EPSILON_GRID.index(1.0), EPSILON_GRID.index(0.1)
    thousand = lesson.PEOPLE_GRID.index(1000)
    return {
        "coin": {
            "means_yes": 100 * survey.means_yes[lesson.TRUTH_GRID.index(0.75)],
            "off": 100 * survey.off[lesson.TRUTH_GRID.index(0.75)],
        },
        "noise": {
            "off_one": count.off[one],
            "off_tenth": count.off[tenth],
            "guess_one": 100 * count.guesses[one],
            "guess_tenth": 100 * count.guesses[tenth],
        },
        "again": {
            "off_hundred": repeats.off[-1],
            "guess_hundred": 100 * repeats.guesses[-1],
            "spent": repeats.epsilon[-1],
        },
        "learning": {
            "n_draws": len(trainings()),
            "useful": next(
                e for e, share in zip(EPSILON_GRID, median, strict=True) if share >= 0.9
            ),
            "useless": EPSILON_GRID[0],
            "bad": median[0],
        },
        "limits": {
            "finds": study.middle[thousand],
            "finds_other": study.middle_other[thousand],
            "low": study.low[thousand],
            "high": study.high[thousand],
        },
    }


@cache
def trainings() -> NDArray[np.float64]:
    """Return the accuracies (D, E) of D trainings at each of E values of ε.

    The accuracies are read from the file that ``make openings`` writes.
    """
    return np.array(json.loads(DRAWS.read_text("utf-8"))["right"])
