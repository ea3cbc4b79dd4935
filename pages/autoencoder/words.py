"""The words under the autoencoder figure: formulas with the present numbers, tables, tasks."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from dpcore.autoencoder import KINDS, paper, sigmas
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams, Problem
from dpcore.experiments.autoencoder.similar import BINS
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.mechanisms import gaussian_epsilon
from pages.autoencoder import words_judged as judged
from pages.autoencoder.exports import bundle
from pages.autoencoder.shown import Pictures
from ui.frame.explanation import Explanation
from ui.runner import PageState
from ui.words.numbers import short, show, tex

__all__ = ["words"]


def words(state: PageState[AutoencoderParams]) -> Explanation:
    """Return what stands under the figure."""
    params, problem = state.params, state.problem
    checks = {"Tables 1 to 3 of Jain et al. (2021) beside ours": lambda: tables(params, problem)}
    sections = {}
    if not params.real:
        sections["Three ways to the same ε"] = lambda: judged.rivals(params, state.newest("rivals"))
        checks["Their measure of similarity"] = lambda: _similarity(state.now("pictures"))
        checks["Does noise on a release cost 2ε?"] = lambda: judged.noise_on_noise(
            params, state.now("renoised")
        )
        checks["Irregular because it is nonlinear?"] = lambda: judged.disorder(
            params, state.now("irregular"), state.newest("attacks")
        )
    return Explanation(
        formula=lambda: formula(params, state.now("pictures")),
        sections=sections,
        checks=checks,
        bundle=bundle(state),
        tasks=TASKS,
        shown="",
    )


def formula(params: AutoencoderParams, answer: Pictures) -> None:
    """Draw the formula of what is shown."""
    st.markdown("## The formula, with your numbers")
    if params.real:
        _real(params, answer)
    else:
        _noise(params, answer)


def _noise(params: AutoencoderParams, answer: Pictures) -> None:
    k = KINDS.index(params.kind)
    share = params.epsilon / (2 if params.kind == "both" else 1)
    sigma = float(sigmas(params.epsilon, params.delta, kind=params.kind).max())
    distance = float(answer.pair.distance[k])
    real = answer.pair.epsilon[
        EPSILON_GRID.index(params.epsilon), DELTA_GRID.index(params.delta), k
    ]
    st.markdown(
        "**Jain et al. (2021)** print this noise, with sensitivity Δ = 1 and for ε in [0, 1]; they then use ε up "
        "to 8:"
    )
    st.latex(
        rf"\sigma = \frac{{\Delta\sqrt{{2\ln(1.25/\delta)}}}}{{\varepsilon}} = "
        rf"\frac{{1\cdot {tex(math.sqrt(2 * math.log(1.25 / params.delta)))}}}{{{tex(share)}}} = {tex(sigma)}"
    )
    asserted = gaussian_epsilon(sigma, 1.0, delta=params.delta)
    where = "logits" if params.kind == "output" else "codes"
    st.markdown(
        f"The formula is proved for ε < 1. If Δ = 1 were true, this noise would cost ε = {short(asserted)} for each "
        f"layer. But Δ is how far the {where} of two pictures lie apart: **{short(distance)}** for these two. The "
        r"exact cost is the ε with $\Phi(\tfrac{\Delta}{2\sigma}-\tfrac{\varepsilon\sigma}{\Delta})-e^\varepsilon"
        r"\Phi(-\tfrac{\Delta}{2\sigma}-\tfrac{\varepsilon\sigma}{\Delta})=\delta$:"
    )
    word = {"output": "really", "hidden": "up to", "both": "about"}[params.kind]
    above = "the claim does not hold" if params.kind == "output" else "above the claim"
    st.markdown(
        f"The claim is ε = {short(params.epsilon)}. Between these two it is {word} **{short(real)}**"
        + (f": :red[**{above}**]." if real > params.epsilon else
           ". The claim survives these two; it would have to hold for any two pictures.")
    )  # fmt: skip
    if params.kind == "hidden":
        st.caption(
            "This is exact while the noise switches no hidden unit off. Otherwise a little less can be told."
        )
    if params.kind == "both":
        st.caption(
            "“Both” spends ε/2 and δ on each layer, which is (ε, 2δ) by the rule of Jain et al. themselves. The "
            "distance of the two is seen through the noise of both layers; where units are switched off it is an "
            "approximation."
        )


def _similarity(answer: Pictures) -> None:
    """Their measure as printed and as defined, and what it does not see."""
    found, base = answer.similar, answer.baselines
    st.latex(
        r"H = \sqrt{1-BC}\ \text{(printed)}\qquad H^2 = \tfrac12\big(\textstyle\sum p+\sum q\big) - BC"
    )
    st.markdown(
        f"Both agree when both histograms of {BINS} bins are complete. In all 21 printed rows BC + H² = "
        f"**{show(paper.complement().mean(), '.5f')}**, not 1: about 30 of 784 pixels are missing from one histogram."
    )
    st.markdown(
        "H does not see a digit. It gives this picture without any noise "
        f"{short(_h(found))}, another picture of the digit {short(base.same_digit)}, another digit "
        f"{short(base.other_digit)}, and the pixels of this picture in another order {short(base.shuffled)}."
    )


def _h(found: autoencoder.Similarity) -> float:
    from dpcore.autoencoder import similarity

    return float(similarity.hellinger(found.own, found.clean))


def _real(params: AutoencoderParams, answer: Pictures) -> None:
    from dpcore.autoencoder import GENERATOR_PRESETS, statistics
    from dpcore.mechanisms import gaussian_sigma

    recipe = GENERATOR_PRESETS[answer.problem.name]
    clip = recipe["clip_norm"]
    sigma = gaussian_sigma(1.0, params.epsilon, delta=params.delta)
    first, second, third = statistics.noise_scales(params.epsilon, params.delta, clip)
    st.latex(
        r"\begin{aligned} z &= \mathrm{clip}_R\big(B(x-g)\big), & \tilde n_c &= n_c+\sigma_1Z,\\"
        r"\tilde s_c&=\textstyle\sum z+\sigma_2Z, & \tilde M_c&=\textstyle\sum zz^\top+\sigma_3Z"
        r"\end{aligned}"
    )
    st.markdown(
        f"One picture moves size, sum and second moment of one digit by at most 1, R = {short(clip)} and "
        f"R² = {short(clip * clip)}. The smallest exact Gaussian noise for that is σ = "
        f"{short(sigma)}, which the three "
        f"share: σ₁ = {short(first)}, σ₂ = {short(second)}, σ₃ = {short(third)}. Pictures are drawn from Gaussians "
        f"with these averages over {show(len(answer.problem.pixels), 'd')} pictures. Drawing them costs no privacy: "
        "it is post-processing."
    )
    st.markdown(
        "**The difference**: Jain et al. (2021) add noise to one picture's own numbers and assert a sensitivity of "
        "1. Here the bound is enforced: longer codes are shortened to R before anything is added up."
    )
    st.caption(
        "R, the number of frequencies and the shares of the noise are constants that were chosen on these very "
        "data sets; for new data choose them beforehand. Pictures drawn here are for looking: a release needs "
        "a generator fit for cryptography."
    )


def tables(params: AutoencoderParams, problem: Problem) -> None:
    """Draw the three printed tables of Jain et al. beside ours."""
    st.markdown(
        f"Ours is the chosen picture of {problem.title}, with the same share of its histogram missing as in "
        "theirs. Jain et al. say that their tables are the best of ten runs. To choose the best, somebody looks "
        "at the original: that is ten releases and a choice, and it is not private. On MNIST their rows look "
        "like single draws."
    )
    if problem.name != "mnist":
        st.caption(
            "A picture of 64 pixels fills 16 bins badly, so our H is larger here. Choose MNIST for the case of "
            "Jain et al. themselves."
        )
    for tab, kind in zip(st.tabs([paper.TABLES[k].title for k in KINDS]), KINDS, strict=True):
        with tab:
            table = pd.DataFrame(autoencoder.compare_tables(problem, params, kind))
            st.dataframe(
                table, hide_index=True, width="stretch",
                column_config={
                    name: st.column_config.NumberColumn(format="%.1f" if name == "ε" else "%.5f")
                    for name in table
                },
            )  # fmt: skip
    st.markdown(
        "Their text says that noise on the output layer hurts less. In their tables it hurts more in five of seven "
        "rows: H is larger in Table 2 at ε = 0.8, 1.6, 2.4, 4 and 6."
    )


TASKS = """
1. **Still a digit?** Before you look: at ε = 0.8, will you still recognise the digit? Say *yes* or *no*, then drag ε
   there. Which pictures do the attackers find?
2. **Looks private.** At *Understand*, put the noise on *both* at ε = 0.8. Can you name the digits under *Ten
   pictures*? Now raise ε until whoever has the network finds all 100.
3. **Ten runs.** At *Understand*, take ε = 3.2 on the hidden biases and move k from 1 to 30. Which digit appears in
   the mean? Jain et al. make ten runs for every ε.
4. **A measure that sees no digit.** At *Check the papers*, open *Histograms*. Is any release further from its
   original than another digit is? What would a perfect score prove?
5. **A network that learns by heart.** At *Understand*, train on 212 pictures and open *Membership*. Lower ε: which
   curve falls, and which attacker does not care?
6. **The same with a proof.** Switch on *a method with a proof*. At which ε do the invented digits teach as well as
   at 20? Who could have told that one picture was among them?
"""
