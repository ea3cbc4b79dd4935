"""The printed formulas of five documents: what each says, whether it is right, and a number of each.

What is printed and what is right stands in ``assets/formulas/*.toml``, one file a document; the numbers are
computed here.
"""

from dpcore.experiments.formulas.entries import DOCUMENTS, VERDICTS, Entry, entries
from dpcore.experiments.formulas.number import Number

__all__ = ["DOCUMENTS", "VERDICTS", "Entry", "Number", "entries"]
