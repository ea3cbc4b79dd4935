"""What the handles of C, q, T and η draw on the descent page while they move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from dpcore.experiments.descent import DescentParams, Sweep
from pages.descent.figure_arrays import of_sweep
from ui.figure_kit.preview import Previews, ahead, instead_of
from ui.live import Array

__all__ = ["preview_arrays"]
_UNKNOWN = ("against", "low", "middle", "high", "with_record", "without_record", "agreement")


def preview_arrays(params: DescentParams, sweeps: Mapping[str, Sequence[Sweep]]) -> Previews:
    """Return what a handle of C, q, T or η draws while it moves, and which arrays that stands in for."""
    found = {name: _over_values(name, params, tuple(each)) for name, each in sweeps.items()}
    return instead_of(found, _UNKNOWN)


@lru_cache(maxsize=16)
def _over_values(name: str, params: DescentParams, each: tuple[Sweep, ...]) -> dict[str, Array]:
    values = zip(params.controls()[name].grid or (), each, strict=True)
    nodes = [of_sweep(params.but(**{name: value}), sweep) for value, sweep in values]
    return ahead(name, nodes, {"u": 0})
