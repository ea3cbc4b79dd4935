"""The words of the linear regression page: formulas with the reader's numbers, Jiang's beside them, and tasks."""

from __future__ import annotations

import streamlit as st

from dpcore.experiments.regression import RegressionParams, Setting
from dpcore.experiments.regression.fits import DESCENT
from dpcore.regression import sensitivity
from dpcore.regression.baselines import ada_ssp_epsilon
from dpcore.regression.descent import descent_noise
from dpcore.regression.noise import gaussian_scales
from dpcore.regression.splits import budget_share
from ui.words.numbers import short, show, tex

__all__ = ["TASKS", "derivation", "formula"]


def formula(params: RegressionParams, setting: Setting) -> None:
    """Draw the formulas of the method with the current numbers."""
    st.markdown("## The formula, with your numbers")
    st.markdown(
        f"A record is x = (1, features) with d = {setting.n_features}, and there are n = "
        f"{show(setting.n_samples, 'd')} of them. Every value is put inside its public bounds and scaled to "
        "[−1, 1]. The fit minimises the objective J, which needs two sums only:"
    )
    st.latex(
        r"J(\theta)=\theta^\top A\,\theta-2c^\top\theta,\quad A=\sum_i x_ix_i^\top,\ c=\sum_i y_ix_i"
    )
    {
        "printed": _split, "tight": _split, "joint": _joint, "gaussian": _gaussian,
        "adassp": _adaptive, "output": _output, "descent": _descent,
    }[params.method](params, setting)  # fmt: skip


def _split(params: RegressionParams, setting: Setting) -> None:
    """Two releases, with the sensitivity of the square part that the method takes."""
    d = setting.n_features
    share = budget_share(params.split, d)
    first, second = share * params.epsilon, (1 - share) * params.epsilon
    jiang = params.method == "printed"
    used = (sensitivity.printed_quadratic if jiang else sensitivity.quadratic)(d)
    linear = sensitivity.linear(d)
    st.markdown(
        "**The functional mechanism** (Zhang et al. 2012) puts Laplace noise on the coefficients of J. This version "
        "publishes the square part A and the linear part −2c separately, and their ε add up:"
    )
    st.latex(
        rf"\Delta_1 = {'2' if jiang else ''}(d+1)^2 = {tex(used, '.6g')},\quad \Delta_2 = 4(d+1) = "
        rf"{tex(linear, '.6g')}"
    )
    st.latex(
        rf"\varepsilon_1 = {tex(first)},\ \varepsilon_2 = {tex(second)}:\quad "
        rf"\mathrm{{Lap}}({tex(used / first)})\ \text{{on }}A,\quad "
        rf"\mathrm{{Lap}}({tex(linear / second)})\ \text{{on }}{{-2c}}"
    )
    _repair(params)


def _repair(params: RegressionParams) -> None:
    words = {
        "none": "No repair: the equations are solved as they are.",
        "trim": "Repair (Zhang et al. 2012): we add 4 sd of the noise to the diagonal, and then drop the directions "
        "whose eigenvalue is still ≤ 0.",
        "floor1": "Repair: each eigenvalue w of A becomes max(w, 0) + sd·√(d+1).",
        "floor2": "Repair: each eigenvalue w of A becomes max(w, 0) + 2 sd·√(d+1). That is the edge of the noise's "
        "spectrum.",
    }
    free = (
        ""
        if params.repair == "none"
        else " It sees noisy numbers only: it is post-processing, and costs no privacy."
    )
    st.caption(words[params.repair] + free)


def _joint(params: RegressionParams, setting: Setting) -> None:
    reach = sensitivity.joint(setting.n_features)
    st.markdown(
        "**The functional mechanism** (Zhang et al. 2012) puts Laplace noise on the coefficients of J. Here the "
        "distinct entries of A and c are published in **one release**. So there is no split of ε to choose:"
    )
    st.latex(
        rf"\Delta = \tfrac{{(d+2)^2+d}}{{2}} = {tex(reach, '.6g')},\quad "
        rf"\mathrm{{Lap}}(\Delta/\varepsilon) = \mathrm{{Lap}}({tex(reach / params.epsilon)})"
    )
    _repair(params)


def _gaussian(params: RegressionParams, setting: Setting) -> None:
    reach = sensitivity.svec(setting.n_features)
    sigma = float(gaussian_scales(params.epsilon, params.delta)[0])
    st.markdown("**Gaussian noise** on all sums at once. It needs δ > 0:")
    st.latex(
        rf"\Delta_2 = \sqrt2\,(d+2) = {tex(reach)},\quad \sigma(\varepsilon,\delta) = {tex(sigma)},"
        rf"\quad \mathrm{{sd}} = \sigma\Delta_2 = {tex(sigma * reach)}"
    )
    st.markdown(
        "Entries off the diagonal occur twice and get 1/√2 of it. σ is the smallest that is enough (Balle and Wang "
        "2018)."
    )
    _repair(params)


