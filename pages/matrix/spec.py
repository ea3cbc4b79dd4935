"""Relevance matrix: which features does a private classifier look at?"""

from dpcore.experiments.matrix import MatrixParams
from pages.matrix import view
from ui.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="matrix",
    title="Relevance matrix",
    question="Which features does a private classifier look at?",
    params=MatrixParams,
    lab=view.lab,
    explain=view.explain,
    act=view.act,
    below=view.own_data,
    card=Card(lab=view.miniature, panel="profile", keep=("epsilon", "progress")),
    looks={"digits": "dataset=digits&epsilon=2.5"},
)
