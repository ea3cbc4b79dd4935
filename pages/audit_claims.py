"""Compare every ε that a page shows with the noise that the page adds.

Run ``python -m pages.audit_claims``. Each `PageSpec` has a field ``noise``. For a page with noise this field is
a function that runs the page's computations and yields each measured noise with the guarantee that the page
shows for it. For a page without noise the field is a sentence that gives the reason why there is none.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.audit.check_result import Check
from dpcore.audit.checks import as_text
from dpcore.audit.claims import NoiseDraw
from dpcore.experiments.params import Params
from pages import PAGES, specs
from ui.frame.page_spec import PageSpec

__all__ = ["main", "noise_of", "pages_that_claim", "states"]

# Not opened: a person's own table, files that may not be there, tables that take long.
_HEAVY = {
    "own", "segment", "mnist", "mnist_dct", "mnist_pca", "har", "adult", "acs", "census", "digits_all",
    "census_synthetic",
}  # fmt: skip


def pages_that_claim() -> list[PageSpec[Any]]:
    """Return the pages that have parameters and show a privacy guarantee."""
    return [spec for spec in specs() if isinstance(spec, PageSpec)]


def states(params: type[Params], n_random: int = 4, seed: int = 0) -> list[Params]:
    """Return the parameter sets with which a page is checked.

    - The defaults.
    - The defaults with one control changed, once for each of its choices.
    - ``n_random`` random combinations of all controls.

    No parameter set uses a slow data set or a user's own table, and text fields keep their defaults.
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


def noise_of(spec: PageSpec[Any], params: Params) -> Iterator[NoiseDraw]:
    """Yield the measured noise of a page at these parameters.

    Yield nothing if the page has no noise.
    """
    if not isinstance(spec.noise, str):
        yield from spec.noise(params)


def main() -> int:
    """Check for every page that the measured noise agrees with the displayed guarantee; return the exit status.

    The status is 0 if all pages agree, else 1.
    """
    checks: list[Check] = []
    for spec in pages_that_claim():
        if isinstance(spec.noise, str):
            continue
        for params in states(spec.params):
            for one in noise_of(spec, params):
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
