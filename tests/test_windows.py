"""The project under what Windows lacks: everything imports, a network trains, a table is read, the app answers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pages import PAGES
from tests import as_windows
from tests.browser.serving import started
from tests.browser.visitor import visiting

ROOT = Path(__file__).resolve().parent.parent

START = "from tests import as_windows; as_windows.pretend()\n"
EVERYTHING = """
import importlib, pkgutil, sys
import dpcore, pages, ui
for package in (dpcore, ui, pages):
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not info.name.endswith(("__main__", ".program")):  # these run when they are imported
            importlib.import_module(info.name)

from pathlib import Path
from dpcore.journal import Journal, Refused
from dpcore.datasets import read_csv_in_subprocess
from dpcore.experiments.network import NetworkParams, recipe, trained_in_worker

with Journal(Path(sys.argv[1]), {}) as journal:
    journal.add("one", [{"x": 1}])
print(read_csv_in_subprocess("ä,b\\n1,x\\n2,y\\n".encode()).frame.shape)
*_, last = trained_in_worker(recipe(NetworkParams(epochs=5)), 0)
print(len(last.accuracy))
"""


@pytest.mark.slow
def test_everything_imports_a_table_is_read_and_a_network_trains(tmp_path):
    file = tmp_path / "journal"
    run = subprocess.run(
        [sys.executable, "-c", START + EVERYTHING, str(file)],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == ["(2, 2)", "6"]
    assert '"x": 1' in file.read_text("utf-8")


@pytest.mark.parametrize(
    "program",
    [
        "import fcntl", "from dpcore import _worker_process as w; w.os.nice(1)", "from os import fork",
        "import signal; signal.SIGKILL", "import ctypes; ctypes.CDLL(None)",
        "import subprocess; subprocess.Popen(['true'], pass_fds=[1])",
    ],
)  # fmt: skip
def test_what_windows_lacks_is_missing(program):
    command = [sys.executable, "-c", f"{START}{program}"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 1
    assert "Error: " in run.stderr
    assert "SyntaxError" not in run.stderr


def test_help_is_printed_where_the_code_page_has_no_greek():
    run = subprocess.run(
        [sys.executable, "-m", "dpcore", "--help"],
        cwd=ROOT, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, b"")
    assert "ε" in run.stdout.decode("utf-8")


@pytest.mark.slow
def test_the_app_answers_and_draws_a_page():
    command = ("-m", "tests.as_windows")
    with started(ROOT / "app.py", command=command) as (address, _), visiting(address) as visitor:
        visitor.open(PAGES[1])
        assert visitor.data or visitor.live_figures


def test_what_is_taken_away_exists_here():
    """A misspelt name would take nothing away."""
    import importlib

    for name, missing in as_windows.MISSING.items():
        module = importlib.import_module(name)
        assert sorted(missing - set(dir(module))) == []
