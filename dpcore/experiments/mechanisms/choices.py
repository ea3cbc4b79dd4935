"""The lecture's examples of private choice: scores of options, and the exponential mechanism's probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.mechanisms.params import MechanismsParams
from dpcore.mechanisms import exponential_probabilities, printed_exponential_epsilon

__all__ = [
    "EXAMPLES",
    "Choices",
    "Example",
    "choices",
]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Example:
    """Options with scores; ``change`` (m,) is the change of the scores at the worst neighbour."""

    options: tuple[str, ...]
    scores: tuple[float, ...]
    change: tuple[float, ...]
    monotone: bool


EXAMPLES: dict[str, Example] = {
    "movies": Example(
        options=("Alien", "Brazil", "Coco", "Dune", "Elf", "Fargo"),
        scores=(9, 7, 7, 4, 2, 0),
        change=(0, 0, 0, 0, 0, 1),
        monotone=True,
    ),
    "meeting": Example(
        options=("Mon", "Tue", "Wed", "Thu", "Fri"),
        scores=(12, 15, 14, 15, 6),
        change=(1, 0, 0, 0, 1),
        monotone=True,
    ),
    "ratings": Example(
        options=("idea 1", "idea 2", "idea 3", "idea 4", "idea 5", "idea 6"),
        scores=(3, 2, 0, 0, -1, -2),
        change=(-1, -1, -1, -1, -1, 1),
        monotone=False,
    ),
}


@dataclass(frozen=True, kw_only=True)
class Choices:
    """Probabilities of m options for every ε (E, m), under D and its worst neighbour D'.

    ``right`` and ``right_other`` by e^{εs/2Δ}; ``printed`` and ``printed_other`` without the 2;
    ``shown`` and ``printed_shown`` (E,): the largest |ln ratio| on this pair; ``real_printed`` (E,):
    what the printed formula costs: ε when the scores are monotone, else 2ε; ``at_least`` (E,): what
    a pair of neighbours with 1,000 options shows.
    """

    right: Floats
    right_other: Floats
    printed: Floats
    printed_other: Floats
    shown: Floats
    printed_shown: Floats
    real_printed: Floats
    at_least: Floats


def choices(params: MechanismsParams) -> Choices:
    """Return the exponential mechanism's choice probabilities in the example, at every ε.

    Parameters
    ----------
    params : MechanismsParams
        ``example`` is used; ε is an axis of the result.

    Returns
    -------
    Choices

    Examples
    --------
    >>> found = choices(MechanismsParams(example="ratings"))
    >>> bool((found.printed_shown > found.shown).all())
    True
    """
    example = EXAMPLES[params.example]
    here = np.array(example.scores, float)
    there = here + example.change
    tables = {
        (name, kind): np.array(
            [exponential_probabilities(s, 1.0, epsilon=e, as_printed=kind) for e in EPSILON_GRID]
        )
        for name, s in (("here", here), ("there", there))
        for kind in (False, True)
    }
    factor = 1.0 if example.monotone else 2.0
    return Choices(
        right=tables["here", False],
        right_other=tables["there", False],
        printed=tables["here", True],
        printed_other=tables["there", True],
        shown=_ratio(tables["here", False], tables["there", False]),
        printed_shown=_ratio(tables["here", True], tables["there", True]),
        real_printed=factor * np.array(EPSILON_GRID),
        at_least=np.array([printed_exponential_epsilon(1000, e) for e in EPSILON_GRID]),
    )


def _ratio(p: Floats, q: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return cast(Floats, np.nanmax(np.abs(np.log(p) - np.log(q)), axis=-1))
