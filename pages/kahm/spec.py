"""Affine hulls: can private data keep its shape?"""

from dpcore.experiments.kahm import KahmParams
from pages.kahm import view
from ui.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="kahm",
    title="Affine hulls",
    question="Can private data keep its shape?",
    params=KahmParams,
    lab=view.lab,
    explain=view.explain,
    act=view.act,
    news=view.news,
    below=view.own_data,
    card=Card(lab=view.miniature, panel="stage", keep=("epsilon", "stage")),
    looks={
        "curve": "n_components=1&shape=spirals&epsilon=18",
        "paper": "stop=paper&atom=0.01&epsilon=4",
    },
)
