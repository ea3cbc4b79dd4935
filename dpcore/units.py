"""Privacy units, which say what one record is and how many records a person may have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpcore import _checks

__all__ = ["Neighbouring", "Unit"]

Neighbouring = Literal["add_remove", "replace_one"]


@dataclass(frozen=True, kw_only=True)
class Unit:
    """Privacy unit: the kind of record that a guarantee protects, such as a picture or a person.

    Parameters
    ----------
    singular, plural : str
        Noun for one record and for several records, such as "picture" and "pictures".
    records_per_person : int
        Maximum number of records of one person, ≥ 1. A person with several records is protected only by the weaker
        guarantee for a group of records.
    is_average : bool
        Whether ``records_per_person`` is the mean number of records per person, rounded up. This is so if the maximum
        is not published.
    n_people : int or None
        Number of people from whom the records come, if it is known.
    people : str
        Plural noun for these people, such as "writers".

    Raises
    ------
    ValueError
        When a word is empty or a number is below 1.

    See Also
    --------
    dpcore.guarantee.Guarantee

    Examples
    --------
    >>> digits = Unit(
    ...     singular="picture", plural="pictures", records_per_person=139, is_average=True, n_people=13,
    ...     people="writers",
    ... )
    >>> digits.is_person, Unit().is_person
    (False, True)
    """

    singular: str = "record"
    plural: str = "records"
    records_per_person: int = 1
    is_average: bool = False
    n_people: int | None = None
    people: str = "people"

    def __post_init__(self) -> None:
        for name in ("singular", "plural", "people"):
            if not getattr(self, name).strip():
                raise ValueError(f"{name}='' is not allowed: give a word for what one record is.")
        _checks.integer("records_per_person", self.records_per_person, low=1)
        if self.n_people is not None:
            _checks.integer("n_people", self.n_people, low=1)

    @property
    def is_person(self) -> bool:
        """Whether one record stands for one person, because no person has more than one record."""
        return self.records_per_person == 1
