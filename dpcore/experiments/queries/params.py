"""The parameters of the Asking again page, and the parser of options with scores."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dpcore.experiments import shared
from dpcore.experiments.params import Params, control

__all__ = [
    "ANSWERS",
    "CHANCES",
    "GROUPS",
    "MOST",
    "NUMBERS",
    "PEOPLE",
    "VALUES",
    "Options",
    "QueriesParams",
    "canonical",
    "options",
]

MOST = 8
_LARGEST = 1000.0
_ENTRY = re.compile(r"([^\W\d_][\w '-]{0,19}?)[ :=]+(-?\d{1,4}(?:\.\d{1,3})?)")


@dataclass(frozen=True)
class Options:
    """Names and scores of two to eight options."""

    names: tuple[str, ...]
    scores: tuple[float, ...]


def options(text: str) -> Options:
    """Return the options that a text like "Alien 9, Brazil 7" lists.

    Raises
    ------
    ValueError
        When the text cannot be read; the message names the wrong part and gives an example.

    Examples
    --------
    >>> options("Alien 9, Brazil 7.5").scores
    (9.0, 7.5)
    """
    parts = [part.strip() for part in text[:400].split(",") if part.strip()]
    if not 2 <= len(parts) <= MOST:
        raise ValueError(
            f"options={text[:40]} is not allowed: give two to {MOST} options with their scores, "
            "separated by commas, like Alien 9, Brazil 7."
        )
    entries = [_entry(part) for part in parts]
    names = tuple(name for name, _ in entries)
    if len(set(names)) < len(names):
        raise ValueError(f"options={text[:40]} is not allowed: give each option a name of its own.")
    return Options(names, tuple(score for _, score in entries))


def _entry(part: str) -> tuple[str, float]:
    read = _ENTRY.fullmatch(part)
    if read is None or abs(float(read[2])) > _LARGEST:
        raise ValueError(
            f"options={part[:40]} is not allowed: give a name of letters and a score from -1000 to 1000, "
            "like Alien 9."
        )
    return " ".join(read[1].split()), float(read[2])


def canonical(text: str) -> str:
    """Return the canonical spelling of a text with options, for a link.

    Examples
    --------
    >>> canonical("Alien: 9,  Brazil = 7.50")
    'Alien 9, Brazil 7.5'
    """
    choice = options(text)
    return ", ".join(
        f"{name} {score:.6g}" for name, score in zip(choice.names, choice.scores, strict=True)
    )


ANSWERS: tuple[int, ...] = (
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 300, 400, 500, 700, 1000,
)  # fmt: skip
GROUPS: tuple[int, ...] = (1, 2, 3, 4, 5, 7, 10)
NUMBERS: tuple[int, ...] = (1, 2, 3, 5, 7, 10, 12, 15, 20, 30, 50, 100)
PEOPLE: tuple[int, ...] = (10, 30, 100, 300, 1000)
CHANCES: tuple[float, ...] = (1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1)
VALUES: tuple[int, ...] = (0, 5, 10, 20, 50, 100)


@dataclass(frozen=True, kw_only=True)
class QueriesParams(Params):
    """Parameters: the way of asking (``topic``), privacy parameters, and settings of single topics.

    ``epsilon`` is in [0.05, 20], ``delta`` in [1e-8, 1e-3]. Every other field is used by only one
    or a few topics.

    Examples
    --------
    >>> QueriesParams(topic="group", group=3).to_link()
    {'topic': 'group', 'group': '3'}
    """

    former_defaults: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "1": {"n_answers": "20"},
        **{version: {"n_answers": "1"} for version in ("2", "3", "4", "5")},
        "6": {"n_answers": "8"},
    }

    topic: str = control(
        "again",
        choices=(
            "again", "group", "neighbours", "numbers", "processing", "choosing", "bounds", "publish",
            "reconstruct", "linkage",
        ),
    )  # fmt: skip
    epsilon: float = shared.epsilon()
    n_answers: int = control(200, grid=ANSWERS, symbol="k")
    group: int = control(5, grid=GROUPS, symbol="k")
    noise: str = control("laplace", choices=("laplace", "gaussian"))
    relation: str = control("add_remove", choices=("add_remove", "replace_one"))
    query: str = control("sum", choices=("count", "sum", "mean", "histogram"))
    shape: str = control("histogram", choices=("histogram", "vector"))
    n_numbers: int = control(10, grid=NUMBERS, symbol="k")
    step: int = control(1, choices=(0, 1, 5, 10))
    clamp: bool = control(True, choices=(True, False))
    average: bool = control(False, choices=(True, False))
    options: str = control("Alien 9, Brazil 7, Coco 7, Dune 4", text=canonical)
    monotone: bool = control(True, choices=(True, False))
    reading: str = control("range", choices=("declared", "largest", "range"))
    value: int = control(100, grid=VALUES, symbol="v")
    others: int = control(20, grid=VALUES, symbol="w")
    how: str = control("each", choices=("each", "one"))
    chance: float = control(0.01, grid=CHANCES, symbol="δ")
    n_people: int = control(100, grid=PEOPLE, symbol="n")
    n_tables: int = control(3, choices=(1, 2, 3))
    counts: str = control("noisy", choices=("noisy", "exact"))
    release: str = control("rows", choices=("rows", "counts"))
    by_sex: bool = control(True, choices=(True, False))
    by_year: bool = control(True, choices=(True, False))
    by_place: bool = control(True, choices=(True, False))
    coarse: bool = control(False, choices=(True, False))
    delta: float = shared.delta()
    seed: int = shared.seed()

    @property
    def draws_noise(self) -> bool:
        """Whether the topic draws noise: exact tables and rows without names are published without noise."""
        without = {"reconstruct": self.counts == "exact", "linkage": self.release == "rows"}
        return not without.get(self.topic, False)
