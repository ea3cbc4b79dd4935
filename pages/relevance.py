"""Relevance learning: what does a private prototype remember?"""

from dpcore.experiments.relevance import RelevanceParams
from ui.room import Room, open_room
from ui.views import relevance as view

open_room(
    Room(
        key="relevance",
        title="Relevance learning",
        question="What does a private classifier remember about one person?",
        params=RelevanceParams,
        lab=view.lab,
        explain=view.explain,
        act=view.act,
    )
)
view.own_data()
