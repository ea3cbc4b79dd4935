"""Ask public services for published advisories about the packages of the locks.

    python -m tools.advisories                        or `make advisories`
    python -m tools.advisories --ignore-vuln ID       words for pip-audit, which asks

Ends with 0 when no advisory is known, with 1 when there are some, and with 3 when a service gave no answer about a
package. pip-audit itself counts a package that a service does not have as one without advisories.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from tools.lock import pins

__all__ = ["NOT_ASKED", "SERVICES", "Package", "main", "packages"]

NOT_ASKED = 3
SERVICES: tuple[tuple[str, ...], ...] = (("-s", "pypi"), ("-s", "osv"))
"""Words for pip-audit that name the services, each asked about what the one before does not know."""
Package = tuple[str, str]


def packages() -> list[Package]:
    """Return name and version of every package of the locks; a build's name (``+cpu``) is no part of a version."""
    return sorted({(pin.name, pin.version.partition("+")[0]) for pin in pins()})


def _rounds(wanted: Iterable[Package]) -> list[list[Package]]:
    """Return the packages in lists without two versions of one: pip-audit takes only one at a time."""
    versions: defaultdict[str, list[Package]] = defaultdict(list)
    for package in wanted:
        versions[package[0]].append(package)
    most = max(map(len, versions.values()), default=0)
    return [[of[i] for of in versions.values() if i < len(of)] for i in range(most)]


def _answers(
    wanted: Sequence[Package], words: Sequence[str]
) -> dict[Package, list[dict[str, Any]]]:
    """Return the advisories about each package that a service knows."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "packages.txt"
        file.write_text("".join(f"{name}=={version}\n" for name, version in wanted), "utf-8")
        command = [
            sys.executable, "-m", "pip_audit", "--disable-pip", "--no-deps", "--progress-spinner", "off",
            "--format", "json", "--requirement", str(file), *words,
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):  # the service cannot be reached
        return {}
    return {(one["name"], one["version"]): one["vulns"] for one in found if "vulns" in one}


def _line(package: Package, advisories: Collection[dict[str, Any]]) -> str:
    known = "; ".join(
        one["id"]
        + (f", mended in {' or '.join(one['fix_versions'])}" if one["fix_versions"] else "")
        for one in advisories
    )
    return f"{package[0]} {package[1]}: {known}"


def main(words: Sequence[str] = (), wanted: Sequence[Package] | None = None) -> int:
    """Print the advisories about the packages of the locks, and what could not be asked."""
    wanted = packages() if wanted is None else wanted
    known: dict[Package, list[dict[str, Any]]] = {}
    for service in SERVICES:
        for some in _rounds(package for package in wanted if package not in known):
            known |= _answers(some, [*service, *words])
    found = {package: said for package, said in known.items() if said}
    for package, said in sorted(found.items()):
        print(_line(package, said))
    unknown = [f"{name} {version}" for name, version in wanted if (name, version) not in known]
    if not known:
        print(
            "No service with advisories answers here: nothing is known about the packages of locks/."
        )
    elif unknown:
        print(f"No service answers about: {', '.join(unknown)}.")
    if known:
        print(f"Packages without a published advisory: {len(known) - len(found)}.")
    return 1 if found else NOT_ASKED if unknown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
