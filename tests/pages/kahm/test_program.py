"""The program of Affine hulls draws the page's picture."""

import pytest

from dpcore.experiments.kahm import KahmParams
from pages.kahm import exports
from tests.programs import program_figure


def test_the_program_draws_the_records():
    page = exports.picture_figure(KahmParams())
    for mine, its in zip(program_figure("kahm").data, page.data, strict=True):
        assert mine.x == pytest.approx(its.x)
        assert mine.y == pytest.approx(its.y)
