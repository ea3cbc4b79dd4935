"""A program is a file that runs; what a reader takes home is the same text with their values in it."""

import ast
from pathlib import Path

import pytest

from tests.programs import bundle
from ui.program import filled

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "pages").glob("*/program.py"))


def imported(file):
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_the_file_is_what_the_page_gives_at_its_first_settings(file):
    assert bundle(file.parent.name).program == file.read_text("utf-8")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_a_program_imports_public_names_of_the_library_alone(file):
    names = list(imported(file))
    assert {name.split(".")[0] for name in names} <= {"dpcore", "numpy", "plotly"}
    assert not [name for name in names if "._" in name]


def test_values_replace_what_is_assigned_and_nothing_else(tmp_path):
    file = tmp_path / "program.py"
    file.write_text('x = f(\n    "ε",\n)  # why\ny = 2; z = y\nprint(x, y)\n', "utf-8")
    assert filled(file, y="3", x="g()") == "x = g()  # why\ny = 3; z = y\nprint(x, y)\n"
    assert filled(file) == file.read_text("utf-8")
    with pytest.raises(LookupError, match="assigns no w: it assigns x, y, z"):
        filled(file, w="1")
