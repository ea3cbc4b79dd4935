"""Which file of the project imports which, also inside functions; not what only types need."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

__all__ = ["Graph", "circle", "closure", "graph", "road"]

Graph = dict[str, set[str]]


def _name(path: Path, root: Path) -> str:
    """Return the name by which a file is imported."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def graph(root: Path, *tops: str) -> Graph:
    """Return what every module below ``tops`` imports: of the project whole names, else the package."""
    files = [path for top in tops for path in sorted((root / top).rglob("*.py"))]
    known = {_name(path, root): path for path in files}
    found: Graph = {}
    for name, path in known.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        asked = set(_imported(ast.parse(path.read_text("utf-8")), package))
        found[name] = {_known_part(dotted, known) for dotted in asked} - {name}
    return found


def _known_part(dotted: str, known: dict[str, Path]) -> str:
    """Return the longest beginning that is a module of the project, or the foreign package."""
    part = dotted
    while part and part not in known:
        part = part.rpartition(".")[0]
    return part or dotted.partition(".")[0]


def _imported(tree: ast.AST, package: str) -> Iterator[str]:
    for node in _run(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            home = package.split(".")[: 1 - node.level or None] if node.level else []
            base = ".".join([*home, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """Every node that may run: what stands under ``if TYPE_CHECKING`` never does."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield child
            yield from _run(child)


def closure(found: Graph, start: str) -> dict[str, str]:
    """Return everything that importing a module loads, each with who asked for it; packages run too."""
    asked_by = {start: ""}
    queue = [start]
    while queue:
        name = queue.pop()
        parents = {name.rsplit(".", k)[0] for k in range(1, name.count(".") + 1)}
        for wanted in (found.get(name, set()) | parents) - asked_by.keys():
            asked_by[wanted] = name
            queue.append(wanted)
    return asked_by


def road(found: Graph, start: str, end: str) -> list[str]:
    """Return who imports whom from ``start`` to ``end``, or nothing when importing one never loads the other."""
    asked_by = closure(found, start)
    if end not in asked_by:
        return []
    steps = [end]
    while steps[-1] != start:
        steps.append(asked_by[steps[-1]])
    return steps[::-1]


def circle(found: Graph) -> list[str]:
    """Return modules of which each imports the next and the last the first, or nothing."""
    try:
        TopologicalSorter({name: wanted & found.keys() for name, wanted in found.items()}).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []
