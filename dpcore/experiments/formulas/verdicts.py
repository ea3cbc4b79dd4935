"""Printed formulas with their verdicts, read from a folder, and the command that computes the verdicts."""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dpcore._command import Command, Progress
from dpcore.experiments.formulas import numbers
from dpcore.experiments.formulas.numbers import Number

__all__ = [
    "COMMANDS",
    "CORRECTION",
    "DOCUMENTS",
    "NOTE",
    "VERDICTS",
    "Entry",
    "counts",
    "entries",
    "uncorrected",
]

DOCUMENTS = MappingProxyType(
    {
        "0": "Brinkrolf, Berger and Hammer (2018)",
        "1": "Kumar, Moser and Fischer",
        "2": "Jain et al. (2021)",
        "3": "Sarkar’s lecture",
        "4": "Jiang’s slides",
    }
)
"""Authors of each document, by the first part of an entry's number."""
VERDICTS = ("right", "loose", "unclear", "wrong")
"""Possible verdicts on a formula.

``unclear``: a condition is missing, or the text can be read in two ways.
"""
NOTE = "note"
"""Used instead of a verdict if a document states nothing that can be verified."""
CORRECTION = re.compile(r"~~(?P<wrong>.*?)~~(?:\+\+(?P<right>.*?)\+\+)?")
"""Pattern of a corrected formula, ``~~wrong~~++right++``; the correction is optional."""
_NUMBERS = {
    **numbers.BRINKROLF, **numbers.KUMAR, **numbers.JAIN, **numbers.SARKAR, **numbers.JIANG,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One printed formula with its verdict.

    Parameters
    ----------
    id : str
        Number of the document, a dot, and number of the formula.
    title : str
        Subject of the formula.
    verdict : str
        One of `VERDICTS`, decided by the evidence, or `NOTE` for a formula that makes no statement.
    evidence : str
        The computation and its result in words; empty for a note.
    quote : tuple of str
        Verbatim quotes from the document, in Markdown or TeX; empty if the document has no such
        statement.
    printed, right, why : str
        The quoted statement in our notation, the correct statement, and the reason for the
        difference, in Markdown with formulas.
    corrected : str
        ``printed`` with its wrong part marked, followed by the correction, in the syntax of
        `CORRECTION`.
    page, link : str
        Key of the app's page about the formula, and query of a link to this page.
    number : Number
        An example number that follows from the formula.
    """

    id: str
    title: str
    verdict: str
    printed: str
    right: str
    page: str
    number: Number
    evidence: str = ""
    quote: tuple[str, ...] = ()
    why: str = ""
    link: str = ""
    corrected: str = ""

    @property
    def document(self) -> str:
        """Name of the document that prints the formula."""
        return DOCUMENTS[self.id.partition(".")[0]]

    @property
    def text(self) -> str:
        """All text of the entry in lower case, for a search."""
        return " ".join(
            (self.id, self.title, *self.quote, self.printed, self.right, self.why, self.document)
        ).lower()


@lru_cache(maxsize=2)
def entries(folder: Path) -> tuple[Entry, ...]:
    """Return all printed formulas, in the order of the documents.

    Parameters
    ----------
    folder : Path
        Folder with a file ``*.toml`` per document, and ``verdicts.json`` with the results of
        ``evidence.judge``.

    Raises
    ------
    ValueError
        When a formula has no example number, or has a verdict but no quote.
    """
    verdicts = json.loads((folder / "verdicts.json").read_text("utf-8"))
    formulas = []
    for path in sorted(folder.glob("*.toml")):
        for item in tomllib.loads(path.read_text("utf-8"))["formula"]:
            name, quote = item["id"], tuple(item.pop("quote", ()))
            corrected = item.pop("printed")
            judged = verdicts.get(name, {"verdict": NOTE, "says": ""})
            if name not in _NUMBERS or (judged["verdict"] != NOTE and not quote):
                raise ValueError(f"{path.name}: the formula {name} has no number or no quote.")
            formulas.append(
                Entry(**item, printed=uncorrected(corrected), corrected=corrected, quote=quote,
                      verdict=judged["verdict"], evidence=judged["says"], number=_NUMBERS[name])
            )  # fmt: skip
    return tuple(formulas)


def uncorrected(text: str) -> str:
    """Return a formula as its authors printed it, from a text with marked corrections.

    Examples
    --------
    >>> uncorrected("it has ~~less~~++more++ effect")
    'it has less effect'
    """
    return CORRECTION.sub(lambda match: match["wrong"], text)


def counts(folder: Path) -> dict[str, int]:
    """Return the number of formulas with each verdict.

    Formulas without a statement (notes) are not counted.
    """
    return {verdict: sum(one.verdict == verdict for one in entries(folder)) for verdict in VERDICTS}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, help="a .json file")


def _run(args: argparse.Namespace) -> int:
    """Compute all verdicts, write them to the file ``args.out``, and return 0."""
    from dpcore.experiments.formulas.evidence import EVIDENCE, judge

    progress, verdicts = Progress(len(EVIDENCE)), dict[str, Any]()
    for name in EVIDENCE:
        verdicts |= {known: asdict(one) for known, one in judge([name]).items()}
        progress.step(name)
    text = json.dumps(verdicts, ensure_ascii=False, indent=1)
    args.out.write_text(text + "\n", encoding="utf-8")
    return 0


COMMANDS = MappingProxyType({"verdicts": Command(_add_arguments, _run)})
"""The command of this module, by name."""
