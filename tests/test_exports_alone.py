"""An exported notebook and program of a page run from the built wheel and a package index alone (`make wheels`)."""

import json
import os
import subprocess
import sys

import pytest

from tests import programs
from tests.test_explorer_wheel import known, wheels
from tests.test_fresh_environments import made, uv
from ui.export import downloads, origin

__all__ = ["wheels"]  # a fixture

PAGE = "mechanisms"
# Plotly serves a figure to one browser, and waits until it has come.
FETCH = """
import pathlib, sys, urllib.request
pathlib.Path(sys.argv[1]).write_bytes(urllib.request.urlopen(sys.argv[2]).read())
"""

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def index():
    """A package index that has what the wheel requires."""
    done = uv("pip", "compile", "-q", "--no-deps", "-", input="plotly\ndp-accounting\n")
    if done.returncode:
        pytest.skip(f"no package index answers: {done.stderr.strip().splitlines()[-1]}")


@pytest.fixture
def declared(wheels, monkeypatch):
    """The page's downloads from a server that says where the wheel of the library is."""
    monkeypatch.setenv(origin.INSTALL, wheels["dpcore"].as_uri())
    return programs.bundle(PAGE)


def test_a_program_brings_what_it_needs(index, declared, tmp_path):
    file, figure, fetch = (tmp_path / name for name in ("program.py", "figure.html", "fetch.py"))
    file.write_text(downloads.script(declared), "utf-8")
    fetch.write_text(FETCH, "utf-8")
    environment = known(tmp_path) | {
        "PLOTLY_RENDERER": "browser", "BROWSER": f"{sys.executable} {fetch} {figure} %s &",
        "UV_PYTHON": sys.executable,
    }  # fmt: skip
    done = uv("run", "-q", "--no-project", "--script", file, env=environment, timeout=1200)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Laplace" in done.stdout  # it prints the guarantee
    assert "published answer" in figure.read_text("utf-8")


def test_a_notebook_installs_the_library_and_draws(index, declared, tmp_path):
    python = made("3.11", tmp_path / "home", "pip", "nbclient", "nbformat", "ipykernel")
    file = tmp_path / "notebook.ipynb"
    file.write_text(downloads.notebook(declared), "utf-8")
    run = (
        "import nbformat, nbclient, sys\n"
        "book = nbformat.read(sys.argv[1], 4)\n"
        "nbclient.NotebookClient(book, timeout=1200, kernel_name='python3').execute()\n"
        "nbformat.write(book, sys.argv[1])\n"
    )
    environment = known(tmp_path) | {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [python, "-c", run, file], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    book = json.loads(file.read_text("utf-8"))
    outputs = [out for cell in book["cells"] for out in cell.get("outputs", [])]
    shown = [out["data"] for out in outputs if "data" in out]
    assert any("application/vnd.plotly.v1+json" in data for data in shown)
    assert not [out for out in outputs if out["output_type"] == "error"]
