"""The words under the page Gradient descent: guarantee, readings of the formula, exports, tasks."""

from __future__ import annotations

import streamlit as st

from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams
from pages.descent.figure import figure
from ui import export_figure
from ui.explanation import Explanation
from ui.numbers_in_words import short
from ui.runner import PageState

__all__ = ["words"]


def words(state: PageState[DescentParams]) -> Explanation:
    """Return what stands under the figure."""
    params = state.params
    privacy = descent.guarantee(params, descent.real_epsilon(params))
    return Explanation(
        shown=_shown(params) if privacy.status != "nominal" else "",
        formula=lambda: _formula(params),
        bundle=export_figure.taken(
            figure,
            state,
            draws="against",
            panels=("against", "training"),
            whole=("sweep",),
            name="descent",
            title=f"Private gradient descent on {params.dataset}",
            guarantee=privacy,
            code=descent.code,
        ),
        tasks=_TASKS,
    )


def _shown(params: DescentParams) -> str:
    """What all trainings that the page draws cost together."""
    n_releases = 1 + descent.N_DRAWS
    return (
        f"this page draws this training and {descent.N_DRAWS} others with the same σ, each with noise of its own. "
        f"Whoever sees them all has up to ε = **{descent.shown_epsilon(params, n_releases):.3g}** at the same "
        f"δ = {short(params.delta)}. Publish one."
    )


def _formula(params: DescentParams) -> None:
    sigma, clip = params.noise_multiplier, params.clip_norm
    lot = params.sample_rate * 400
    st.markdown("## One step, with your numbers")
    st.latex(
        rf"w \leftarrow w - \frac{{\eta}}{{qN}}\Big(\sum_i \mathrm{{clip}}_C(g_i) + \sigma C Z\Big),"
        rf"\quad \sigma C = {sigma * clip:.3g},\ qN = {lot:g}"
    )
    st.markdown("**The same formula as it is printed, and what each reading costs**")
    st.markdown(_readings(params))
    st.caption(
        "Slides: “add noise” inside the bracket is once per record; “clip the batch” moves by 2C when one "
        "record changes. Noise once per record counts the expected lot: an empty lot gets none."
    )
    wrong, right = descent.run_output(
        params.dataset, params.regularisation, params.delta, params.seed
    ).sensitivities[::-1]
    st.markdown(
        f"**Output perturbation**: the slide's 4G/(nλ) = {wrong:.3g}; the tight 2G/(nμ) with μ = 2λ is "
        f"**{right:.3g}** (replace one, G = √3, n = 400)."
    )


def _readings(params: DescentParams) -> str:
    rows = []
    for clipping, noise, words in (
        ("example", "lot", "each gradient clipped, noise once (proved)"),
        ("example", "example", "each gradient clipped, noise per record"),
        ("batch", "lot", "batch clipped, noise once"),
        ("batch", "example", "batch clipped, noise per record"),
    ):
        here = params.but(clipping=clipping, noise=noise, parts="both")
        chosen = "**" if (clipping, noise) == (params.clipping, params.noise) else ""
        rows.append(
            f"| {chosen}{words}{chosen} | {descent.real_noise(here, params.noise_multiplier):.3g} "
            f"| {descent.real_epsilon(here):.3g} |"
        )
    return "| reading | σ that counts | true ε |\n|---|---|---|\n" + "\n".join(rows)


_TASKS = """
1. **Why clip?** Choose *only add noise* and look at the longest grey arrow: one record may ask for any step.
   What would hide it?
2. **Why noise?** Choose *only clip*, open *Two worlds* and take the most surprising person. Do the two
   histograms overlap?
3. **The bracket.** Under *More* let the noise be added once per record. What happens to ε, and to the border?
4. **Convex or not.** Choose the corners with logistic regression, then with the hidden layer. Privacy costs
   the same: why?
"""
