"""Numbers as a reader meets them: probabilities in per cent, rare events as so many of so many."""

from __future__ import annotations

import math

__all__ = ["one_in", "percent", "short"]

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LEADS = (1, 1.2, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10)


def short(value: float) -> str:
    """Return a number in four significant digits, with its power of ten as one reads it.

    >>> short(1e-05), short(5e-06), short(0.25)
    ('10⁻⁵', '5·10⁻⁶', '0.25')
    """
    if math.isinf(value):
        return "∞"
    lead, _, power = f"{value:.4g}".partition("e")
    if not power:
        return lead
    ten = "10" + str(int(power)).translate(_RAISED)
    return ten if lead == "1" else f"{lead}·{ten}"


def percent(share: float) -> str:
    """Return a share in per cent, with one decimal where it is needed.

    >>> percent(0.732)
    '73.2 %'
    """
    return f"{round(100 * share, 1):g} %"


def one_in(probability: float) -> str:
    """Return a small probability in (0, 1), rounded up, as a count of a round number.

    >>> one_in(1.61e-4)
    '2 of 10,000'
    """
    power = math.floor(math.log10(probability))
    lead = next(k for k in _LEADS if k * 10.0**power >= probability * (1 - 1e-9))
    if lead == 10:
        lead, power = 1, power + 1
    scale = 1 if lead == int(lead) else 10
    return f"{round(lead * scale)} of {scale * 10**-power:,}"
