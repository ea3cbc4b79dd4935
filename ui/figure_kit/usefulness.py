"""What a private model is worth now, in one sentence: how useful it still is, and how much it may tell."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.guarantee import protection
from ui.figure_kit.telling import tells

__all__ = ["usefulness"]

_USE = (
    (0.02, True, "{subject} are about as useful as without noise"),
    (0.1, True, "{subject} are a little less useful than without noise"),
    (0.25, False, "The noise has spoiled much: {subject} get many new cases wrong"),
    (
        2.0,
        False,
        "The noise has drowned much: {subject} get a quarter of all new cases wrong, or more",
    ),
)


def usefulness(
    subject: str, costs: Sequence[float], epsilons: Sequence[float], *, drawn: bool = True
) -> list[str]:
    """Return the sentence at every ε.

    Parameters
    ----------
    subject : str
        What is published, in the plural: "the prototypes".
    costs : sequence of float
        What the noise costs in accuracy at every ε, as a share.
    epsilons : sequence of float
        What the release really costs there; its protection is that of `dpcore.guarantee.protection`.
    drawn : bool
        Whether all of these are known; before, one sentence says so.

    Examples
    --------
    >>> usefulness("the prototypes", [0.01], [0.5])
    ['The prototypes are about as useful as without noise, and they tell little about any one person.']
    """
    if not drawn:
        return ["This is a first look at one ε. Let go, and all of them are computed."] * len(costs)
    return [_sentence(subject, *at) for at in zip(costs, epsilons, strict=True)]


def _sentence(subject: str, cost: float, epsilon: float) -> str:
    useful, words = next((good, text) for limit, good, text in _USE if cost < limit)
    safe = protection(epsilon) in ("strong", "moderate")
    joined = "and" if useful == safe else "but" if safe or useful else "and still"
    sentence = f"{words.format(subject=subject)}, {joined} they {tells(epsilon, plural=True)}."
    return sentence[0].upper() + sentence[1:]
