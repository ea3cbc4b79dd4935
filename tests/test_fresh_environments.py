"""Both wheels in environments of their own, with what they require from a package index (`make wheels`).

Each supported Python installs the newest versions, and the oldest Python the oldest versions of the library's
requirements. torch is left out: its build for Linux from an index is gigabytes.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from pages import __main__ as program
from tests.test_explorer_wheel import PAGES, facts, known, opened, running, wheels

__all__ = ["wheels"]  # a fixture

ROOT = Path(__file__).resolve().parent.parent
CHECKS = ROOT / "tests" / "library_checks.py"
PYTHONS = ("3.11", "3.12", "3.13")

pytestmark = pytest.mark.thorough


def uv(*words, **options):
    command = ["sh", "tools/uv.sh", sys.prefix, *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **options)


def interpreter(version):
    """Return the path of an installed Python; skip where it is absent."""
    places = Path.home().glob(f".pyenv/versions/{version}.*/bin/python3")  # pyenv hides what it has
    for path in (shutil.which(f"python{version}"), *sorted(places)):
        if path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0:
            return path
    pytest.skip(f"Python {version} is not installed")


def made(version, home, *requirements):
    """Make an environment with requirements; return its Python."""
    uv("venv", "-q", "--python", interpreter(version), home, check=True)
    python = home / "bin" / "python"
    done = uv("pip", "install", "--python", python, *requirements)
    assert done.returncode == 0, done.stderr[-3000:]
    print(done.stderr)
    return python


def checked(python, tmp_path, *words):
    done = subprocess.run(
        [python, "-I", CHECKS, *words], cwd=tmp_path, env=known(tmp_path), capture_output=True, text=True
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["failed"] == {}, done.stdout[-6000:]
    return found


def library_works(python, tmp_path):
    """Run every example of the guide, and scikit-learn's checks of every estimator."""
    guide = tmp_path / "guide"
    shutil.copytree(ROOT / "docs" / "guide", guide)
    found = checked(python, tmp_path, "guide", str(guide))
    assert found["tried"] > 80
    assert found["left_out"] == ["network.md", "notebook.md"]
    assert len(checked(python, tmp_path, "estimators")["tried"]) > 10


@pytest.mark.parametrize("version", PYTHONS)
def test_everything_works_with_the_newest_requirements(version, wheels, tmp_path):
    python = made(version, tmp_path / "home", *wheels.values())
    library_works(python, tmp_path)
    place = python.with_name("dp-explorer")
    smoke = [python, "-I", ROOT / "tools" / "smoke.py", facts(wheels["dpcore"])["Version"]]
    subprocess.run(smoke, check=True, cwd=tmp_path, env=known(tmp_path))
    for name in program._COMMANDS:
        subprocess.run(
            [place, name, "--help"], check=True, capture_output=True, env=known(tmp_path)
        )
    with running(place, tmp_path) as address:
        for page in PAGES:
            assert opened(address, page) == []


def test_the_library_works_with_its_oldest_requirements(wheels, tmp_path):
    needed = [Requirement(text) for text in facts(wheels["dpcore"]).get_all("Requires-Dist")]
    ranges = tmp_path / "ranges.txt"
    chosen = [one for one in needed if one.marker is None or 'extra == "table1"' in str(one.marker)]
    ranges.write_text("".join(f"{one.name}{one.specifier}\n" for one in chosen))
    lowest = ("--resolution", "lowest-direct", "-r", ranges)
    python = made(PYTHONS[0], tmp_path / "home", wheels["dpcore"], *lowest)
    library_works(python, tmp_path)


@pytest.mark.parametrize("version", PYTHONS)
def test_uvx_runs_it_from_the_files(version, wheels, tmp_path):
    folder = wheels["dp_explorer"].parent
    environment = {**os.environ, "UV_TOOL_DIR": str(tmp_path)}
    words = ("tool", "run", "--python", interpreter(version), "--find-links", folder)
    done = uv(*words, "--from", wheels["dp_explorer"], "dp-explorer", "--version", env=environment)
    assert done.stdout.startswith("DP Explorer 0."), done.stderr
