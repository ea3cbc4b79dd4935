"""Imports inside the packages: pure figures, pages that do not know each other, no circles."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.import_graph import circle, graph, road

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("streamlit", "plotly")
SHARED = ("__main__", "commands", "main", "prepare", "handout")  # lie in pages/, and are none


@pytest.fixture(scope="module")
def whole():
    return graph(ROOT, "dpcore", "ui", "pages")


@pytest.fixture(scope="module")
def figures(whole):
    return [
        name
        for name in whole
        if name.startswith("ui.figure_kit") or name.rpartition(".")[2].startswith("figure")
        if not name.startswith("dpcore")
    ]


def page_of(name):
    """The page a module belongs to: what lies in pages/ itself belongs to all."""
    parts = name.split(".")
    return parts[1] if parts[0] == "pages" and len(parts) > 1 and parts[1] not in SHARED else ""


def between_pages(found):
    return [
        (name, wanted)
        for name, imports in found.items()
        for wanted in imports
        if page_of(name) and page_of(wanted) not in ("", page_of(name))
    ]


@pytest.fixture
def project(tmp_path):
    """A project with a fault of each kind: a function of a neighbour's imports Streamlit."""
    files = {
        "ui/__init__.py": "",
        "ui/words.py": "def say():\n    import streamlit\n",
        "ui/sums.py": "",
        "pages/__init__.py": "",
        "pages/first/__init__.py": "",
        "pages/first/figure.py": "from ui import sums, words",
        "pages/second/__init__.py": "",
        "pages/second/figure.py": "from typing import TYPE_CHECKING\n\nfrom ui import sums\n"
        "if TYPE_CHECKING:\n    from ui.words import say",
        "pages/second/view.py": "def draw():\n    from ..first import figure\n    from . import figure",
        "pages/first/view.py": "def draw():\n    from pages.second.view import draw",
        "ui/one.py": "import ui.two",
        "ui/two.py": "def f():\n    from ui import one",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return graph(tmp_path, "ui", "pages")


def test_the_checks_can_find_something(project):
    found = road(project, "pages.first.figure", "streamlit")
    assert found == ["pages.first.figure", "ui.words", "streamlit"]
    assert road(project, "pages.second.figure", "streamlit") == []
    assert ("pages.second.view", "pages.first.figure") in between_pages(project)
    assert set(circle(project)) == {"ui.one", "ui.two"}
    assert circle({name: found - {"ui.one"} for name, found in project.items()}) == []


@pytest.mark.parametrize("heavy", HEAVY)
def test_a_figure_loads_no_streamlit_and_no_plotly(whole, figures, heavy):
    assert len(figures) > 50
    assert [found for name in figures if (found := road(whole, name, heavy))] == []


def test_all_figures_together_load_no_streamlit_and_no_plotly(figures):
    code = f"import sys, {', '.join(figures)}\nprint([m for m in {HEAVY} if m in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


def test_no_page_imports_another_ones_folder(whole):
    assert between_pages(whole) == []


def test_no_files_import_each_other_in_a_circle(whole):
    assert circle(whole) == []
