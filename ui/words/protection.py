"""Words for the protection by a `dpcore.guarantee.Guarantee`."""

from __future__ import annotations

from dpcore.guarantee import Guarantee
from ui.words import numbers
from ui.words.text import load_text
from ui.words.units import one_record

__all__ = ["tells"]

T = load_text(__file__)
_HALVES = {"strong": (0.55, "hardly", "little"), "moderate": (0.9, "some", "much")}
"""For each of two strengths of `dpcore.guarantee.protection`: a share of right guesses, and the keys of two texts on
how much a release tells, one for shares up to this one and one for larger shares. Texts next to each other on the
scale therefore differ by one step."""


def tells(guarantee: Guarantee, whom: str = "", *, plural: bool = False) -> str:
    """Return a predicate, without its subject, on how much a release reveals about a record.

    The predicate ends with the largest share of right guesses; an attacker who has seen nothing has 50 %. The share
    is left out if nothing is proved, if δ is too large to count as protection, or if it is practically 100 %.

    Parameters
    ----------
    guarantee : Guarantee
        Guarantee of the release.
    whom : str
        Words for the protected person or record; by default for any one record, such as "any one person".
    plural : bool
        Whether the subject of the sentence is plural.

    Examples
    --------
    >>> from dpcore.accounting import LaplaceEvent
    >>> from dpcore.guarantee import from_event
    >>> one = from_event(LaplaceEvent(2.0), 0.0, neighbouring="add_remove", argument="Laplace noise.")
    >>> f"One answer {tells(one, 'Ada')}."
    'One answer tells little about Ada (at most 62.3 % right guesses).'
    >>> f"Many {tells(one.repeated(40), plural=True)}."
    'Many may tell nearly all about any one person.'
    """
    whom = whom or T("protection.any", record=one_record(guarantee.unit))
    step, right = _step(guarantee)
    told = T(f"protection.{'several' if plural else 'one'}.{step}", whom=whom)
    return told if right is None else T("protection.right", tells=told, right=right)


def _step(guarantee: Guarantee) -> tuple[str, str | None]:
    """Return the key of how much a release tells, and the largest share of right guesses as text, or None."""
    if guarantee.status == "nominal":
        return "nominal", None
    right = guarantee.accuracy_bound()
    if guarantee.protection == "none" or numbers.is_certain(right):
        return "nearly_all", None
    limit, below, above = _HALVES.get(guarantee.protection, (0.0, "", "nearly_all"))
    return below if right <= limit else above, numbers.percent_at_most(right)
