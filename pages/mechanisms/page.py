"""The Mechanisms page: how much noise hides one person?"""

from dpcore.experiments.mechanisms import MechanismsParams
from pages.mechanisms.controls import CONTROLS
from pages.mechanisms.figure import figure
from pages.mechanisms.noise import noise_draws
from pages.mechanisms.pipeline import PIPELINE
from pages.mechanisms.words import meaning, words
from ui.frame.lattice import Lattice
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageSpec(
    key="mechanisms",
    title=T("title"),
    group="Ideas",
    question=T("question"),
    opening=T("opening"),
    params=MechanismsParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    noise=noise_draws,
    card=Card(panel="worlds", keep=("epsilon",)),
    site=Lattice(
        values={
            "question": ("count", "heights", "salaries", "mean"),
            "noise": ("laplace", "gaussian", "staircase"),
            "seed": (0, 1, 2),
        }
    ),
    looks={"gaussian": "noise=gaussian&epsilon=1.5&delta=0.001"},
)

if __name__ == "__main__":
    open_page(PAGE)
