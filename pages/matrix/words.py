"""The words, tables and figure to take along of the matrix page."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpcore import accounting
from dpcore.experiments import relevance
from dpcore.experiments.matrix import (
    PAPER_NOISE,
    PAPER_SPREAD,
    SPREAD_EPSILONS,
    MatrixParams,
    MatrixProblem,
    Study,
)
from dpcore.experiments.matrix.readings import read_readings
from dpcore.grids import EPSILON_GRID
from pages.matrix.pipeline import Answer
from ui import escape
from ui.prototype_words import words_of_reading

_READINGS = Path(__file__).resolve().parents[2] / "docs" / "matrix_noise.csv"
_TITLES = {"mnist": "MNIST", "har": "Motion"}
_OTHER_READINGS = (
    ("variance 0.025 on Ω", ("omega", "trace", 0.158)),
    ("deviation 0.025 on Λ", ("lambda", "trace", 0.025)),
    ("with mean diagonal 1, deviation 0.025 on Ω", ("omega", "diagonal", 0.025)),
    ("variance 0.025 on Ω", ("omega", "diagonal", 0.158)),
    ("deviation 0.025 on Λ", ("lambda", "diagonal", 0.025)),
    ("variance 0.025 on Λ", ("lambda", "diagonal", 0.158)),
)

__all__ = [
    "BOTH",
    "SPREAD",
    "TASKS",
    "curve_table",
    "facts",
    "formula",
    "looks_at",
    "losses",
    "matrix_table",
    "names",
    "noise_experiment",
    "profile_figure",
    "profile_table",
    "spread_table",
]


def looks_at(problem: MatrixProblem, params: MatrixParams, study: Study) -> list[str]:
    """Return, for every ε, which features the private classifier looks at most."""
    names = problem.dataset.feature_names
    if len(study.sweep.nodes) == 1:
        said = "A first look at this ε alone: all noise levels are trained when you let go."
        if study.upto < study.sweep.params.epochs:
            said += " It shows the first epochs, with the noise that the whole training needs."
        return [said] * len(EPSILON_GRID)
    found = []
    for epsilon in EPSILON_GRID:
        share = study.sweep.at(epsilon).relevances
        top = share.argsort()[:-4:-1]
        told = ", ".join(f"{names[k]} ({share[k]:.{0 if share[k] > 0.03 else 1}%})" for k in top)
        even = 1 / len(share)
        weak = "; hardly more than an even look" if share[top[0]] < 1.5 * even else ""
        found.append(
            f"{_settings(params)} the private classifier of this draw looks most at {told}{weak}. An "
            f"even look would give every feature {even:.1%}."
        )
    return found


def losses(params: MatrixParams, study: Study) -> list[str]:
    """Return, for every ε, where the accuracy goes: the steps, the clipping, the noise."""
    if len(study.sweep.nodes) == 1:
        return [""] * len(EPSILON_GRID)
    sweep = study.sweep
    plain, method = 1 - sweep.plain_errors[-1], 1 - sweep.method_errors[-1]
    start = (
        f"{_settings(params)} the accuracy goes from {study.best_accuracy:.1%} (L-BFGS, no privacy) over "
        f"{plain:.1%} (T = E/q = {max(1, round(params.epochs / params.sample_rate))} steps of SGD with "
        f"η = {params.learning_rate:g}) and {method:.1%} (the same, clipped at C) to"
    )
    return [
        f"{start} {sweep.at(e).accuracy:.1%} (with the noise of ε = {e:g})." for e in EPSILON_GRID
    ]


def _settings(params: MatrixParams) -> str:
    """The settings of a sentence that does not follow their handles while they move."""
    return (
        f"At C = {params.clip_norm:g}, q = {params.sample_rate:g}, E = {params.epochs}, "
        f"m = {params.prototypes_per_class}"
    )


def names(problem: MatrixProblem) -> str:
    """Return the numbers of the features with their names, those of very many cut short."""
    found = [str(name) for name in problem.dataset.feature_names]
    told = ", ".join(f"{k} {escape.code(name)}" for k, name in enumerate(found[:64], start=1))
    return told + (f" … and {len(found) - 64} more" if len(found) > 64 else "") + "."


def formula(params: MatrixParams) -> None:
    """Draw the step and its noise with the current numbers, beside the paper's."""
    steps = max(1, round(params.epochs / params.sample_rate))
    rest = (1 - params.init_share) * params.epsilon
    at = EPSILON_GRID.index(params.epsilon)
    sigma = relevance.noise_multipliers(params)[at]
    needed = relevance.noise_multipliers(params.but(recipe="tight"))[at]
    printed = accounting.paper_noise_multiplier(rest, params.delta, params.sample_rate, steps)
    claims = relevance.real_epsilons(params.but(recipe="paper"))
    broken = [e for e, real in zip(EPSILON_GRID, claims, strict=True) if real > e]
    st.markdown("#### The formula, with your numbers")
    st.latex(
        r"(W, \Omega) \leftarrow (W, \Omega) - \tfrac{\eta}{qN}\Big(\sum_i "
        r"\mathrm{clip}_C(g_i) + \sigma C Z\Big)"
    )
    st.latex(
        rf"\sigma = {sigma:.4g},\quad C = {params.clip_norm:g},\quad \eta = "
        rf"{params.learning_rate:g},\quad q = {params.sample_rate:g}"
    )
    st.markdown(
        "g is the gradient by prototypes **and** matrix, clipped as one vector: one noise pays for "
        "both. Λ = ΩᵀΩ, its diagonal, its eigen-images and its map are made from the released Ω and "
        "cost nothing more."
    )
    st.markdown(
        f"**Tight accountant**: the smallest σ at which T = E/q = {steps} steps cost "
        f"ε₂ = (1 − {params.init_share:g})·{params.epsilon:g} = {rest:.3g} at δ/2 is **{needed:.4g}**."
    )
    st.markdown("**The paper prints** (Brinkrolf, Berger and Hammer 2018)")
    st.latex(
        rf"\sigma = \frac{{2q\sqrt{{T\ln(1/\delta)}}}}{{\varepsilon_2}} = "
        rf"\frac{{2\cdot {params.sample_rate:g}\sqrt{{{steps}\cdot {math.log(1 / params.delta):.4g}}}}}"
        rf"{{{rest:.3g}}} = {printed:.4g}"
    )
    where = f"ε = {broken[0]:g}" if broken else "no ε of the slider"
    st.markdown(
        f"With it the whole training really costs ε = **{claims[at]:.3g}** when its start and its steps are "
        f"added up (**{relevance.joint_epsilon(params.but(recipe='paper')):.3g}** when they are composed "
        f"together), not {params.epsilon:g}. "
        + words_of_reading(claims[at], params.epsilon)
        + f" With your q, E and δ it stops being private as claimed from **{where}** on "
        "(ε = 6.8 with the paper's q = 0.01, E = 50)."
    )


