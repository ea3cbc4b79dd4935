"""Each way of asking has a program that runs as it stands, and with the parameters of the page."""

from pathlib import Path

import numpy as np
import pytest

from dpcore import mechanisms
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries import QueriesParams
from pages.queries import words
from tests.programs import curve, drawn

TOPICS = QueriesParams.controls()["topic"].choices
FOLDER = Path(words.__file__).parent / "programs"


@pytest.mark.parametrize("topic", TOPICS)
def test_the_program_is_its_file_and_draws_named_finite_curves(topic):
    text = words.program(QueriesParams(topic=topic))
    assert text.replace("'", '"') == (FOLDER / f"{topic}.py").read_text("utf-8")
    assert len(text.splitlines()) <= 25
    assert max(map(len, text.splitlines())) <= 110
    for trace in drawn(text).data:
        assert trace.name
        assert np.isfinite(np.asarray(trace.y, float)).all()


def test_the_program_of_many_numbers_draws_the_delta_that_is_set():
    figure = drawn(words.program(QueriesParams(topic="numbers", delta=1e-7)))
    sigma = curve(figure, "Gaussian, δ = 1e-07")
    wanted = mechanisms.gaussian_sigma(1.0, 1.0, delta=1e-7)
    assert sigma[EPSILON_GRID.index(1.0)] == pytest.approx(wanted)
