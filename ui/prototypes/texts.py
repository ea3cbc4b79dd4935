"""Sentences under the figures of private prototypes: about their lots, and about what no ε accounts for."""

from __future__ import annotations

from dpcore.experiments.relevance import Problem, RelevanceParams, lot_size
from ui import live
from ui.words.numbers import show

__all__ = ["data_texts", "lots_texts"]


def lots_texts(params: RelevanceParams, n_records: int) -> list[live.Text]:
    """Return what lots of a fixed size mean for the reader; nothing of Poisson lots."""
    if params.lots == "poisson":
        return []
    size = lot_size(params, n_records)
    if not size:
        return [live.Text(strings=[
            f"A lot of a fixed size would hold {show(params.sample_rate * n_records, '.2g')} of the "
            f"{n_records} records, which is less than one. So no step sees anybody, and nothing is learned. Choose a "
            "larger sampling rate, or Poisson lots."
        ])]  # fmt: skip
    return [live.Text(strings=[
        f"Each step takes exactly {size} of the {n_records} records, chosen at random. Everybody then knows how "
        "many records there are. So the guarantee hides what a person's record says, not that there is "
        "one, and needs more noise than with Poisson lots. In the world without the person, somebody "
        "else's record stands in their place."
    ])]  # fmt: skip


def data_texts(problem: Problem) -> list[live.Text]:
    """Return what is read from the records and accounted for by no ε; nothing of other data sets."""
    if problem.dataset.name != "mnist_pca":
        return []
    return [live.Text(strings=[
        f"These are the records of Table 1 of Brinkrolf, Berger and Hammer (2018): {len(problem.y)} digits to learn "
        f"from, {len(problem.dataset.y_test)} to test on, each as {problem.X.shape[1]} principal components, scaled "
        "by their largest and smallest values. Components and scales are computed from the private records, and no ε "
        "accounts for them. MNIST as 35 cosines needs neither."
    ])]  # fmt: skip
