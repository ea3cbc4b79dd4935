"""The mechanisms page around its sweep: the lab, and the words under it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpcore.experiments import mechanisms
from dpcore.experiments.mechanisms import MechanismsParams, Outputs
from dpcore.grids import DELTA_GRID, EPSILON_GRID
from dpcore.mechanisms import secure
from pages.mechanisms import figure
from ui import escape, export, guarantee, live
from ui.figure_kit import common

__all__ = ["explain", "lab", "miniature", "outputs"]


@lru_cache(maxsize=16)
def _outputs(noise: str, seed: int) -> Outputs:
    return mechanisms.run(MechanismsParams(noise=noise, seed=seed))


def outputs(params: MechanismsParams) -> Outputs:
    """Return the worlds at every ε, δ and k: only the kind of noise and the seed make them anew."""
    return _outputs(params.noise, params.seed)


def lab(params: MechanismsParams, dragging: bool) -> live.Figure:
    """Return the lab."""
    asked = mechanisms.query(params)
    found = outputs(params)
    arrays = figure.arrays(params, found, asked)
    arrays["sensitivity"] = common.array(asked.sensitivity)
    real = found.real_epsilon[:, 0 if found.pure else DELTA_GRID.index(params.delta)]
    return live.Figure(
        controls=common.controls_of(params, common.buttons()),
        values=common.values(params),
        arrays=arrays,
        coords={} if params.noise == "staircase" else {"s": "scale_of"},
        panels=figure.panels(params, asked),
        readouts=figure.readouts(params, asked),
        texts=[
            common.odds(
                real,
                0.0 if found.pure else params.delta,
                gaussian=True,
                neighbouring=asked.neighbouring,
            )
        ],
    )


def miniature() -> live.Figure:
    """Return the figure of the first settings."""
    return lab(MechanismsParams(), False)


def explain(params: MechanismsParams) -> None:
    """Draw what stands under the figure: guarantee, formulas, a real release, code, exports."""
    promise = mechanisms.guarantee(params)
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        guarantee.card(promise, shown=_shown(params))
    with right:
        _formula(params)
    with st.expander("A draw fit for release"):
        _release(params)
    with st.expander("Code: the call that reproduces this figure"):
        export.show_code(mechanisms.code(params))
    with st.expander("Take it along: link, data, figure, report, notebook"):
        export.take_along(_bundle(params, promise))
    with st.expander("Try this"):
        st.markdown(_TASKS)


def _shown(params: MechanismsParams) -> str:
    """What all answers that the figure draws of one world cost together."""
    n_answers = outputs(params).draws.shape[-1]
    return (
        f"the figure draws {n_answers} answers from the data D, each with noise of its own. Whoever sees them "
        f"all has ε = **{mechanisms.shown_epsilon(params, n_answers):.3g}**"
        + (". Publish one." if outputs(params).pure else " at the same δ. Publish one.")
    )


def _formula(params: MechanismsParams) -> None:
    asked = mechanisms.query(params)
    made = mechanisms.mechanism(params)
    st.markdown("#### The formula, with your numbers")
    st.markdown(f"**Sensitivity**: {asked.why}: Δ = {asked.sensitivity:g} {asked.unit}.")
    if params.noise in ("laplace", "staircase"):
        st.latex(rf"b = \Delta/\varepsilon = {asked.sensitivity:g}/{params.epsilon:g} = "
                 rf"{asked.sensitivity / params.epsilon:.4g}")  # fmt: skip
        st.markdown(_STAIRCASE if params.noise == "staircase" else _LAPLACE)
        return
    exact = mechanisms.mechanism(params.but(noise="gaussian"))
    slide = mechanisms.mechanism(params.but(noise="classical"))
    real = slide.privacy.epsilon
    st.markdown("**The slide prints**, without saying for which ε")
    st.latex(
        rf"\sigma = \frac{{\Delta\sqrt{{2\ln(1.25/\delta)}}}}{{\varepsilon}} = {slide.scale:.4g}"
    )
    verdict = (
        "**below its promise**" if real <= params.epsilon else ":red[**not what it promises**]"
    )
    st.markdown(f"It is proved for ε < 1. Here it really costs ε = **{real:.4g}**: {verdict}.")
    st.markdown("**Exact** (Balle and Wang 2018): the smallest σ with")
    st.latex(
        r"\Phi\!\left(\tfrac{\Delta}{2\sigma}-\tfrac{\varepsilon\sigma}{\Delta}\right)-e^\varepsilon"
        r"\Phi\!\left(-\tfrac{\Delta}{2\sigma}-\tfrac{\varepsilon\sigma}{\Delta}\right)\le\delta:"
        rf"\quad \sigma = {exact.scale:.4g}"
    )
    st.caption(f"You see σ = {made.scale:.4g}.")


def _release(params: MechanismsParams) -> None:
    share = secure.betrayed_share(
        0.0, 1.0, params.epsilon, 1000, np.random.default_rng(params.seed)
    )
    st.markdown(
        "The draws of the figure are for looking. A computer's numbers have gaps, and with the textbook "
        "Laplace sampler the gaps depend on the data: of 1,000 outputs at f(D) = 0 just drawn, "
        f"**{share:.0%}** are numbers that f(D′) = 1 can never give (Mironov 2012). Each of them tells "
        "D from D′ with certainty, whatever ε says."
    )
    if not st.button("Draw once with OpenDP", help="Exact arithmetic, proved; Laplace noise."):
        return
    asked = mechanisms.query(params)
    try:
        drawn = secure.laplace_draw(asked.answer, asked.sensitivity, params.epsilon)
        st.success(f"A release of “{asked.record} hidden” at ε = {params.epsilon:g}: **{drawn!r}**")
        st.caption("Every press is another release: they add up. The seed has no say here.")
    except secure.OpenDPMissing as error:
        st.info(escape.plain(error))


def _bundle(params: MechanismsParams, promise: Any) -> export.Bundle:
    asked = mechanisms.query(params)
    made = mechanisms.mechanism(params)
    return export.Bundle(
        name="mechanisms",
        title=f"{made.name} noise: {asked.record} hidden",
        params=params,
        guarantee=promise,
        code=mechanisms.code,
        figure=lambda: density_figure(params),
        tables={"draws": lambda: draw_table(params), "errors": lambda: error_table(params)},
        facts=lambda: {
            "true answer": f"{asked.answer:g} {asked.unit}",
            "sensitivity": f"{asked.sensitivity:g} {asked.unit}",
            "noise scale": f"{made.scale:.4g}",
            "mean error": f"{made.mean_error():.4g}",
        },
    )


def draw_table(params: MechanismsParams) -> pd.DataFrame:
    """Return the draws of both worlds at the values chosen."""
    found, asked = outputs(params), mechanisms.query(params)
    row = found.draws[EPSILON_GRID.index(params.epsilon)]
    noise = asked.sensitivity * row[0 if found.pure else DELTA_GRID.index(params.delta)]
    other = asked.answer - params.group * asked.sensitivity
    table = pd.DataFrame({"with": asked.answer + noise, "without": other + noise})
    table.attrs["note"] = (
        f"{len(table)} answers from each of two data sets, each a release of its own: together epsilon = "
        f"{mechanisms.shown_epsilon(params, len(table)):.4g}"
    )
    return table


def error_table(params: MechanismsParams) -> pd.DataFrame:
    """Return the mean error of every mechanism at every ε, in the unit of the question."""
    found = mechanisms.compare().errors
    unit = mechanisms.query(params).sensitivity
    column = DELTA_GRID.index(params.delta)
    flat = {k: unit * (v if v.ndim == 1 else v[:, column]) for k, v in found.items()}
    return pd.DataFrame({"epsilon": EPSILON_GRID, **flat})


def density_figure(params: MechanismsParams) -> go.Figure:
    """Return the two densities as a Plotly figure, for taking along."""
    asked, made = mechanisms.query(params), mechanisms.mechanism(params)
    other = asked.answer - params.group * asked.sensitivity
    x = np.linspace(
        asked.answer - 14 * asked.sensitivity, asked.answer + 8 * asked.sensitivity, 1200
    )
    figure_ = go.Figure()
    figure_.add_scatter(x=x, y=made.density(x, asked.answer), name="D")
    figure_.add_scatter(x=x, y=made.density(x, other), name="D′")
    figure_.update_layout(title=f"{made.name} noise, ε = {params.epsilon:g}")
    figure_.update_xaxes(title=f"published answer {asked.unit}")
    figure_.update_yaxes(title="density")
    return figure_


_LAPLACE = (
    "The slide's formula is right: densities of neighbours differ by at most "
    "$e^{|f(D)-f(D')|/b} \\le e^{\\varepsilon}$, and k people by $e^{k\\varepsilon}$. The error is "
    "Δ/ε on average; it exceeds t times that with probability $e^{-t}$."
)
_STAIRCASE = (
    "Staircase noise is flat within each Δ and falls by $e^{\\varepsilon}$ from one to the next: no "
    "pure mechanism errs less, $\\Delta e^{\\varepsilon/2}/(e^{\\varepsilon}-1)$ instead of Δ/ε."
)
_TASKS = """
1. **Overlap is privacy.** Drag ε from 0.1 to 10 with Laplace noise. At which ε could you tell single
   dots of the two colours apart? What does *spy's guesses right* say there?
2. **Outside its proof.** Choose *Gaussian, the slide's σ* and raise ε past 8.42 at δ = 10⁻⁵. What
   happens to *ε it really costs*?
3. **A family of five.** Set k = 5 at ε = 1. Which ε would hide the family as well as one person?
4. **Ratings are not votes.** Under *More* choose the ratings, open *Choosing*, and read what the printed
   formula costs.
"""
