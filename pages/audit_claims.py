"""Comparison of every ε that a page claims with the noise that the page draws: ``python -m pages.audit_claims``.

The pages are those listed in `pages`. Each `PageSpec` has either a function ``drawn(params)``, which runs
the page's computations and yields the measured noise with the guarantee shown on the page, or a sentence
that says why it draws no noise.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.audit.check_result import Check
from dpcore.audit.checks import as_text
from dpcore.audit.claims import Drawn
from dpcore.experiments.params import Params
from pages import PAGES, specs
from ui.frame.page_spec import PageSpec

__all__ = ["drawn_by", "main", "pages_that_claim", "states"]

# Not opened: a person's own table, files that may not be there, tables that take long.
_HEAVY = {
    "own", "segment", "mnist", "mnist_dct", "mnist_pca", "har", "adult", "acs", "census", "digits_all",
    "census_synthetic",
}  # fmt: skip


def pages_that_claim() -> list[PageSpec[Any]]:
    """Return the pages that have parameters and show a privacy guarantee."""
    return [spec for spec in specs() if isinstance(spec, PageSpec)]


def states(params: type[Params], n_random: int = 4, seed: int = 0) -> list[Params]:
    """Return parameter sets to check: the defaults, each choice of each control by itself, and random
    combinations.

    Data sets that are slow to load, a user's own table and text fields keep their default values.
    """
    rng, opening = np.random.default_rng(seed), params()
    sets: dict[Params, None] = {opening: None}
    allowed: dict[str, list[Any]] = {}
    for name, control in params.controls().items():
        if control.choices is not None:
            allowed[name] = [value for value in control.choices if value not in _HEAVY]
            for value in allowed[name]:
                sets.setdefault(opening.but(**{name: value}))
        elif control.grid is not None:
            allowed[name] = list(control.grid)
    for _ in range(n_random):
        sets.setdefault(
            opening.but(
                **{name: of[int(rng.integers(len(of)))] for name, of in allowed.items() if of}
            )
        )
    return list(sets)


def drawn_by(spec: PageSpec[Any], params: Params) -> Iterator[Drawn]:
    """Yield the noise that a page draws at these parameters, as measured; nothing if it draws none."""
    if not isinstance(spec.drawn, str):
        yield from spec.drawn(params)


def main() -> int:
    """Check on every page that the noise drawn is the noise of the displayed guarantee; return 1 on a difference."""
    checks: list[Check] = []
    for spec in pages_that_claim():
        if isinstance(spec.drawn, str):
            continue
        for params in states(spec.params):
            for one in drawn_by(spec, params):
                check = one.check()
                link = " ".join(f"{k}={v}" for k, v in params.to_link().items())
                checks.append(replace(check, name=f"{spec.key} {link}: {check.name}"))
                print(checks[-1].name, file=sys.stderr, flush=True)
    print(as_text(tuple(checks)))
    broken = sum(not one.holds for one in checks)
    print(f"{len(PAGES)} pages, {len(checks)} claims beside their noise, {broken} broken.")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
