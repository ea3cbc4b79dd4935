"""Copies of the project in other folders, in which a test can add or remove a page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = ["EXAMPLE", "ROOT", "add_example", "copied", "remove", "run"]

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "tests" / "example_page"


WHOLE = ("pages", "ui", "assets", ".streamlit", "tests")


def copied(target: Path, *, parts: Sequence[str] = WHOLE) -> Path:
    """Copy the application, or only the folders ``parts`` of it, to a folder; the library is linked."""
    for name in parts:
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("dpcore", "docs", "tools", "benchmarks", "typings"):
        (target / name).symlink_to(ROOT / name)
    for name in ("app.py", "pyproject.toml", "README.md", "CITATION.cff"):
        shutil.copy(ROOT / name, target)
    return target


def add_example(project: Path) -> None:
    """Add the example page to a copy of the project: its folder and its tests, the list of pages, and README."""
    shutil.copytree(EXAMPLE / "pages", project / "pages" / "example")
    shutil.copytree(EXAMPLE / "tests", project / "tests" / "pages" / "example")
    _registry(project, r'(PAGES = \(\n(?:    "\w+",\n)+)', r'\1    "example",\n')
    readme = (project / "README.md").read_text("utf-8")
    rows = re.sub(r"(\| Classroom \|.*\n)", r"\1| Noisy count | How far off is it? |\n", readme)
    (project / "README.md").write_text(rows, "utf-8")


def remove(project: Path, name: str) -> None:
    """Remove a page from a copy of the project: its folder, its tests, and its entry in the list of pages."""
    shutil.rmtree(project / "pages" / name)
    for tests in ("pages", "browser"):
        shutil.rmtree(project / "tests" / tests / name, ignore_errors=True)
    _registry(project, rf'    "{name}",\n', "")


def _registry(project: Path, old: str, new: str) -> None:
    path = project / "pages" / "__init__.py"
    text, n_changed = re.subn(old, new, path.read_text("utf-8"))
    assert n_changed == 1
    path.write_text(text, "utf-8")


def run(project: Path, *command: str) -> str:
    """Run Python in a copy of the project; return the printed text."""
    known = {**os.environ, "PYTHONPATH": str(project), "OMP_NUM_THREADS": "1"}
    found = subprocess.run(
        [sys.executable, *command],
        cwd=project,
        env=known,
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-3000:]
    return found.stdout
