"""The wheel of dpcore, alone in an environment and an empty folder: imports, commands, examples."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = """
import doctest, importlib, pkgutil, sys, warnings
import dpcore
assert not {"pages", "ui"} & {name for _, name, _ in pkgutil.iter_modules()}, "the application is there"
warnings.simplefilter("ignore", dpcore.SeededNoiseWarning)
options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
failed = tried = 0
for info in list(pkgutil.walk_packages(dpcore.__path__, "dpcore."))[::8]:
    if any(part.startswith("_") for part in info.name.split(".")):
        continue
    found = doctest.testmod(importlib.import_module(info.name), optionflags=options)
    failed, tried = failed + found.failed, tried + found.attempted
print(tried, failed)
"""
HELPS = """
import contextlib
from dpcore.__main__ import _parser, main
for name in _parser()._subparsers._group_actions[0].choices:
    with contextlib.suppress(SystemExit):
        main([name, "--help"])
"""
CHECKS = """
import warnings
from dpcore import SeededNoiseWarning
from dpcore.audit import checks
warnings.simplefilter("ignore", SeededNoiseWarning)
made = [check() for _, check in list(checks.all_checks())[::24]]
assert len(made) > 4
print(sum(not one.holds for one in made))
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The wheel, made from a copy: building leaves folders beside the source."""
    source = tmp_path_factory.mktemp("source")
    shutil.copytree(
        ROOT / "dpcore", source / "dpcore", ignore=shutil.ignore_patterns("__pycache__")
    )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    made = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(made), str(source))
    (wheel,) = made.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def alone(built, tmp_path_factory):
    """Run Python where the wheel and what it requires is installed, from an empty folder."""
    home = tmp_path_factory.mktemp("home")
    empty = tmp_path_factory.mktemp("empty")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    python = home / "bin" / "python"
    pip("--python", str(python), "install", "--no-deps", "--no-index", str(built))
    (site,) = (home / "lib").glob("python*/site-packages")
    (site / "required.pth").write_text(sysconfig.get_path("purelib"))

    def run(*words):
        hidden = {"PYTHONPATH", "PYTHONWARNINGS"}
        known = {k: v for k, v in os.environ.items() if k not in hidden} | {"OMP_NUM_THREADS": "1"}
        found = subprocess.run(
            [python, *words], cwd=empty, env=known, capture_output=True, text=True, check=False
        )
        assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-3000:]
        return found.stdout

    return run


def pip(*words):
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", *words]
    subprocess.run(command, check=True, capture_output=True, text=True)


def test_it_holds_the_library_alone(built):
    names = zipfile.ZipFile(built).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"dpcore"}
    kept = {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "dpcore").rglob("*") if path.is_file()
    }
    missing = kept - set(names)
    assert not {name for name in missing if "__pycache__" not in name}


def test_every_command_says_what_it_does(alone):
    assert "site-packages" in alone("-c", "import dpcore; print(dpcore.__file__)")
    assert "usage: python -m dpcore" in alone("-m", "dpcore", "--help")
    helps = alone("-c", HELPS)
    for name in ("audit", "receipts", "table1", "verdicts"):
        assert f"usage: python -m dpcore {name} " in helps


def test_examples_of_public_modules_run(alone):
    """Those of one module in eight: all of them run from the source, as tests of their own."""
    tried, failed = map(int, alone("-c", EXAMPLES).split()[-2:])
    assert tried > 15
    assert failed == 0


def test_checks_of_the_audit_hold(alone):
    """One in twenty-four: tests/dpcore/audit/test_checks.py makes all of them."""
    assert alone("-c", CHECKS).split()[-1] == "0"
