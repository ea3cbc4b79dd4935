"""What can be taken along from the page Affine hulls: records, errors, what was measured."""

from __future__ import annotations

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpcore.experiments import kahm
from dpcore.experiments.kahm import STUDY_EPSILONS, KahmParams, Study, StudyDataset, run_one
from dpcore.experiments.kahm.picture import REACH
from dpcore.experiments.kahm.study import KINDS, LEARNERS
from dpcore.guarantee import Guarantee
from pages.kahm.figure_tables import mean
from ui import export
from ui.runner import PageState

__all__ = ["bundle", "error_table", "picture_figure", "records_table", "study_table"]


def bundle(state: PageState[KahmParams], privacy: Guarantee) -> export.Bundle:
    """Return what can be taken along; it is made when it is asked for."""
    params = state.params
    return export.Bundle(
        name="kahm",
        title=f"Fabricated data, ε = {params.epsilon:g} for one value",
        params=params,
        guarantee=privacy,
        code=kahm.code,
        figure=lambda: picture_figure(params),
        tables={
            "records": lambda: records_table(params),
            "errors": lambda: error_table(params),
            "measured": lambda: study_table(state.newest("study")),
        },
        facts=lambda: _facts(params, state.problem, state.newest("study")),
    )


def picture_figure(params: KahmParams) -> go.Figure:
    """Return original, noisy and published records as a Plotly figure, for taking along."""
    found = run_one(params)
    made = go.Figure()
    kinds = {"original": 0, "noisy": 1, f"after {params.rounds} rounds": 1 + params.rounds}
    for name, stage in kinds.items():
        places = found.stages[0, stage]
        made.add_scatter(x=places[:, 0], y=places[:, 1], mode="markers", name=name,
                         marker={"color": found.y, "symbol": list(kinds).index(name)})  # fmt: skip
    made.update_xaxes(range=list(REACH))
    made.update_yaxes(range=list(REACH), scaleanchor="x")
    made.update_layout(
        title=f"ε = {params.epsilon:g} for one value, {2 * params.epsilon:g} for a record"
    )
    return made


def records_table(params: KahmParams) -> pd.DataFrame:
    """Return every record of the picture at every stage."""
    found = run_one(params)
    parts = [
        pd.DataFrame({"stage": stage, "record": range(len(found.y)), "class": found.y,
                      "across": places[:, 0], "up": places[:, 1]})
        for stage, places in enumerate(found.stages[0])
    ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def error_table(params: KahmParams) -> pd.DataFrame:
    """Return the modelling error of every class at every stage from the noisy one on."""
    found = run_one(params)
    names = [f"class {c}" for c in range(found.errors.shape[2])]
    table = pd.DataFrame(found.errors[0], columns=names)
    table.insert(0, "rounds", range(len(table)))
    return table


def study_table(study: Study | None) -> pd.DataFrame:
    """Return what was measured, a row for each ε of a value and kind of data; empty before."""
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


def _facts(params: KahmParams, data: StudyDataset, study: Study | None) -> dict[str, str]:
    found = run_one(params)
    rows = {
        "ε of one value": f"{params.epsilon:g}",
        "ε of a record of the picture": f"{2 * params.epsilon:g}",
        f"ε of a record of {data.title}": f"{data.n_features * params.epsilon:g}",
        "modelling error, original": f"{found.target.mean():.3g}",
        "modelling error, noisy": f"{found.errors[0, 0].mean():.3g}",
        "modelling error, published": f"{found.errors[0, params.rounds].mean():.3g}",
    }
    if study is not None:
        rows["records measured"] = f"{len(data.X)} of {data.all_records}"
    return rows
