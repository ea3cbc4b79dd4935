"""Words for the protection by a `dpcore.guarantee.Guarantee`."""

from __future__ import annotations

from dpcore.guarantee import Guarantee
from ui.words.text import load_text
from ui.words.units import one_record

__all__ = ["tells"]

T = load_text(__file__)


def tells(guarantee: Guarantee, whom: str = "", *, plural: bool = False) -> str:
    """Return a predicate, without its subject, on how much a release reveals about a record.

    Parameters
    ----------
    guarantee : Guarantee
        Guarantee of the release.
    whom : str
        The protected person or record in words; by default any one record, named after its unit.
    plural : bool
        Whether the subject of the sentence is plural.

    Examples
    --------
    >>> from dpcore.accounting import LaplaceEvent
    >>> from dpcore.guarantee import from_event
    >>> one = from_event(LaplaceEvent(2.0), 0.0, neighbouring="add_remove", argument="Laplace noise.")
    >>> f"One answer {tells(one, 'Ada')}, and many {tells(one.repeated(40), plural=True)}."
    'One answer tells little about Ada, and many may tell nearly all about any one person.'
    """
    whom = whom or T("protection.any", record=one_record(guarantee.unit))
    protection = "nominal" if guarantee.status == "nominal" else guarantee.protection
    return T(f"protection.{'several' if plural else 'one'}.{protection}", whom=whom)
