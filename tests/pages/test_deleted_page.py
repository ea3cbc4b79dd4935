"""A page's folders and its line in the registry deleted: everything else stays green.

A page's own tests lie in ``tests/pages/<topic>/``, its journeys in ``tests/browser/<topic>/``, and go with it.
All other tests go over the registry.
"""

import re
from pathlib import Path

import pytest

from pages import PAGES
from tests.copies import add_example, copied, remove, run

ROOT = Path(__file__).resolve().parents[2]
PAGE = PAGES[len(PAGES) // 2]
IMPORTS = """
import importlib, os, pathlib, pkgutil, sys, traceback
import plotly.graph_objects, streamlit.web.cli
import dpcore.experiments as experiments
for info in pkgutil.walk_packages(experiments.__path__, "dpcore.experiments."):
    importlib.import_module(info.name)
assert not {"pages", "ui"} & set(sys.modules)

def imported(project):
    os.chdir(project)
    sys.path.insert(0, project)
    from pages import PAGES, specs
    assert pathlib.Path(sys.modules["pages"].__file__).is_relative_to(project)
    assert [spec.key for spec in specs()] == list(PAGES)
    for path in sorted(pathlib.Path("pages").rglob("*.py")):
        if path.name not in ("page.py", "main.py", "program.py"):
            importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))

failed = []
for project in sys.argv[1:]:  # each in a process of its own, which need not import the library again
    if os.fork() == 0:
        try:
            imported(project)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    failed += [project] * bool(os.wait()[1])
assert not failed, failed
"""
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
COLLECTED = (
    "tests/test_readme.py", "tests/ui", "tests/pages",
    "tests/browser",
)  # fmt: skip
# What draws pages or goes over them; of the kit's tests those that know of pages at all.
GREEN = (
    "test_the_table_of_pages", "test_home.py",
    "test_own.py", "test_every_page_runs", "test_a_depth_goes", "test_pages and relevance",
)  # fmt: skip
# Servers started for the tests of the kit, the bytes of one page's figure, a program of one page.
ELSEWHERE = (
    "test_a_signal_ends", "test_preload_links", "test_application", "is_small",
    "regression and test_program",
    "test_no_page_formats",  # the example page of CONTRIBUTING.md does, to be short
)  # fmt: skip


def of_the_kit():
    """The files of tests/ui that could miss a page: they ask for pages, or look into their folder."""
    for path in sorted((ROOT / "tests" / "ui").rglob("test_*.py")):
        if re.search(r"^from pages|[\"']pages[\"']", path.read_text("utf-8"), re.M):
            yield path.name


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
@pytest.mark.thorough
def test_without_a_page_all_others_import(tmp_path):
    projects = {name: copied(tmp_path / name, parts=("pages", "ui")) for name in PAGES[1:]}
    for name, project in projects.items():
        remove(project, name)
    alone = tmp_path / "the library alone"
    alone.mkdir()
    (alone / "dpcore").symlink_to(ROOT / "dpcore")
    run(alone, "-c", IMPORTS, *map(str, projects.values()))


@pytest.mark.slow
def test_without_a_page_and_with_a_new_one_the_tests_of_all_others_pass(tmp_path):
    """The new one is the page of CONTRIBUTING.md: every test that goes over the pages passes for it."""
    project = copied(tmp_path)
    remove(project, PAGE)
    add_example(project)
    others = f"({' or '.join([*GREEN, *of_the_kit()])}) and not ({') and not ('.join(ELSEWHERE)})"
    names = f"({others}) or (example and not test_example_page)"
    run(project, *PYTEST, "-x", "-m", "not browser", "-k", names, *COLLECTED)
