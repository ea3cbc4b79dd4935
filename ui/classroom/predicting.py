"""Activity "predict, then see": students draw a curve or set a value, then see the true curve or value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import classroom
from dpcore.experiments.classroom import PrivatePoll, count_to_bet_on
from dpcore.experiments.grids import EPSILON_GRID
from ui.classroom.activity import Counted, Json, no_answer
from ui.words import text
from ui.words.numbers import show

__all__ = ["PREDICTIONS", "Predict", "Prediction", "prepared"]

T = text.load_text(__file__)
LEVELS = 21
_EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
_PEOPLE = (10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Prediction:
    """Question about a figure, answered by a height at each x position.

    - ``places``: the x positions.
    - ``ends``: the range of the heights.
    - ``truth``: function that returns the true heights.
    """

    title: str
    question: str
    along: str
    places: tuple[float, ...]
    ends: tuple[float, float]
    truth: Callable[[], list[float]]
    page: str


def _classifier() -> list[float]:
    from dpcore.experiments import lesson  # the server starts without it

    accuracy = lesson.prototypes()[2]
    nearest = [int(np.abs(np.log(EPSILON_GRID) - np.log(e)).argmin()) for e in _EPSILONS]
    return [100 * float(accuracy[k]) for k in nearest]


def _best_attack(epsilon: float) -> float:
    """Return the number of right guesses of the best attack on a count, out of 100.

    The count has Laplace noise.
    """
    return 100 * (count_to_bet_on(epsilon).privacy.best_attack() or 0.5)


def _prediction(
    name: str,
    places: tuple[float, ...],
    ends: tuple[float, float],
    truth: Callable[[], list[float]],
    page: str,
) -> Prediction:
    """Return the prediction ``name`` with its texts from ``text.toml``."""
    title, question = T(f"predictions.{name}.title"), T(f"predictions.{name}.question")
    return Prediction(title, question, T(f"predictions.{name}.along"), places, ends, truth, page)


PREDICTIONS = {
    "adversary": _prediction(
        "adversary", _EPSILONS, (50.0, 100.0), lambda: [_best_attack(e) for e in _EPSILONS], "mechanisms",
    ),
    "classifier": _prediction("classifier", _EPSILONS, (0.0, 100.0), _classifier, "relevance"),
    "poll": _prediction(
        "poll", tuple(map(float, _PEOPLE)), (0.0, 40.0),
        lambda: [100 * PrivatePoll(epsilon=float(np.log(3))).standard_error(0.3, n) for n in _PEOPLE],
        "lesson",
    ),
    "value": _prediction("value", (1.0,), (50.0, 100.0), lambda: [_best_attack(1.0)], "mechanisms"),
}  # fmt: skip


@lru_cache(maxsize=len(PREDICTIONS))
def prepared(name: str) -> Predict:
    """Return the prediction activity ``name``, with its true values computed."""
    return Predict(name, tuple(PREDICTIONS[name].truth()))


@dataclass(frozen=True)
class Predict:
    """Activity in which a class predicts a curve.

    Only the number of students is stored for each position and height, not the curve of a single
    student.
    """

    name: str
    truth: tuple[float, ...]
    kind: ClassVar[str] = "predict"
    spends: ClassVar[float] = 0.0
    least: ClassVar[int] = 0

    @property
    def prediction(self) -> Prediction:
        """Question that the class answers."""
        return PREDICTIONS[self.name]

    @property
    def heights(self) -> NDArray[np.float64]:
        """Heights that can be drawn at each x position."""
        return np.linspace(*self.prediction.ends, LEVELS)

    def names(self) -> list[str]:
        """Return the names of the counts, one for each pair of x position and height."""
        return [
            f"{k} {level}" for k in range(len(self.prediction.places)) for level in range(LEVELS)
        ]

    def brief(self) -> Json:
        """Return the data for all phones: the question and the x positions, without the true values."""
        task = self.prediction
        return {
            "question": task.question, "along": task.along, "ends": task.ends, "levels": LEVELS,
            "places": [show(place, '.6g') for place in task.places],
        }  # fmt: skip

    def mine(self, seed: bytes) -> Json:
        """Return an empty dictionary, since all phones get the same data."""
        return {}

    def count(self, answer: Any, seed: bytes) -> Counted:
        """Return the counts that a drawn curve increases: at each x position, the count of the drawn height."""
        whole = isinstance(answer, list) and len(answer) == len(self.prediction.places)
        if not whole or any(type(level) is not int or not 0 <= level < LEVELS for level in answer):
            raise no_answer(T("refused.heights", most=LEVELS - 1))
        return Counted([f"{k} {level}" for k, level in enumerate(answer)], {})

    def height_counts(self, counts: Mapping[str, int]) -> NDArray[np.int64]:
        """Return the number (positions, heights) of students who drew each height at each position."""
        return np.array([counts.get(name, 0) for name in self.names()]).reshape(-1, LEVELS)

    def outcome(self, counts: Mapping[str, int], answered: int) -> Json:
        """Return the true values, and statistics of the drawn heights at each x position.

        The statistics are the median and the middle 80 %.
        """
        low, middle, high = classroom.crowd(self.height_counts(counts), self.heights)
        outcome = {"truth": list(self.truth), "drawn": answered}
        if not answered:
            return outcome
        return {**outcome, "low": low.tolist(), "middle": middle.tolist(), "high": high.tolist()}
