"""Formulas printed in five documents, each with a verdict on its correctness and an example number.

`entries` reads a folder with one file for each document. A file has the quoted formulas, our
notation and the corrections. `dpcore.experiments.formulas.evidence` has a function that computes
the verdict on each formula. The verdicts are stored in ``verdicts.json``.
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
