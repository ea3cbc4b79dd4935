"""The Choose ε page: which ε, what does it cost, what can an attacker do?"""

from dpcore.experiments.choose import ChooseParams
from pages.choose.controls import CONTROLS
from pages.choose.figure import figure
from pages.choose.meaning import meaning
from pages.choose.noise import noise_draws
from pages.choose.pipeline import PIPELINE
from pages.choose.words import words
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageSpec(
    key="choose",
    title=T("title"),
    group="Decide",
    question=T("question"),
    opening=T("opening"),
    params=ChooseParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    rises="epsilon",
    noise=noise_draws,
    act=lambda action, params: params.with_pin() if action == "keep" else params,
    own_task="classification",
    own_either=True,
    own_groups=True,
    card=Card(panel="cost", keep=("epsilon",), stages=("costs",)),
    looks={"diabetes": "dataset=diabetes&depth=understand"},
)

if __name__ == "__main__":
    open_page(PAGE)
