"""Budget: what is left after k questions?"""

from dpcore.experiments.budget import BudgetParams
from ui.room import Room, open_room
from ui.views import budget as view

open_room(
    Room(
        key="budget",
        title="Budget",
        question="What is left after T questions?",
        params=BudgetParams,
        lab=view.lab,
        explain=view.explain,
    )
)
