"""Registry of the audits of all mechanisms and private estimators."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from dpcore.audit.worlds import Worlds

__all__ = ["MODULES", "all_worlds", "find_worlds"]

MODULES = (
    "dpcore.mechanisms.neighbouring_pairs",
    "dpcore.lvq.neighbouring_pairs",
    "dpcore.regression.neighbouring_pairs",
    "dpcore.kahm.neighbouring_pairs",
    "dpcore.autoencoder.neighbouring_pairs",
    "dpcore.descent.neighbouring_pairs",
    "dpcore.network.neighbouring_pairs",
    "dpcore.experiments.relevance.neighbouring_pairs",
    "dpcore.experiments.choose.neighbouring_pairs",
    "dpcore.experiments.descent.comparisons",
    "dpcore.experiments.queries.neighbouring_pairs",
    "dpcore.experiments.budget.split",
)


def all_worlds() -> tuple[Worlds, ...]:
    """Return all registered audits, collected from the registered modules.

    Raises
    ------
    ValueError
        When two audits have the same name.
    """
    registry: list[Worlds] = []
    for name in MODULES:
        registry += importlib.import_module(name).WORLDS
    names = [worlds.name for worlds in registry]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"Two audits are called {sorted(twice)}: give each a name of its own.")
    return tuple(registry)


def find_worlds(names: Sequence[str] = ()) -> tuple[Worlds, ...]:
    """Return the audits whose names contain at least one of the words in ``names``; case is ignored.

    If ``names`` is empty, all audits are returned.

    Raises
    ------
    ValueError
        When one of the words is in no name of an audit.
    """
    everything = all_worlds()
    for word in names:
        if not any(word.lower() in worlds.name.lower() for worlds in everything):
            known = ", ".join(repr(worlds.name) for worlds in everything)
            raise ValueError(f"{word!r} is in no name of an audit: choose among {known}.")
    return tuple(
        worlds
        for worlds in everything
        if not names or any(word.lower() in worlds.name.lower() for word in names)
    )
