"""What neither ruff nor import-linter checks: names of upper layers in strings, lazy weight, docstrings."""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

import dpcore
from pages import PAGES

ROOT = Path(__file__).resolve().parent.parent
PAGE = rf"/?(?:{'|'.join(PAGES)})\?\w+="  # the address of a page in a state
ABOVE = re.compile(
    rf"\b(?:pages|ui)\.\w+|\bassets/|[Yy]our own (?:CSV|data)|[Pp]lotly|sys\.path|^{PAGE}"
)
HEAVY = ("torch", "numba", "dp_accounting", "sklearn", "pandas", "streamlit", "plotly")


def docstrings(tree):
    """The nodes of all docstrings: they may say where a thing is used."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, kinds) and ast.get_docstring(node) is not None:
            yield node.body[0].value


def words_of_the_application(tree):
    """String constants that name what lies above the library, and code that looks outside of it."""
    told = {id(node) for node in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield from ABOVE.findall(node.value)
        elif isinstance(node, ast.Attribute) and dotted(node) == "sys.path":
            yield "sys.path"
        elif isinstance(node, ast.Attribute) and node.attr == "parents":
            yield "parents"  # of __file__: what lies beside the package is not in its wheel


def dotted(node):
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else None
    return node.id if isinstance(node, ast.Name) else None


def test_the_library_names_nothing_above_it():
    """Neither a module, a page, a caption nor a file of the application, in no string."""
    found = {}
    for path in sorted((ROOT / "dpcore").rglob("*.py")):
        words = set(words_of_the_application(ast.parse(path.read_text("utf-8"))))
        if words:
            found[path.relative_to(ROOT).as_posix()] = words
    assert found == {}


@pytest.mark.parametrize(
    "source",
    [
        'WORK = "pages.prepare:work"', 'x = f"{y} ui.runner"', 'import sys\nsys.path.insert(0, "")',
        'label = "Your own CSV"', '"""Head."""\ncode = "import plotly"', 'link = "budget?epsilon=1"',
        "x = Path(__file__).resolve().parents[2]",
    ],
)  # fmt: skip
def test_a_word_of_the_application_is_found(source):
    assert list(words_of_the_application(ast.parse(source)))
    assert not list(words_of_the_application(ast.parse('"""See pages.prepare and Plotly."""')))


def loaded(*names):
    """Which of the heavy packages are loaded once these modules are imported."""
    code = f"import sys, {', '.join(names)}\nprint(*(m for m in {HEAVY} if m in sys.modules))"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(found.stdout.split())


def test_importing_dpcore_loads_nothing_heavy():
    assert loaded("dpcore", "dpcore.accounting", "dpcore.lvq", "dpcore.datasets") == set()


def test_figures_load_no_streamlit_and_no_plotly():
    pages = ROOT / "pages"
    paths = [
        *(ROOT / "ui/figure_kit").glob("*.py"), *pages.glob("*/figure*.py"), *pages.glob("*/figure/*.py"),
    ]  # fmt: skip
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    assert len(names) > 20
    assert loaded(*names) & {"streamlit", "plotly"} == set()


def test_the_server_starts_without_what_only_a_page_needs():
    """What `dp-explorer` imports before it answers: on a new machine each package is compiled first."""
    late = (
        "scipy.signal",
        "scipy.stats",
        "scipy.optimize",
        "sklearn",
        "joblib",
        "numba",
        "torch",
        "sqlalchemy",
    )
    code = f"import sys, app\nprint(*(m for m in {late} if m in sys.modules))"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == []


def test_no_modules_import_each_other_in_a_circle():
    found = grimp.build_graph("dpcore", "ui", "pages", exclude_type_checking_imports=True)
    wanted = {name: found.find_modules_directly_imported_by(name) for name in found.modules}
    TopologicalSorter(wanted).prepare()  # a CycleError names the circle


def public_objects():
    for info in pkgutil.walk_packages(dpcore.__path__, "dpcore."):
        if info.name.split(".")[-1].startswith("_"):
            continue
        module = importlib.import_module(info.name)
        assert module.__doc__, info.name
        for name in module.__all__:
            found = getattr(module, name)
            if getattr(found, "__module__", info.name) == info.name:
                yield f"{info.name}.{name}", found


PUBLIC = dict(public_objects())


def lacks_shapes(found):
    """Whether a function that takes or gives arrays says nothing of their shapes."""
    if not inspect.isfunction(found):
        return False
    words = " ".join(str(note) for note in found.__annotations__.values())
    return bool(re.search(r"NDArray|ArrayLike", words)) and not re.search(
        r"\((?:\w|\.\.\.|\?)[^)]*\)|any shape", found.__doc__ or ""
    )


def fault(found):
    """Return what the docstring of a public name lacks, or None."""
    if not (inspect.isfunction(found) or inspect.isclass(found)):
        return None
    words = (found.__doc__ or "").strip()
    if not words:
        return "no docstring"
    if words.startswith(f"{found.__name__}("):
        return "a dataclass's own"
    return "arrays without shapes" if lacks_shapes(found) else None


def test_every_public_name_has_a_docstring_with_shapes():
    assert len(PUBLIC) > 1000
    assert {name: said for name, found in PUBLIC.items() if (said := fault(found))} == {}


def test_each_fault_of_a_docstring_is_found():
    @dataclasses.dataclass
    class Bare:
        x: int

    def silent():
        pass

    def bare(x: "NDArray") -> None:  # noqa: F821
        """Do a thing."""

    assert [fault(one) for one in (Bare, silent, bare, fault)] == [
        "a dataclass's own", "no docstring", "arrays without shapes", None,
    ]  # fmt: skip


def test_the_version_is_the_newest_of_the_changelog():
    newest = re.search(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert dpcore.__version__ == newest[1]


def test_every_requirement_is_pinned_and_explained():
    explained = (ROOT / "docs" / "dependencies.md").read_text()
    for file in (
        "requirements.txt",
        "requirements-dev.txt",
        "requirements-release.txt",
        "benchmarks/requirements.txt",
    ):
        for line in (ROOT / file).read_text().split():
            if line.startswith(("-r", "..", "requirements")):
                continue
            name, version = line.split("==")
            assert version
            assert f"**{name}**" in explained, name


def test_project_text_names_no_machine():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    for path in map(ROOT.joinpath, listed.stdout.split()):
        if path.suffix in {".npz", ".png", ".svg"} or path == Path(__file__) or not path.exists():
            continue
        assert not re.search(r"/(?:work|root|home)/\w|pypi\.org", path.read_text()), path
