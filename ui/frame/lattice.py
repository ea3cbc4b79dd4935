"""Declaration of the states of a page for which the static site contains files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from dpcore.experiments.params import Params

__all__ = ["Lattice"]


@dataclass(frozen=True, kw_only=True)
class Lattice:
    """Prepared states of a page: all combinations of some values of some parameters.

    Parameters
    ----------
    values : mapping of str to sequence
        Prepared values of each parameter that only the server can change, by the name of the parameter. The
        parameter's default belongs to them even if it is not listed. All other such parameters keep their
        defaults.
    megabytes : float
        Largest size of all files of the page.
    without : sequence of str
        Names of the stages (computations) that are left out, with the tabs that show them.
    ready : sequence of str
        Names of the stages whose results are shown only in the states where the page has them at once, because the
        project contains them. In other states the figure is drawn without them.

    Examples
    --------
    >>> lattice = Lattice(values={"noise": ("laplace", "gaussian"), "seed": (0, 1)})
    >>> lattice.combinations(["noise"], {"noise": "laplace"})
    [{'noise': 'laplace'}, {'noise': 'gaussian'}]
    """

    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    megabytes: float = 10.0
    without: Sequence[str] = ()
    ready: Sequence[str] = ()

    def of(self, name: str, default: Any) -> tuple[Any, ...]:
        """Return the prepared values of a parameter, with its default.

        Numbers are in increasing order; other values have the default first.
        """
        values = tuple(dict.fromkeys((default, *self.values.get(name, ()))))
        numbers = all(
            isinstance(value, int | float) and not isinstance(value, bool) for value in values
        )
        return tuple(sorted(values)) if numbers else values

    def combinations(
        self, names: Sequence[str], defaults: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        """Return all combinations of the values of the parameters ``names``, the last name changing fastest."""
        values = [self.of(name, defaults[name]) for name in names]
        return [dict(zip(names, chosen, strict=True)) for chosen in product(*values)]

    def problems(self, params: type[Params]) -> Iterator[str]:
        """Yield a message for each name that is no parameter and each value that it cannot have."""
        known = params.controls()
        for name, values in self.values.items():
            if name not in known:
                yield f"{name}: {params.__name__} has no such parameter."
                continue
            for value in values:
                try:
                    known[name].check(value)
                except ValueError as error:
                    yield f"{name}: {error}"
