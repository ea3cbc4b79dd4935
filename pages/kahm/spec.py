"""Affine hulls: can invented data keep the shape of real data?"""

from dpcore.experiments.kahm import KahmParams
from pages.kahm.controls import CONTROLS
from pages.kahm.drawn import drawn
from pages.kahm.figure import figure
from pages.kahm.meaning import meaning
from pages.kahm.pipeline import PIPELINE
from pages.kahm.words import words
from ui.frame.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="kahm",
    title="Affine hulls",
    group="Private learning",
    question="Can invented data keep the shape of real data?",
    opening="Every value of every person gets [[noise]], and then the noisy points are smoothed into new, invented "
    "people. Play the stages and watch the shape come back, then drag ε to the left until the shape is lost.",
    params=KahmParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    drawn=drawn,
    own_task="classification",
    own_in_tabs=True,
    card=Card(panel="stage", keep=("epsilon", "stage"), stages=("picture",)),
    looks={
        "curve": "n_components=1&shape=spirals&epsilon=18",
        "paper": "stop=paper&atom=0.01&epsilon=4",
    },
)
