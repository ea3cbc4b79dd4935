"""The Asking again page: what many answers together reveal."""

from dpcore.experiments.queries import QueriesParams
from pages.queries.controls import CONTROLS
from pages.queries.figure import figure, meaning
from pages.queries.noise import noise_draws
from pages.queries.pipeline import PIPELINE
from pages.queries.words import task, words
from ui.frame.lattice import Lattice
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageSpec(
    key="queries",
    title=T("title"),
    group="Ideas",
    question=T("question"),
    opening=T("opening"),
    params=QueriesParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    rises="n_answers",
    task=task,
    noise=noise_draws,
    card=Card(panel="answers", keep=("n_answers", "epsilon")),
    site=Lattice(
        values={
            "topic": (
                "again",
                "group",
                "neighbours",
                "numbers",
                "processing",
                "choosing",
                "bounds",
                "publish",
                "reconstruct",
                "linkage",
            ),
            "seed": (0, 1),
        }
    ),
    looks={
        "group": "topic=group&noise=gaussian&group=5",
        "bounds": "topic=bounds&others=20&value=100",
        "reconstruct": "topic=reconstruct&epsilon=5",
        "linkage": "topic=linkage",
        "publish": "topic=publish&n_people=300&chance=0.01",
    },
)

if __name__ == "__main__":
    open_page(PAGE)
