"""The words of the linear regression page: formulas with the current numbers, and tasks."""

from __future__ import annotations

import streamlit as st

from dpcore.experiments.regression import RegressionParams, Setting
from dpcore.experiments.regression.fits import DESCENT
from dpcore.regression import sensitivity
from dpcore.regression.baselines import ada_ssp_epsilon
from dpcore.regression.descent import descent_noise
from dpcore.regression.noise import gaussian_scales
from dpcore.regression.splits import budget_share
from ui.explanation import section

__all__ = ["TASKS", "formula"]

_SPLITS = {
    "proportional": "as printed", "equal": "equal", "variance": "least noise variance",
    "error": "least error",
}  # fmt: skip


def formula(params: RegressionParams, setting: Setting) -> None:
    """Draw the formulas with the current numbers, beside the document's."""
    st.markdown("## The formula, with your numbers")
    st.markdown(
        f"x = (1, features), d = {setting.n_features}, n = {setting.n_samples:,}; everything is put on its "
        "public bounds and scaled to [−1, 1]. The objective needs two sums only:"
    )
    st.latex(
        r"J(\theta)=\theta^\top A\,\theta-2c^\top\theta,\quad A=\sum_i x_ix_i^\top,\ c=\sum_i y_ix_i"
    )
    {
        "printed": _printed, "tight": _printed, "joint": _joint, "gaussian": _gaussian,
        "adassp": _adaptive, "output": _output, "descent": _descent,
    }[params.method](params, setting)  # fmt: skip
    section("Where the sensitivities come from", lambda: _derivation(setting.n_features))


def _printed(params: RegressionParams, setting: Setting) -> None:
    d = setting.n_features
    share = budget_share(params.split, d)
    first, second = share * params.epsilon, (1 - share) * params.epsilon
    twice, tight = sensitivity.printed_quadratic(d), sensitivity.quadratic(d)
    used = twice if params.method == "printed" else tight
    linear = sensitivity.linear(d)
    st.markdown("**The document prints**")
    st.latex(rf"\Delta_1 = 2(d+1)^2 = {twice:g},\quad \Delta_2 = 4(d+1) = {linear:g}")
    st.latex(
        r"\hat a = a + \mathrm{Lap}(\Delta_1/\varepsilon_1),\ \hat b = b + \mathrm{Lap}(\Delta_2/\varepsilon_2)"
    )
    st.markdown(f"**Exact** is Δ₁ = (d+1)² = **{tight:g}**: half of it. Δ₂ is exact as printed.")
    st.latex(
        rf"\varepsilon_1 = {first:.3g},\ \varepsilon_2 = {second:.3g}:\quad "
        rf"\mathrm{{Lap}}({used / first:.4g})\ \text{{on }}A,\quad "
        rf"\mathrm{{Lap}}({linear / second:.4g})\ \text{{on }}{{-2c}}"
    )
    shares = ", ".join(f"{words} {budget_share(name, d):.3f}" for name, words in _SPLITS.items())
    st.caption(f"Shares ε₁/ε at d = {d}: {shares}.")
    st.markdown(
        "The document's proof writes $\\exp(+\\varepsilon|\\cdot|/\\Delta)$ for a density; the sign is "
        "missing twice, and its conclusion ε = ε₁ + ε₂ is right. It does not say what to do when the noisy A "
        "is **not positive definite**: then J has no minimum, and solving the equations gives a saddle."
    )
    _repair(params)


def _repair(params: RegressionParams) -> None:
    words = {
        "none": "No repair: the equations are solved as they are.",
        "trim": "Repair (Zhang et al. 2012): add 4 sd of the noise to the diagonal, then drop directions "
        "whose eigenvalue is still ≤ 0.",
        "floor1": "Repair: eigenvalues become max(w, 0) + sd·√(d+1).",
        "floor2": "Repair: eigenvalues become max(w, 0) + 2 sd·√(d+1), the edge of the noise's spectrum.",
    }
    free = (
        "" if params.repair == "none" else " It sees noisy numbers only: post-processing is free."
    )
    st.caption(words[params.repair] + free)


def _joint(params: RegressionParams, setting: Setting) -> None:
    reach = sensitivity.joint(setting.n_features)
    st.markdown(
        "**One release** of the distinct entries of A and c, no split, so no ε is lost by guessing one:"
    )
    st.latex(
        rf"\Delta = \tfrac{{(d+2)^2+d}}{{2}} = {reach:g},\quad "
        rf"\mathrm{{Lap}}(\Delta/\varepsilon) = \mathrm{{Lap}}({reach / params.epsilon:.4g})"
    )
    st.markdown(
        f"The document splits: Δ₁ = 2(d+1)² = {sensitivity.printed_quadratic(setting.n_features):g} and "
        f"Δ₂ = 4(d+1) = {sensitivity.linear(setting.n_features):g}, each with a part of ε."
    )
    _repair(params)


def _gaussian(params: RegressionParams, setting: Setting) -> None:
    reach = sensitivity.svec(setting.n_features)
    sigma = float(gaussian_scales(params.epsilon, params.delta)[0])
    st.markdown("**Gaussian noise** on all sums at once (not in the document; needs δ > 0):")
    st.latex(
        rf"\Delta_2 = \sqrt2\,(d+2) = {reach:.4g},\quad \sigma(\varepsilon,\delta) = {sigma:.4g},"
        rf"\quad \mathrm{{sd}} = \sigma\Delta_2 = {sigma * reach:.4g}"
    )
    st.markdown(
        "Entries off the diagonal occur twice and get 1/√2 of it. σ is exact (Balle and Wang 2018)."
    )
    _repair(params)


