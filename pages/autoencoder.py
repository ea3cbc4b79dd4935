"""Autoencoder: does noise on the biases hide the picture?"""

from dpcore.experiments.autoencoder import AutoencoderParams
from ui.room import Room, open_room
from ui.views import autoencoder as view

open_room(
    Room(
        key="autoencoder",
        title="Autoencoder",
        question="Does noise on the biases hide the picture?",
        params=AutoencoderParams,
        lab=view.lab,
        explain=view.explain,
        act=view.act,
    )
)
