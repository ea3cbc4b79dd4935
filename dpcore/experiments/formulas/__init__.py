"""Printed formulas of five documents: what each says, a verdict, and a number that follows from it.

What is printed, verbatim and as we write it, and what is right stands in a folder of files, one a document, which
`entries` reads. Nobody writes a verdict: `dpcore.experiments.formulas.evidence` has a computation for every formula,
whose result is the verdict, kept in the folder's ``verdicts.json``.
"""

from dpcore.experiments.formulas.numbers import Number
from dpcore.experiments.formulas.verdicts import (
    CORRECTION,
    DOCUMENTS,
    NOTE,
    VERDICTS,
    Entry,
    counts,
    entries,
)

__all__ = ["CORRECTION", "DOCUMENTS", "NOTE", "VERDICTS", "Entry", "Number", "counts", "entries"]
