"""Write the table of licences, ``docs/licences.md``: what each package of the app says of its own licence.

``make licences`` runs it, after ``make lock`` has changed which packages the app needs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from email.message import Message
from importlib.metadata import PackageNotFoundError, metadata
from typing import cast

from tools.lock import LOCKS, ROOT, parse

__all__ = ["PAGE", "licence", "main", "names"]

PAGE = ROOT / "docs" / "licences.md"
_HEAD = """# Licences

The DP Explorer is under the MIT licence (`LICENSE`). It uses these packages as they are published, and the image of
`Dockerfile` holds them. Beside each stands what the package says of its own licence. `make licences` writes this
page.

| package | licence |
|---|---|
"""


def names() -> list[str]:
    """Return the packages that the app needs, torch in either build."""
    return sorted({pin.name for pin in parse((LOCKS / "app.txt").read_text("utf-8"))})


def licence(said: Message) -> str:
    """Return a package's licence from its metadata: an SPDX expression, else a short text, else its classifiers.

    Examples
    --------
    >>> said = Message()
    >>> said["Classifier"] = "License :: OSI Approved :: BSD License"
    >>> licence(said)
    'BSD License'
    """
    text = said["License-Expression"] or said["License"] or ""
    if text and len(text) < 120 and "\n" not in text:
        return str(text)
    classifiers: Iterable[str] = said.get_all("Classifier") or ()
    return ", ".join(one.split(" :: ")[-1] for one in classifiers if one.startswith("License :: "))


def main() -> int:
    """Write the page from what is installed."""
    rows = []
    for name in names():
        try:
            found = licence(cast(Message, metadata(name)))
        except PackageNotFoundError:
            sys.exit(f"{name} is not installed: make .venv/.dev installs what locks/ has.")
        if not found:
            sys.exit(f"The metadata of {name} name no licence: look it up, and add a rule here.")
        rows.append(f"| {name} | {found} |\n")
    PAGE.write_text(_HEAD + "".join(rows), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
