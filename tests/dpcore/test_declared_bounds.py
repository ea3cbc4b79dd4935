"""Classes that were declared are used, and nothing else is let in."""

import numpy as np
import pytest

from dpcore import SizeFromDataWarning
from dpcore._declared_bounds import class_index, warn_of_size


def test_declared_classes_may_be_empty():
    classes, index = class_index(np.array(["b", "b"]), ["c", "b", "a"])
    assert (classes.tolist(), index.tolist()) == (["a", "b", "c"], [1, 1])
    assert class_index(np.array([1.0, 0.0]), [0, 1, 2])[1].tolist() == [1, 0]


def test_undeclared_classes_are_those_of_the_labels():
    classes, index = class_index(np.array([5, 2, 5]), None)
    assert (classes.tolist(), index.tolist()) == ([2, 5], [1, 0, 1])


@pytest.mark.parametrize("y", [[0, 7], ["0", "1"]])
def test_a_foreign_label_is_named(y):
    with pytest.raises(ValueError, match="which is not in classes="):
        class_index(np.array(y), [0, 1])


@pytest.mark.parametrize("classes", [[], [1], [1, 1], 3, "ab", [[0, 1]]])
def test_a_list_that_is_none_is_refused(classes):
    with pytest.raises(ValueError, match="two or more classes"):
        class_index(np.array([0, 1]), classes)


def test_what_was_read_from_the_data_is_named_once():
    with pytest.warns(SizeFromDataWarning, match="expected_n=None and classes=None") as found:
        warn_of_size(("expected_n", "classes"))
    assert len(found) == 1
    warn_of_size(())
