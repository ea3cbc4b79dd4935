"""How much a release may tell about a person: words for each verdict of `dpcore.guarantee.protection`."""

from __future__ import annotations

from dpcore.guarantee import Protection, protection

__all__ = ["LARGE_DELTA", "tells", "tells_of_people"]

LARGE_DELTA = 1e-2
"""Above it an ε protects nobody: the scale presumes a small δ."""

_TELLS: dict[Protection, tuple[str, str]] = {
    "strong": ("tells", "little about"),
    "moderate": ("may tell", "something about"),
    "weak": ("may tell", "much about"),
    "none": ("may tell", "nearly all about"),
}


def tells(
    epsilon: float, whom: str = "any one person", *, delta: float = 0.0, plural: bool = False
) -> str:
    """Return what a release of this ε does to a person: the verb of a sentence, and all that follows it.

    Parameters
    ----------
    epsilon : float
        What the release costs ``whom``, in [0, inf].
    whom : str
        Whom it is about.
    delta : float
        The δ that goes with it.
    plural : bool
        Whether the subject is one of the plural.

    Examples
    --------
    >>> f"One answer {tells(0.5, 'Ada')}, and many {tells(20, plural=True)}."
    'One answer tells little about Ada, and many may tell nearly all about any one person.'
    """
    verb, much = _TELLS["none" if delta > LARGE_DELTA else protection(epsilon)]
    return f"{'tell' if plural and verb == 'tells' else verb} {much} {whom}"


def tells_of_people(text: str) -> bool:
    """Whether a text says how much a release tells about a person, as `tells` does.

    Examples
    --------
    >>> tells_of_people(f"One answer {tells(0.5, 'Ada')}."), tells_of_people("Nine in 100 are wrong.")
    (True, False)
    """
    return any(much in text for _, much in _TELLS.values())
