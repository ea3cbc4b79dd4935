"""Check that what the project says of itself agrees with the code."""

import tomllib
from pathlib import Path

import yaml

import dpcore
from ui.frame import shell

ROOT = Path(__file__).parents[1]


def test_citation_names_the_version_licence_and_authors_of_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"cff-version", "message", "title", "authors"} <= set(citation)  # required by the format
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == dpcore.__version__
    assert citation["license"] == project["license"]
    assert citation["authors"] == project["authors"]


def test_the_menu_says_what_the_citation_says() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    about = shell.menu()["About"]
    for said in (
        citation["title"],
        citation["authors"][0]["name"],
        f"version {citation['version']}",
        citation["license"],
    ):
        assert said in about
