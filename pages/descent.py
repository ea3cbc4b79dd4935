"""Gradient descent: why clip, why add noise?"""

from dpcore.experiments.descent import DescentParams
from ui.room import Room, open_room
from ui.views import descent as view

open_room(
    Room(
        key="descent",
        title="Gradient descent",
        question="Why clip, why add noise?",
        params=DescentParams,
        lab=view.lab,
        explain=view.explain,
        act=view.act,
    )
)