def noise_experiment() -> str:
    """Return the paper's experiment of noise on the matrix beside ours, in words."""
    rows = read_readings(_READINGS)
    found = {(r["data"], r["on"], r["scaled_to"], r["deviation"]): r for r in rows}
    lines = []
    for data, (before, more, spread) in PAPER_NOISE.items():
        ours = found[data, "omega", "trace", 0.025]
        lines.append(
            f"| {_TITLES[data]} | {before:.4f} | {ours['error']:.4f} | +{more:.4f} ± {spread:.4f} | "
            f"+{ours['increase']:.4f} ± {ours['spread']:.4f} |"
        )
    other = "; ".join(
        f"{words} " + " and ".join(f"+{found[data, *key]['increase']:.3f}" for data in PAPER_NOISE)
        for words, key in _OTHER_READINGS
    )
    return (
        "The paper puts normal noise “with variance σ = 0.025 on each element of the relevance "
        "matrix” of its non-private GMLVQ and reads the test error.\n\n"
        "| data | error, paper | ours | increase, paper | ours |\n|---|---|---|---|---|\n"
        + "\n".join(lines)
        + "\n\nThe text leaves open what is scaled how. Ours is noise of **standard deviation** 0.025 on "
        "the elements of **Ω**, with Λ scaled to trace 1: the reading that comes "
        f"nearest to both (five folds of Table 1's data, 6 draws each). The others, on MNIST and Motion: {other}. "
        "`python -m dpcore matrix-noise` measures them again. The tab *Noise on the matrix* does it for "
        "your data. The paper concludes that noise in Ω explains the loss of the private GMLVQ; compare "
        "what *the method* costs: clipping alone costs too."
    )


