"""The digest of a function's code: it changes with every module that has a part in the function, and no other."""

import ast
import sys
from functools import lru_cache, partial

import grimp
import pytest

from dpcore import code_digest as module
from dpcore.code_digest import code_digest, modules

FILES = {
    "__init__": "",
    "page/__init__": "",
    "page/pipeline": """
from codepkg import maths
from codepkg.kit import Stage
from codepkg.page.words import CAPTION
from codepkg.page import figure
import functools

LEVELS = maths.LEVELS

@functools.lru_cache
def run(problem):
    return helper(problem) + len(LEVELS)

def helper(problem: "Stage"):
    from codepkg.lazy import add
    return add(problem, 1)

def shown(problem):
    return figure.draw(problem, CAPTION)

def named(key):
    return load(f"codepkg.{key}.worlds") if key else "codepkg.direct:run"

def load(name):
    from importlib import import_module
    return import_module(f"codepkg.by_name.{name}")

def outer():
    def inner(problem):
        return maths.LEVELS
    return inner

def holding(function):
    def inner(problem):
        return function(problem)
    return inner

other = lambda problem: problem
""",
    "page/words": 'CAPTION = "some words"',
    "page/figure": "def draw(problem, caption): return caption",
    "maths": "from codepkg.deeper import LEVELS",
    "deeper": "LEVELS = (1, 2)",
    "lazy": "def add(a, b): return a + b",
    "direct": "",
    "by_name/__init__": "",
    "by_name/worlds": "",
    "kit/__init__": "from codepkg.kit.stage import Stage\nfrom codepkg.kit.machinery import Runner",
    "kit/stage": "class Stage: pass",
    "kit/machinery": "class Runner: pass",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    home = tmp_path / "codepkg"
    for name, text in FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    fresh()
    yield home
    fresh()
    for name in [name for name in sys.modules if name.partition(".")[0] == "codepkg"]:
        del sys.modules[name]


def fresh():
    """Forget what was read, as a new process has."""
    for name in (
        "code_digest",
        "_uses",
        "_closure",
        "_imported_by",
        "_path",
        "_roots",
        "_source",
        "_file_digest",
        "_all",
    ):
        getattr(module, name).cache_clear()


def imported(name="run"):
    from importlib import import_module, invalidate_caches

    invalidate_caches()
    return getattr(import_module("codepkg.page.pipeline"), name)


def short(function):
    found = modules(function, packages=("codepkg",))
    return {name.removeprefix("codepkg.") for name in found} - {"codepkg", "page", "page.pipeline"}


def test_a_function_depends_on_what_it_uses_and_not_on_its_neighbours_in_the_module(package):
    assert short(imported("run")) == {"maths", "deeper", "lazy"}
    assert short(imported("helper")) == {"lazy"}
    assert short(imported("shown")) == {"page.figure", "page.words"}
    assert short(partial(imported("holding"), imported("shown"))) == {"page.figure", "page.words"}


def test_a_function_inside_of_another_counts_with_it_and_with_the_functions_it_holds(package):
    assert short(imported("outer")()) == {"maths", "deeper"}
    assert short(imported("holding")(imported("shown"))) == {"page.figure", "page.words"}


def test_what_cannot_be_told_apart_counts_whole(package):
    everything = {
        "maths",
        "deeper",
        "kit",
        "kit.stage",
        "page.words",
        "page.figure",
        "lazy",
        "direct",
    }
    assert everything <= short(imported("other"))


def test_strings_that_name_modules_count_as_imports(package):
    found = short(imported("named"))
    assert {"direct", "by_name.worlds", "by_name"} <= found


TOUCHED = {
    "page/words": False, "page/figure": False, "kit/machinery": False, "direct": False, "kit/stage": False,
    "page/pipeline": True, "maths": True, "deeper": True, "lazy": True, "__init__": True,
}  # fmt: skip


@pytest.mark.parametrize("file", TOUCHED)
def test_the_digest_changes_with_what_has_a_part_in_it_alone(package, file):
    function = imported()
    before = code_digest(function, packages=("codepkg",))
    touched = package / f"{file}.py"
    touched.write_text(touched.read_text() + "\n# touched\n")
    fresh()
    assert (code_digest(function, packages=("codepkg",)) != before) is TOUCHED[file]


def test_data_beside_a_module_count(package):
    function = imported()
    before = code_digest(function, packages=("codepkg",))
    (package / "table.npz").write_bytes(b"numbers")
    fresh()
    assert code_digest(function, packages=("codepkg",)) != before


def test_a_function_without_source_has_no_digest():
    scope = {"__name__": "nowhere"}
    exec("def run(): pass", scope)
    with pytest.raises(ValueError, match=r"nowhere\.run cannot be read"):
        code_digest(scope["run"])


def test_a_name_is_looked_for_where_a_package_has_it_from():
    assert "dpcore.lvq.private" in modules(uses_a_lazy_name, packages=("dpcore", "tests"))
    assert "dpcore.kahm" not in modules(uses_a_lazy_name, packages=("dpcore", "tests"))


def uses_a_lazy_name():
    from dpcore import DPGLVQ

    return DPGLVQ


def test_the_quick_reading_of_imports_finds_what_the_parser_finds():
    tops = ("dpcore", "pages", "ui")
    missed = {}
    graph = grimp.build_graph(*tops, exclude_type_checking_imports=True)
    for name in graph.modules:
        wanted = graph.find_modules_directly_imported_by(name)
        names = [item for item in module._source(name).imports if item.partition(".")[0] in tops]
        read = set().union(
            *(module._resolved(item, frozenset(tops)) for item in names), *map(module._above, names)
        )
        mine = {item for item in wanted if item.partition(".")[0] in tops}
        direct = {item for item in mine if item not in read}
        # Of a package that re-exports a name, the module which has the name stands for the package.
        left = {item for item in direct if not module._source(item).is_package}
        if left:
            missed[name] = left
    assert missed == {}


def test_decorated_functions_are_themselves():
    assert modules(lru_cache(plain), packages=("tests",)) == modules(plain, packages=("tests",))


def plain():
    return ast
