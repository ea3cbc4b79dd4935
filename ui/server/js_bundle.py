"""The browser's modules in one file: a phone on a slow line waits for one answer, not for ten in a row.

The modules themselves stay as they are written (docs/live.md): each becomes a function that is called once, in the
order in which they import each other, and hands out what it exports.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

__all__ = ["joined"]

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function |class |const )", re.MULTILINE)
_NAME = re.compile(r"^export (?:async function|function|class|const) (\w+)", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_AS = re.compile(r"\b(\w+) as (\w+)\b")


def joined(entry: Path, read: Callable[[Path], bytes]) -> bytes:
    """Return a module and all that it imports as one module that exports the same.

    Parameters
    ----------
    entry : Path
        The module; those that it imports lie beside it. What it imports only when it is needed (``import("...")``)
        stays a file of its own.
    read : callable
        Returns a file's text, without what does not travel.

    Raises
    ------
    ValueError
        When modules import each other in a circle, or in a form that is not known here.
    """
    texts: dict[str, str] = {}

    def take(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise ValueError(f"modules import each other in a circle: {', '.join((*above, name))}")
        if name in texts:
            return
        text = read(entry.with_name(f"{name}.js")).decode()
        for found in _IMPORT.finditer(text):
            take(found[2], (*above, name))
        texts[name] = _called(name, text)

    take(entry.stem, ())
    last = read(entry).decode()
    names = ", ".join(_NAME.findall(last))
    end = f"export const {{ {names} }} = {_variable(entry.stem)};\n" if names else ""
    return ("".join(texts.values()) + end).encode()


def _variable(name: str) -> str:
    return f"${name}"


def _called(name: str, text: str) -> str:
    """A module as a function that is called at once."""
    bare = _IMPORT.sub("", text)
    body = _EXPORT.sub("", bare)
    if other := _OTHER.search(body):
        raise ValueError(
            f"{name}.js: {other[0]!r} is not joined: name what is imported or exported."
        )
    wanted = [(_AS.sub(r"\1: \2", found[1]), found[2]) for found in _IMPORT.finditer(text)]
    taken = "".join(f"const {{{names}}} = {_variable(other)};\n" for names, other in wanted)
    given = ", ".join(_NAME.findall(bare))
    return f"const {_variable(name)} = (() => {{\n{taken}{body}return {{ {given} }};\n}})();\n"
