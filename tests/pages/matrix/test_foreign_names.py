"""Names of columns come from files: no page hands them to Markdown or to Plotly as they are."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from pages.matrix import exports
from pages.matrix import words as matrix_words
from pages.matrix.figure_arrays import feature_axis
from tests.ui.test_escape import HOSTILE, outside


def problem(names):
    data = SimpleNamespace(feature_names=tuple(names), title="Your own data")
    return SimpleNamespace(dataset=data, n_features=len(names))


def test_the_list_of_features_is_inert():
    shown = outside(matrix_words.names(problem(HOSTILE)))
    assert not any(mark in shown for mark in "[]<>$`|*")
    assert "://" not in shown


def test_the_picture_to_take_along_is_inert(monkeypatch):
    names = ["<a href='http://a.example'>x</a>", "$x$"]
    table = pd.DataFrame({"feature": names, "private": [0.4, 0.6], "without_privacy": np.nan})
    monkeypatch.setattr(exports, "profile_table", lambda *_: table)
    made = exports.profile_figure(problem(names), SimpleNamespace(epsilon=1.0, delta=1e-5), None)
    for trace in made.data:
        assert not any(mark in label for label in trace.x for mark in "<>$")


def test_the_words_of_an_axis_are_short():
    words = feature_axis(problem(["x" * 5000, "a\nb"]))["words"]
    assert len(words[0]) < 40
    assert words[1] == "a b"
