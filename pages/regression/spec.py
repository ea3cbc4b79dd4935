"""Linear regression: what does privacy do to a straight line?"""

from dpcore.experiments.regression import DOCUMENT, RegressionParams
from pages.regression.controls import CONTROLS
from pages.regression.drawn import drawn
from pages.regression.figure import figure
from pages.regression.meaning import meaning
from pages.regression.pipeline import PIPELINE
from pages.regression.words import words
from ui.frame.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="regression",
    title="Linear regression",
    group="Private learning",
    question="What does privacy do to a straight line?",
    opening="We look for the straight line that fits people's data best, and we add [[noise]] before we publish the "
    "line. Each thin line could have been published: drag ε to the left and watch the lines spread.",
    params=RegressionParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    drawn=drawn,
    act=lambda action, params: params.but(**DOCUMENT) if action == "document" else params,
    own_task="regression",
    card=Card(panel="fits", keep=("epsilon",)),
    looks={"diabetes": "dataset=diabetes&n_features=10&method=gaussian&repair=floor2"},
)
