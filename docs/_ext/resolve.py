"""Finds what a name in single backticks means, as Python would in the module it was written in."""

from __future__ import annotations

import importlib
import re
import sys
from typing import Any

import numpy as np
from docutils import nodes
from reference import homes, public_modules
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

# scikit-learn adds these to every estimator, with text that refers to its own pages.
_FOREIGN = re.compile(r"set_\w+_request|get_metadata_routing|set_output|get_feature_names_out")


class Names:
    """Where every public object is described: by each of its names, and by the object itself."""

    def __init__(self) -> None:
        self.by_name = homes()
        self.by_object = {}
        for full, home in self.by_name.items():
            module, _, name = full.rpartition(".")
            value = getattr(importlib.import_module(module), name)
            if callable(value) or (isinstance(value, (tuple, dict, np.ndarray)) and len(value)):
                self.by_object.setdefault(id(value), home)
        self.by_name |= {module: module for module in public_modules()}

    def find(self, module: str, target: str) -> str | None:
        """Return the full name of the public object (or its method) a target means in a module."""
        value: Any = sys.modules.get(module)
        scope, parts = module, target.removesuffix("()").split(".")
        for i, part in enumerate(parts):
            full = f"{scope}.{part}"
            value = getattr(value, part, None)
            home = self.by_name.get(full) or self.by_object.get(id(value))
            if home:
                return ".".join([home, *parts[i + 1 :]])
            scope = getattr(value, "__name__", full)
        return None


def _modules(node: pending_xref) -> list[str]:
    """Return the module a docstring stands in, its package, and the one it is described in."""
    parent: nodes.Node | None = node
    while parent is not None and "docstring of" not in (parent.source or ""):
        parent = parent.parent
    name = (parent.source or "").partition("docstring of ")[2] if parent else ""
    name = name.partition(":")[0]
    while name and name not in sys.modules:
        name = name.rpartition(".")[0]
    found = [name, name.rpartition(".")[0], node.get("py:module") or "", "dpcore"]
    return [module for module in found if module]


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.reference | None:
    """Answer Sphinx when it does not find a Python name itself."""
    if node.get("refdomain") != "py":
        return None
    names = _names(app)
    for module in _modules(node):
        found = names.find(module, node["reftarget"])
        if found:
            python = env.get_domain("py")
            return python.resolve_xref(
                env, node["refdoc"], app.builder, "obj", found, node, content
            )
    return None


def _names(app: Sphinx) -> Names:
    if not hasattr(app, "dpcore_names"):
        app.dpcore_names = Names()
    return app.dpcore_names


def _plain_bars(
    app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Let |x| be what it is in a formula, the absolute value."""
    lines[:] = [
        line if line.lstrip().startswith(">>>") else re.sub(r"(`+[^`]*`+)|\|", _bar, line)
        for line in lines
    ]


def _of_scikit_learn(
    app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Keep the first sentence of a method that an estimator inherits from scikit-learn, without its references."""
    if (getattr(value, "__module__", None) or "").startswith("sklearn."):
        first = re.sub(r":\w+:`([^`<]*?)(?: <[^`]*>)?`", r"\1", " ".join(lines).split(". ")[0])
        owner = value.__qualname__.rpartition(".")[0]
        lines[:] = [f"{first.rstrip('.')}. Inherited from ``{owner}`` of scikit-learn."]


def _bar(found: re.Match[str]) -> str:
    return found[1] or r"\|"


def _skip(app: Sphinx, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    return True if _FOREIGN.fullmatch(name) else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("missing-reference", resolve)
    app.connect("autodoc-process-docstring", _plain_bars, priority=100)
    app.connect("autodoc-process-docstring", _of_scikit_learn, priority=90)
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