def spread_table(problem: MatrixProblem, errors: dict[str, Any]) -> str:
    """Return standard deviations of the test error beside the paper's, as a table."""
    said = {"clip_norm": "C", "sample_rate": "q", "epochs": "E"}
    head = " | ".join(f"ε = {e:g}" for e in SPREAD_EPSILONS)
    rows = [f"| varies | {head} |", "|---|---|---|---|"]
    for name, printed in PAPER_SPREAD.items():
        ours = np.nanstd(errors[name], axis=0)
        cells = " | ".join(f"**{o:.4f}** ({p:.4f})" for o, p in zip(ours, printed, strict=True))
        rows.append(f"| {said[name]}, {len(errors[name])} values | {cells} |")
    return (
        f"Standard deviation of the test error on {problem.dataset.title} over the values, in "
        "brackets the paper's on Motion.\n\n" + "\n".join(rows)
    )


def profile_table(problem: MatrixProblem, params: MatrixParams, study: Study) -> pd.DataFrame:
    """Return the relevance of every feature, private at ε and without privacy."""
    best = study.best.relevances if study.best is not None else np.nan
    return pd.DataFrame(
        {
            "feature": list(problem.dataset.feature_names),
            "private": study.sweep.at(params.epsilon).relevances,
            "without_privacy": best,
        }
    )


def curve_table(params: MatrixParams, found: Answer) -> pd.DataFrame:
    """Return accuracy against ε, with how many draws stand behind the band."""
    sweep = found.study.sweep
    return pd.DataFrame(
        {
            "epsilon": EPSILON_GRID,
            "noise_multiplier": relevance.noise_multipliers(params),
            "accuracy": [sweep.at(e).accuracy for e in EPSILON_GRID],
            "accuracy_without_privacy": found.study.best_accuracy,
        }
    )


def matrix_table(problem: MatrixProblem, params: MatrixParams, study: Study) -> pd.DataFrame:
    """Return the released Ω, one row each, on features scaled by their public bounds."""
    omega = study.sweep.at(params.epsilon).omega
    return pd.DataFrame(omega, columns=list(problem.dataset.feature_names))


def profile_figure(problem: MatrixProblem, params: MatrixParams, study: Study) -> go.Figure:
    """Return the relevance profile as a Plotly figure, for taking along."""
    table = profile_table(problem, params, study)
    made = go.Figure()
    features = [escape.hyper(name) for name in table.feature]
    made.add_bar(x=features, y=table.private, name="private")
    made.add_bar(x=features, y=table.without_privacy, name="without privacy")
    made.update_yaxes(title="relevance", tickformat=".0%")
    made.update_layout(
        barmode="group",
        title=f"{problem.dataset.title}, ε = {params.epsilon:g}, δ = {params.delta:g}",
    )
    return made


def facts(problem: MatrixProblem, params: MatrixParams, study: Study) -> dict[str, str]:
    """Return the numbers of the report."""
    model = study.sweep.at(params.epsilon)
    return {
        "records for training / test": f"{len(problem.y)} / {len(problem.dataset.y_test)}",
        "shape of Ω": f"{problem.rows} × {problem.n_features}",
        "accuracy, private": f"{model.accuracy:.1%}",
        "accuracy, without privacy": f"{study.best_accuracy:.1%}",
        "noise multiplier σ": f"{model.noise_multiplier:.4g}",
    }


BOTH = (
    "The release is the prototypes **and** the matrix Ω. Ω starts at the identity, which no record "
    "touched. A feature with a large relevance is a fact about the group, not about one person."
)
SPREAD = (
    "How much does the error depend on the settings? The paper varies C, q and E one at a time and "
    "reports the standard deviation of the test error. Where it is large, tuning matters, and tuning "
    "on private results costs privacy too, which no account here includes."
)
TASKS = """
1. **When does the profile become noise?** Drag ε from 20 down. Watch *looks at the same features* and
   the strokes. At which ε would you stop telling a doctor which feature matters?
2. **Accuracy is not understanding.** Find an ε at which the accuracy is still good but the matrix is
   nearly the identity (even diagonal). What has the classifier learned then?
3. **Fewer directions.** Under *More*, set the rank to 2. The guarantee stays. Does the map get better?
4. **A formula that breaks its promise.** Press *Paper's settings* and raise ε to 8. Read the card.
5. **Touchy or not?** Open *Noise on the matrix*: which model bears more noise, the private one or the
   other? Why might training with noise help there?
"""
