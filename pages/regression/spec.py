"""Linear regression: what does a noisy objective do to a fit?"""

from dpcore.experiments.regression import RegressionParams
from pages.regression import view
from ui.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="regression",
    title="Linear regression",
    question="What does a noisy objective do to a fit?",
    params=RegressionParams,
    lab=view.lab,
    explain=view.explain,
    act=view.act,
    below=view.own_data,
    card=Card(lab=view.miniature, panel="fits", keep=("epsilon",)),
    looks={"diabetes": "dataset=diabetes&n_features=10&method=gaussian&repair=floor2"},
)
