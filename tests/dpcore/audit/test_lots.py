"""The audit of lots: it sees a rounding that depends on a record's place."""

import numpy as np
import pytest

from dpcore.audit import loop_contributions
from dpcore.lvq import _matrix_pairs


@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_what_a_record_adds_to_matrices_does_not_depend_on_its_lot(backend):
    assert loop_contributions._matrix_lots(backend).holds


def test_pictures_add_the_same_in_every_lot():
    assert loop_contributions._network_lots().holds


def test_images_that_are_rounded_by_the_size_of_the_lot_are_seen(monkeypatch):
    """What products of matrices did: the last bit of a prototype's distance, by the number of records."""
    right = _matrix_pairs.square_distances

    def by_size(A, B):
        found = right(A, B)
        found[..., A.shape[-2] % B.shape[-2]] *= np.float32(1 - 2.0**-23)
        return found

    monkeypatch.setattr(_matrix_pairs, "square_distances", by_size)
    check = loop_contributions._matrix_lots("numpy")
    assert not check.holds
    assert check.measured > 100  # all records change their winner together
