"""Digest of the code that functions depend on.

The code consists of all modules that the functions import, directly or indirectly, and of the data files in the
folders of these modules. The digest is part of the key of a stored result, which is computed again if this code has
changed. Imports are read from the source text, including imports inside functions. No module is loaded. A function
depends on these modules:

- its own module, and the imports there that the function uses, directly or through other functions and constants of
  the module
- all imports of an imported module
- for a name that is imported from a package, the module from which the package imports the name
- for a string that names a module (``"dpcore.lvq.train"``, ``"dpcore.audit:run"``), this module
- for an f-string in source that uses ``import_module`` or ``__import__``, all modules that the f-string may name
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

__all__ = ["code_digest", "modules"]

_DATA = (".npz", ".csv")
_COMMENT = re.compile(r"#.*")
# The parser takes a second for all modules, these two .05: a test compares them.
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|(?:[^\n;\\]|\\\n)+)"
    r"|import[ \t]+((?:[^\n;\\]|\\\n)+))",
    re.MULTILINE,
)
_MODULE_NAME = re.compile(r"""["'](\w+(?:\.\w+)+)(?::\w+)?["']""")
_MODULE_PATTERN = re.compile(r"""\bf(["'])(\w+\.(?:[\w.]|\{[^{}]*\})+)\1""")


@lru_cache(maxsize=512)
def code_digest(*functions: Callable[..., Any], packages: tuple[str, ...] = ("dpcore",)) -> str:
    """Return a digest of the code that functions depend on.

    The digest has 16 hexadecimal digits.

    Parameters
    ----------
    *functions : callable
        Functions or classes of modules in ``packages``.
    packages : tuple of str
        The top-level packages whose source code is part of the digest. Other libraries are left out.

    Raises
    ------
    ValueError
        When the source of the module that contains a function cannot be read.
    """
    digest = hashlib.sha256()
    for module in sorted(modules(*functions, packages=packages)):
        digest.update(f"{module} {_source(module).digest}\n".encode())
    return digest.hexdigest()[:16]


def modules(*functions: Callable[..., Any], packages: Iterable[str] = ("dpcore",)) -> set[str]:
    """Return the names of all modules in ``packages`` that the given functions or classes depend on.

    The arguments are those of `code_digest`.
    """
    parts = [part for function in functions for part in _parts(function)]
    homes = {home for home, _ in parts}
    names = frozenset().union(*(_uses(home, name) for home, name in parts))
    return homes.union(_closure(names, frozenset(packages)), *map(_above, homes))


def _parts(function: Callable[..., Any]) -> set[tuple[str, str]]:
    """Return (module, top-level name) pairs for a function and for every function that it wraps."""
    if isinstance(function, partial):
        things = [function.func, *function.args, *function.keywords.values()]
        return set().union(*(_parts(item) for item in things if callable(item)))
    function = inspect.unwrap(function)
    if not hasattr(function, "__qualname__"):  # an object that can be called
        function = type(function)
    home = str(function.__module__)
    if _path(home) is None:
        raise ValueError(f"The source of {home}.{function.__qualname__} cannot be read.")
    cells = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    things = [item for item in cells if callable(item) and _path(str(item.__module__))]
    return {(home, function.__qualname__.partition(".")[0])}.union(*map(_parts, things))


@lru_cache(maxsize=1024)
def _uses(module: str, name: str) -> frozenset[str]:
    """Return the dotted names of the imports that a top-level function, class or constant of a module uses.

    It may use them directly or through other top-level names of the module.
    """
    source = _source(module)
    if name not in source.definitions:  # a lambda, or what stands inside of an "if"
        return frozenset(source.imports)
    used: set[str] = set()
    seen, queue = {name}, [name]
    while queue:
        for node in source.definitions[queue.pop()]:
            used |= set(_imports(ast.unparse(node), module))
            names = {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}
            used |= {source.origins[item] for item in names & source.origins.keys()}
            queue += (names & source.definitions.keys()) - seen
            seen |= names
    return frozenset(used)


@lru_cache(maxsize=256)
def _closure(names: frozenset[str], packages: frozenset[str]) -> frozenset[str]:
    """Return all modules in ``packages`` that Python loads when it imports the given dotted names.

    A module loads the modules that it imports, directly or indirectly, and all its parent packages.
    """
    module_names: set[str] = set().union(*(_resolved(name, packages) for name in names))
    queue = list(module_names)
    while queue:
        new = _imported_by(queue.pop(), packages) - module_names
        module_names |= new
        queue += new
    return frozenset(module_names.union(*map(_above, module_names)))


@cache
def _imported_by(module: str, packages: frozenset[str]) -> frozenset[str]:
    """Return the modules in ``packages`` that a module imports directly."""
    names = set(_source(module).imports)
    return frozenset().union(*(_resolved(name, packages) for name in names))


def _resolved(name: str, packages: frozenset[str]) -> set[str]:
    """Return the modules that a dotted name refers to.

    The name is that of a module or of an object in a module. If a package imports the object from another module,
    this module is included. The result is empty for names outside ``packages``.
    """
    if name.partition(".")[0] not in packages:
        return set()
    module_names = {name} if _path(name) else set()
    home, _, last = name.rpartition(".")
    if not _path(home):
        return module_names or (_resolved(home, packages) if home else set())
    origin = _source(home).origins.get(last) if _source(home).is_package else None
    if origin and origin != name:
        return module_names | _resolved(origin, packages)
    return module_names or {home}


def _above(module: str) -> set[str]:
    """Return the parent packages of a module, which Python executes before the module."""
    parts = module.split(".")
    above = (".".join(parts[:end]) for end in range(1, len(parts)))
    return {package for package in above if _path(package)}


@cache
def _path(module: str) -> Path | None:
    """Return the source file of a module, or None if no such file exists."""
    top, *rest = module.split(".")
    for root in _roots(top):
        place = root.joinpath(*rest)
        for file in (place / "__init__.py", place.parent / f"{place.name}.py"):
            if file.is_file():
                return file
    return None


@lru_cache(maxsize=64)
def _roots(top: str) -> list[Path]:
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        return []
    return [Path(root) for root in (spec and spec.submodule_search_locations) or ()]


@dataclass(frozen=True)
class _Source:
    """Source text of a module, with its digest, imports and definitions."""

    module: str
    path: Path

    @cached_property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    @cached_property
    def text(self) -> str:
        return self.path.read_text("utf-8")

    @cached_property
    def digest(self) -> str:
        """Digests of the module's file and of the data files in its folder, joined in one string."""
        beside = self.path.parent.iterdir()
        files = [self.path, *sorted(file for file in beside if file.suffix in _DATA)]
        return " ".join(_file_digest(file) for file in files)

    @cached_property
    def imports(self) -> list[str]:
        """Dotted names that are imported or that occur in strings, anywhere in the module."""
        return _imports(self.text, self.module)

    @cached_property
    def origins(self) -> dict[str, str]:
        """Mapping from every name that an import in the module defines to the dotted name of the imported object."""
        return dict(_bound(self.text))

    @cached_property
    def definitions(self) -> dict[str, list[ast.stmt]]:
        """Mapping from each top-level function, class and variable of the module to its defining statements."""
        by_name: dict[str, list[ast.stmt]] = {}
        for node in ast.parse(self.text).body:
            for name in _defined(node):
                by_name.setdefault(name, []).append(node)
        return by_name


@cache
def _source(module: str) -> _Source:
    path = _path(module)
    if path is None:
        raise ValueError(f"There is no module {module}.")
    return _Source(module, path)


@cache
def _file_digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return [
            item.id
            for item in ast.walk(node)
            if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)
        ]
    return []


