"""The program of the page draws what the experiment computes."""

import pytest

from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams
from pages.descent.words import program
from tests.programs import drawn


def test_the_program_runs():
    params = DescentParams(model="logistic", n_steps=10, asked="noise", noise_multiplier=5.0)
    figure = drawn(program(params))
    assert figure.data[0].y == pytest.approx(descent.run(params).accuracy[:, -1])
    assert figure.data[2].name.startswith("σ = 5")
