"""Formulas of the Linear regression page: with the current numbers, with proofs, and as printed on Jiang's slides."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpcore.experiments.regression import RegressionParams, Setting
from dpcore.experiments.regression.fits import DESCENT, noise_multipliers
from dpcore.regression import sensitivity
from dpcore.regression.baselines import ada_ssp_epsilon
from dpcore.regression.noise import gaussian_scales
from dpcore.regression.splits import SPLITS, budget_share
from ui.words import text
from ui.words.numbers import tex

__all__ = ["derivation", "formula", "printed"]

T = text.load_text(__file__)


def formula(params: RegressionParams, setting: Setting) -> None:
    """Display the formulas of the chosen method, with the current numbers."""
    st.markdown(T("words.formula.title"))
    st.markdown(
        T(
            "words.formula.records",
            n_features=setting.n_features,
            n_samples=setting.n_samples,
        )
    )
    st.latex(
        r"J(\theta)=\theta^\top A\,\theta-2c^\top\theta,\quad A=\sum_i x_ix_i^\top,\ c=\sum_i y_ix_i"
    )
    {
        "printed": _split, "tight": _split, "joint": _joint, "gaussian": _gaussian,
        "adassp": _adaptive, "output": _output, "descent": _descent,
    }[params.method](params, setting)  # fmt: skip


def _split(params: RegressionParams, setting: Setting) -> None:
    """Display how ε is split between the noise on the matrix A and the noise on the vector c, and both noise scales.

    The displayed sensitivity of A is that which the chosen method uses.
    """
    d = setting.n_features
    share = budget_share(params.split, d)
    first, second = share * params.epsilon, (1 - share) * params.epsilon
    jiang = params.method == "printed"
    used = (sensitivity.printed_quadratic if jiang else sensitivity.quadratic)(d)
    linear = sensitivity.linear(d)
    st.markdown(T("words.formula.split"))
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
    st.caption(T(f"words.repair.{params.repair}"))


def _joint(params: RegressionParams, setting: Setting) -> None:
    reach = sensitivity.joint(setting.n_features)
    st.markdown(T("words.formula.joint"))
    st.latex(
        rf"\Delta = \tfrac{{(d+2)^2+d}}{{2}} = {tex(reach, '.6g')},\quad "
        rf"\mathrm{{Lap}}(\Delta/\varepsilon) = \mathrm{{Lap}}({tex(reach / params.epsilon)})"
    )
    _repair(params)


def _gaussian(params: RegressionParams, setting: Setting) -> None:
    reach = sensitivity.svec(setting.n_features)
    sigma = float(gaussian_scales(params.epsilon, params.delta)[0])
    st.markdown(T("words.formula.gaussian"))
    st.latex(
        rf"\Delta_2 = \sqrt2\,(d+2) = {tex(reach)},\quad \sigma(\varepsilon,\delta) = {tex(sigma)},"
        rf"\quad \mathrm{{sd}} = \sigma\Delta_2 = {tex(sigma * reach)}"
    )
    st.markdown(T("words.formula.gaussian_entries"))
    _repair(params)


def _adaptive(params: RegressionParams, setting: Setting) -> None:
    spent = ada_ssp_epsilon(params.epsilon, params.delta, "published")
    st.markdown(T("words.formula.adaptive"))
    st.latex(
        r"\hat\theta=(A+\text{noise}+\lambda I)^{-1}(c+\text{noise}),\quad "
        r"\lambda=\max\!\big(0,\ \sqrt{D\ln(2D^2/\rho)}\,\mathrm{sd}-\tilde\lambda_{\min}\big)"
    )
    st.markdown(T("words.formula.adaptive_cost", spent=spent, epsilon=params.epsilon))


def _output(params: RegressionParams, setting: Setting) -> None:
    reach = sensitivity.output(setting.n_features, setting.n_samples, 0.3, 1.0)
    sigma = float(gaussian_scales(params.epsilon, params.delta)[0])
    st.markdown(T("words.formula.output"))
    st.latex(
        rf"\Delta=\tfrac{{2G}}{{n\mu}} = {tex(reach)},\ G=B(BR+1),\ B=\sqrt{{d+1}},\quad "
        rf"\mathrm{{sd}} = \sigma\Delta = {tex(sigma * reach)}"
    )
    st.markdown(T("words.formula.output_constants"))


def _descent(params: RegressionParams, setting: Setting) -> None:
    n_steps, q = int(DESCENT["n_steps"]), params.sample_rate
    z = float(noise_multipliers(params, np.array([params.epsilon]))[0])
    full = q == 1
    st.markdown(T("words.formula.descent") if full else T("words.formula.descent_sampled", q=q))
    known = r"=2\sqrt T\,\sigma(\varepsilon,\delta)" if full else ""
    lot = r"i\in L" if not full else "i"
    st.latex(
        rf"\theta\leftarrow\theta-\tfrac{{\eta}}{{{'n' if full else 'qn'}}}\Big(\sum_{{{lot}}}"
        rf"\mathrm{{clip}}_C(g_i)+zC\,Z\Big),\quad z{known}={tex(z)}"
    )
    st.markdown(
        T(
            "words.formula.descent_constants",
            n_steps=n_steps,
            learning_rate=DESCENT["learning_rate"],
            clip_norm=params.clip_norm,
        )
    )


def derivation(n_features: int) -> None:
    """Display the proof of the sensitivities of the sums A and c for ``n_features`` features."""
    size = n_features + 1
    quadratic, linear = size**2, 4 * size
    st.markdown(T("words.derivation.first", quadratic=2 * quadratic, linear=linear))
    st.latex(r"xx^\top-x'x'^\top=\tfrac12(uv^\top+vu^\top)")
    st.latex(
        r"\lVert\cdot\rVert_1\le\lVert u\rVert_1\lVert v\rVert_1\le"
        r"\big(\tfrac{\lVert u\rVert_1+\lVert v\rVert_1}{2}\big)^2\le(d+1)^2,"
    )
    joint = sensitivity.joint(n_features)
    st.markdown(T("words.derivation.exact", quadratic=quadratic, linear=linear, joint=joint))


def printed(setting: Setting) -> None:
    """Display formulas from Jiang's slides next to the correct formulas."""
    d = setting.n_features
    twice, linear = sensitivity.printed_quadratic(d), sensitivity.linear(d)
    _printed_objective(setting)
    st.markdown(T("words.printed.sensitivities"))
    st.latex(
        rf"\Delta_1 = 2(d+1)^2 = {tex(twice, '.6g')},\quad \Delta_2 = 4(d+1) = {tex(linear, '.6g')},\qquad "
        r"\hat a = a + \mathrm{Lap}(\Delta_1/\varepsilon_1),\ \hat b = b + \mathrm{Lap}(\Delta_2/\varepsilon_2)"
    )
    exact, joint = sensitivity.quadratic(d), sensitivity.joint(d)
    st.markdown(T("words.printed.safe", exact=exact, joint=joint))
    st.markdown(T("words.printed.proof"))
    shares = {name: budget_share(name, d) for name in SPLITS}
    st.markdown(T("words.printed.split", n_features=d, **shares))
    st.markdown(T("words.printed.descent"))


def _printed_objective(setting: Setting) -> None:
    """Display the smallest value of Jiang's objective J for m records, with and without the factor 1/(2m).

    Jiang's slides print J with this factor, but their sensitivities are those of J without the factor.
    """
    m, squared = setting.n_samples, float(setting.train.mse(setting.best))
    st.markdown(T("words.printed.objective"))
    st.latex(
        r"J(\theta) = \frac{1}{2m}\sum_{i=1}^{m}\big(h_\theta(x^{(i)})-y^{(i)}\big)^2,\qquad "
        rf"m = {tex(m, 'd')}:\quad \min J = {tex(squared / 2)}\ \text{{as printed}},\quad "
        rf"{tex(m * squared)}\ \text{{ours, with}} \textstyle\sum y^2"
    )
    noise = sensitivity.printed_quadratic(setting.n_features)
    st.markdown(T("words.printed.factor", twice=2 * m, smaller=noise / (2 * m), printed=noise))