def _imports(text: str, module: str) -> list[str]:
    """Return the dotted names that a source text imports or contains in strings."""
    names = [origin for _, origin in _bound(text)]
    names += [name for name in _MODULE_NAME.findall(text) if _path(name)]
    if "import_module" in text or "__import__" in text:
        for _, pattern in _MODULE_PATTERN.findall(text):
            names += _matching(pattern)
    return names


def _matching(pattern: str) -> list[str]:
    """Return the names of all modules that match an f-string, where any text may replace a {field}."""
    parts = re.split(r"\{[^{}]*\}", pattern)
    named = re.compile(r"[\w.]*".join(map(re.escape, parts)))
    return [name for name in _all(pattern.partition(".")[0]) if named.fullmatch(name)]


@lru_cache(maxsize=64)
def _all(top: str) -> list[str]:
    """Return the names of all modules of a top-level package."""
    files = ((root, file) for root in _roots(top) for file in root.rglob("*.py"))
    parts = ((top, *file.relative_to(root).with_suffix("").parts) for root, file in files)
    return [".".join(part[:-1] if part[-1] == "__init__" else part) for part in parts]


def _bound(text: str) -> Iterator[tuple[str, str]]:
    """Yield every name that an import in a source text defines, with the dotted name of the imported object."""
    for home, names, alone in _IMPORT.findall(_COMMENT.sub("", text)):
        for item in (names or alone).strip("() \t\n").replace("\\\n", " ").split(","):
            name, _, alias = (part.strip() for part in item.strip().partition(" as "))
            if name:
                yield alias or (name if home else name.partition(".")[0]), _joined(home, name)


def _joined(home: str, name: str) -> str:
    return f"{home}.{name}" if home else name
