"""What can be taken along from the page Affine hulls."""

from __future__ import annotations

from typing import Any

import pandas as pd

from dpcore.experiments import kahm
from dpcore.experiments.kahm import STUDY_EPSILONS, KahmParams
from dpcore.experiments.kahm.study import KINDS, LEARNERS
from dpcore.guarantee import Guarantee
from pages.kahm.figure import figure
from pages.kahm.figure_tables import mean
from ui.export import downloads, from_figure
from ui.runner import PageState
from ui.words.numbers import short

__all__ = ["bundle", "study_table"]


def bundle(state: PageState[KahmParams], guarantee: Guarantee) -> downloads.Bundle:
    """Return what can be taken along; it is made when it is asked for."""
    return from_figure.taken(
        figure,
        state,
        draws="stage",
        panels=("original", "stage", "error"),
        whole=("picture",),
        tables={"measured": study_table},
        own_in_tabs=True,
        name="kahm",
        title=f"Invented data, ε = {short(state.params.epsilon)} for one value",
        guarantee=guarantee,
        code=kahm.code,
    )


def study_table(state: PageState[KahmParams]) -> pd.DataFrame:
    """Return what was measured, a row for each ε of a value and kind of data; empty before."""
    study = state["study"]
    rows: list[dict[str, Any]] = []
    if study is None:
        return pd.DataFrame(rows)
    accuracy, scores, link = mean(study.accuracy), mean(study.scores), mean(study.link)
    for e, epsilon in enumerate(STUDY_EPSILONS):
        for k, kind in enumerate(KINDS):
            row: dict[str, Any] = {"epsilon_of_a_value": epsilon, "data": kind}
            row |= dict(zip(LEARNERS, accuracy[e, k], strict=True))
            row |= dict(zip(("ks", "auc", "tv", "kde_tv"), scores[e, k], strict=True))
            rows.append(row | {"linked": link[e, k]})
    return pd.DataFrame(rows)
