"""The attackers' stored results with which Autoencoder opens: they are those that an attack gives."""

import numpy as np
import pytest

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams, attacks
from pages.autoencoder.pipeline import PIPELINE
from pages.autoencoder.stored import stored_attacks
from ui.live.depth import Depth

PARAMS = AutoencoderParams()


def test_they_are_of_the_parameters_with_which_the_page_opens():
    stored = stored_attacks(PARAMS)
    assert stored.done == 1
    assert stored_attacks(PARAMS.but(epsilon=2.0, digit=3)) is stored
    assert (
        stored_attacks(PARAMS.but(seed=1)) is stored_attacks(PARAMS.but(trained_on="few")) is None
    )
    assert PIPELINE.ready(PARAMS, depth=Depth.LOOK)["attacks"] is stored


@pytest.mark.parametrize("level", [0.4, 4.0])
def test_an_attack_gives_what_is_stored(level):
    stored, problem = stored_attacks(PARAMS), autoencoder.digits_problem()
    v, k = attacks.LEVELS.index(level), KINDS.index(PARAMS.kind)
    for step in (attacks._quick, attacks._slow):
        for name, value in step(problem, PARAMS.seed, v, k).items():
            np.testing.assert_allclose(getattr(stored, name)[v, k], value, atol=0.02, err_msg=name)
