"""Which data sets this server can give: others are not offered."""

from __future__ import annotations

from dpcore import datasets

__all__ = ["is_here"]


def is_here(name: str) -> bool:
    """Return whether a choice is no data set known by name, or one that is embedded or in the data folder.

    Examples
    --------
    >>> is_here("iris"), is_here("own")
    (True, True)
    """
    if name in datasets.names():
        return datasets.available(name)
    return name not in datasets.regression_names() or datasets.regression_available(name)
