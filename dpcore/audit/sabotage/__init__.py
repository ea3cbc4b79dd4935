"""Twenty known privacy bugs in small copies of mechanisms, to test that audits detect them.

Each copy can run with its bug or without it. An audit must refute the claim of the copy with the bug, and must not
refute the claim of the copy without the bug. The library itself does not use the copies.

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
"""All bugs, sorted by number.

Bugs 1 to 16 are published; bugs 17 to 20 were found in this project.
"""


def case_of(number: int) -> Sabotage:
    """Return the bug with the given number, from 1 to 20."""
    return next(case for case in SABOTAGES if case.number == number)
