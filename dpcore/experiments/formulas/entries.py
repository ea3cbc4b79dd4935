"""The printed formulas, read from the project's files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from dpcore.experiments.formulas import autoencoder, hulls, lecture, regression, relevance
from dpcore.experiments.formulas.number import Number

__all__ = ["DOCUMENTS", "VERDICTS", "Entry", "entries"]

_FOLDER = Path(__file__).resolve().parents[3] / "assets" / "formulas"
DOCUMENTS = MappingProxyType(
    {
        "0": "Brinkrolf, Berger and Hammer (2018)",
        "1": "Kumar, Moser and Fischer",
        "2": "Jain et al. (2021)",
        "3": "Sarkar’s lecture",
        "4": "Jiang’s slides",
    }
)
"""The documents by the first part of an entry's number, under their authors' names."""
VERDICTS = ("right", "loose", "unclear", "wrong")
"""``unclear``: a condition is missing, or the sentence can be read in two ways."""
_NUMBERS = {
    **relevance.NUMBERS, **hulls.NUMBERS, **autoencoder.NUMBERS, **lecture.NUMBERS, **regression.NUMBERS,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One printed formula.

    Parameters
    ----------
    id : str
        The document's number, a point, and the formula's place in it.
    title : str
        What it is about.
    verdict : str
        One of `VERDICTS`.
    printed, right, why : str
        What the authors print, what is right, and the reason, in Markdown with formulas.
    page, link : str
        Where it is seen: a page's key, and the query of its link.
    number : Number
        What can be computed of it.
    """

    id: str
    title: str
    verdict: str
    printed: str
    right: str
    page: str
    number: Number
    why: str = ""
    link: str = ""

    @property
    def document(self) -> str:
        """Who wrote it."""
        return DOCUMENTS[self.id.partition(".")[0]]

    @property
    def text(self) -> str:
        """All its words, for a search."""
        return " ".join(
            (self.id, self.title, self.printed, self.right, self.why, self.document)
        ).lower()


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """Return all printed formulas, in the order of the documents.

    Raises
    ------
    ValueError
        When a file names a verdict or a part that there is not, or a formula without a number.
    """
    found = []
    for path in sorted(_FOLDER.glob("*.toml")):
        for item in tomllib.loads(path.read_text("utf-8"))["formula"]:
            if item["verdict"] not in VERDICTS or item["id"] not in _NUMBERS:
                raise ValueError(
                    f"{path.name}: the formula {item['id']} has no verdict or no number."
                )
            found.append(Entry(**item, number=_NUMBERS[item["id"]]))
    return tuple(found)
