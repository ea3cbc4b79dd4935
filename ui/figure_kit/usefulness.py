"""What a private model is worth now, in one sentence: how useful it still is, and how much it may tell."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.guarantee import Guarantee
from ui.words.protection import tells

__all__ = ["usefulness"]

_USE = (
    (0.02, True, "{subject} are about as useful as without noise"),
    (0.1, True, "{subject} are a little less useful than without noise"),
    (
        0.25,
        False,
        "With this much noise, {subject} get 10 to 25 more of 100 new cases wrong than without noise",
    ),
    (
        2.0,
        False,
        "With this much noise, {subject} get at least 25 more of 100 new cases wrong than without noise",
    ),
)
_ONE_DRAW = "The picture shows one draw so far. Others follow, and will tell what the noise costs."


def usefulness(
    subject: str,
    costs: Sequence[float] | None,
    guarantees: Sequence[Guarantee],
    *,
    drawn: bool = True,
) -> list[str]:
    """Return the sentence at every ε.

    Parameters
    ----------
    subject : str
        What is published, in the plural: "the prototypes".
    costs : sequence of float or None
        What the noise costs in accuracy at every ε, as a share, in the median of many draws; None while too few
        are made.
    guarantees : sequence of Guarantee
        What the release promises there.
    drawn : bool
        Whether all of these are known; before, one sentence says so.

    Examples
    --------
    >>> from dpcore.accounting import LaplaceEvent
    >>> from dpcore.guarantee import from_event
    >>> one = from_event(LaplaceEvent(2.0), 0.0, neighbouring="add_remove", argument="Laplace noise.")
    >>> usefulness("the prototypes", [0.01], [one])
    ['The prototypes are about as useful as without noise, and they tell little about any one person.']
    """
    if not drawn:
        first = "This is a first look at one ε. Let go, and all of them are computed."
        return [first] * len(guarantees)
    if costs is None:
        return [_ONE_DRAW] * len(guarantees)
    return [_sentence(subject, *at) for at in zip(costs, guarantees, strict=True)]


def _sentence(subject: str, cost: float, guarantee: Guarantee) -> str:
    useful, words = next((good, text) for limit, good, text in _USE if cost < limit)
    safe = guarantee.protection == "strong"
    joined = "and" if useful == safe else "but" if safe or useful else "and still"
    sentence = f"{words.format(subject=subject)}, {joined} they {tells(guarantee, plural=True)}."
    return sentence[0].upper() + sentence[1:]
