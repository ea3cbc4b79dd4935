"""Mechanisms: how much noise hides one person?"""

from dpcore.experiments.mechanisms import MechanismsParams
from ui.room import Room, open_room
from ui.views import mechanisms as view

open_room(
    Room(
        key="mechanisms",
        title="Mechanisms",
        question="How much noise hides one person?",
        params=MechanismsParams,
        lab=view.lab,
        explain=view.explain,
    )
)
