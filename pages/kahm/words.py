"""The affine hull page in words and tables: formulas, claims beside measurements, exports."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpcore.experiments.kahm import STUDY_EPSILONS, KahmParams, Material, Sober, Study, run_one
from dpcore.experiments.kahm.picture import REACH
from dpcore.experiments.kahm.study import KINDS, LEARNERS
from dpcore.kahm.noise import amount
from pages.kahm.figure_tables import mean

__all__ = [
    "TASKS", "claims", "error_table", "facts", "formula", "measured", "picture_figure", "records_table",
    "study_table",
]  # fmt: skip


def formula(params: KahmParams, data: Material) -> None:
    """Draw the formulas with the numbers of now, beside those of the document."""
    e, atom = params.epsilon, params.atom
    size, steps = amount(e, atom), amount(e, atom, kind="staircase")
    st.markdown("#### The formulas, with your numbers")
    st.markdown("**The document prints** “the minimum possible noise” for (ε, δ) on one value")
    st.latex(rf"E|v| = \frac{{(1-\delta)\,d}}{{\varepsilon}} = {size:.4g}")
    st.markdown(
        f"It is right as a value: Laplace noise, and with chance δ none at all. It is **not the minimum**: "
        f"staircase noise of the same ε has E|v| = **{steps:.4g}** (Geng and Viswanath 2014)."
    )
    st.markdown("**It protects one value.** A record of p values gets")
    p = data.n_features
    st.latex(
        rf"p\,\varepsilon = 2\cdot {e:g} = {2 * e:g}\ \text{{(picture)}},\qquad {p}\cdot {e:g} = "
        rf"{p * e:g}\ \text{{({data.title.replace('×', 'x')})}}"
    )
    st.markdown(_atom(atom, data))
    st.markdown("**The machine** of a class answers with weights that sum to 1")
    st.latex(
        r"A(y)=\frac{\sum_i h_i(Py)\,y_i}{\sum_i h_i(Py)},\quad h(x)=(K+\lambda I)^{-1}k_X(x),\quad "
        rf"\lambda \approx {params.ridge:g}\,\overline{{y^2}}"
    )
    st.caption(
        "λ is the fixed point λ = τ + R(λ), R the training error: between τ and τ plus one mean square. "
        "The document says A is always bounded. With its λ that holds on the data's region, not everywhere."
    )


def _atom(atom: float, data: Material) -> str:
    if atom == 0:
        return (
            "Here δ₀ = 0: no value is published as it is. The noise would hardly be less with one."
        )
    row = -math.expm1(data.n_features * math.log1p(-atom))
    return (
        f":red[δ₀ = {atom:g} publishes about {atom * data.X.size / 2:.3g} values of {data.title} "
        f"(the half released) exactly as they are], in {row:.1%} of its records. It saves {atom:.3%} of the noise."
    )


def _place(params: KahmParams) -> int:
    """The measured ε nearest to the handle."""
    return int(np.argmin(np.abs(np.log(np.array(STUDY_EPSILONS) / params.epsilon))))


def measured(params: KahmParams, study: Study) -> list[bool]:
    """Return which splits (S,) have been measured at the ε nearest to the handle."""
    return [bool(np.isfinite(split).all()) for split in study.accuracy[:, _place(params)]]


def claims(params: KahmParams, data: Material, study: Study | None, sober: Sober | None) -> str:
    """Return the claims of the document beside what was measured at the ε nearest to the handle."""
    place = _place(params)
    cells = dict.fromkeys(("accuracy", "gains", "scores", "drops", "rival", "same"), _WAITS)
    if study is not None and any(measured(params, study)):
        cells |= _learners(study, place) | _spies(study, place)
    if sober is not None:
        cells["rival"] = (
            f"at ε = 1 for a whole record a keeper's means reach {mean(sober.central)[4]:.1%}"
        )
    if sober is not None and study is not None and any(measured(params, study)):
        made = mean(study.accuracy)[place, 1, 0]
        cells["same"] = (
            "Say the record's ε. At the one of here a trusted keeper's class means reach "
            f"{mean(sober.beside)[place]:.1%}, fabricated data {made:.1%} with KAHM"
        )
    return _CLAIMS.format(title=data.title, p=data.n_features, **cells)


_WAITS = "*being measured …*"
_SMALL = 0.02  # a difference of accuracy that five splits do not tell from none


def _learners(study: Study, place: int) -> dict[str, str]:
    noisy, made = mean(study.accuracy)[place]
    own, *others = made - noisy
    if abs(own) <= _SMALL:
        first = f"Not for KAHM ({_points(own)}), which smooths by itself."
    else:
        first = f"For KAHM it is {_points(own)} here, though it smooths by itself."
    useful = max(others) > _SMALL
    rest = "It makes the data usable for others" if useful else "Nor do the others gain at this ε"
    pairs = zip(LEARNERS, noisy, made, strict=True)
    return {
        "accuracy": f"ε = {STUDY_EPSILONS[place]:g} a value: "
        + "; ".join(f"{name} {a:.1%} → {b:.1%}" for name, a, b in pairs),
        "gains": f"{first} {rest} ({', '.join(_points(gain) for gain in others)})",
    }


def _points(gain: float) -> str:
    return f"{100 * gain:+.1f} points".replace("-", "−")


def _spies(study: Study, place: int) -> dict[str, str]:
    ks, link = mean(study.scores)[place, :, 0], mean(study.link)[place]
    before, smooth = mean(study.scores_original)[0], mean(study.scores_smoothed)[0]
    return {
        "scores": f"KS: original {before:.2f}; smoothed without noise {smooth:.2f}; noisy {ks[0]:.2f}; "
        f"fabricated {ks[1]:.2f}; by chance {mean(study.null)[0]:.2f}. Linked rows: {link[0]:.0%} → "
        f"{link[1]:.0%}",
        "drops": f"The noise takes {before - ks[0]:.2f} off, smoothing alone {before - smooth:.2f}, smoothing "
        f"after the noise {ks[0] - ks[1]:.2f}".replace("-", "−")
        + (
            "; what it does lower is how many rows can be linked"
            if link[1] < link[0] - _SMALL
            else ""
        ),
    }


_CLAIMS = """
| the document says | measured on {title} | what to make of it |
|---|---|---|
| Smoothing mitigates the loss of utility | {accuracy} (noisy → fabricated) | {gains} |
| Fabrication lowers the membership score | {scores} | {drops} |
| Smooth until the error is that of the original data | see the red line in *Modelling error* | The rule \
reads the original data: a second look that the ε does not pay for. A fixed T is free |
| (ε, δ) for the data | ε for one of {p} values of a record; {rival} | {same} |
| δ > 0 lessens the noise | by the factor 1 − δ | and publishes exact values: take δ₀ = 0 |
| Distances hide members | the scores above | A low score is no proof: it is one attack that failed |
"""


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


def facts(params: KahmParams, data: Material, known: Mapping[str, Any]) -> dict[str, str]:
    """Return the numbers of the report."""
    found = run_one(params)
    rows = {
        "ε of one value": f"{params.epsilon:g}",
        "ε of a record of the picture": f"{2 * params.epsilon:g}",
        f"ε of a record of {data.title}": f"{data.n_features * params.epsilon:g}",
        "modelling error, original": f"{found.target.mean():.3g}",
        "modelling error, noisy": f"{found.errors[0, 0].mean():.3g}",
        "modelling error, published": f"{found.errors[0, params.rounds].mean():.3g}",
    }
    if known["study"] is not None:
        rows["records measured"] = f"{len(data.X)} of {data.all_records}"
    return rows


TASKS = """
1. **Does the shape survive?** Play the stages at ε = 8. Then lower ε until the moons are gone in the panel
   of 30 other noises. What is the ε of a *record* there?
2. **A curve or a surface.** Set n = 1. The image becomes a curve. Does it follow the spirals' arms, and at
   which ε does it stop?
3. **Whom does smoothing help?** In the tab *Accuracy* find the ε at which fabricated data gain most for the
   nearest neighbour. What do they gain KAHM there?
4. **Noise or smoothing?** In *What a spy gains* compare the dashed grey line (smoothed, no noise) with the
   others. Which of the two protects members? Which protects rows from being linked?
5. **The same ε for a person.** In *A record's ε* read what a trusted keeper reaches at ε = 1. Which ε does
   the accent curve need for that?
6. **Break the promise.** Under *More* choose the paper's stopping rule, or δ₀ = 0.01, and read the card.
"""
