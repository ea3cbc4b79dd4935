"""The printed tables, and what they give away about how they were made."""

from fractions import Fraction

import numpy as np
import pytest

from dpcore.autoencoder import paper
from dpcore.mechanisms import gaussian_epsilon


def test_one_constant_in_all_rows():
    found = paper.complement()
    assert found.shape == (3, 7)
    assert (found.min(), found.max()) == pytest.approx((0.980858, 0.980865), abs=6e-7)
    ratio = np.array([t.bhattacharyya for t in paper.TABLES.values()]) / (
        1 - np.square([t.hellinger for t in paper.TABLES.values()])
    )
    assert (ratio.min(), ratio.max()) == pytest.approx((0.97921, 0.98077), abs=6e-6)


def test_only_thirty_missing_pixels_fit():
    assert paper.complement_interval() == pytest.approx((0.9808651, 0.9808704), abs=1e-7)
    assert paper.complement_interval("rounded") == pytest.approx((0.9808591, 0.9808643), abs=1e-7)
    assert paper.missing_pixels() == (Fraction(769, 784),)
    assert paper.missing_pixels(digits="rounded") == ()
    with pytest.raises(ValueError, match="digits='cut'"):
        paper.complement_interval("cut")


def test_the_tables_contradict_their_text():
    hidden, output = (np.array(paper.TABLES[k].hellinger) for k in ("hidden", "output"))
    assert (output > hidden).sum() == 5  # "output noise hurts less"
    for table in paper.TABLES.values():
        assert (np.diff(table.hellinger) > 0).any()


def test_real_epsilon_of_the_papers_noise_at_its_asserted_sensitivity():
    wanted = (0.5885, 1.2581, 1.9725, 2.7246, 3.5112, 5.6178, 7.9144)
    found = [gaussian_epsilon(4.844805 / e, 1.0, delta=1e-5) for e in paper.EPSILONS]
    assert found == pytest.approx(wanted, abs=6e-5)
