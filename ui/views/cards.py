"""The cards of the home page: every page with its question and a miniature that really computes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import streamlit as st

from ui import live
from ui.live import Lab
from ui.views.miniatures import shrink

__all__ = ["CARDS", "Card", "draw"]


@dataclass(frozen=True)
class Card:
    """A page's name, its title and question, and how to make its miniature."""

    name: str
    title: str
    question: str
    lab: Callable[[], Lab]


def _mechanisms() -> Lab:
    from dpcore.experiments.mechanisms import MechanismsParams
    from ui.views import mechanisms

    return shrink(mechanisms.lab(MechanismsParams(), False), panel="worlds", keep=("epsilon",))


def _budget() -> Lab:
    from dpcore.experiments.budget import BudgetParams
    from ui.views import budget

    return shrink(budget.lab(BudgetParams(), False), panel="spent", keep=("noise_multiplier",))


def _descent() -> Lab:
    from dpcore.experiments import descent as experiment
    from dpcore.experiments.descent import DescentParams
    from ui import descent as compute
    from ui.views import descent

    params = DescentParams()
    problem = experiment.named_problem(params.dataset, params.model)
    made = descent.drawn(params, compute.Answer(problem, compute.sweep_of(params), None))
    return shrink(made, panel="border", keep=("noise_multiplier", "progress"))


def _matrix() -> Lab:
    from dpcore.experiments import matrix as experiment
    from dpcore.experiments.matrix import MatrixParams
    from ui import matrix as compute
    from ui.views import matrix

    params = MatrixParams()
    made = matrix.drawn(experiment.problem_of(params), params, compute.still(params))
    return shrink(made, panel="profile", keep=("epsilon", "progress"))


def _regression() -> Lab:
    from dpcore.experiments.regression import RegressionParams, named_problem
    from ui import regression as compute
    from ui.views import regression

    params = RegressionParams()
    problem = named_problem(params.dataset)
    made = regression.drawn(problem, params, compute.answer(problem, params, dragging=True))
    return shrink(made, panel="fits", keep=("epsilon",))


def _autoencoder() -> Lab:
    from dpcore.experiments.autoencoder import AutoencoderParams
    from ui import autoencoder as compute
    from ui.views import autoencoder

    params = AutoencoderParams()
    return shrink(
        autoencoder.drawn(params, compute.still(params)), panel="draws", keep=("epsilon",)
    )


def _hulls() -> Lab:
    from dpcore.experiments.kahm import KahmParams
    from ui import kahm as compute
    from ui.views import kahm

    params = KahmParams()
    data, _ = compute.material_of(params)
    made = kahm.drawn(params, data, compute.still(params))
    return shrink(made, panel="stage", keep=("epsilon", "stage"))


CARDS: tuple[Card, ...] = (
    Card("mechanisms", "Mechanisms", "How much noise hides one person?", _mechanisms),
    Card("budget", "Budget", "What is left after T questions?", _budget),
    Card("descent", "Gradient descent", "Why clip, why add noise?", _descent),
    Card(
        "matrix", "Relevance matrix", "Which features does a private classifier look at?", _matrix
    ),
    Card(
        "regression", "Linear regression", "What does a noisy objective do to a fit?", _regression
    ),
    Card("autoencoder", "Autoencoder", "Does noise on the biases hide the picture?", _autoencoder),
    Card("kahm", "Affine hulls", "Can private data keep its shape?", _hulls),
)


@lru_cache(maxsize=16)
def _made(card: Card) -> Lab:
    """The miniature of a card: the same for everybody, so made once."""
    return card.lab()


def draw() -> None:
    """Draw all cards, three in a row."""
    columns = st.columns(3)
    for k, card in enumerate(CARDS):
        with columns[k % 3], st.container(border=True):
            st.page_link(f"pages/{card.name}.py", label=f"**{card.title}**", icon="➡️")
            st.caption(card.question)
            st.fragment(lambda card=card: live.show(_made(card), key=f"mini_{card.name}"))()
