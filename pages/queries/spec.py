"""Asking again: what do many answers give away?"""

from dpcore.experiments.queries import QueriesParams
from pages.queries.controls import CONTROLS
from pages.queries.drawn import drawn
from pages.queries.figure import figure, meaning
from pages.queries.pipeline import PIPELINE
from pages.queries.words import words
from ui.frame.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="queries",
    title="Asking again",
    group="Ideas",
    question="What does asking again, or in another way, give away?",
    opening="Somebody asks how many people are at a meeting, gets a number with random [[noise]], and asks again. "
    "The average of the answers settles on the truth, and gives Ada away. Drag ε to the left: do 20 answers still "
    "give her away?",
    params=QueriesParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    drawn=drawn,
    card=Card(panel="answers", keep=("n_answers", "epsilon")),
    looks={
        "group": "topic=group&noise=gaussian&group=5",
        "bounds": "topic=bounds&others=20&value=100",
        "publish": "topic=publish&n_people=300&chance=0.01",
    },
)
