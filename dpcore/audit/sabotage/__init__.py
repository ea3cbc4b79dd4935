"""Twenty known privacy bugs as switches in small copies of mechanisms, to test that an audit detects them.

An audit must refute the claim of each buggy copy, but not the claim of its correct twin. The copies exist only in
this package; nothing in the library imports them.

Examples
--------
>>> case = case_of(7)
>>> attack(case, broken=True).caught, attack(case, broken=False).caught
(True, False)
"""

from dpcore.audit.sabotage import learning, numbers, own, queries
from dpcore.audit.sabotage.base import Attack, Sabotage, attack

__all__ = ["SABOTAGES", "Attack", "Sabotage", "attack", "case_of"]

SABOTAGES = tuple(
    sorted(
        (*learning.CASES, *queries.CASES, *numbers.CASES, *own.CASES),
        key=lambda case: case.number,
    )
)
"""All of them by number: 1 to 16 are published, 17 to 20 this project's own."""


def case_of(number: int) -> Sabotage:
    """Return the bug with the given number, from 1 to 20."""
    return next(case for case in SABOTAGES if case.number == number)
