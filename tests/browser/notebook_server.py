"""JupyterLab and marimo on free ports, with a notebook of figures, for the tests of figures in notebooks."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from tests.browser.serving import ROOT, free_port, wait_for

__all__ = ["FIRST", "jupyter", "marimo", "reason"]

FIRST = """\
import numpy as np
import dp_explorer
from dp_explorer import live

page = dp_explorer.figure("mechanisms?epsilon=1&v=5")
x = np.linspace(0, 1, 50)
grid = [0.5, 1.0, 2.0, 4.0]

def compute(values):
    return {"noisy": values["factor"] * x, "factor": np.float32(values["factor"])}

own = live.Figure(
    name="own",
    controls=[
        live.Slider(name="power", label="power", grid=grid),
        live.Slider(name="factor", label="factor", grid=[1, 2, 3]),
    ],
    arrays={"x": x, "y": ([x**k for k in grid], "power")},
    compute=compute,
    values={"power": 1.0},
    panels=[live.Panel(
        key="curve", title="Two curves", x=live.Axis(range=(0, 1)), y=live.Axis(range=(0, 3)),
        layers=[
            live.layers.Line(x="x", y="y", label="power"),
            live.layers.Line(x="x", y="noisy", role="other", label="factor"),
        ],
    )],
    readouts=[live.Readout(value="factor", label="the factor")],
)
"""
"""Code of the first cell, which makes the figures ``page`` and ``own``."""


def interpreter() -> str:
    """Return the Python that has JupyterLab and marimo: that of `DPCORE_NOTEBOOKS`, or this one."""
    return os.environ.get("DPCORE_NOTEBOOKS", sys.executable)


def reason() -> str:
    """Return why there are no notebooks here, "" if there are."""
    if "DPCORE_NOTEBOOKS" in os.environ:
        return ""
    missing = [name for name in ("anywidget", "jupyterlab", "marimo") if find_spec(name) is None]
    return f"{', '.join(missing)} not installed: sh tools/notebooks.sh" if missing else ""


@contextmanager
def _running(folder: Path, health: str, *words: str) -> Iterator[None]:
    known = {
        **os.environ, "OMP_NUM_THREADS": "1", "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "PYTHONPATH": os.pathsep.join((str(ROOT / "explorer"), str(ROOT))),
    }  # fmt: skip
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [interpreter(), "-m", *words], cwd=folder, env=known, stdout=log, stderr=log
        )
        try:
            wait_for(health, process)
            yield
        finally:
            process.terminate()
            process.wait(30)


@contextmanager
def jupyter(folder: Path, *cells: str) -> Iterator[str]:
    """Serve a notebook with these cells in JupyterLab; yield its address."""
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    content = {
        "nbformat": 4, "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "cells": [{**cell, "id": f"cell-{k}", "source": text} for k, text in enumerate(cells)],
    }  # fmt: skip
    (folder / "figures.ipynb").write_text(json.dumps(content), "utf-8")
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    options = (
        f"--ServerApp.port={port}", "--ServerApp.ip=127.0.0.1", "--IdentityProvider.token=", "--no-browser",
        "--allow-root", f"--ServerApp.root_dir={folder}", "--LabApp.expose_app_in_browser=True",
        "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    )  # fmt: skip
    with _running(folder, f"{address}/api", "jupyterlab", *options):
        yield f"{address}/lab/tree/figures.ipynb"


@contextmanager
def marimo(folder: Path, *cells: str) -> Iterator[str]:
    """Serve a marimo notebook with these cells, each the body of a function; yield its address."""
    bodies = []
    for text in cells:
        lines = "\n".join(f"    {line}" if line else "" for line in text.rstrip().splitlines())
        bodies.append(f"@app.cell\ndef _():\n{lines}\n    return\n")
    head = "import marimo\n\napp = marimo.App(width='full')\n\n\n"
    (folder / "figures.py").write_text(head + "\n\n".join(bodies), "utf-8")
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    options = ("--headless", "--no-token", "--port", str(port), "--host", "127.0.0.1")
    with _running(folder, f"{address}/health", "marimo", "-q", "run", "figures.py", *options):
        yield address
