"""The site of `make docs`: nothing public is left out, every topic has what it should have."""

import importlib
import inspect
import json
import re
import sys
from pathlib import Path

import pytest

import dpcore.__main__
import pages.__main__
from dpcore.regression import SufficientStatisticsRegression
from pages import PAGES, specs
from tests.test_layers import PUBLIC
from tools.gallery import digest

DOCS = Path(__file__).resolve().parent.parent / "docs"
TOPICS = (
    "mechanisms", "accounting", "budget", "descent", "glvq", "gmlvq", "regression", "autoencoder",
    "kahm", "audit", "datasets",
)  # fmt: skip
SLOW = {"prototypes", "relevances"}


@pytest.fixture(scope="module")
def ext():
    """Import a module of docs/_ext by its name."""
    sys.path.insert(0, str(DOCS / "_ext"))
    yield importlib.import_module
    sys.path.remove(str(DOCS / "_ext"))


def guide(topic):
    return (DOCS / "guide" / f"{topic}.md").read_text()


def used(directive):
    found = r"^```\{" + directive + r"\}[ ]?([\w -]*)$"
    pages = sorted((DOCS / "guide").glob("*.md"))
    return [name for page in pages for name in re.findall(found, page.read_text(), re.M)]


def test_every_public_name_is_described_once(ext, tmp_path):
    reference = ext("reference")
    names = reference.write_pages(tmp_path)
    text = "\n".join((tmp_path / f"{name}.rst").read_text() for name in names)
    where = reference.homes()
    described = re.findall(r"^\.\. auto(?:class|function):: (\S+)$", text, re.M)
    assert len(described) == len(set(described))
    for full, value in PUBLIC.items():
        if callable(value) and getattr(value, "__module__", "").startswith("dpcore"):
            assert where[full] in described, full
    for module in {full.rpartition(".")[0] for full in PUBLIC}:
        assert f".. automodule:: {module}\n" in text, module


def test_estimators_show_what_they_inherit(ext, tmp_path):
    ext("reference").write_pages(tmp_path)
    text = (tmp_path / "dpcore.lvq.rst").read_text()
    shown = "   :inherited-members: BaseEstimator\n"
    assert f".. autoclass:: dpcore.lvq.DPGLVQ\n{shown}" in text
    assert text.count(shown) == 6  # four and their bases; no named tuples and warnings


def test_methods_of_scikit_learn_lose_references_to_its_pages(ext):
    def said(method):
        lines = (inspect.getdoc(method) or "").splitlines()
        ext("resolve")._of_scikit_learn(None, "method", "", method, None, lines)
        return lines

    (score,) = said(SufficientStatisticsRegression.score)
    assert score == (
        "Return coefficient of determination on test data. Inherited from ``RegressorMixin`` of scikit-learn."
    )
    assert len(said(SufficientStatisticsRegression.fit)) > 5


def test_the_gallery_shows_every_page_and_only_current_pictures(ext, tmp_path, monkeypatch):
    gallery = ext("gallery")
    gallery.write_page(tmp_path)
    text = (tmp_path / "gallery.md").read_text("utf-8")
    assert [f"## {spec.title}" for spec in specs()] == re.findall("^## .*", text, re.M)
    assert all(spec.question in text for spec in specs())
    assert f"{len(PAGES)} are missing" in text
    folder = tmp_path / "gallery"
    folder.mkdir()
    monkeypatch.setattr("tools.gallery.digest", lambda root: "now")
    notes = {"home": "now", "lesson": "before", "budget": "now"}
    (folder / "digests.json").write_text(json.dumps(notes))
    for key in ("home", "lesson"):  # that of budget is lost
        (folder / f"{key}.png").write_bytes(b"")
    gallery.write_page(tmp_path)
    text = (tmp_path / "gallery.md").read_text("utf-8")
    assert re.findall(r"\{image\} (\S+)", text) == ["gallery/home.png"]
    assert f"{len(PAGES) - 1} are missing" in text


