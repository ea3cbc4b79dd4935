"""Make a release ready to be uploaded: ``python -m tools.release FOLDER``, or ``make release``.

- One version stands in the library, the citation and the changelog, and has no tag yet.
- Both distributions are in the folder, in this version, without tests, and pass ``twine check --strict``.
- Both wheels are installed in an environment of their own, and ``tools/smoke.py`` runs there.
- Each gets a software bill of materials (CycloneDX 1.6): what it installs, and the hashes of its own files.

Nothing is tagged and nothing uploaded; the commands for both are printed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

__all__ = [
    "DISTRIBUTIONS",
    "check_files",
    "main",
    "next_steps",
    "release_date",
    "subject_of",
    "version",
]

ROOT = Path(__file__).resolve().parent.parent
DISTRIBUTIONS = {"dpcore": "library", "dp_explorer": "application"}
"""Both distributions by the names in their files, in the order of installation, and what CycloneDX calls them."""
_ENTRY = re.compile(r"^## (\d+\.\d+\.\d+)(?: - (\d{4}-\d{2}-\d{2}|unreleased))?$", re.M)


class ReleaseError(Exception):
    """Error: the release is not ready; the message says what to do."""


def version(root: Path = ROOT) -> str:
    """Return the version that the library, the citation and the changelog agree on.

    Raises
    ------
    ReleaseError
        When they do not agree.
    """
    source = (root / "dpcore" / "__init__.py").read_text("utf-8")
    stated = re.search(r'^__version__ = "([^"]+)"', source, re.M)
    newest = _ENTRY.search((root / "CHANGELOG.md").read_text("utf-8"))
    found = {
        "dpcore/__init__.py": stated and stated[1],
        "CITATION.cff": str(yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))["version"]),
        "CHANGELOG.md": newest and newest[1],
    }
    if len(set(found.values())) > 1 or None in found.values():
        each = ", ".join(f"{name}: {one}" for name, one in found.items())
        raise ReleaseError(f"The version is not the same everywhere ({each}): write one into all.")
    return str(newest and newest[1])


def release_date(root: Path = ROOT) -> str | None:
    """Return the date of the newest entry of the changelog; None if it is unreleased.

    Raises
    ------
    ReleaseError
        When the entry has neither a date nor the word unreleased.
    """
    newest = _ENTRY.search((root / "CHANGELOG.md").read_text("utf-8"))
    if newest is None or newest[2] is None:
        raise ReleaseError(
            "CHANGELOG.md: the newest entry needs a head like '## 0.1.0 - 2027-01-31' or '- unreleased'."
        )
    return None if newest[2] == "unreleased" else newest[2]


def check_files(folder: Path, expected: str) -> dict[str, list[Path]]:
    """Return the wheel and the source distribution of both distributions.

    Raises
    ------
    ReleaseError
        When one is missing, has another version than ``expected``, or when a source distribution has tests, which
        cannot run without the project.
    """
    found = {}
    for name in DISTRIBUTIONS:
        files = sorted([*folder.glob(f"{name}-*.whl"), *folder.glob(f"{name}-*.tar.gz")])
        wanted = [f"{name}-{expected}-py3-none-any.whl", f"{name}-{expected}.tar.gz"]
        if [file.name for file in files] != wanted:
            have = ", ".join(file.name for file in files) or "nothing"
            raise ReleaseError(
                f"{folder} has {have} of {name}, not {' and '.join(wanted)}: `make dist` builds them."
            )
        with tarfile.open(files[1]) as archive:
            tests = [
                one
                for one in archive.getnames()
                if re.search(r"(^|/)(tests?|test_[^/]*\.py)(/|$)", one)
            ]
        if tests:
            raise ReleaseError(
                f"{files[1].name} has tests, such as {tests[0]}: MANIFEST.in leaves them out."
            )
        found[name] = files
    return found


def subject_of(bom: dict[str, Any], name: str, kind: str, files: Sequence[Path]) -> dict[str, Any]:
    """Return a bill of materials of an environment as that of one distribution in it, with the hashes of its files.

    Parameters
    ----------
    bom : dict
        CycloneDX document of an environment in which the distribution is installed.
    name, kind : str
        Name of the distribution, and its CycloneDX type.
    files : sequence of Path
        Its wheel and its source distribution.
    """
    own = [one for one in bom["components"] if one["name"].replace("-", "_") == name]
    if len(own) != 1:
        raise ReleaseError(f"{name} is not among the components of its own bill of materials.")
    subject = {
        **own[0],
        "type": kind,
        "externalReferences": [
            {
                "type": "distribution", "url": file.name,
                "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}],
            }
            for file in files
        ],
    }  # fmt: skip
    others = [one for one in bom["components"] if one is not own[0]]
    return {
        **bom,
        "metadata": {**bom.get("metadata", {}), "component": subject},
        "components": others,
    }


def next_steps(one: str, date: str | None, *, clean: bool) -> str:
    """Return what is left to do by hand for version ``one``, a line for each step."""
    steps = []
    if date is None:
        steps.append(f"CHANGELOG.md: write the date for 'unreleased' (## {one} - YYYY-MM-DD).")
    if date is None or not clean:
        steps.append(
            "Commit, and run `make release` again: what is uploaded is what the tag names."
        )
    steps += [
        f"git tag -s v{one} -m 'Version {one}' && git push origin v{one}",
        f"twine upload dist/dpcore-{one}* dist/dp_explorer-{one}*   (in .venv-release/bin)",
        f"Attach dist/*-{one}.cdx.json to the release of the tag.",
    ]
    return "\n".join(f"{i}. {step}" for i, step in enumerate(steps, 1))


def _run(*words: object, **options: Any) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, **options)
    if done.returncode:
        said = (done.stdout + done.stderr)[-3000:].strip()
        raise ReleaseError(f"{Path(str(words[0])).name} {words[1]} failed:\n{said}")
    return done.stdout


def _uv(*words: object) -> None:
    _run("sh", "tools/uv.sh", sys.prefix, *words, cwd=ROOT)


_VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read())
sys.exit(error and str(error))
"""


