"""Affine hulls: can private data keep its shape?"""

from dpcore.experiments.kahm import KahmParams
from ui.room import Room, open_room
from ui.views import kahm as view

open_room(
    Room(
        key="kahm",
        title="Affine hulls",
        question="Can private data keep its shape?",
        params=KahmParams,
        lab=view.lab,
        explain=view.explain,
        act=view.act,
        news=view.news,
    )
)
view.own_data()
