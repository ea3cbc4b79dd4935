"""How much a release may tell about a record: words for the protection of a `dpcore.guarantee.Guarantee`."""

from __future__ import annotations

from dpcore.guarantee import Guarantee, Protection
from ui.words.units import one_record

__all__ = ["tells"]

_TELLS: dict[Protection, tuple[str, str, str]] = {
    "strong": ("tells", "tell", "little about"),
    "moderate": ("may tell", "may tell", "much about"),
    "weak": ("may tell", "may tell", "nearly all about"),
    "none": ("may tell", "may tell", "nearly all about"),
}
_UNPROVED = ("is not proved to hide", "are not proved to hide")


def tells(guarantee: Guarantee, whom: str = "", *, plural: bool = False) -> str:
    """Return what a release does to a record: the verb of a sentence, and all that follows it.

    Parameters
    ----------
    guarantee : Guarantee
        What the release promises ``whom``.
    whom : str
        Whom it is about; any one record by default, in the word of its unit.
    plural : bool
        Whether the subject is one of the plural.

    Examples
    --------
    >>> from dpcore.accounting import Laplace
    >>> from dpcore.guarantee import from_event
    >>> one = from_event(Laplace(2.0), 0.0, neighbouring="add_remove", argument="Laplace noise.")
    >>> f"One answer {tells(one, 'Ada')}, and many {tells(one.repeated(40), plural=True)}."
    'One answer tells little about Ada, and many may tell nearly all about any one person.'
    """
    whom = whom or f"any one {one_record(guarantee.unit)}"
    if guarantee.status == "nominal":
        return f"{_UNPROVED[plural]} {whom}"
    one, several, much = _TELLS[guarantee.protection]
    return f"{several if plural else one} {much} {whom}"
