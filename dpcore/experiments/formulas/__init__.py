"""Formulas printed in five documents, each with a verdict on its correctness and an example number.

`entries` reads a folder with one file per document, which has the quoted formulas, our notation and
the corrections. Verdicts are computed, not written by hand: `dpcore.experiments.formulas.evidence`
has a function for every formula, and its results are stored in ``verdicts.json``.
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
