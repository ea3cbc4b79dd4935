"""Which file of the project imports which, also inside functions and for types alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

__all__ = ["circles", "closure", "graph", "module_name"]

Graph = dict[str, set[str]]


def module_name(path: Path, root: Path) -> str:
    """Return the name by which a file is imported."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def graph(root: Path, *tops: str) -> Graph:
    """Return what every module below ``tops`` imports: of the project whole names, else the package."""
    files = [path for top in tops for path in sorted((root / top).rglob("*.py"))]
    known = {module_name(path, root): path for path in files}
    found: Graph = {}
    for name, path in known.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        asked = set(_imported(ast.parse(path.read_text("utf-8")), package))
        found[name] = {known_part(dotted, known) for dotted in asked} - {name}
    return found


def known_part(dotted: str, known: dict[str, Path]) -> str:
    """Return the longest beginning that is a module of the project, or the foreign package."""
    part = dotted
    while part and part not in known:
        part = part.rpartition(".")[0]
    return part or dotted.partition(".")[0]


def _imported(tree: ast.AST, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            home = package.split(".")[: 1 - node.level or None] if node.level else []
            base = ".".join([*home, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


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


def circles(found: Graph) -> list[set[str]]:
    """Return the groups of modules that import each other in a circle (Kosaraju's components)."""
    order: list[str] = []
    seen: set[str] = set()

    def visit(name: str, edges: Graph, out: list[str]) -> None:
        stack = [(name, iter(sorted(edges.get(name, ()))))]
        seen.add(name)
        while stack:
            at, rest = stack[-1]
            new = next((other for other in rest if other not in seen and other in found), None)
            if new is None:
                out.append(stack.pop()[0])
            else:
                seen.add(new)
                stack.append((new, iter(sorted(edges.get(new, ())))))

    for name in found:
        if name not in seen:
            visit(name, found, order)
    back: Graph = {name: set() for name in found}
    for name, wanted in found.items():
        for other in wanted & found.keys():
            back[other].add(name)
    seen.clear()
    groups = []
    for name in reversed(order):
        if name not in seen:
            group: list[str] = []
            visit(name, back, group)
            groups.append(set(group))
    return [group for group in groups if len(group) > 1]
