"""Numbers as words have them: three figures, no powers of ten between a thousandth and ten millions."""

from __future__ import annotations

import math

__all__ = ["plain"]

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain(number: float, figures: int = 3) -> str:
    """Return a number with so many significant figures.

    Examples
    --------
    >>> plain(4.83041), plain(45571.99), plain(1.612e-4), plain(0.0), plain(float("inf"))
    ('4.83', '45 600', '1.61·10⁻⁴', '0', '∞')
    """
    if not math.isfinite(number):
        return "∞" if number > 0 else "−∞"
    if number == 0:
        return "0"
    size = math.floor(math.log10(abs(number)))
    if -3 <= size < 7:
        rounded = round(number, figures - 1 - size)
        text = f"{rounded:,.{max(0, figures - 1 - size)}f}".replace(",", " ")
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return text.replace("-", "−")
    mantissa, _, power = f"{number:.{figures - 1}e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa}·10{str(int(power)).translate(_RAISED)}".replace("-", "−")
