"""The program of the page Autoencoder draws the page's pictures."""

import numpy as np
import pytest

from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder.pipeline import PIPELINE
from tests.programs import program_figure


def test_the_program_draws_the_pictures():
    params = AutoencoderParams()
    found = PIPELINE.still(params)["pictures"]
    nodes, (high, wide) = found.problem.nodes, found.problem.shape
    k = round(float(autoencoder.place_of(params.epsilon, params.delta, nodes)))
    rows = np.concatenate([found.sweep.originals[None], found.sweep.released[k]])
    tiles = rows.reshape(*rows.shape[:2], high, wide).swapaxes(1, 2).reshape(len(rows) * high, -1)
    assert program_figure("autoencoder").data[0].z == pytest.approx(tiles[::-1])
