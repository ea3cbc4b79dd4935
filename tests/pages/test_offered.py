"""Data sets that cannot be had on this server are not offered; a link to one still gets its sentence."""

import pytest

from dpcore import datasets
from pages import specs
from tests.pages.visits import app, data
from ui.frame.page_spec import PageSpec

AWAY = {*datasets.external.EXTERNAL, "adult", "acs"}
CHOICES = [
    (spec.key, name)
    for spec in specs()
    if isinstance(spec, PageSpec)
    for name, field in spec.params.controls().items()
    if field.choices and AWAY & set(field.choices)
]


def offered(found, name):
    (control,) = [one for one in data(found)["controls"] if one["name"] == name]
    return [value for value, _ in control["options"]]


def test_there_are_pages_with_such_data():
    assert {"relevance", "matrix", "regression", "autoencoder"} <= {key for key, _ in CHOICES}


@pytest.mark.parametrize(("key", "name"), CHOICES)
def test_without_a_data_folder_none_of_them_is_offered(monkeypatch, key, name):
    monkeypatch.delenv("DPCORE_DATA", raising=False)
    found = offered(app(key, depth="check"), name)
    assert found
    assert not AWAY & set(found)


@pytest.mark.parametrize(("key", "name"), CHOICES)
def test_what_is_in_the_data_folder_is_offered(monkeypatch, tmp_path, key, name):
    for file in ("segment.npz", "har.npz", "mnist.npz", "adult.csv.gz", "acs2019.csv.gz"):
        (tmp_path / file).touch()
    monkeypatch.setenv("DPCORE_DATA", str(tmp_path))
    assert AWAY & set(offered(app(key, depth="check"), name))