def _adaptive(params: RegressionParams, setting: Setting) -> None:
    spent = ada_ssp_epsilon(params.epsilon, params.delta, "published")
    st.markdown(
        "**AdaSSP** (Wang 2018) adds a ridge λ that follows from the noisy smallest eigenvalue:"
    )
    st.latex(
        r"\hat\theta=(A+\text{noise}+\lambda I)^{-1}(c+\text{noise}),\quad "
        r"\lambda=\max\!\big(0,\ \sqrt{D\ln(2D^2/\rho)}\,\mathrm{sd}-\tilde\lambda_{\min}\big)"
    )
    st.markdown(
        f"As published, each of the three releases gets ε/3. That really spends ε = **{short(spent)}** of "
        f"{short(params.epsilon)}, for records added or removed. Here the three Gaussians are composed exactly, "
        "for replaced records."
    )


def _output(params: RegressionParams, setting: Setting) -> None:
    reach = sensitivity.output(setting.n_features, setting.n_samples, 0.3, 1.0)
    sigma = float(gaussian_scales(params.epsilon, params.delta)[0])
    st.markdown(
        "**Noise on the result** of a ridge regression whose coefficients stay inside a ball:"
    )
    st.latex(
        rf"\Delta=\tfrac{{2G}}{{n\mu}} = {tex(reach)},\ G=B(BR+1),\ B=\sqrt{{d+1}},\quad "
        rf"\mathrm{{sd}} = \sigma\Delta = {tex(sigma * reach)}"
    )
    st.markdown(
        "We take μ = 0.3 and R = 1. A smaller μ bends the fit less and needs more noise: the method then costs "
        "less, and its noise more."
    )


def _descent(params: RegressionParams, setting: Setting) -> None:
    steps, clip = int(DESCENT["n_steps"]), DESCENT["clip_norm"]
    z = float(descent_noise(params.epsilon, params.delta, steps)[0])
    st.markdown("**Private gradient descent** uses all records in each step:")
    st.latex(
        rf"\theta\leftarrow\theta-\tfrac{{\eta}}{{n}}\Big(\sum_i\mathrm{{clip}}_C(g_i)+zC\,Z\Big),\quad "
        rf"z=2\sqrt T\,\sigma(\varepsilon,\delta)={tex(z)}"
    )
    st.markdown(
        f"T = {steps}, η = {short(DESCENT['learning_rate'])} and C = {short(clip)} are fixed "
        f"beforehand. The mean of the last "
        "half of the steps is published."
    )


def derivation(d: int) -> None:
    """Draw the proof of the sensitivities, with the numbers for d features."""
    D = d + 1
    st.markdown(
        f"""
A record is z = (1, x, y) with every entry in [−1, 1]. It is **replaced** by z′.

**A first bound.** Each of the (d+1)² products $x_jx_k$ lies in [−1, 1], so it moves by at most 2: Δ₁ ≤ 2(d+1)² =
{2 * D**2}. Each of the d+1 products $-2yx_j$ lies in [−2, 2], so Δ₂ ≤ 4(d+1) = {4 * D}.

**The exact Δ₁.** Not all products can move by 2 at once. With u = x + x′ and v = x − x′,"""
    )
    st.latex(r"xx^\top-x'x'^\top=\tfrac12(uv^\top+vu^\top)")
    st.latex(
        r"\lVert\cdot\rVert_1\le\lVert u\rVert_1\lVert v\rVert_1\le"
        r"\big(\tfrac{\lVert u\rVert_1+\lVert v\rVert_1}{2}\big)^2\le(d+1)^2,"
    )
    st.markdown(
        f"""because $|u_j|+|v_j| = 2\\max(|x_j|, |x'_j|) \\le 2$. So Δ₁ = (d+1)² = **{D**2}**, and this is reached.
Δ₂ = 4(d+1) = **{4 * D}** is reached by x′ = x, y′ = −y.

**Joint release.** The same bound holds for z with its d+2 entries. With distinct products counted once, and without
y², it gives Δ = ((d+2)² + d)/2 = **{show(((d + 2) ** 2 + d) / 2, ".6g")}**.

All of this rests on **public bounds**. If the data are scaled by *their own* smallest and largest value, or by their
mean and spread, every record moves with everybody else's, and these numbers are void.
"""
    )


TASKS = """
1. **How small can ε be?** Before you drag: at ε = 0.1, how many of ten published lines beat always guessing the
   average? Drag ε down, read the sentence under the figure, and press *Redraw noise* a few times: how much does one
   draw tell?
2. **More people.** Stay at ε = 0.1 and raise the number of people. How many does it take until a published
   line is about as good as without privacy?
3. **Features cost privacy.** At *Understand*, keep the line with noise and raise d. The new features say nothing.
   Which method suffers least? (*All methods*)
4. **One person in thirty.** At *Understand*, set n = 30 and open *Two worlds*. Drag the ring to a corner: the line
   without privacy jumps. Do the published ones?
5. **A valley turns over.** At *Check the papers*, choose the method that Jiang prints, without a repair, and drag ε
   down. From where on do curves open downwards? Open *No minimum?* at ε = 0.1, then choose a repair.
6. **Many people, little noise.** At *Check the papers*, press *As Jiang did it*. How close is ε = 1 to no privacy?
   Now lower n to 1600. At which n does *predicting the mean* win?
7. **Which split?** At *Check the papers*, open *The split of ε* with d = 13. Compare the least variance with the
   least error. Then switch to the joint release, which needs no split.
"""
