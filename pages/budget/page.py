"""The Budget page: what is left after many questions?"""

from dpcore.experiments.budget import BudgetParams
from pages.budget.controls import CONTROLS
from pages.budget.figure import figure
from pages.budget.noise import noise_draws
from pages.budget.pipeline import PIPELINE
from pages.budget.words import act, meaning, words
from ui.frame.lattice import Lattice
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageSpec(
    key="budget",
    title=T("title"),
    group="Ideas",
    question=T("question"),
    opening=T("opening"),
    params=BudgetParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    rises="n_steps",
    act=act,
    task=lambda params: T("opening_split" if params.topic == "split" else "opening"),
    noise=noise_draws,
    card=Card(panel="spent", keep=("noise_multiplier",)),
    site=Lattice(values={"topic": ("same", "split"), "mechanism": ("gaussian", "laplace")}),
    looks={
        "split": "topic=split&weight_histogram=48",
        "ledger": "noise_multiplier=0.6&n_steps=5000&ledger=L0.5*3,G2,S1/0.01/500,P",
    },
)

if __name__ == "__main__":
    open_page(PAGE)
