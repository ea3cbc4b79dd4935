"""Copies say where they come from; a deployment's settings are checked, and nothing of them can run."""

import json
import tomllib

import pytest
import yaml

import dpcore
from tests import programs
from ui.export import downloads, origin
from ui.frame import shell
from ui.server import application

VERSION = dpcore.__version__
SOURCE = "https://github.com/somebody/dp-explorer"


@pytest.fixture(autouse=True)
def undeclared(monkeypatch):
    monkeypatch.delenv(origin.SOURCE, raising=False)
    monkeypatch.delenv(origin.INSTALL, raising=False)


def cells(page):
    return [
        cell["source"] for cell in json.loads(downloads.notebook(programs.bundle(page)))["cells"]
    ]


def test_copies_name_version_and_citation_and_only_a_declared_source(monkeypatch):
    made = programs.bundle("mechanisms")
    copies = lambda: (cells("mechanisms")[0], downloads.script(made), downloads.report(made))  # noqa: E731
    with open("CITATION.cff", encoding="utf-8") as file:
        title = yaml.safe_load(file)["title"]
    for copy in copies():
        assert f"DP Explorer {VERSION}" in copy
        assert title in copy.replace("\n# ", " ")
        assert SOURCE not in copy
    assert SOURCE not in shell.menu()["About"]
    monkeypatch.setenv(origin.SOURCE, SOURCE)
    for copy in (*copies(), shell.menu()["About"]):
        assert SOURCE in copy


def test_without_a_declared_place_nothing_is_installed_and_a_missing_library_is_a_sentence(
    monkeypatch,
):
    _, check, program = cells("mechanisms")
    assert "%pip" not in check
    assert program == programs.bundle("mechanisms").program
    assert "# /// script" not in downloads.script(programs.bundle("mechanisms"))
    exec(check, {})
    monkeypatch.setitem(__import__("sys").modules, "dpcore", None)
    with pytest.raises(
        ImportError, match=rf"dpcore {VERSION} is not installed here.*dpcore-{VERSION}-py3"
    ):
        exec(check, {})


def test_another_version_is_said(monkeypatch, capsys):
    check = origin.plain_check("")
    monkeypatch.setattr(dpcore, "__version__", "9.9")
    exec(check, {})
    assert (
        capsys.readouterr().out
        == f"Made with dpcore {VERSION}; numbers may differ with the one installed here, 9.9\n"
    )


@pytest.mark.parametrize(
    ("said", "option", "requirement"),
    [
        ("pypi", "", f"dpcore=={VERSION}"),
        ("https://example.org/wheels/", "--find-links https://example.org/wheels/ ", f"dpcore=={VERSION}"),
        ("--index-url https://e.org/simple", "--index-url https://e.org/simple ", f"dpcore=={VERSION}"),
        (
            f"file:///w/dpcore-{VERSION}-py3-none-any.whl", "",
            f"dpcore @ file:///w/dpcore-{VERSION}-py3-none-any.whl",
        ),
    ],
)  # fmt: skip
def test_a_declared_place_is_where_notebooks_and_programs_install_from(
    monkeypatch, said, option, requirement
):
    monkeypatch.setenv(origin.INSTALL, said)
    assert cells("mechanisms")[1].startswith(f'%pip install -q {option}"{requirement}" plotly\n')
    header = [
        line.removeprefix("#").removeprefix(" ")
        for line in downloads.script(programs.bundle("mechanisms"))
        .split("# ///\n")[0]
        .splitlines()[1:]
    ]
    found = tomllib.loads("\n".join(header))
    assert found["dependencies"] == [requirement, "plotly"]
    places = str(found.get("tool", ""))
    assert all(word in places for word in option.split() if "//" in word)


def test_only_programs_that_train_with_torch_ask_for_it():
    asked = {page for page in programs.PROGRAMS if origin.extras(programs.bundle(page).program)}
    assert asked == {"network", "autoencoder"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (origin.SOURCE, "github.com/name/project"),
        (origin.SOURCE, "file:///etc/passwd"),
        (origin.SOURCE, "https://user:secret@example.org"),
        (origin.SOURCE, "https://example.org/<script>"),
        (origin.SOURCE, "https:///nothing"),
        (origin.INSTALL, "dpcore; rm -rf ~"),
        (origin.INSTALL, "https://example.org/$(id)"),
        (origin.INSTALL, "https://example.org/{__import__('os')}"),
        (origin.INSTALL, 'https://example.org/" "'),
        (origin.INSTALL, "https://user:secret@example.org/simple"),
        (origin.INSTALL, "--editable https://example.org"),
        (origin.INSTALL, "https://example.org/dpcore-0.0.1-py3-none-any.whl"),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused_when_the_server_starts(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match=name):
        application.check_settings()