def test_the_digest_of_the_gallery_follows_sources_and_nothing_else(tmp_path):
    for name in ("assets", "dpcore", "pages/static/live-1", "ui/__pycache__"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "app.py").write_text("")
    before = digest(tmp_path)
    (tmp_path / "pages" / "static" / "live-1" / "main.js").write_text("made")
    (tmp_path / "ui" / "__pycache__" / "x.pyc").write_text("made")
    assert digest(tmp_path) == before
    (tmp_path / "ui" / "words.toml").write_text("a = 1")
    assert digest(tmp_path) != before


def documented():
    """Every docstring that the site shows, with its module and the members of its class."""
    for full, value in PUBLIC.items():
        module = sys.modules[full.rpartition(".")[0]]
        yield module.__name__, module.__doc__, ()
        members = dir(value) if inspect.isclass(value) else ()
        for part in [value, *(vars(value).values() if members else ())]:
            if inspect.isclass(part) or inspect.isfunction(part) or isinstance(part, property):
                written = getattr(part, "__module__", None) or module.__name__
                yield written, inspect.getdoc(part) or "", members


def test_names_in_single_backticks_mean_something(ext):
    names = ext("resolve").Names()
    assert names.find("dpcore.accounting.accountant", "spent") == "dpcore.accounting.spent"
    assert names.find("dpcore.accounting.accountant", "spend") is None
    for module, text, members in documented():
        places = (module, module.rpartition(".")[0], "dpcore")
        for target in re.findall(r"(?<![`:])`([^`\n]+)`(?!`)", text):
            known = any(names.find(place, target) for place in places)
            assert known or target in members or target in names.by_name, (module, target)


def test_every_page_of_the_reference_is_in_the_contents(ext):
    index = (DOCS / "index.md").read_text()
    for name in ext("reference").pages():
        assert f"reference/{name}\n" in index or name.startswith("dpcore.experiments."), name


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_has_formula_guarantee_figure_and_example(topic):
    text = guide(topic)
    assert f"guide/{topic}\n" in (DOCS / "index.md").read_text()
    parts = re.findall(r"^## (.*)$", text, re.M)
    assert parts == ["Formula", "Guarantee", "Example"]
    formula, guarantee, example = re.split(r"^## .*$", text, flags=re.M)[1:]
    assert "$$" in formula
    assert "```{computed}" in guarantee
    assert "\n>>> " in example


def test_every_figure_is_used_once_and_every_command_shown(ext):
    assert sorted(used("computed")) == sorted(ext("figures").FIGURES)
    parsers = {"dpcore": dpcore.__main__._parser(), "pages": pages.__main__._parser()}
    commands = [
        f"{package} {name}"
        for package, parser in parsers.items()
        for name in parser._subparsers._group_actions[0].choices
    ]
    assert sorted(used("command")) == sorted(["dpcore", *commands])
    for name in commands:
        assert f"usage: python -m {name}" in ext("directives").help_of(*name.split())


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in (
        "mechanisms", "accountants", "budget", "descent", "prototypes", "relevances", "regression",
        "autoencoder", "records", "audit", "datasets",
    )],
)  # fmt: skip
def test_figures_are_drawn_and_load_nothing(name, ext):
    drawn = ext("figures").FIGURES[name]()
    assert drawn.startswith("<svg ")
    assert len(re.findall(r"\d\.\d", drawn)) > 40  # places of curves, marks, pixels
    assert "nan" not in drawn
    assert not ext("offline").loaded_from_elsewhere(drawn)


def test_what_is_loaded_from_elsewhere_is_found(ext):
    found = ext("offline").loaded_from_elsewhere
    for text in (
        '<script defer src="https://cdn.example/x.js">', '<link rel="stylesheet" href="//a.b/c.css">',
        "@import url('http://a.b/c.css')", "src: url(https://a.b/font.woff2)", "<img src='//a/b.png'>",
    ):  # fmt: skip
        assert found(text), text
    assert not found(
        '<a href="https://example.org">a link</a> <script src="_static/x.js"></script>'
    )
