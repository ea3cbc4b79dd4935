"""Bundling of JavaScript modules into one file, which saves round trips on slow connections.

The modules themselves also run unbundled (docs/live.md). In the bundle each module becomes a function
that is called once, after the modules that it imports, and returns its exports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

__all__ = ["bundle"]

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[\w./]+)\.js";\n', re.MULTILINE)
_DYNAMIC = re.compile(r'\bimport\("[\w./]*?(\w+\.js)"\)')
_EXPORT = re.compile(r"^export (?=(?:async )?function |class |const )", re.MULTILINE)
_NAME = re.compile(r"^export (?:async function|function|class|const) (\w+)", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_AS = re.compile(r"\b(\w+) as (\w+)\b")


def bundle(entry: Path, read: Callable[[Path], bytes], *, alone: bool = False) -> bytes:
    """Bundle a JavaScript module and its imports into one module with the same exports.

    Parameters
    ----------
    entry : Path
        File of the module. Modules that are imported dynamically (``import("...")``) remain separate
        files, in the folder of the bundle.
    read : callable
        Function that returns the text of a file, without comments.
    alone : bool
        Whether the bundle contains the modules that are imported dynamically as well.

    Raises
    ------
    ValueError
        When modules import each other in a circle, or use a form of import that is not supported.
    """
    texts: dict[Path, str] = {}  # of each module after what it imports
    variables: dict[Path, str] = {}

    def take(module: Path, above: tuple[Path, ...]) -> None:
        if module in above:
            circle = ", ".join(path.stem for path in (*above, module))
            raise ValueError(f"modules import each other in a circle: {circle}")
        if module in texts:
            return
        text = read(module).decode()
        imports = [
            (match[1], (module.parent / f"{match[2]}.js").resolve())
            for match in _IMPORT.finditer(text)
        ]
        for _, path in imports:
            take(path, (*above, module))
        variables[module] = f"${len(variables)}"
        taken = [(names, variables[path]) for names, path in imports]
        texts[module] = _called(module.name, text, variables[module], taken)

    take(entry.resolve(), ())
    if alone:
        _take_dynamic(texts, variables, take)
    names = ", ".join(_NAME.findall(read(entry).decode()))
    end = f"export const {{ {names} }} = {variables[entry.resolve()]};\n" if names else ""
    return ("".join(texts.values()) + end).encode()


def _take_dynamic(
    texts: dict[Path, str],
    variables: Mapping[Path, str],
    take: Callable[[Path, tuple[Path, ...]], None],
) -> None:
    """Add to the bundle the modules that are imported dynamically, and let these imports refer to the bundle itself.

    In the bundle a dynamic import names a file without its folder, which is the folder of the importing module.
    """
    for module in list(texts):
        for name in _DYNAMIC.findall(texts[module]):
            target = (module.parent / name).resolve()
            take(target, ())
            whole = f"Promise.resolve({variables[target]})"
            texts[module] = texts[module].replace(f'import("./{name}")', whole)


def _called(name: str, text: str, variable: str, taken: list[tuple[str, str]]) -> str:
    """Return a module as a function that is called immediately.

    ``taken``: pairs of imported names and of the variable that holds the exports of their module.
    """
    bare = _IMPORT.sub("", text)
    body = _DYNAMIC.sub(r'import("./\1")', _EXPORT.sub("", bare))
    if other := _OTHER.search(body):
        raise ValueError(f"{name}: {other[0]!r} is not joined: name what is imported or exported.")
    head = "".join(f"const {{{_renamed(names)}}} = {source};\n" for names, source in taken)
    exports = ", ".join(_NAME.findall(bare))
    return f"const {variable} = (() => {{\n{head}{body}return {{ {exports} }};\n}})();\n"


def _renamed(names: str) -> str:
    """Return the names of an import statement as a destructuring pattern: ``a as b`` becomes ``a: b``."""
    return _AS.sub(r"\1: \2", names)
