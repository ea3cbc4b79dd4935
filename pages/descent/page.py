"""The Gradient descent page: how does a model learn without copying anybody?"""

from dpcore.experiments.descent import DescentParams
from pages.descent.controls import CONTROLS
from pages.descent.figure import figure
from pages.descent.noise import noise_draws
from pages.descent.pipeline import PIPELINE
from pages.descent.words import meaning, words
from ui.frame.lattice import Lattice
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageSpec(
    key="descent",
    title=T("title"),
    group="Ideas",
    question=T("question"),
    opening=T("opening"),
    params=DescentParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    noise=noise_draws,
    rises="progress",
    site=Lattice(values={"dataset": ("corners", "moons")}),
    card=Card(panel="border", keep=("budget", "progress")),
)

if __name__ == "__main__":
    open_page(PAGE)
