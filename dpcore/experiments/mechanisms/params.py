"""Parameters of the Mechanisms page, its questions, and its examples of private choice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import sensitivity
from dpcore.experiments import shared
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.params import Params, control
from dpcore.guarantee import RECORD, Neighbouring
from dpcore.mechanisms import exponential_probabilities, printed_exponential_epsilon
from dpcore.units import Unit

__all__ = [
    "ANSWERS",
    "EXAMPLES",
    "GROUP_GRID",
    "PEOPLE_GRID",
    "QUERIES",
    "Choices",
    "Example",
    "MechanismsParams",
    "Query",
    "choices",
    "query",
]

Floats = NDArray[np.float64]
GROUP_GRID: tuple[int, ...] = (1, 2, 3, 4, 5, 7, 10)
ANSWERS: tuple[int, ...] = tuple(range(1, 121))
PEOPLE_GRID: tuple[int, ...] = (10, 30, 100, 300, 1000, 3000, 10_000)


@dataclass(frozen=True, kw_only=True)
class MechanismsParams(Params):
    """Question, noise and privacy parameters of the Mechanisms page.

    - ``epsilon`` is in [0.05, 20], ``delta`` in [1e-8, 1e-3].
    - ``group`` ≥ 1: number of records in which neighbours differ.
    - ``n_people`` ≥ 10: number of people in the data.
    - ``n_answers``, 1 to 120: number of noisy answers for each of the two data sets.

    Examples
    --------
    >>> MechanismsParams(noise="gaussian", group=3).to_link()
    {'noise': 'gaussian', 'group': '3'}
    """

    question: str = control(
        "count",
        choices=("count", "heights", "salaries", "mean"),
    )
    relation: str = control(
        "usual",
        choices=("usual", "add_remove", "replace_one"),
    )
    noise: str = control(
        "laplace",
        choices=("laplace", "gaussian", "classical", "staircase"),
    )
    epsilon: float = shared.epsilon()
    n_answers: int = control(80, grid=ANSWERS)
    delta: float = shared.delta()
    group: int = control(1, grid=GROUP_GRID, symbol="k")
    n_people: int = control(1000, grid=PEOPLE_GRID, symbol="n")
    example: str = control(
        "movies",
        choices=("movies", "meeting", "ratings"),
    )
    seed: int = shared.seed()


TEAM = Unit(singular="team", plural="teams")


@dataclass(frozen=True, kw_only=True)
class Query:
    """A question with a numerical answer.

    - ``answer``: exact answer f(D), in ``unit``.
    - ``sensitivity``: Δ, in the same unit. ``why`` derives it.
    - ``record``: what one record is.
    - ``bounds``: public limits of the answer. ``public``: further public facts.
    - ``alone``: True if k > 1 people together always change the answer by less than kΔ. Only
      neighbours that differ in one person are then displayed.
    """

    answer: float
    unit: str
    sensitivity: float
    neighbouring: Neighbouring
    record: str
    why: str
    bounds: tuple[float, float] = (0.0, float("inf"))
    public: tuple[str, ...] = ()
    alone: bool = False

    def unit_of(self, amount: float) -> str:
        """Return the unit of an amount, with "person" instead of "people" for 1."""
        return "person" if self.unit == "people" and amount == 1 else self.unit

    @property
    def whose(self) -> Unit:
        """Privacy unit of the guarantee: a team or a record."""
        return TEAM if "team" in self.record else RECORD

    def differing(self, group: int) -> int:
        """Return the number of people in which the two displayed data sets differ.

        It is ``group``, the number that the parameters ask for, or 1 if ``alone`` is True.
        """
        return 1 if self.alone else group


QUERIES: dict[str, Query] = {
    "count": Query(
        answer=100.0,
        unit="people",
        sensitivity=sensitivity.count(neighbouring="add_remove"),
        neighbouring="add_remove",
        record="one person",
        why="one person more or less changes a count by 1",
    ),
    "heights": Query(
        answer=226.0,
        unit="feet",
        sensitivity=7.0,
        neighbouring="add_remove",
        record="one person",
        why="heights are capped at 7 feet, so one person adds at most 7",
    ),
    "salaries": Query(
        answer=1740.0,
        unit="£k",
        sensitivity=4 * 50.0,
        neighbouring="add_remove",
        record="one team of four",
        why="a team is there or not: 4 salaries of at most £50k",
    ),
}
"""Questions with a sensitivity that does not depend on the number of people n."""


_REPLACED = {
    "heights": "heights count from 0 to 7 feet, so one person replaced by another moves their sum by at most 7",
    "salaries": "a team counts from £0 to £200k, so one team replaced by another moves the sum by at most £200k",
}
_PRIVATE_MEAN = Query(
    answer=0.5,
    unit="",
    sensitivity=0.5,
    neighbouring="add_remove",
    record="one person",
    why="when even the number of people is private, there may be one other, with the value 0, and Ada's 1 moves "
    "the mean to ½",
    bounds=(0.0, 1.0),
    public=("that somebody is in the data: the mean of an empty data set is undefined",),
    alone=True,
)


def query(params: MechanismsParams) -> Query:
    """Return the question in the parameters, with its sensitivity under the chosen neighbouring relation.

    A count is always under add_remove, since under replace_one the number of people is public. The
    sensitivity of a mean of n values in [0, 1] is 1/n if a value is replaced, and ½ if a value is
    added or removed.

    Examples
    --------
    >>> mean = MechanismsParams(question="mean")
    >>> query(mean).sensitivity, query(mean.but(relation="add_remove")).sensitivity
    (0.001, 0.5)
    """
    if params.question == "mean":
        return _PRIVATE_MEAN if params.relation == "add_remove" else _mean(params)
    usual = QUERIES[params.question]
    if params.relation != "replace_one" or params.question not in _REPLACED:
        return usual
    return replace(usual, neighbouring="replace_one", why=_REPLACED[params.question])


def _mean(params: MechanismsParams) -> Query:
    return Query(
        answer=0.42,
        unit="",
        sensitivity=sensitivity.mean(
            0.0, 1.0, n_samples=params.n_people, neighbouring="replace_one"
        ),
        neighbouring="replace_one",
        record="one person",
        why=f"one value replaced moves a mean of n = {params.n_people} by at most 1/n; n is public",
        bounds=(0.0, 1.0),
    )


@dataclass(frozen=True, kw_only=True)
class Example:
    """An example of private choice: options with scores.

    - ``change`` (m,): change of the m scores at the worst neighbour.
    - ``monotone``: whether all changes have the same sign.
    """

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
    """Probabilities with which the exponential mechanism chooses each of m options.

    D is the data set, and D' its worst neighbour.

    - ``right`` and ``right_other`` (E, m): probabilities under D and under D', with weights
      e^{εs/(2Δ)} of the scores s, at E values of ε.
    - ``printed`` and ``printed_other`` (E, m): probabilities under D and under D', with the weights
      e^{εs/Δ} that a lecture prints.
    - ``shown`` and ``printed_shown`` (E,): largest |ln ratio| of an option's probabilities under D
      and D', with the right and with the printed weights.
    - ``real_printed`` (E,): actual ε of the printed weights: ε if the scores are monotone, else 2ε.
    - ``at_least`` (E,): lower bound on the actual ε of the printed weights, from a pair of
      neighbours with 1,000 options. The scores may change in both directions.
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
    """Return the exponential mechanism's choice probabilities for the selected example, at every ε.

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
