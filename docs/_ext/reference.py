"""Writes the pages of the reference: every public name of dpcore, each in one place."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Hashable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from sklearn.base import BaseEstimator

TITLES = {
    "dpcore": "Guarantees and what all share",
    "dpcore.mechanisms": "Mechanisms",
    "dpcore.accounting": "Accounting",
    "dpcore.descent": "Gradient descent",
    "dpcore.lvq": "Prototypes (GLVQ and GMLVQ)",
    "dpcore.regression": "Linear regression",
    "dpcore.autoencoder": "Autoencoder",
    "dpcore.network": "A convolutional network by DP-SGD",
    "dpcore.kahm": "Kernel affine hull machines",
    "dpcore.audit": "Audit",
    "dpcore.datasets": "Data sets",
    "dpcore.preprocessing": "Scaling by declared bounds",
    "dpcore.pipeline": "Pipelines of scikit-learn",
    "dpcore.exercises": "Exercises and receipts",
}
"""Titles of the packages that have a page of their own, in the order of the contents; the experiments follow."""

_LONGEST = 70


def public_modules() -> list[str]:
    """Return the names of all modules of dpcore whose path has no part with an underscore."""
    import dpcore

    found = (info.name for info in pkgutil.walk_packages(dpcore.__path__, "dpcore."))
    return ["dpcore", *(name for name in found if "._" not in name)]


def pages() -> dict[str, list[str]]:
    """Return the modules that each page holds: those below its package, the package first."""
    modules = public_modules()
    experiments = [name for name in modules if _is_experiment(name)]
    found: dict[str, list[str]] = {name: [] for name in [*TITLES, *experiments]}
    for module in modules:
        fitting = (page for page in found if f"{module}.".startswith(f"{page}."))
        found[max(fitting, key=len)].append(module)
    return found


def _is_experiment(name: str) -> bool:
    parent, _, _ = name.rpartition(".")
    return parent == "dpcore.experiments" and hasattr(importlib.import_module(name), "__path__")


def homes() -> dict[str, str]:
    """Return, by the full name of every public object, the name under which it is described.

    ``dpcore`` itself comes last: what it re-exports is described in the package that defines it.
    """
    first: dict[Hashable, str] = {}
    found: dict[str, str] = {}
    placed = [(page, module) for page, modules in pages().items() for module in modules]
    for page, module in sorted(placed, key=lambda place: place[1] == "dpcore"):
        for name, value in _public(module):
            full = f"{module}.{name}"
            if inspect.ismodule(value):
                continue
            # Small numbers and words are one object in many places: their name tells them apart.
            key = id(value) if _is_described(value) else (page, name, id(value))
            found[full] = first.setdefault(key, full)
    return found


def _public(module: str) -> Iterator[tuple[str, Any]]:
    loaded = importlib.import_module(module)
    for name in loaded.__all__:
        yield name, getattr(loaded, name)


def _is_described(value: Any) -> bool:
    return inspect.isclass(value) or inspect.isroutine(value)


def write_pages(folder: Path) -> list[str]:
    """Write one page for each package, and return their names; only what changed is written."""
    where = homes()
    names = []
    for page, modules in pages().items():
        text = "\n".join(_page(page, modules, where))
        path = folder / f"{page}.rst"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        names.append(page)
    for old in folder.glob("dpcore*.rst"):
        if old.stem not in names:
            old.unlink()
    return names


def _page(page: str, modules: list[str], where: dict[str, str]) -> Iterator[str]:
    title = TITLES.get(page, f"Experiment: {page.rpartition('.')[2]}")
    yield from (title, "=" * len(title), "")
    for module in modules:
        if module != page:
            yield from (module, "-" * len(module), "")
        yield from (f".. automodule:: {module}", "   :no-members:")
        # A function may bear its module's name: dpcore.kahm.fabricate is described as the function.
        yield from ("   :no-index:", "") if module in where.values() else ("",)
        for name, value in _public(module):
            yield from _entry(module, name, value, where)


def _entry(module: str, name: str, value: Any, where: dict[str, str]) -> Iterator[str]:
    full = f"{module}.{name}"
    if isinstance(value, ModuleType):
        yield from (f"``{name}``: see :py:mod:`{value.__name__}`.", "")
    elif where[full] != full:
        yield from (f"``{name}``: see :py:obj:`{where[full]}`.", "")
    elif _is_described(value):
        kind = "autoclass" if inspect.isclass(value) else "autofunction"
        yield f".. {kind}:: {full}"
        if inspect.isclass(value) and issubclass(value, BaseEstimator):
            yield "   :inherited-members: BaseEstimator"
        yield ""
    else:
        yield from (
            f".. py:data:: {name}",
            f"   :module: {module}",
            f"   :value: {_short(value)}",
            "",
        )


def _short(value: Any) -> str:
    shape = getattr(value, "shape", None)
    if shape is not None:
        return f"array of shape {shape}"
    text = " ".join(repr(value).split())
    if " at 0x" in text:
        return type(value).__name__
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
