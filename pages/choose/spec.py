"""Choose ε: which ε, what does it cost, what can an attacker do?"""

from dpcore.experiments.choose import ChooseParams
from pages.choose.controls import CONTROLS
from pages.choose.drawn import drawn
from pages.choose.figure import figure
from pages.choose.meaning import meaning
from pages.choose.pipeline import PIPELINE
from pages.choose.words import words
from ui.frame.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="choose",
    title="Choose ε",
    group="Decide",
    question="Which ε should we choose, what does it cost us, what can an attacker do?",
    opening="A model learns from people, and [[noise]] hides each of them; ε says how well. Drag ε to the left: "
    "mistakes grow, and an [[adversary|attacker]] learns less.",
    params=ChooseParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    drawn=drawn,
    act=lambda action, params: params.kept() if action == "keep" else params,
    own_task="classification",
    own_either=True,
    own_groups=True,
    card=Card(panel="cost", keep=("epsilon",), stages=("costs",)),
    looks={"diabetes": "dataset=diabetes&depth=understand"},
)
