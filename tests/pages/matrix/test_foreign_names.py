"""Names of columns come from files: no page hands them to Markdown or to Plotly as they are."""

from types import SimpleNamespace

from pages.matrix import words as matrix_words
from pages.matrix.arrays import feature_axis
from tests.ui.words.test_escape import HOSTILE, outside


def problem(names):
    data = SimpleNamespace(feature_names=tuple(names), title="Your own data")
    return SimpleNamespace(dataset=data, n_features=len(names))


def test_the_list_of_features_is_inert():
    shown = outside(matrix_words.names(problem(HOSTILE)))
    assert not any(mark in shown for mark in "[]<>$`|*")
    assert "://" not in shown


def test_the_words_of_an_axis_are_short():
    words = feature_axis(problem(["a\nb", "x" * 5000]), [1, 0])["words"]
    assert len(words[0]) < 40
    assert words[1] == "a b"
