"""Relevance matrix: which features does a private classifier look at?"""

from dpcore.experiments.matrix import MatrixParams
from ui.room import Room, open_room
from ui.views import matrix as view

open_room(
    Room(
        key="matrix",
        title="Relevance matrix",
        question="Which features does a private classifier look at?",
        params=MatrixParams,
        lab=view.lab,
        explain=view.explain,
        act=view.act,
    )
)
view.own_data()
