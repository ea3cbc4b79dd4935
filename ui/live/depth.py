"""The three levels of detail of a page: Look, Understand, Check."""

from __future__ import annotations

from enum import IntEnum

from ui.words import text

__all__ = ["Depth"]

T = text.load_text(__file__)


class Depth(IntEnum):
    """Level of detail of a page.

    Each level includes the levels before it.

    - ``LOOK``: at most three controls, the figure, three readouts, and a summary sentence.
    - ``UNDERSTAND``: the other controls, the formula, and the source of each number.
    - ``CHECK``: formulas of papers and slides compared with the correct ones, with tables and verdicts.

    Examples
    --------
    >>> Depth.LOOK < Depth.CHECK, Depth.CHECK.words, Depth.UNDERSTAND.in_link
    (True, 'Check the papers', 'understand')
    """

    LOOK = 0
    UNDERSTAND = 1
    CHECK = 2

    @property
    def words(self) -> str:
        """Display name of the level."""
        return T(f"depths.{self.in_link}")

    @property
    def in_link(self) -> str:
        """Value of ``depth`` in a link that requests the level."""
        return self.name.lower()

    @classmethod
    def from_link(cls, text: str) -> Depth:
        """Return the level that a link's value of ``depth`` requests.

        Raises
        ------
        ValueError
            When there is no such level.
        """
        for depth in cls:
            if text == depth.in_link:
                return depth
        raise ValueError(
            f"The link asks for a depth of “{text[:40]}”. It can be look, understand or check; we show look."
        )
