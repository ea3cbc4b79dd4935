"""Relevance learning: what does a private prototype remember?"""

from dpcore.experiments.relevance import PAPER, RelevanceParams, neighbouring
from pages.relevance.controls import CONTROLS
from pages.relevance.drawn import drawn
from pages.relevance.figure import figure
from pages.relevance.meaning import meaning
from pages.relevance.pipeline import PIPELINE
from pages.relevance.words import words
from ui.frame.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="relevance",
    title="Relevance learning",
    group="Private learning",
    question="What does a private classifier remember about you?",
    opening="This classifier learns a few typical points of each class, its [[prototype|prototypes]], from the "
    "people in the data. Drag ε to the left: the [[noise]] moves the prototypes about, which makes it "
    "harder to recognise anybody in them. When do they stop being useful?",
    params=RelevanceParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    drawn=drawn,
    act=lambda action, params: params.but(**PAPER) if action == "paper" else params,
    own_task="classification",
    own_neighbouring=neighbouring,
    card=Card(
        panel="private", keep=("epsilon",), stages=("sweep",), found=("outcomes",), first=True
    ),
    looks={
        "digits": "dataset=digits&epsilon=2.5",
        "spirals": "dataset=spirals&prototypes_per_class=4&sample_rate=0.05",
    },
)
