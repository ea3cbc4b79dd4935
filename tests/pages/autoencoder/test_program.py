"""The program of the page Autoencoder draws the page's pictures."""

import pytest

from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder.exports import picture_figure
from pages.autoencoder.pipeline import PIPELINE
from tests.programs import program_figure


def test_the_program_draws_the_pictures():
    page = picture_figure(PIPELINE.still(AutoencoderParams()))
    assert program_figure("autoencoder").data[0].z == pytest.approx(page.data[0].z)