def _bill(tools: Path, python: Path, name: str, files: Sequence[Path], out: Path) -> None:
    """Write the bill of materials of a distribution that is installed with ``python``."""
    said = _run(
        tools / "cyclonedx-py", "environment", "--output-reproducible", "--sv", "1.6", python
    )
    text = json.dumps(subject_of(json.loads(said), name, DISTRIBUTIONS[name], files), indent=1)
    _run(tools / "python", "-c", _VALIDATE, input=text)
    out.write_text(text + "\n", "utf-8")


def _check_git(one: str) -> bool:
    """Return whether all changes are committed; a version that has a tag is refused."""
    if _run("git", "tag", "--list", f"v{one}", cwd=ROOT).strip():
        raise ReleaseError(
            f"v{one} has a tag already: write the next version into all three files."
        )
    return not _run("git", "status", "--porcelain", cwd=ROOT).strip()


def release(folder: Path, tools: Path) -> str:
    """Check both distributions in a folder, write their bills of materials, and return what is left to do.

    ``tools`` is the folder with the programs ``twine`` and ``cyclonedx-py``.
    """
    one, date = version(), release_date()
    clean = _check_git(one)
    found = check_files(folder, one)
    _run(
        tools / "twine", "check", "--strict", *(file for files in found.values() for file in files)
    )
    print(f"Version {one}: one everywhere; twine finds no fault.", flush=True)
    with tempfile.TemporaryDirectory() as home:
        _uv("venv", "-q", "--python", sys.executable, home)
        python = Path(home) / "bin" / "python"
        for name, files in found.items():
            _uv("pip", "install", "-q", "--python", python, files[0].resolve())
            out = folder / f"{name}-{one}.cdx.json"
            _bill(tools, python, name, files, out)
            n_packages = len(json.loads(out.read_text("utf-8"))["components"])
            print(f"{out}: {n_packages} packages", flush=True)
        print(_run(python, "-I", ROOT / "tools" / "smoke.py", one, cwd=home).strip(), flush=True)
    return next_steps(one, date, clean=clean)


def main(words: Sequence[str] | None = None) -> int:
    """Check a release, and print what is left to do."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder with both distributions")
    parser.add_argument(
        "--tools", type=Path, required=True, help="folder with twine and cyclonedx-py"
    )
    args = parser.parse_args(words)
    try:
        print(f"Nothing was uploaded. What is left:\n{release(args.folder, args.tools.resolve())}")
    except ReleaseError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
