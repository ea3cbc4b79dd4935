"""Relevance learning: what does a private classifier remember about one person?"""

from dpcore.experiments.relevance import RelevanceParams
from pages.relevance import view
from pages.relevance.miniature import miniature
from ui.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="relevance",
    title="Relevance learning",
    question="What does a private classifier remember about one person?",
    params=RelevanceParams,
    lab=view.lab,
    explain=view.explain,
    act=view.act,
    below=view.own_data,
    card=Card(lab=miniature),
    looks={
        "digits": "dataset=digits&epsilon=2.5",
        "spirals": "dataset=spirals&prototypes_per_class=4&sample_rate=0.05",
    },
)
