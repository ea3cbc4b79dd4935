"""Linear regression: what does a noisy objective do to a fit?"""

from dpcore.experiments.regression import RegressionParams
from ui.room import Room, open_room
from ui.views import regression as view

open_room(
    Room(
        key="regression",
        title="Linear regression",
        question="What does a noisy objective do to a fit?",
        params=RegressionParams,
        lab=view.lab,
        explain=view.explain,
        act=view.act,
    )
)
view.own_data()
