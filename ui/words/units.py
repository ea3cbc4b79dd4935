"""Words for records.

A record that is a person is a "person". Another record has the word of its data set.
"""

from __future__ import annotations

from dpcore.units import Unit
from ui.words.text import load_text

__all__ = ["one_record", "records", "whose_records"]

T = load_text(__file__)
_PEOPLE = ("person", "record", "patient")
"""Words for a record that is a person, if each person has one record."""


def one_record(unit: Unit) -> str:
    """Return the word for one record.

    >>> one_record(Unit()), one_record(Unit(singular="picture", plural="pictures", records_per_person=150))
    ('person', 'picture')
    """
    return "person" if unit.is_person and unit.singular in _PEOPLE else unit.singular


def records(unit: Unit) -> str:
    """Return the word for several records.

    >>> records(Unit()), records(Unit(singular="flower", plural="flowers"))
    ('people', 'flowers')
    """
    return "people" if one_record(unit) == "person" else unit.plural


def whose_records(unit: Unit) -> str:
    """Return a sentence on how many people the records are from.

    The sentence is "" if each person has one record.

    >>> motion = Unit(singular="window", plural="windows", records_per_person=409, n_people=30, people="volunteers")
    >>> whose_records(motion)
    'The windows are by 30 volunteers, up to 409 by each.'
    >>> from dpcore import datasets
    >>> whose_records(datasets.load("digits").unit)
    'The pictures are by 13 writers, about 139 by each.'
    """
    if unit.records_per_person == 1:
        return ""
    people = (
        T("whose.counted", n=unit.n_people, people=unit.people) if unit.n_people else unit.people
    )
    return T(
        "whose.about" if unit.is_average else "whose.up_to", records=unit.plural, whose=people,
        k=unit.records_per_person,
    )  # fmt: skip
