"""The Choose ε page: which ε, what does it cost, what can an attacker do?"""

from dpcore.experiments.choose import ChooseParams
from pages.choose.controls import CONTROLS
from pages.choose.figure import figure
from pages.choose.meaning import meaning
from pages.choose.noise import noise_draws
from pages.choose.pipeline import PIPELINE
from pages.choose.words import words
from ui.frame.lattice import Lattice
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
    site=Lattice(
        values={
            "dataset": ("breast_cancer", "wine", "diabetes"),
            "unit": ("counts", "percent"),
            "delta": (1e-6, 1e-5),
        },
        megabytes=10,
    ),
    looks={"diabetes": "dataset=diabetes&depth=understand"},
)

if __name__ == "__main__":
    open_page(PAGE)
