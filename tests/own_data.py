"""A small uploaded table whose bounds, classes and number of rows are estimated from it."""

from dpcore.datasets import OwnChoices, own_table, read_csv

__all__ = ["estimated_classes"]

_CSV = b"a,b,kind\n" + b"".join(f"{i},{i % 7},{'xy'[i % 2]}\n".encode() for i in range(60))


def estimated_classes():
    """Return the data set of this table for predicting its column ``kind`` from ``a`` and ``b``."""
    choices = OwnChoices(task="classification", target="kind", features=("a", "b"), public=())
    return own_table(read_csv(_CSV), choices, neighbouring="replace_one").data
