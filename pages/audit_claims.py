"""Every ε that a page claims, against the noise that the page draws: ``python -m pages.audit_claims``.

The pages come from the one list in `pages`. A page that shows a guarantee has a module ``drawn`` beside its
``spec``: ``drawn(params)`` runs what the page runs and yields its noise as measured, next to the promise of the
card. A page that draws no noise of its own says why: ``NO_NOISE``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from dpcore.audit.check_result import Check
from dpcore.audit.checks import as_text
from dpcore.audit.claims import Drawn
from dpcore.experiments.params import Params
from pages import PAGES, specs
from ui.frame.page_spec import PageSpec

__all__ = ["drawn_by", "main", "pages_that_claim", "reason", "states"]

# Not opened: a person's own table, files that may not be there, tables that take long.
_HEAVY = {
    "own", "segment", "mnist", "mnist_dct", "mnist_pca", "har", "adult", "acs", "census", "digits_all",
    "census_synthetic",
}  # fmt: skip


def pages_that_claim() -> list[str]:
    """Return the keys of the pages that have parameters, and so a card: each answers for its noise."""
    return [spec.key for spec in specs() if isinstance(spec, PageSpec)]


def reason(key: str) -> str | None:
    """Return why a page draws no noise of its own; None where it does.

    Raises
    ------
    LookupError
        When a page with a card says neither.
    """
    if find_spec(f"pages.{key}.drawn") is None:
        raise LookupError(
            f"The page {key} shows a guarantee, and nothing compares its ε with the noise that is drawn: give it "
            f"a module pages/{key}/drawn.py with drawn(params), or with NO_NOISE and the reason."
        )
    return getattr(import_module(f"pages.{key}.drawn"), "NO_NOISE", None)


def states(params: type[Params], n_random: int = 4, seed: int = 0) -> list[Params]:
    """Return the opening, each choice of each control by itself, and random states of all controls.

    Data sets that take long to load, a person's own table and texts stay as they are.
    """
    rng, opening = np.random.default_rng(seed), params()
    found: dict[Params, None] = {opening: None}
    allowed: dict[str, list[Any]] = {}
    for name, control in params.controls().items():
        if control.choices is not None:
            allowed[name] = [value for value in control.choices if value not in _HEAVY]
            for value in allowed[name]:
                found.setdefault(opening.but(**{name: value}))
        elif control.grid is not None:
            allowed[name] = list(control.grid)
    for _ in range(n_random):
        found.setdefault(
            opening.but(
                **{name: of[int(rng.integers(len(of)))] for name, of in allowed.items() if of}
            )
        )
    return list(found)


def drawn_by(key: str, params: Params) -> Iterator[Drawn]:
    """Yield what a page draws at a state of its controls."""
    yield from import_module(f"pages.{key}.drawn").drawn(params)


def main() -> int:
    """Check every page; 1 when the noise of one of them is not that of its card."""
    found: list[Check] = []
    by_key = {spec.key: spec for spec in specs()}
    for key in pages_that_claim():
        spec = by_key[key]
        if reason(key) is not None or not isinstance(spec, PageSpec):
            continue
        for params in states(spec.params):
            for one in drawn_by(key, params):
                check = one.check()
                link = " ".join(f"{k}={v}" for k, v in params.to_link().items())
                found.append(
                    Check(
                        name=f"{key} {link}: {check.name}", declared=check.declared,
                        measured=check.measured, holds=check.holds,
                    )
                )  # fmt: skip
                print(found[-1].name, file=sys.stderr, flush=True)
    print(as_text(tuple(found)))
    broken = sum(not one.holds for one in found)
    print(f"{len(PAGES)} pages, {len(found)} claims beside their noise, {broken} broken.")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
