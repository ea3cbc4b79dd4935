"""The words about four places for the noise, and about noise in the objective as it is printed."""

from __future__ import annotations

import math

import streamlit as st

from dpcore.descent import ObjectiveNoise, objective_noise
from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams
from ui.words.numbers import short

__all__ = ["objective", "places"]

_EPSILON = 1.0


def places() -> None:
    """Which place of the noise loses what, and why."""
    words = descent.PLACES
    st.markdown(
        "All four publish one model, with the same ε and δ for one replaced record. Each row has a norm of at "
        "most 1, so one record moves a sum of rows or of gradients by at most 2. What differs is how often that "
        "has to be hidden, and what the learning does with the noise.\n\n"
        "| noise | hides a move of | what is lost |\n|---|---|---|\n"
        f"| {words['input']} | 2, once for each of the n records | a sum over all has √n times the noise; in "
        "return nobody needs to be trusted |\n"
        f"| {words['output']} | G/(nλ), the worst case of all data | the noise is just as large in directions "
        "that the data determine well |\n"
        f"| {words['gradient']} | 2, in each of T steps | σ grows with √T; but no convexity is needed, so it "
        "works for networks |\n"
        f"| {words['objective']} | 2, once | little where the data determine the model well; it needs a convex, "
        "smooth objective and its minimum |\n"
    )


def _used(params: DescentParams, delta: float) -> ObjectiveNoise:
    problem = descent.task(params.dataset)
    strength = problem.strength(params.regularisation)
    return objective_noise(_EPSILON, delta, strength, len(problem.y))


def objective(params: DescentParams) -> None:
    """Objective perturbation as its authors print it, beside what is used here, and what it rests on."""
    pure, gaussian = _used(params, 0.0), _used(params, params.delta)
    kifer = math.sqrt(8 * math.log(2 / params.delta) + 4 * _EPSILON) / _EPSILON
    st.markdown(
        "Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 2, add b·w/n to the objective. The direction of b is "
        "random, and its length comes from Gamma(d, 2/ε′). Here Λ = 2λ, and c = 1/4 bounds the second derivative "
        "of the logistic loss:"
    )
    st.latex(
        r"\varepsilon' = \varepsilon - \ln\Big(1 + \frac{2c}{n\Lambda} + \frac{c^2}{n^2\Lambda^2}\Big),"
        r"\qquad \Delta = \frac{c}{n(e^{\varepsilon/4} - 1)} - \Lambda \ \text{and}\ "
        r"\varepsilon' = \varepsilon/2 \ \text{if}\ \varepsilon' \le 0"
    )
    st.markdown(
        f"With your λ, {descent.N_TRAIN} people and ε = 1 that is 2/ε′ = **{short(pure.scale)}** (δ = 0). With a "
        "δ, b may be Gaussian. Kifer, Smith and Thakurta (2012) print a standard deviation of "
        f"√(8 ln(2/δ) + 4ε)/ε = {short(kifer)}. By the exact loss of Gaussian noise **{short(gaussian.scale)}** is "
        f"enough for a replaced record; the volume takes ln(1 + c/m) = {short(gaussian.jacobian)} of ε."
    )
    st.markdown(
        "The theorem is about the *exact* minimum, and no solver reaches it. A solver that starts at the model "
        "without privacy and stops early would publish that model. Here the solver stops where the gradient is "
        "shorter than a public γ, so at most γ/m from the minimum, and noise on its result hides how far (after "
        "Iyengar and others, 2019). A hundredth of ε and δ accounts for that."
    )
