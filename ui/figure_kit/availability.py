"""Check which data sets are available on this server."""

from __future__ import annotations

from dpcore import datasets

__all__ = ["is_here"]


def is_here(name: str) -> bool:
    """Return whether the option ``name`` can be chosen on this server.

    Only the option of a data set that is missing on this server cannot be chosen.

    Examples
    --------
    >>> is_here("iris"), is_here("own")
    (True, True)
    """
    if name in datasets.names():
        return datasets.available(name)
    return name not in datasets.regression_names() or datasets.regression_available(name)
