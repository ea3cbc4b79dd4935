"""Budget: what is left after many questions?"""

from dpcore.experiments.budget import BudgetParams
from pages.budget.controls import CONTROLS
from pages.budget.drawn import NO_NOISE
from pages.budget.figure import figure
from pages.budget.meaning import meaning
from pages.budget.pipeline import PIPELINE
from pages.budget.words import words
from ui.frame.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="budget",
    title="Budget",
    group="Ideas",
    question="What is left after many questions?",
    opening="Each answer about people leaks a little, even with [[noise]], and the leaks add up. Your "
    "[[privacy budget|budget]] is the largest total that you allow. Drag it to the left: for how many answers is "
    "it still enough?",
    params=BudgetParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    drawn=NO_NOISE,
    card=Card(panel="spent", keep=("noise_multiplier",)),
    looks={"ledger": "noise_multiplier=0.6&n_steps=5000&ledger=L0.5*3,G2,S1/0.01/500,P"},
)