def _adaptive(params: RegressionParams, setting: Setting) -> None:
    printed = ada_ssp_epsilon(params.epsilon, params.delta, "published")
    st.markdown(
        "**AdaSSP** (Wang 2018; not in the document): a ridge from the noisy smallest eigenvalue."
    )
    st.latex(
        r"\hat\theta=(A+\text{noise}+\lambda I)^{-1}(c+\text{noise}),\quad "
        r"\lambda=\max\!\big(0,\ \sqrt{D\ln(2D^2/\rho)}\,\mathrm{sd}-\tilde\lambda_{\min}\big)"
    )
    st.markdown(
        f"As published each third gets ε/3: that really spends ε = **{printed:.3g}** of {params.epsilon:g} "
        "(add or remove). Here the three Gaussians are composed exactly, for replaced records."
    )


def _output(params: RegressionParams, setting: Setting) -> None:
    reach = sensitivity.output(setting.n_features, setting.n_samples, 0.3, 1.0)
    sigma = float(gaussian_scales(params.epsilon, params.delta)[0])
    st.markdown(
        "**Noise on the result** of a ridge regression inside a ball (not in the document):"
    )
    st.latex(
        rf"\Delta=\tfrac{{2G}}{{n\mu}} = {reach:.4g},\ G=B(BR+1),\ B=\sqrt{{d+1}},\quad "
        rf"\mathrm{{sd}} = \sigma\Delta = {sigma * reach:.4g}"
    )
    st.markdown(
        "μ = 0.3, R = 1. A smaller μ bends the fit less and needs more noise: what the "
        "method costs and what the noise costs trade places."
    )


def _descent(params: RegressionParams, setting: Setting) -> None:
    steps, clip = int(DESCENT["n_steps"]), DESCENT["clip_norm"]
    z = float(descent_noise(params.epsilon, params.delta, steps)[0])
    st.markdown("**Private gradient descent**, all records in each step:")
    st.latex(
        rf"\theta\leftarrow\theta-\tfrac{{\eta}}{{n}}\Big(\sum_i\mathrm{{clip}}_C(g_i)+zC\,Z\Big),\quad "
        rf"z=2\sqrt T\,\sigma(\varepsilon,\delta)={z:.4g}"
    )
    st.markdown(
        f"T = {steps}, η = {DESCENT['learning_rate']:g}, C = {clip:g}, fixed beforehand; the mean of the last "
        "half of the steps is published. The document's Algorithm 1 puts the noise **inside** the sum over "
        "records: then it grows with √L for nothing (see the page on gradient descent)."
    )


def _derivation(d: int) -> None:
    D = d + 1
    st.markdown(
        f"""
A record is z = (1, x, y) with every entry in [−1, 1]. It is **replaced** by z′.

**As printed.** Each of the (d+1)² products x_j x_k lies in [−1, 1], so it moves by at most 2:
Δ₁ ≤ 2(d+1)² = {2 * D**2}. Each of the d+1 products −2 y x_j lies in [−2, 2]: Δ₂ ≤ 4(d+1) = {4 * D}.

**Tight Δ₁.** Not all products can move by 2 at once. With u = x + x′ and v = x − x′,"""
    )
    st.latex(r"xx^\top-x'x'^\top=\tfrac12(uv^\top+vu^\top)")
    st.latex(
        r"\lVert\cdot\rVert_1\le\lVert u\rVert_1\lVert v\rVert_1\le"
        r"\big(\tfrac{\lVert u\rVert_1+\lVert v\rVert_1}{2}\big)^2\le(d+1)^2,"
    )
    st.markdown(
        f"""because |u_j| + |v_j| = 2 max(|x_j|, |x′_j|) ≤ 2. So Δ₁ = (d+1)² = **{D**2}**, and it is reached.
Δ₂ = 4(d+1) = **{4 * D}** is reached by x′ = x, y′ = −y.

**Joint release.** The same bound for z with d+2 entries, distinct entries counted once, without y²:
Δ = ((d+2)² + d)/2 = **{((d + 2) ** 2 + d) / 2:g}**.

All of it rests on **public bounds**. Scaling by the smallest and largest value *of the data*, or by mean and
spread, makes every record move with everybody else's, and these numbers are void.

**The split.** Adding up variances, n₁Δ₁²/ε₁² + n₂Δ₂²/ε₂² is least at ε₁ : ε₂ = (d+1) : 4^(1/3). The error of the
fit weighs them differently: A⁻¹(δc − δA θ) gives about (‖θ‖(d+1))^(2/3) : 1. The ratio of the
printed sensitivities, (d+1) : 2, is neither; the slides themselves print no ratio, only ε₁ ≥ ε₂.
"""
    )


TASKS = """
1. **A valley turns over.** Take the line with noise, the method as printed, and drag ε down. From which ε do
   red parabolas appear? Open *No minimum?* at ε = 0.1, then choose a repair.
2. **Many records, little noise.** Press *As in the document*. How close is ε = 1 to no privacy? Now lower n
   to 1,600: at which n does *predicting the mean* win?
3. **Features cost privacy.** With the line, raise d: the new features say nothing. Which method
   suffers least? (*All methods*)
4. **Is it good to split like the sensitivities?** Open *The split of ε* with d = 13. Compare
   the least variance with the least error, then switch to the joint release, which needs none.
5. **One person in thirty.** Set n = 30 and open *Two worlds*. Drag the ring to a corner: the exact fit
   jumps. Do the published ones?
"""
