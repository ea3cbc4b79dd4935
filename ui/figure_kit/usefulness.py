"""Sentence on how useful a private model is, and how well it protects."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.guarantee import Guarantee
from ui.words import text
from ui.words.protection import tells

__all__ = ["usefulness"]

T = text.load_text(__file__)
_USE = ((0.02, True, "none"), (0.1, True, "little"), (0.25, False, "more"), (2.0, False, "most"))
"""Rows: an upper limit of the cost of noise, whether a release below it is useful, and the key of a sentence."""


def usefulness(
    subject: str,
    costs: Sequence[float] | None,
    guarantees: Sequence[Guarantee],
    *,
    is_computed: bool = True,
) -> list[str]:
    """Return, for every ε, a sentence on how useful the published object is and how well its guarantee protects.

    Parameters
    ----------
    subject : str
        The published object, in the plural: "the prototypes".
    costs : sequence of float or None
        Median of the accuracy that is lost by the noise, as a fraction, at every ε; None while there are too few
        draws.
    guarantees : sequence of Guarantee
        Guarantee of the release at every ε.
    is_computed : bool
        Whether anything has been computed. If False, placeholders are returned.

    Examples
    --------
    >>> from dpcore.accounting import LaplaceEvent
    >>> from dpcore.guarantee import from_event
    >>> one = from_event(LaplaceEvent(2.0), 0.0, neighbouring="add_remove", argument="Laplace noise.")
    >>> print(*usefulness("the prototypes", [0.01], [one]))
    The prototypes are about as useful as without noise, and they tell little about any one person
    (at most 62.3 % right guesses).
    """
    if not is_computed:
        return [T("usefulness.first_look")] * len(guarantees)
    if costs is None:
        return [T("usefulness.one_draw")] * len(guarantees)
    return [_sentence(subject, *at) for at in zip(costs, guarantees, strict=True)]


def _sentence(subject: str, cost: float, guarantee: Guarantee) -> str:
    useful, key = next((good, key) for limit, good, key in _USE if cost < limit)
    safe = guarantee.protection == "strong"
    joined = "and" if useful == safe else "but" if safe or useful else "still"
    use = T(f"usefulness.cost.{key}", subject=subject)
    sentence = T(f"usefulness.{joined}", use=use, tells=tells(guarantee, plural=True))
    return sentence[0].upper() + sentence[1:]
