"""What Jiang's slides print on linear regression, beside what is right, with the reader's numbers."""

from __future__ import annotations

import streamlit as st

from dpcore.experiments.regression import RegressionParams, Setting
from dpcore.regression import sensitivity
from dpcore.regression.splits import budget_share
from ui.words.numbers import show, tex

__all__ = ["printed"]

_SPLITS = {
    "proportional": "like Jiang's sensitivities", "equal": "equal", "variance": "least noise variance",
    "error": "least error",
}  # fmt: skip


def printed(params: RegressionParams, setting: Setting) -> None:
    """Draw what Jiang's slides print beside what is right."""
    d = setting.n_features
    twice, exact = sensitivity.printed_quadratic(d), sensitivity.quadratic(d)
    joint, linear = sensitivity.joint(d), sensitivity.linear(d)
    _halved(setting)
    st.markdown("**The sensitivities.** Jiang prints")
    st.latex(
        rf"\Delta_1 = 2(d+1)^2 = {tex(twice, '.6g')},\quad \Delta_2 = 4(d+1) = {tex(linear, '.6g')},\qquad "
        r"\hat a = a + \mathrm{Lap}(\Delta_1/\varepsilon_1),\ \hat b = b + \mathrm{Lap}(\Delta_2/\varepsilon_2)"
    )
    st.markdown(
        f"These are safe. The exact Δ₁ is (d+1)² = **{show(exact, '.6g')}**, half of what is printed, "
        f"so half the noise on the "
        f"square part would do. Δ₂ is exact. One release of both parts needs no split: Δ = **{show(joint, '.6g')}**."
    )
    st.markdown(
        "**The proof** writes $\\exp(+\\varepsilon|\\cdot|/\\Delta)$ for a density. The minus sign is missing, "
        "twice. Its conclusion ε = ε₁ + ε₂ is right.  \n"
        "**No minimum.** Jiang does not say what to do when the noisy A is *not positive definite*. Then J has no "
        "minimum, and solving the equations gives a saddle."
    )
    shares = ", ".join(
        f"{words} {show(budget_share(name, d), '.3f')}" for name, words in _SPLITS.items()
    )
    st.markdown(
        "**The split of ε.** Jiang prints no ratio, only ε₁ ≥ ε₂. If variances are added up, n₁Δ₁²/ε₁² + "
        "n₂Δ₂²/ε₂² is least at ε₁ : ε₂ = (d+1) : 4^(1/3). The error of the fit weighs them differently: "
        "A⁻¹(δc − δA θ) gives about (‖θ‖(d+1))^(2/3) : 1. The ratio of Jiang's sensitivities, (d+1) : 2, is "
        f"neither of the two. Shares ε₁/ε at d = {d}: {shares}."
    )
    st.markdown(
        "**Gradient descent.** Jiang's Algorithm 1 puts the noise *inside* the sum over the records. There are then "
        "as many noises as records, and the sum has √L times more noise than it needs (page *Gradient descent*)."
    )


def _halved(setting: Setting) -> None:
    """J with 1/(2m) as printed, beside the one whose sensitivities are printed."""
    m, squared = setting.n_samples, float(setting.train.mse(setting.best))
    d = setting.n_features
    st.markdown("**The objective.** Jiang prints it with a factor, and ours above has none:")
    st.latex(
        r"J(\theta) = \frac{1}{2m}\sum_{i=1}^{m}\big(h_\theta(x^{(i)})-y^{(i)}\big)^2,\qquad "
        rf"m = {tex(m, 'd')}:\quad \min J = {tex(squared / 2)}\ \text{{as printed}},\quad "
        rf"{tex(m * squared)}\ \text{{ours, with}} \textstyle\sum y^2"
    )
    printed = sensitivity.printed_quadratic(d)
    st.markdown(
        "A public factor moves no minimum and costs no privacy. But Jiang's Δ₁ and Δ₂ belong to the sums without it. "
        f"With 1/(2m) they are 2m = {show(2 * m, 'd')} times smaller: Δ₁ = {show(printed / (2 * m), '.3g')} instead "
        f"of {show(printed, '.6g')}. Whoever puts noise for Δ₁ on coefficients that are divided already adds 2m "
        "times too much."
    )
