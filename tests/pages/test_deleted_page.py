"""A page's folders and its line in the registry deleted: everything else stays green.

A page's own tests lie in ``tests/pages/<topic>/``, its journeys in ``tests/browser/<topic>/``, and go with it.
All other tests go over the registry.
"""

import re
from pathlib import Path

import pytest

from pages import PAGES
from tests.copies import copied, remove, run

ROOT = Path(__file__).resolve().parents[2]
PAGE = PAGES[len(PAGES) // 2]
IMPORTS = """
import importlib, pathlib
from pages import PAGES, specs
assert [spec.key for spec in specs()] == list(PAGES)
for path in sorted(pathlib.Path("pages").rglob("*.py")):
    if path.name not in ("page.py", "main.py"):
        importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
"""
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
GREEN = (
    "tests/test_imports.py", "tests/test_readme.py", "tests/test_repeats.py", "tests/fuzz", "tests/ui",
    "tests/pages/home", "tests/pages/test_pages.py", "tests/pages/test_own.py",
    "tests/pages/test_hostile_links.py",
)  # fmt: skip


def owned():
    """The folders that go with a page."""
    return {(top, name) for top in ("pages", "browser") for name in PAGES}


def test_shared_tests_import_no_page():
    wrong = [
        f"{path}: {line}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if tuple(path.relative_to(ROOT / "tests").parts[:2]) not in owned()
        for line in path.read_text("utf-8").splitlines()
        if re.match(rf"\s*(from|import) pages\.({'|'.join(PAGES)})\b", line)
    ]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES[1:])
def test_without_a_page_all_others_import(tmp_path, name):
    project = copied(tmp_path)
    remove(project, name)
    run(project, "-c", IMPORTS)


@pytest.mark.slow
def test_without_a_page_the_tests_of_all_others_pass(tmp_path):
    project = copied(tmp_path)
    remove(project, PAGE)
    run(project, *PYTEST, "--collect-only", "tests/pages", "tests/ui", "tests/browser")
    run(project, *PYTEST, "-x", "-m", "not browser", *GREEN)
